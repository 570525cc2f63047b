#include "app/commands/by_site.h"

#include "engine/trace/regroup/regroup.h"
#include <string.h>

static bool has_classifier(const mc_trace *trace, const char *name) {
    for (uint32_t i = 0; i < mc_trace_get_classifier_count(trace); i++) {
        size_t size;
        const char *known = mc_trace_get_classifier(trace, i, &size);
        if (size == strlen(name) && memcmp(known, name, size) == 0) return true;
    }
    return false;
}

int mc_command_group_by_site(mc_trace **trace, const mc_input_options *input) {
    if (input->group_by || !has_classifier(*trace, "Type") || !has_classifier(*trace, "Site") ||
        !has_classifier(*trace, "Caller"))
        return MC_EXIT_OK;
    mc_regrouping grouping;
    mc_error error = {0};
    mc_trace *regrouped = NULL;
    mc_result result = mc_regrouping_parse(*trace, "type,site", &grouping, &error);
    if (result == MC_OK) result = mc_trace_regroup(*trace, &grouping, NULL, &regrouped, &error);
    if (result != MC_OK) {
        mc_trace_destroy(*trace);
        *trace = NULL;
        return mc_command_fail(&error);
    }
    mc_trace_regroup_own_base(regrouped, *trace);
    *trace = regrouped;
    return MC_EXIT_OK;
}
