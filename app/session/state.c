#include "app/session/state.h"

#include "app/format.h"
#include "app/print/print_unit.h"
#include "app/session/differences.h"
#include "app/session/gc_roots.h"
#include "app/session/lag.h"
#include "app/session/linked.h"
#include "app/session/methods.h"
#include "app/session/metrics.h"
#include "app/session/notes.h"
#include "app/session/retaining_paths.h"
#include "app/session/selection_history.h"
#include "app/session/tables.h"
#include "app/session/time_window.h"
#include "app/session/what_if.h"
#include "app/session/why.h"
#include "app/walk_text.h"
#include <string.h>

static void put_settings(mc_print *print, const mc_settings *s) {
    MC_PRINT(print, {"metric", mc_cell_text(s->layout.metric)},
             {"scaling", mc_cell_text(mc_scaling_names[s->layout.scaling])},
             {"tiling", mc_cell_text(mc_tiling_names[s->layout.tiling])},
             {"child_limit", mc_cell_count(s->layout.child_limit)},
             {"color", mc_cell_bool(s->look.color_by_growth)},
             {"opacity", mc_cell_bool(s->look.opacity_by_growth)},
             {"opaque_count", mc_cell_count(s->look.opaque_count)},
             {"others_opacity", mc_cell_real((double)s->look.opacity, 3)},
             {"others_glass", mc_cell_bool(s->look.opacity_mode == MC_OPACITY_GLASS)},
             {"dark", mc_cell_bool(s->look.dark)}, {"palette", mc_cell_count(s->look.palette)},
             {"edges", mc_cell_bool(s->look.edges)}, {"names", mc_cell_bool(s->look.names)},
             {"preferences", mc_cell_bool(s->preferences_open)}, {"help", mc_cell_bool(s->help)},
             {"panels", mc_cell_bool(s->panels)}, {"warnings_open", mc_cell_bool(s->warnings_open)},
             {"loop", mc_cell_bool(s->loop)},
             {"step_duration", mc_cell_real(s->step_duration_s, 4)},
             {"trees", mc_cell_count(s->tree_steps.count)},
             {"group_by", mc_cell_text(s->group_by[0] ? s->group_by : NULL)});
}

// Motion, and which panels are unfolded.
static void put_panels(mc_print *print, const mc_settings *s) {
    const struct {
        const char *name;
        bool is_open;
    } panels[] = {{"selection", s->selection_open},
                  {"suspects", s->suspects_open},
                  {"view", s->view_open},
                  {"references", s->references_open},
                  {"walk", s->walk_open},
                  {"contents", s->contents_open},
                  {"why", s->why_open},
                  {"roots", s->roots_open},
                  {"differences", s->differences_open},
                  {"linked", s->linked_open}};
    MC_PRINT(print, {"motion", mc_cell_bool(s->motion)}, {"moving", mc_cell_count(s->moving)});
    mc_print_begin_list(print, "unfolded");
    for (size_t i = 0; i < sizeof panels / sizeof *panels; i++)
        mc_print_put(print, NULL, mc_cell_if(panels[i].is_open, mc_cell_text(panels[i].name)));
    mc_print_end_list(print);
}

static void put_references(mc_print *print, const mc_session *session) {
    const mc_settings *s = &session->settings;
    const mc_references *references = mc_session_get_references(session);
    const mc_asked *asked = session->asked[MC_QUERY_REFERENCES];
    const mc_references_key *wanted = mc_asked_get_wanted(asked), *found = mc_asked_get_key(asked);
    const mc_retaining_paths_key *paths =
        mc_asked_get_key(session->asked[MC_QUERY_RETAINING_PATHS]);
    uint32_t root = session->shown->root_node == 0 ? MC_NONE : session->shown->root_node;
    bool known =
        found->node != MC_NONE && found->node == wanted->node && found->step == wanted->step;
    MC_PRINT(print, {"references", mc_cell_count(references->links.count)},
             {"all_references", mc_cell_count(references->total_count)},
             {"references_step", mc_cell_number(known ? (int)found->step : -1)},
             {"incoming", mc_cell_bool(s->look.show_incoming)},
             {"outgoing", mc_cell_bool(s->look.show_outgoing)},
             {"most_references", mc_cell_count(s->look.most_references)},
             {"arcs", mc_cell_bool(s->look.arcs)},
             {"references_note", mc_cell_text(session->references.note)},
             {"held_rows", mc_cell_count(mc_session_get_retaining_paths(session)->row_count)},
             {"held_step", mc_cell_number(paths->node == MC_NONE ? -1 : (int)paths->step)},
             {"streets", mc_cell_count(mc_session_count_streets(session))},
             {"most_streets", mc_cell_count(s->look.most_streets)},
             {"show_streets", mc_cell_bool(s->look.streets)},
             {"root", mc_cell_node(session->trace, root)});
    static const char *const fields[] = {"holder", "held"};
    for (int i = 0; i < MC_LINK_DIRECTION_COUNT; i++) {
        const mc_link *link = mc_links_get_strongest(&references->links, (mc_link_direction)i);
        uint32_t node = known && link ? link->partner : MC_NONE;
        mc_print_put(print, fields[i], mc_cell_node(session->trace, node));
    }
}

