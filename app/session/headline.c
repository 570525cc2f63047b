#include "app/session/headline.h"

#include <string.h>

static void get_key(const mc_trace *trace, const mc_cause *cause, mc_text *key) {
    mc_text_clear(key);
    mc_trace_append_full_key(trace, cause->node, key);
}

static bool is_same(const mc_text *a, const mc_text *b) {
    return a->size == b->size && (a->size == 0 || memcmp(a->data, b->data, a->size) == 0);
}

static void copy(mc_text *to, const mc_text *from) {
    mc_text_clear(to);
    if (from->size > 0) mc_text_append(to, from->data, from->size);
}

static uint32_t find(const mc_trace *trace, const mc_causes *causes, const mc_text *key) {
    mc_text one = {0};
    uint32_t found = MC_NONE;
    for (uint32_t i = 0; i < causes->count && found == MC_NONE && key->size > 0; i++) {
        get_key(trace, &causes->items[i], &one);
        if (!one.failed && is_same(&one, key)) found = i;
    }
    mc_text_deinit(&one);
    return found;
}

static void forget(mc_headline *h) {
    mc_text_clear(&h->key);
    mc_text_clear(&h->rival);
    h->steps = h->rival_steps = h->step_count = 0;
    h->is_early = h->is_kept = false;
}

static void take(mc_headline *h, const mc_text *key, uint32_t steps) {
    copy(&h->key, key);
    mc_text_clear(&h->rival);
    h->steps = steps;
    h->rival_steps = 0;
}

// Whether what leads now has led long enough, or by enough, to stand first.
static bool is_clear(mc_headline *h, const mc_causes *causes, uint32_t shown, const mc_text *leader,
                     uint32_t new_steps) {
    bool leads_on = h->rival_steps > 0 && is_same(&h->rival, leader);
    h->rival_steps = (leads_on ? h->rival_steps : 0) + new_steps;
    copy(&h->rival, leader);
    if (h->rival_steps >= MC_HEADLINE_STEPS) return true;
    if (causes->count == 0) return false;
    return shown == MC_NONE || (double)causes->items[0].growth >=
                                   MC_HEADLINE_MARGIN * (double)causes->items[shown].growth;
}

// What stands first; sets is_kept.
static uint32_t choose(mc_headline *h, const mc_trace *trace, const mc_causes *causes,
                       uint32_t new_steps) {
    mc_text leader = {0};
    if (causes->count > 0) get_key(trace, &causes->items[0], &leader);
    uint32_t shown = find(trace, causes, &h->key), chosen = 0;
    h->is_kept = false;
    if (is_same(&h->key, &leader)) {
        h->steps += new_steps;
        h->rival_steps = 0;
    } else if (h->key.size == 0) {
        take(h, &leader, new_steps);
    } else if (is_clear(h, causes, shown, &leader, new_steps)) {
        take(h, &leader, h->rival_steps);
    } else {
        h->steps += new_steps;
        h->is_kept = shown == MC_NONE;
        chosen = shown != MC_NONE ? shown : 0;
    }
    mc_text_deinit(&leader);
    return chosen;
}

uint32_t mc_headline_choose(mc_headline *h, const mc_trace *trace, const mc_causes *causes,
                            uint64_t recording, bool goes_on) {
    mc_step_range window = causes->desc.window;
    uint32_t count = mc_trace_get_step_count(trace);
    bool is_other = h->recording != recording || h->metric != causes->desc.metric ||
                    h->first_step != window.first_step || h->step_count > count;
    if (is_other || !goes_on) forget(h);
    h->recording = recording;
    h->metric = causes->desc.metric;
    h->first_step = window.first_step;
    if (!goes_on) return 0;
    uint32_t new_steps = h->step_count > 0 ? count - h->step_count : 1;
    h->step_count = count;
    uint32_t chosen = choose(h, trace, causes, new_steps);
    bool is_few = window.last_step - window.first_step + 1 < MC_HEADLINE_CLEAR_STEPS;
    h->is_early = h->key.size > 0 && (is_few || h->is_kept || h->steps < MC_HEADLINE_STEPS);
    return chosen;
}

void mc_headline_deinit(mc_headline *h) {
    mc_text_deinit(&h->key);
    mc_text_deinit(&h->rival);
}
