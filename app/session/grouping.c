#include "app/session/grouping.h"

#include "engine/import/jvm/grouping.h"
#include <string.h>

const mc_trace *mc_session_get_base_trace(const mc_session *session) {
    const mc_trace *trace = session->trace;
    return mc_trace_get_base(mc_trace_is_versus(trace) ? mc_versus_get_side(trace, MC_AFTER)
                                                       : trace);
}

bool mc_session_groups_dumps(const mc_session *session, const char *list) {
    mc_regrouping own;
    mc_grouping grouping;
    if (!session->dataset || !session->dataset->is_of_jvm || !list[0]) return false;
    return mc_regrouping_parse(mc_session_get_base_trace(session), list, &own, NULL) != MC_OK &&
           mc_grouping_parse(list, &grouping, NULL) == MC_OK;
}

mc_result mc_session_check_grouping(const mc_session *session, const char *list, mc_error *error) {
    mc_regrouping grouping;
    if (!session->trace || !list[0] || mc_session_groups_dumps(session, list)) return MC_OK;
    if (strlen(list) >= sizeof session->settings.group_by)
        return mc_fail(error, MC_ERROR_BAD_DATA, "this list of classifiers is too long");
    return mc_regrouping_parse(mc_session_get_base_trace(session), list, &grouping, error);
}

void mc_session_want_grouping(mc_session *session, const char *list) {
    mc_error error = {0};
    if (mc_session_check_grouping(session, list, &error) == MC_OK)
        (void)mc_form_set_name(session->settings.group_by, sizeof session->settings.group_by, list);
    else
        mc_session_set_message(session, error.message);
}
