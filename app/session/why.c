#include "app/session/why.h"

void mc_session_drop_causes(mc_session *session) {
    mc_session_why *why = &session->suspects.why;
    why->causes = NULL;
    why->is_judged = false;
    why->finding_count = why->first = 0;
    mc_text_clear(&why->sentence);
    mc_text_clear(&why->rest);
    for (int fact = 0; fact < MC_WHY_FACT_COUNT; fact++)
        mc_text_clear(&why->facts[fact]);
}

void mc_session_end_why(mc_session *session) {
    mc_session_why *why = &session->suspects.why;
    mc_session_drop_causes(session);
    mc_text_deinit(&why->sentence);
    mc_text_deinit(&why->rest);
    for (uint32_t i = 0; i < MC_WHY_MOST_SHOWN; i++)
        mc_text_deinit(&why->findings[i]);
    for (int fact = 0; fact < MC_WHY_FACT_COUNT; fact++)
        mc_text_deinit(&why->facts[fact]);
}

uint32_t mc_session_get_cause_index(uint32_t first, uint32_t row) {
    if (row == 0) return first;
    return row <= first ? row - 1 : row;
}

// Of the selection, if there is one, else of the heap.
static const mc_cause *find_cause(const mc_session *session) {
    const mc_session_why *why = &session->suspects.why;
    if (why->is_judged) return why->standing.cause;
    return why->causes->count > 0 ? &why->causes->items[why->first] : NULL;
}

// Of one step: who is passed from what is largest to who holds it is told of as the heap is.
static bool is_on_way(const mc_session_why *why) {
    const mc_walk *walk = &why->causes->largest;
    for (uint32_t i = 0; i < walk->count; i++)
        if (walk->stops[i].node == why->standing.node) return true;
    return false;
}

static mc_why get_words(const mc_session *session) {
    return (mc_why){.trace = session->trace,
                    .causes = session->suspects.why.causes,
                    .limit = mc_why_get_limit(session->trace, session->shown->window)};
}

uint32_t mc_session_list_findings(const mc_session *session, uint32_t nodes[MC_WHY_MOST_SHOWN]) {
    const mc_session_why *why = &session->suspects.why;
    for (uint32_t row = 0; why->causes && row < why->finding_count; row++)
        nodes[row] = why->causes->items[mc_session_get_cause_index(why->first, row)].node;
    return why->causes ? why->finding_count : 0;
}

static void tell_findings(mc_session *session) {
    mc_session_why *why = &session->suspects.why;
    const mc_why words = get_words(session);
    why->finding_count = mc_why_get_shown_count(why->causes);
    for (uint32_t i = 0; i < why->finding_count; i++) {
        mc_text_clear(&why->findings[i]);
        const mc_cause *cause = &why->causes->items[mc_session_get_cause_index(why->first, i)];
        mc_why_append_sentence(&words, cause, &why->findings[i]);
    }
    mc_why_append_rest(why->causes, &why->rest);
}

static void append_shared(const mc_why *words, const mc_suspect_reason *reason, mc_text *out) {
    mc_text shared = {0};
    mc_why_append_shared(words, reason, &shared);
    if (shared.size > 0) mc_text_format(out, " %s", mc_text_get(&shared));
    mc_text_deinit(&shared);
}

static void tell(mc_session *session) {
    mc_session_why *why = &session->suspects.why;
    if (!why->causes) return;
    const mc_why words = get_words(session);
    const mc_cause *cause = find_cause(session);
    mc_text_clear(&why->sentence);
    bool is_whole = !why->is_judged || is_on_way(why);
    if (!is_whole && why->standing.kind != MC_SUSPECT_REASON_CAUSE) {
        mc_why_append_suspect_reason(&words, &why->standing, &why->sentence);
    } else if (cause) {
        mc_why_append_sentence(&words, cause, &why->sentence);
        if (why->is_judged) append_shared(&words, &why->standing, &why->sentence);
    }
    for (int fact = 0; fact < MC_WHY_FACT_COUNT; fact++) {
        mc_text_clear(&why->facts[fact]);
        if (cause) mc_why_append_fact(&words, cause, (mc_why_fact)fact, &why->facts[fact]);
    }
    if (!cause && is_whole) mc_why_append_single_referrer(&words, &why->facts[MC_WHY_HOLDER]);
}

void mc_session_take_causes(mc_session *session, const mc_causes *causes, uint32_t first) {
    mc_session_drop_causes(session);
    session->suspects.why.causes = causes;
    session->suspects.why.first = first;
    tell_findings(session);
    tell(session);
}

void mc_session_judge_selection(mc_session *session, uint32_t node, const uint64_t *values) {
    mc_session_why *why = &session->suspects.why;
    mc_error error = {0};
    why->is_judged = false;
    if (!why->causes) return;
    const mc_causes_desc *desc = &why->causes->desc;
    // The city may be a district's.
    bool can_judge = node > 0 && session->shown->root_node == 0 && why->causes->suspects.items;
    if (can_judge && desc->metric != session->shown->metric) {
        // The values are of another metric: only causes, and what comes with them, are known.
        const mc_cause *cause = mc_causes_find_below(why->causes, session->trace, node);
        bool is_it = cause && (cause->node == node || !mc_causes_get(why->causes, node));
        why->standing = (mc_suspect_reason){.kind = is_it ? MC_SUSPECT_REASON_CAUSE
                                                          : MC_SUSPECT_REASON_EXPLAINED,
                                            .node = node,
                                            .cause = cause};
        why->is_judged = cause != NULL;
    } else if (can_judge) {
        why->is_judged = mc_suspect_reason_judge(session->trace, why->causes, node,
                                                 values + desc->window.first_step, &why->standing,
                                                 &error) == MC_OK;
    }
    tell(session);
}

uint32_t mc_session_get_open_finding(const mc_session *session) {
    const mc_session_why *why = &session->suspects.why;
    if (!why->causes) return session->suspects.count > 0 ? 0 : MC_NONE;
    if (why->causes->count == 0) return !why->is_judged || is_on_way(why) ? 0 : MC_NONE;
    const mc_cause *cause = find_cause(session);
    for (uint32_t row = 0; cause && row < why->causes->count; row++)
        if (&why->causes->items[mc_session_get_cause_index(why->first, row)] == cause) return row;
    return MC_NONE;
}

void mc_session_fill_why(mc_session *session, mc_fact_why *model) {
    const mc_session_why *why = &session->suspects.why;
    if (!session->suspects.has_verdict) {
        model->note = "Judging what grows…";
        return;
    }
    if (why->sentence.size > 0 && !why->sentence.failed)
        model->sentence = why->sentence.data;
    else if (session->shown->root_node > 0)
        model->note = "A district alone is shown: its suspects are above. Causes are looked for in "
                      "the whole.";
    else if (session->suspects.text.size > 0 && !session->suspects.text.failed)
        model->sentence = session->suspects.text.data;
    for (int fact = 0; fact < MC_WHY_FACT_COUNT; fact++) {
        const mc_text *text = &why->facts[fact];
        if (text->size == 0 || text->failed) continue;
        model->facts[model->fact_count++] = (mc_fact_why_fact){mc_why_fact_names[fact], text->data};
    }
}
