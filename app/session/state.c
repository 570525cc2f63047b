#include "app/session/state.h"

#include "app/session/differences.h"
#include "app/session/linked.h"

#include "app/format.h"
#include "app/node_text.h"
#include "app/session/gc_roots.h"
#include "app/session/lag.h"
#include "app/session/methods.h"
#include "app/session/metrics.h"
#include "app/session/notes.h"
#include "app/session/retaining_paths.h"
#include "app/session/selection_history.h"
#include "app/session/time_window.h"
#include "app/session/what_if.h"
#include "app/walk_text.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static void report_key(mc_text *out, const mc_session *session, const char *field, uint32_t node) {
    mc_text key = {0};
    mc_text_format(out, ",\"%s\":", field);
    if (node == MC_NONE) {
        mc_text_append_string(out, "null");
        return;
    }
    mc_trace_append_full_key(session->trace, node, &key);
    mc_format_append_json(out, key.data ? key.data : "", key.size);
    out->failed = out->failed || key.failed;
    mc_text_deinit(&key);
}

static void append_string(mc_text *out, const char *field, const char *value) {
    mc_text_format(out, ",\"%s\":", field);
    if (value) {
        mc_format_append_json(out, value, strlen(value));
    } else {
        mc_text_append_string(out, "null");
    }
}

static void append_settings(mc_text *out, const mc_settings *s) {
    append_string(out, "metric", s->layout.metric);
    mc_text_format(
        out,
        ",\"scaling\":\"%s\",\"tiling\":\"%s\",\"child_limit\":%" PRIu32
        ",\"color\":%s,\"opacity\":%s,\"opaque_count\":%" PRIu32
        ",\"others_opacity\":%.3g,\"dark\":%s,\"palette\":%" PRIu32
        ",\"edges\":%s,\"names\":%s,\"help\":%s,\"panels\":%s,\"warnings_open\":%s,\"loop\":%s"
        ",\"step_duration\":%.4g,\"trees\":%" PRIu32,
        mc_scaling_names[s->layout.scaling], mc_tiling_names[s->layout.tiling],
        s->layout.child_limit, s->look.color_by_growth ? "true" : "false",
        s->look.opacity_by_growth ? "true" : "false", s->look.opaque_count, (double)s->look.opacity,
        s->look.dark ? "true" : "false", s->look.palette, s->look.edges ? "true" : "false",
        s->look.names ? "true" : "false", s->help ? "true" : "false", s->panels ? "true" : "false",
        s->warnings_open ? "true" : "false", s->loop ? "true" : "false", s->step_duration_s,
        s->tree_steps.count);
    append_string(out, "group_by", s->group_by[0] ? s->group_by : NULL);
}

// Motion, and which panels are unfolded.
static void append_panels(mc_text *out, const mc_settings *s) {
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
    const char *separator = "";
    mc_text_format(out, ",\"motion\":%s,\"moving\":%" PRIu32 ",\"unfolded\":[",
                   s->motion ? "true" : "false", s->moving);
    for (size_t i = 0; i < sizeof panels / sizeof *panels; i++) {
        if (!panels[i].is_open) continue;
        mc_text_format(out, "%s\"%s\"", separator, panels[i].name);
        separator = ",";
    }
    mc_text_append_string(out, "]");
}

static void append_answers(const mc_session *session, mc_text *out) {
    const mc_settings *s = &session->settings;
    const mc_references *references = mc_session_get_references(session);
    const mc_asked *asked = session->asked[MC_QUERY_REFERENCES];
    const mc_references_key *wanted = mc_asked_get_wanted(asked), *found = mc_asked_get_key(asked);
    bool known =
        found->node != MC_NONE && found->node == wanted->node && found->step == wanted->step;
    mc_text_format(out,
                   ",\"references\":%u,\"all_references\":%u,\"references_step\":%d"
                   ",\"incoming\":%s,\"outgoing\":%s,\"most_references\":%u,\"arcs\":%s",
                   references->links.count, references->total_count, known ? (int)found->step : -1,
                   s->look.show_incoming ? "true" : "false",
                   s->look.show_outgoing ? "true" : "false", s->look.most_references,
                   s->look.arcs ? "true" : "false");
    mc_text_append_string(out, ",\"references_note\":");
    mc_format_append_json(out, session->references.note, strlen(session->references.note));
    const mc_retaining_paths_key *paths =
        mc_asked_get_key(session->asked[MC_QUERY_RETAINING_PATHS]);
    mc_text_format(out,
                   ",\"held_rows\":%u,\"held_step\":%d,\"streets\":%u,\"most_streets\":%u"
                   ",\"show_streets\":%s",
                   mc_session_get_retaining_paths(session)->row_count,
                   paths->node == MC_NONE ? -1 : (int)paths->step,
                   mc_session_count_streets(session), s->look.most_streets,
                   s->look.streets ? "true" : "false");
    report_key(out, session, "root",
               session->shown->root_node == 0 ? MC_NONE : session->shown->root_node);
    static const char *const fields[] = {"holder", "held"};
    for (int i = 0; i < MC_LINK_DIRECTION_COUNT; i++) {
        const mc_link *link = mc_links_get_strongest(&references->links, (mc_link_direction)i);
        report_key(out, session, fields[i], known && link ? link->partner : MC_NONE);
    }
    const mc_session_search *search = &session->search;
    mc_text_format(out, ",\"search\":");
    mc_format_append_json(out, search->found.text, strlen(search->found.text));
    mc_text_format(out,
                   ",\"search_open\":%s,\"search_regex\":%s,\"hits\":%u,\"hit_buildings\":%u"
                   ",\"hit\":%d",
                   session->settings.search_open ? "true" : "false",
                   session->settings.search_is_regex ? "true" : "false",
                   mc_session_get_hits(session)->count, mc_session_get_hits(session)->leaf_count,
                   search->current == MC_NONE ? -1 : (int)search->current);
    const mc_walk *walk = mc_session_get_walk(session);
    mc_text_format(out, ",\"walk_shown\":%s,\"walk\":[", session->walk.is_shown ? "true" : "false");
    for (uint32_t i = 0; i < walk->count; i++) {
        mc_text_append_string(out, i > 0 ? "," : "");
        mc_node_append_key_json(session->trace, walk->stops[i].node, out);
    }
    mc_text_append_string(out, "]");
    report_key(out, session, "cause",
               walk->count > 0 && walk->cause_index != MC_NONE ? walk->stops[walk->cause_index].node
                                                               : MC_NONE);
    append_string(out, "color_metric", s->look.color_metric);
    append_string(out, "height_metric", s->look.height_metric);
    mc_text_format(out, ",\"can_go_back\":%s,\"can_go_forward\":%s,\"children\":%u",
                   mc_session_can_revisit(session, -1) ? "true" : "false",
                   mc_session_can_revisit(session, 1) ? "true" : "false",
                   mc_session_get_children(session)->count);
    mc_session_append_what_if_state(session, out);
    mc_session_append_roots_state(session, out);
    mc_session_append_pair_state(session, out);
    mc_session_append_linked_state(session, out);
}

