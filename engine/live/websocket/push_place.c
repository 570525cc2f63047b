#include "engine/live/websocket/push_place.h"

mc_push_verdict mc_push_place_judge(const mc_push_place *place, uint64_t now_ns) {
    uint64_t silent_ns = now_ns - place->heard_ns;
    if (!place->is_open)
        return now_ns - place->since_ns > MC_PUSH_BEGIN_NS ? MC_PUSH_IS_LATE : MC_PUSH_STAYS;
    // A tool that has pushed may be a simple one, which answers no ping between two steps.
    bool has_to_speak = !place->has_sent || place->in_message;
    if (has_to_speak && silent_ns > MC_PUSH_SILENT_NS) return MC_PUSH_IS_SILENT;
    bool was_pinged = place->pinged_ns > 0 && now_ns - place->pinged_ns <= MC_PUSH_PING_NS;
    return silent_ns > MC_PUSH_PING_NS && !was_pinged ? MC_PUSH_IS_PINGED : MC_PUSH_STAYS;
}

bool mc_push_place_may_go(const mc_push_place *place, uint64_t now_ns) {
    if (place->data_ns > 0) return now_ns - place->data_ns > MC_PUSH_ACTIVE_NS;
    return now_ns - place->since_ns > MC_PUSH_YOUNG_NS;
}

static int get_use(const mc_push_place *place) {
    return !place->is_open ? 0 : place->has_sent ? 2 : 1;
}

bool mc_push_place_goes_before(const mc_push_place *a, const mc_push_place *b) {
    int a_use = get_use(a), b_use = get_use(b);
    if (a_use != b_use) return a_use < b_use;
    return a->has_sent ? a->data_ns < b->data_ns : a->since_ns < b->since_ns;
}
