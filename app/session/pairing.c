#include "app/session/pairing.h"

#include <inttypes.h>
#include <stdio.h>

mc_metric mc_session_get_told_metric(const mc_session *session, mc_metric metric) {
    const mc_trace *trace = session->trace;
    return mc_versus_is_before(trace, session->shown->metric)
               ? mc_versus_get_metric(trace, metric, MC_VERSUS_BEFORE)
               : mc_pair_get_plain(trace, metric);
}

void mc_session_show_next_of_pair(mc_session *session) {
    uint32_t *pair = &session->settings.layout.pair;
    *pair = (*pair + 1) % MC_PAIR_SHOW_COUNT;
    if (session->settings.view != 0 && *pair == MC_PAIR_BOTH) *pair = MC_PAIR_DIFFERENCE;
}

// As it is.
static void get_alignment(const mc_session *session, mc_versus_alignment *alignment) {
    const char *align = session->settings.layout.align;
    if (!mc_versus_alignment_parse(align, alignment))
        *alignment = (mc_versus_alignment){.kind = MC_ALIGN_STEP};
}

void mc_session_align(mc_session *session, const char *text) {
    static const char *const next[] = {[MC_ALIGN_END] = "step",
                                       [MC_ALIGN_STEP] = "time",
                                       [MC_ALIGN_TIME] = "end",
                                       [MC_ALIGN_PAIR] = "step"};
    mc_versus_alignment alignment;
    mc_error error = {0};
    get_alignment(session, &alignment);
    if (!text[0]) text = next[alignment.kind];
    mc_result result = mc_pair_check_align(text, &error);
    if (result == MC_OK && mc_trace_is_versus(session->trace)) {
        (void)mc_versus_alignment_parse(text, &alignment);
        result = mc_pair_check_steps(session->trace, &alignment, &error);
    }
    if (result == MC_OK && !mc_form_set_name(session->settings.layout.align, MC_ALIGN_SIZE, text))
        result = mc_fail(&error, MC_ERROR_BAD_DATA, "this is too long");
    if (result != MC_OK) mc_session_set_message(session, error.message);
}

void mc_session_shift_alignment(mc_session *session, int by) {
    uint32_t step = session->playback.step;
    int64_t before = mc_versus_get_step(session->trace, MC_BEFORE, step);
    uint32_t after = mc_versus_get_step(session->trace, MC_AFTER, step);
    uint32_t count = mc_trace_get_step_count(mc_versus_get_side(session->trace, MC_BEFORE));
    char text[MC_ALIGN_SIZE];
    before += by;
    if (before < 0 || before >= count) {
        mc_session_set_notice(session, "A has no step there.");
        return;
    }
    snprintf(text, sizeof text, "%" PRIu32 ":%" PRIu32, (uint32_t)before, after);
    mc_session_align(session, text);
}
