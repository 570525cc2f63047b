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

// Nothing of a message came lately.
static bool may_go(const mc_push_place *place, uint64_t now_ns) {
    if (place->has_input) return false;
    if (place->data_ns > 0) return now_ns - place->data_ns > MC_PUSH_ACTIVE_NS;
    return now_ns - place->since_ns > MC_PUSH_YOUNG_NS;
}

static int get_use(const mc_push_place *place) {
    return !place->is_open ? 0 : place->has_given ? 2 : 1;
}

static bool goes_before(const mc_push_place *a, const mc_push_place *b) {
    int a_use = get_use(a), b_use = get_use(b);
    if (a_use != b_use) return a_use < b_use;
    return a->has_given ? a->data_ns < b->data_ns : a->since_ns < b->since_ns;
}

uint32_t mc_push_place_choose(const mc_push_place *places, uint32_t count, uint64_t now_ns) {
    uint32_t chosen = MC_NONE;
    bool all_gave = true;
    for (uint32_t i = 0; i < count; i++) {
        const mc_push_place *place = &places[i];
        all_gave &= place->has_given;
        if (!may_go(place, now_ns)) continue;
        if (chosen == MC_NONE || goes_before(place, &places[chosen])) chosen = i;
    }
    // Else a crowd that has just come would chase away who works.
    bool is_spared = chosen != MC_NONE && places[chosen].has_given && !all_gave;
    return is_spared ? MC_NONE : chosen;
}

void mc_push_place_end_message(mc_push_place *place, bool gives, uint64_t now_ns) {
    place->has_sent = true;
    place->has_given |= gives;
    if (gives) place->given_ns = now_ns; // what it took us is no silence of the client's
    place->data_ns = place->given_ns;
}
