#include "app/picture/stage_state.h"

#include "app/session/pictured.h"
#include "app/session/turn.h"
#include <string.h>

int mc_stage_rest(mc_stage *stage) {
    mc_session *session = stage->session;
    do {
        mc_session_begin_turn(session, session->turn.now_ns);
        mc_session_end_turn(session);
    } while (!mc_session_rests(session));
    return stage->error.code == MC_OK ? MC_EXIT_OK : mc_command_fail(&stage->error);
}

static bool is_in_city(const mc_stage *stage, uint32_t node) {
    mc_structure structure = mc_city_find_node(stage->city, node);
    return structure.building != MC_NONE || structure.district != MC_NONE;
}

// Returns MC_EXIT_OK, or the exit code after saying what the trace or the city lacks.
static int find_selected(const mc_stage *stage, const char *key, mc_selection *selection) {
    const mc_picture_options *picture = stage->picture;
    uint32_t node = mc_trace_find_node(stage->trace, key, strlen(key));
    if (node == MC_NONE && picture->is_lenient) {
        mc_message_say("the view's selection is not in this trace: %s", key);
        return MC_EXIT_OK;
    }
    if (node == MC_NONE) {
        int code = mc_command_find_node(stage->trace, "--select", key, &node);
        if (code != MC_EXIT_OK) return code;
    }
    if (stage->city && !is_in_city(stage, node) && !picture->is_lenient)
        return mc_command_wrong_usage("--select: \"%s\" is not in this city", key);
    if (!mc_selection_add(selection, node))
        return mc_command_wrong_usage("--select: expected at most %d", MC_SELECTION_CAPACITY);
    return MC_EXIT_OK;
}

int mc_stage_find_selection(mc_stage *stage) {
    const mc_option_texts *keys = &stage->picture->selected;
    int code = MC_EXIT_OK;
    for (uint32_t i = 0; i < keys->count && code == MC_EXIT_OK; i++)
        code = find_selected(stage, keys->items[i], &stage->selection);
    return code;
}

int mc_stage_check_search(const mc_stage *stage) {
    const mc_session_search *search = &stage->session->search;
    if (!stage->picture->search) return MC_EXIT_OK;
    if (search->note[0]) return mc_command_wrong_usage("--search: %s", search->note);
    if (mc_session_get_hits(stage->session)->count == 0)
        mc_message_warn("no key contains \"%s\"", stage->picture->search);
    return MC_EXIT_OK;
}