static void append_trace(mc_text *out, const mc_session *session) {
    const mc_layout *shown = session->shown;
    mc_text_format(out,
                   ",\"step\":%" PRIu32 ",\"step_count\":%" PRIu32 ",\"playing\":%s"
                   ",\"tweening\":%s,\"view\":\"%s\",\"hidden\":%" PRIu32,
                   session->playback.step, mc_trace_get_step_count(session->trace),
                   session->playback.playing ? "true" : "false",
                   mc_playback_is_tweening(&session->playback) ? "true" : "false",
                   session->view->kind->name, shown->hidden_leaf_count);
    append_string(out, "city_metric", mc_session_get_metric(session)->key);
    session->view->kind->append_state(session->view, out);
    mc_text_format(out, ",\"window\":[%" PRIu32 ",%" PRIu32 "],\"hint\":%s",
                   shown->window.first_step, shown->window.last_step,
                   mc_session_has_hint(session) ? "true" : "false");
    report_key(out, session, "selection", mc_session_get_selected(session));
    mc_text_format(out, ",\"selected\":%u", session->settings.selection.count);
    if (mc_session_has_methods(session)) mc_session_append_methods_state(session, out);
    uint32_t pin = mc_session_get_pin(session);
    mc_text_format(out, ",\"pinned\":%d", pin == MC_NONE ? -1 : (int)pin);
    char note[MC_NOTE_SIZE];
    append_string(out, "note",
                  mc_session_get_note(session, session->playback.step, note) ? note : NULL);
    report_key(out, session, "hover", session->hover.node);
    append_answers(session, out);
    // A place to click on: where each suspect is, as far as it is in the picture.
    const char *separator = "";
    mc_text_format(out, ",\"verdict\":%s%s%s", session->suspects.has_verdict ? "\"" : "",
                   session->suspects.has_verdict ? mc_heap_verdict_names[session->suspects.verdict]
                                                 : "null",
                   session->suspects.has_verdict ? "\"" : "");
    mc_text_append_string(out, ",\"suspects\":[");
    for (uint32_t i = 0; i < session->suspects.count; i++) {
        mc_view_place place;
        uint32_t node = session->suspects.items[i].node;
        if (mc_trace_get_nodes(session->trace)->child_count[node] > 0) continue;
        if (!session->view->kind->locate(session->view, node, &place)) continue;
        mc_text_format(out, "%s[%.1f,%.1f]", separator, place.x, place.y);
        separator = ",";
    }
    mc_text_append_string(out, "]");
}

void mc_session_append_state(const mc_session *session, mc_text *out) {
    static const char *const tasks[] = {"idle", "opening", "laying out"};
    mc_text_format(out, "\"task\":\"%s\",\"open\":%s", tasks[session->work.task],
                   session->trace ? "true" : "false");
    append_string(out, "trace", mc_session_get_trace_name(session));
    mc_text_format(out, ",\"follow\":%s,\"live\":%s", session->follow.is_on ? "true" : "false",
                   session->follow.is_live ? "true" : "false");
    char lag[48];
    append_string(out, "lag", mc_session_describe_lag(session, lag, sizeof lag) ? lag : NULL);
    append_string(out, "message", session->message.text);
    append_string(out, "waits_for", session->follow.waits_for);
    append_string(out, "said", session->status.text.size > 0 ? session->status.text.data : NULL);
    mc_text_format(out, ",\"history\":[%" PRIu32 ",%" PRIu32 "]", session->history.at,
                   session->history.count);
    static const mc_dataset_warnings none;
    const mc_dataset_warnings *warnings = session->dataset ? &session->dataset->warnings : &none;
    mc_text_format(out, ",\"warning_count\":%" PRIu32 ",\"warnings\":[", warnings->all_count);
    for (uint32_t i = 0; i < warnings->count; i++) {
        if (i > 0) mc_text_append_string(out, ",");
        mc_format_append_json(out, warnings->texts[i], strlen(warnings->texts[i]));
    }
    mc_text_append_string(out, "]");
    append_settings(out, &session->settings);
    append_panels(out, &session->settings);
    if (session->trace) append_trace(out, session);
}
