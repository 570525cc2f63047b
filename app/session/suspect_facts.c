#include "app/session/suspect_facts.h"

#include "app/format.h"
#include "app/node_text.h"
#include "app/pace_text.h"
#include "app/pair.h"
#include "app/session/methods.h"
#include "app/session/name_cache.h"
#include "app/session/why.h"
#include "app/subject_text.h"
#include "engine/city/style.h"
#include "engine/scene/style_source.h"
#include "engine/scene/theme.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

void mc_suspect_facts_deinit(mc_suspect_facts *facts) {
    for (size_t i = 0; i < MC_SESSION_SUSPECT_COUNT; i++)
        mc_text_deinit(&facts->paths[i]);
}

// Suspects are judged in one metric, whatever is shown.
static const mc_metric_info *get_judged_metric(const mc_session *session) {
    return mc_trace_get_metric(session->trace, session->suspects.metric);
}

static bool shows_judged_metric(const mc_session *session) {
    return session->suspects.metric == session->shown->metric;
}

// Within a sentence: objects and bytes begin with a small letter.
static const char *get_unit(const mc_session *session, const mc_facts *model) {
    mc_metric metric = session->suspects.metric;
    return metric < MC_METRIC_FIRST_OWN ? mc_metric_names[metric] : model->metrics[metric].title;
}

// "13.7 % of the heap · +159 KiB/s", "… · stopped at step 6", "… · because of ", "… · held by ".
static void describe_suspect(const mc_session *session, const mc_session_suspect *suspect,
                             char *out, size_t size) {
    char share[MC_FORMAT_SIZE];
    const mc_metric_info *info = get_judged_metric(session);
    const mc_trend *trend = &suspect->trend;
    mc_step_range window = session->shown->window;
    double part = (double)mc_metric_get_count(info, session->counts.node_values[suspect->node]);
    double whole = (double)session->counts.leaf_total;
    mc_text text = {0};
    const mc_cause *cause = suspect->cause;
    if (cause && cause->explained_count > 0 && session->suspects.verdict != MC_HEAP_SINGLE) {
        bool is_short =
            session->suspects.why.causes && session->suspects.why.causes->suspects.is_short;
        if (!is_short) mc_pace_append(session->trace, window, info, cause->growth_per_s, &text);
        mc_text_format(&text, "%swith %" PRIu32 " %s", is_short ? "" : " · ",
                       cause->explained_count, cause->explained_count == 1 ? "other" : "others");
        snprintf(out, size, "%s", mc_text_get(&text));
        mc_text_deinit(&text);
        return;
    }
    bool has_share = info->is_additive && shows_judged_metric(session);
    if (has_share)
        mc_text_format(
            &text, "%s of %s · ", mc_format_share(share, whole > 0 ? part / whole : 0),
            mc_subject_get_whole(session->trace,
                                 mc_pair_get_plain(session->trace, session->suspects.metric)));
    if (suspect->because != MC_NONE)
        mc_text_append_string(&text, session->suspects.verdict == MC_HEAP_SINGLE ? "held by "
                                                                                 : "because of ");
    else if (trend->growth.kind == MC_GROWTH_STOPPED)
        mc_text_format(&text, "stopped at step %" PRIu32, window.first_step + trend->growth.until);
    else if (trend->growth.kind == MC_GROWTH_GOES_ON)
        mc_pace_append(session->trace, window, info, trend->slope_per_s, &text);
    else if (has_share)
        text.size -= strlen(" · "); // nothing follows
    snprintf(out, size, "%.*s", text.failed || !text.data ? 0 : (int)text.size, text.data);
    mc_text_deinit(&text);
}

// What the verdict is about, and how its arrows are read.
static void describe_growth(const mc_session *session, mc_suspect_facts *facts, mc_facts *model) {
    mc_step_range window = session->shown->window;
    uint32_t step_count = mc_trace_get_step_count(session->trace);
    bool is_part = (window.first_step > 0 || window.last_step + 1 < step_count) &&
                   !mc_style_is_of_pair(session->trace, session->shown->metric);
    bool has_arrows = model->verdict && strstr(model->verdict, " → ");
    char *note = facts->growth_note;
    int length = 0;
    if (!is_part && !has_arrows) return;
    if (is_part)
        length =
            snprintf(note, sizeof facts->growth_note, "Growth from step %" PRIu32 " to %" PRIu32,
                     window.first_step, window.last_step);
    if (has_arrows && length >= 0)
        snprintf(note + length, sizeof facts->growth_note - (size_t)length, "%s",
                 is_part ? "; A → B: A holds B" : "A → B: A holds B");
    model->growth_note = note;
}

// Whether all suspects from `first` on grow because of a finding.
static bool all_are_explained(const mc_session *session, uint32_t first) {
    for (uint32_t i = first; i < session->suspects.count; i++)
        if (session->suspects.items[i].because == MC_NONE) return false;
    return true;
}