// The first row of a list, with its figure.
static void put_first(mc_print *print, const mc_session *session, const char *const names[2],
                      const uint32_t *nodes, uint32_t count) {
    char text[MC_FORMAT_SIZE];
    bool has = session->shown && count > 0;
    mc_print_put(print, names[0], mc_cell_node(session->trace, has ? nodes[0] : MC_NONE));
    if (has)
        (void)mc_format_brief(text, mc_session_get_metric(session),
                              mc_session_get_told_value(session, nodes[0]));
    mc_print_put(print, names[1], mc_cell_text(has ? text : NULL));
}

static void put_answers(mc_print *print, const mc_session *session) {
    const mc_settings *s = &session->settings;
    const mc_session_search *search = &session->search;
    const mc_walk *walk = mc_session_get_walk(session);
    bool has_cause = walk->count > 0 && walk->cause_index != MC_NONE;
    uint32_t cause = has_cause ? walk->stops[walk->cause_index].node : MC_NONE;
    put_references(print, session);
    MC_PRINT(print, {"search", mc_cell_text(search->found.text)},
             {"search_open", mc_cell_bool(s->search_open)},
             {"search_regex", mc_cell_bool(s->search_is_regex)},
             {"hits", mc_cell_count(mc_session_get_hits(session)->count)},
             {"hit_buildings", mc_cell_count(mc_session_get_hits(session)->leaf_count)},
             {"hit", mc_cell_number(search->current == MC_NONE ? -1 : (int)search->current)},
             {"walk_shown", mc_cell_bool(session->walk.is_shown)});
    mc_print_begin_list(print, "walk");
    for (uint32_t i = 0; i < walk->count; i++)
        mc_print_put(print, NULL, mc_cell_node(session->trace, walk->stops[i].node));
    mc_print_end_list(print);
    MC_PRINT(print, {"cause", mc_cell_node(session->trace, cause)},
             {"color_metric", mc_cell_text(s->look.color_metric)},
             {"height_metric", mc_cell_text(s->look.height_metric)},
             {"can_go_back", mc_cell_bool(mc_session_can_revisit(session, -1))},
             {"can_go_forward", mc_cell_bool(mc_session_can_revisit(session, 1))},
             {"children", mc_cell_count(mc_session_get_children(session)->count)});
    const mc_children *children = mc_session_get_children(session);
    const mc_hits *hits = mc_session_get_hits(session);
    static const char *const child[] = {"child_first", "child_value"};
    static const char *const hit[] = {"hit_first", "hit_value"};
    put_first(print, session, child, children->nodes, children->count);
    put_first(print, session, hit, hits->nodes, hits->count);
    mc_session_put_what_if_state(session, print);
    mc_session_put_roots_state(session, print);
    mc_property_answers_put(mc_session_get_properties(session), print);
    mc_session_put_pair_state(session, print);
    mc_session_put_linked_state(session, print);
}

static const mc_cause *get_finding(const mc_session_why *why, uint32_t row) {
    return &why->causes->items[mc_session_get_cause_index(why->first, row)];
}

static void put_finding(mc_print *print, const mc_session *session, uint32_t row) {
    const mc_session_why *why = &session->suspects.why;
    const mc_causes *causes = why->causes;
    const mc_cause *cause = get_finding(why, row);
    mc_print_begin_object(print, NULL);
    MC_PRINT(print, {"key", mc_cell_node(session->trace, cause->node)},
             {"sentence", mc_cell_text(mc_text_get(&why->findings[row]))});
    mc_print_unit(print, "unit", session->trace, causes->desc.window, &causes->units,
                  mc_causes_get_unit(causes, cause));
    mc_print_end_object(print);
}

