#include "app/session/why.h"

void mc_session_drop_causes(mc_session *session) {
    mc_session_why *why = &session->suspects.why;
    why->causes = NULL;
    why->is_judged = false;
    mc_text_clear(&why->sentence);
    for (int fact = 0; fact < MC_WHY_FACT_COUNT; fact++)
        mc_text_clear(&why->facts[fact]);
}

void mc_session_end_why(mc_session *session) {
    mc_session_why *why = &session->suspects.why;
    mc_session_drop_causes(session);
    mc_text_deinit(&why->sentence);
    for (int fact = 0; fact < MC_WHY_FACT_COUNT; fact++)
        mc_text_deinit(&why->facts[fact]);
}

// Of the selection, if there is one, else of the heap.
static const mc_cause *find_cause(const mc_session *session) {
    const mc_session_why *why = &session->suspects.why;
    if (why->is_judged) return why->standing.cause;
    return why->causes->count > 0 ? &why->causes->items[0] : NULL;
}

// Of one step: who is passed from what is largest to who holds it is told of as the heap is.
static bool is_on_way(const mc_session_why *why) {
    const mc_walk *walk = &why->causes->largest;
    for (uint32_t i = 0; i < walk->count; i++)
        if (walk->stops[i].node == why->standing.node) return true;
    return false;
}

static void tell(mc_session *session) {
    mc_session_why *why = &session->suspects.why;
    if (!why->causes) return;
    mc_why words = {.trace = session->trace,
                    .causes = why->causes,
                    .limit = mc_why_get_limit(session->trace, session->shown->window)};
    const mc_cause *cause = find_cause(session);
    mc_text_clear(&why->sentence);
    bool is_whole = !why->is_judged || is_on_way(why);
    if (!is_whole && why->standing.kind != MC_SUSPECT_REASON_CAUSE) {
        mc_why_append_suspect_reason(&words, &why->standing, &why->sentence);
    } else if (cause) {
        mc_why_append_sentence(&words, cause, &why->sentence);
        mc_text_append_string(&why->sentence, ".");
    }
    for (int fact = 0; fact < MC_WHY_FACT_COUNT; fact++) {
        mc_text_clear(&why->facts[fact]);
        if (cause) mc_why_append_fact(&words, cause, (mc_why_fact)fact, &why->facts[fact]);
    }
    if (!cause && is_whole) mc_why_append_single_referrer(&words, &why->facts[MC_WHY_HOLDER]);
}

void mc_session_take_causes(mc_session *session, const mc_causes *causes) {
    mc_session_drop_causes(session);
    session->suspects.why.causes = causes;
    tell(session);
}

void mc_session_judge_selection(mc_session *session, uint32_t node, const uint64_t *values) {
    mc_session_why *why = &session->suspects.why;
    mc_error error = {0};
    why->is_judged = false;
    if (!why->causes) return;
    const mc_causes_desc *desc = &why->causes->desc;
    // The city may be a district's.
    if (node > 0 && session->shown->root_node == 0 && why->causes->suspects.items &&
        desc->metric == session->shown->metric)
        why->is_judged = mc_suspect_reason_judge(session->trace, why->causes, node,
                                                 values + desc->window.first_step, &why->standing,
                                                 &error) == MC_OK;
    tell(session);
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