// Which of the suspects are listed as findings, and which one is open.
static void fill_findings(const mc_session *session, mc_suspect_facts *facts, mc_facts *model) {
    const mc_session_why *why = &session->suspects.why;
    uint32_t count = session->suspects.count, open = mc_session_get_open_finding(session);
    bool has_causes = why->causes && why->finding_count > 0;
    model->finding_count = count;
    if (has_causes && why->finding_count < count) model->finding_count = why->finding_count;
    uint32_t others = count - model->finding_count;
    if (others > 0 && why->rest.size > 0)
        model->findings_rest = mc_text_get(&why->rest);
    else if (others > 0 && all_are_explained(session, model->finding_count))
        snprintf(facts->findings_rest, sizeof facts->findings_rest,
                 "and %" PRIu32 " that %s with %s", others, others == 1 ? "comes" : "come",
                 model->finding_count == 1 ? "it" : "them");
    else if (others > 0)
        snprintf(facts->findings_rest, sizeof facts->findings_rest, "and %" PRIu32 " more", others);
    if (others > 0 && why->rest.size == 0) model->findings_rest = facts->findings_rest;
    model->open_finding = open < model->finding_count ? open : MC_NONE;
}

// Where its building's colour is in the gradient.
static double get_color_share(const mc_session *session, const mc_session_suspect *suspect) {
    const mc_causes *causes = session->suspects.why.causes;
    bool is_by_owner = session->settings.look.color_mode == MC_COLOR_MODE_OWNER &&
                       mc_trace_has_owners(session->trace) && causes && causes->count > 0;
    bool is_named = suspect->cause && suspect->cause->node == suspect->node;
    double most = shows_judged_metric(session) ? (double)session->shown->largest_growth
                                               : (double)session->suspects.items[0].growth;
    if (is_by_owner && is_named) {
        most = 0;
        for (uint32_t i = 0; i < causes->count; i++)
            most = fmax(most, (double)causes->items[i].growth);
        return most > 0 ? (double)suspect->cause->growth / most : 0;
    }
    double share = most > 0 ? (double)suspect->growth / most : 0;
    return is_by_owner ? (double)MC_STYLE_OWNED_TINT * share : share;
}

void mc_session_fill_suspects(mc_session *session, mc_suspect_facts *facts, mc_facts *model) {
    mc_fact_suspect *suspects = facts->suspects;
    mc_text *paths = facts->paths;
    mc_theme theme =
        mc_theme_get(session->settings.look.dark, (mc_palette)session->settings.look.palette);
    if (mc_session_has_methods(session)) {
        mc_session_fill_methods(session, model, suspects, paths);
        return;
    }
    for (uint32_t i = 0; i < session->suspects.count; i++) {
        const mc_session_suspect *from = &session->suspects.items[i];
        mc_fact_suspect *to = &suspects[i];
        mc_text_clear(&paths[i]);
        mc_node_append_path_line(session->trace, from->node, &paths[i]);
        *to = (mc_fact_suspect){
            .name = mc_session_get_name(session, from->node),
            .path = paths[i].data && !paths[i].failed ? paths[i].data : "",
            .values = from->values,
            .node = from->node,
            .color = mc_theme_pack_growth(&theme, get_color_share(session, from)),
            .selected = mc_selection_has(&session->settings.selection, from->node),
        };
        const mc_metric_info *info = get_judged_metric(session);
        char exact[MC_FORMAT_SIZE];
        if (session->suspects.verdict == MC_HEAP_SINGLE) {
            uint64_t value = mc_metric_get_word(info, (uint64_t)from->growth);
            mc_format_value(to->growth, info, value);
            mc_format_figure(exact, info, value);
        } else {
            // Of a finding with all that comes with it, as its sentence says.
            int64_t growth = from->cause ? from->cause->growth : from->growth;
            uint64_t zero = mc_metric_get_word(info, 0);
            uint64_t word = mc_metric_get_word(info, (uint64_t)(growth < 0 ? -growth : growth));
            mc_format_value_growth(to->growth, info, growth);
            mc_format_figure_growth(exact, info, growth < 0 ? word : zero,
                                    growth < 0 ? zero : word);
        }
        snprintf(to->exact, sizeof to->exact, "%s %s", exact, get_unit(session, model));
        describe_suspect(session, from, to->detail, sizeof to->detail);
        if (from->because != MC_NONE) to->cause = mc_session_get_name(session, from->because);
    }
    model->suspects = suspects;
    model->suspect_count = session->suspects.count;
    fill_findings(session, facts, model);
    const mc_text *verdict = &session->suspects.text;
    if (!session->suspects.has_verdict)
        model->verdict = "Judging what grows…";
    else if (verdict->size > 0 && !verdict->failed)
        model->verdict = verdict->data;
    if (session->suspects.headline.is_early)
        model->early_note = "It is early: the next steps may tell otherwise.";
    describe_growth(session, facts, model);
}