// What is said of the whole, and of its first causes.
static void put_findings(mc_print *print, const mc_session *session) {
    const mc_session_suspects *suspects = &session->suspects;
    const mc_session_why *why = &suspects->why;
    const mc_walk_answer *walk = mc_asked_get_answer(session->asked[MC_QUERY_WALK]);
    const char *headline = suspects->text.size > 0 ? mc_text_get(&suspects->text) : NULL;
    const char *said = session->walk.is_shown ? mc_text_get(&walk->summary) : NULL;
    MC_PRINT(print, {"headline", mc_cell_text(headline)},
             {"early", mc_cell_bool(suspects->headline.is_early)},
             {"walk_sentence", mc_cell_text(said)});
    mc_print_begin_list(print, "findings");
    for (uint32_t i = 0; why->causes && i < why->finding_count; i++)
        put_finding(print, session, i);
    mc_print_end_list(print);
}

// A place to click on: where each suspect is, as far as it is in the picture.
static void put_suspects(mc_print *print, const mc_session *session) {
    mc_print_begin_list(print, "suspects");
    for (uint32_t i = 0; i < session->suspects.count; i++) {
        mc_view_place place;
        uint32_t node = session->suspects.items[i].node;
        if (mc_trace_get_nodes(session->trace)->child_count[node] > 0) continue;
        if (!session->view->kind->locate(session->view, node, &place)) continue;
        mc_print_put(print, NULL,
                     MC_LIST(mc_cell_decimal(place.x, 1), mc_cell_decimal(place.y, 1)));
    }
    mc_print_end_list(print);
}

static void put_trace(mc_print *print, const mc_session *session) {
    const mc_layout *shown = session->shown;
    const mc_playback *playback = &session->playback;
    uint32_t pin = mc_session_get_pin(session);
    char text[MC_NOTE_SIZE];
    const char *note = mc_session_get_note(session, playback->step, text) ? text : NULL;
    const char *verdict =
        session->suspects.has_verdict ? mc_heap_verdict_names[session->suspects.verdict] : NULL;
    MC_PRINT(print, {"step", mc_cell_count(playback->step)},
             {"step_count", mc_cell_count(mc_trace_get_step_count(session->trace))},
             {"playing", mc_cell_bool(playback->playing)},
             {"tweening", mc_cell_bool(mc_playback_is_tweening(playback))},
             {"view", mc_cell_text(session->view->kind->name)},
             {"hidden", mc_cell_count(shown->hidden_leaf_count)},
             {"city_metric", mc_cell_text(mc_session_get_metric(session)->key)});
    session->view->kind->put_state(session->view, print);
    MC_PRINT(print,
             {"window", MC_LIST(mc_cell_count(shown->window.first_step),
                                mc_cell_count(shown->window.last_step))},
             {"hint", mc_cell_bool(mc_session_has_hint(session))},
             {"selection", mc_cell_node(session->trace, mc_session_get_selected(session))},
             {"selected", mc_cell_count(session->settings.selection.count)});
    if (mc_session_has_methods(session)) mc_session_put_methods_state(session, print);
    MC_PRINT(print, {"pinned", mc_cell_number(pin == MC_NONE ? -1 : (int)pin)},
             {"note", mc_cell_text(note)},
             {"hover", mc_cell_node(session->trace, session->hover.node)});
    put_answers(print, session);
    MC_PRINT(print, {"verdict", mc_cell_text(verdict)});
    put_findings(print, session);
    put_suspects(print, session);
}

void mc_session_put_state(const mc_session *session, mc_print *print) {
    static const char *const tasks[] = {"idle", "opening", "laying out"};
    static const mc_dataset_warnings none;
    const mc_dataset_warnings *warnings = session->dataset ? &session->dataset->warnings : &none;
    const char *said = session->status.text.size > 0 ? session->status.text.data : NULL;
    char lag[48];
    bool has_lag = mc_session_describe_lag(session, lag, sizeof lag);
    MC_PRINT(print, {"task", mc_cell_text(tasks[session->work.task])},
             {"open", mc_cell_bool(session->trace)},
             {"trace", mc_cell_text(mc_session_get_trace_name(session))},
             {"follow", mc_cell_bool(session->follow.is_on)},
             {"live", mc_cell_bool(session->follow.is_live)},
             {"lag", mc_cell_text(has_lag ? lag : NULL)},
             {"message", mc_cell_text(session->message.text)},
             {"waits_for", mc_cell_text(session->follow.waits_for)}, {"said", mc_cell_text(said)},
             {"history",
              MC_LIST(mc_cell_count(session->history.at), mc_cell_count(session->history.count))},
             {"warning_count", mc_cell_count(warnings->all_count)});
    mc_print_begin_list(print, "warnings");
    for (uint32_t i = 0; i < warnings->count; i++)
        mc_print_put(print, NULL, mc_cell_text(warnings->texts[i]));
    mc_print_end_list(print);
    put_settings(print, &session->settings);
    put_panels(print, &session->settings);
    if (session->trace) put_trace(print, session);
}
