#include "app/session/walk.h"

#include "app/format.h"
#include "app/node_text.h"
#include "app/session/name_cache.h"
#include "app/session/selection.h"
#include "app/session/why.h"
#include "app/walk_text.h"
#include <math.h>
#include <string.h>

#define LINK_S 0.45 // that a link of the chain takes to appear
#define CHAIN_S 2.0 // that all of them take at most

static void drop_walk(mc_session *session) {
    mc_session_walk *walk = &session->walk;
    walk->is_known = walk->is_shown = false;
    walk->elapsed_s = -1;
    walk->version++;
}

void mc_session_forget_walk(mc_session *session) {
    session->walk.is_walking = session->walk.is_asked = false;
    drop_walk(session);
}

// The step whose references are followed: the one shown, unless nothing has grown by then.
static uint32_t find_step(const mc_session *session) {
    mc_step_range window = session->shown->window;
    uint32_t step = session->playback.step;
    if (mc_session_is_pictured(session)) return window.last_step;
    return step > window.first_step && step <= window.last_step ? step : window.last_step;
}

// The cause that stands first, where that is known by now.
static uint32_t get_first(const mc_session *session) {
    const mc_session_why *why = &session->suspects.why;
    bool is_known = why->causes && why->first < why->causes->count;
    return is_known ? why->causes->items[why->first].node : MC_NONE;
}

static void start(mc_session *session, uint32_t from_node, bool is_again) {
    mc_session_walk *walk = &session->walk;
    walk->is_asked |= !is_again;
    walk->wanted = (mc_walk_desc){
        .metric = session->shown->metric,
        .window = session->shown->window,
        .step = find_step(session),
        .from_node = from_node,
    };
    walk->is_walking = true;
    // Also for the same walk again.
    mc_walk_key key = {
        .desc = walk->wanted, .cause = get_first(session), .request = ++walk->request};
    mc_asked_want(session->asked[MC_QUERY_WALK], session->dataset, &key);
}

void mc_session_walk_from(mc_session *session, uint32_t node) {
    session->settings.walk_open = session->settings.suspects_open = true;
    if (mc_trace_has_references(session->trace) || mc_session_is_pictured(session))
        start(session, node, false);
}

// All of the chain at once.
void mc_session_frame_walk(mc_session *session) {
    const mc_walk *walk = mc_session_get_walk(session);
    uint32_t nodes[MC_WALK_MOST_STOPS], count = 0;
    for (; count < walk->count && count < MC_WALK_MOST_STOPS; count++)
        nodes[count] = walk->stops[count].node;
    session->view->kind->frame_group(session->view, nodes, count, MC_VIEW_FRAME);
}

bool mc_session_frame_finding(mc_session *session, uint32_t row) {
    const mc_session_why *why = &session->suspects.why;
    if (!why->causes || row >= why->causes->count) return false;
    const mc_cause *cause = &why->causes->items[mc_session_get_cause_index(why->first, row)];
    uint32_t nodes[MC_WALK_MOST_STOPS] = {cause->node}, count = 1;
    for (uint32_t i = 0; i < cause->walk.count && count < MC_WALK_MOST_STOPS; i++)
        if (cause->walk.stops[i].node != cause->node) nodes[count++] = cause->walk.stops[i].node;
    if (count < 2 || cause->node != mc_session_get_selected(session)) return false;
    session->view->kind->frame_group(session->view, nodes, count, MC_VIEW_SHOW);
    return true;
}

static void show(mc_session *session) {
    mc_session_walk *walk = &session->walk;
    const mc_walk *found = mc_session_get_walk(session);
    walk->frames_wanted = 3; // until the list has its height
    if (found->count == 0) return;
    walk->is_shown = true;
    if (mc_session_is_pictured(session)) return;
    walk->elapsed_s = session->settings.motion ? 0 : -1;
    mc_playback_set_step(&session->playback, found->desc.step);
    for (uint32_t i = 0; i < found->count; i++) {
        mc_session_widen_root(session, found->stops[i].node);
    }
    uint32_t cause = found->cause_index;
    mc_session_select_node(session, found->stops[cause != MC_NONE ? cause : 0].node, true);
    mc_session_frame_walk(session);
}

void mc_session_take_walk(mc_session *session, const mc_error *error) {
    mc_session_walk *walk = &session->walk;
    bool was_shown = walk->is_shown, is_asked = walk->is_asked;
    walk->is_walking = walk->is_asked = false;
    mc_session_redraw(session);
    drop_walk(session);
    if (error) {
        mc_asked_drop_answer(session->asked[MC_QUERY_WALK]);
        mc_session_miss(session, error);
        return;
    }
    walk->is_known = true;
    if (is_asked)
        show(session);
    else // what was shown has become stale: nothing else moves
        walk->is_shown = was_shown && mc_session_get_walk(session)->count > 0;
}

bool mc_session_is_stop(const mc_session *session, uint32_t node) {
    const mc_walk *walk = mc_session_get_walk(session);
    for (uint32_t i = 0; i < walk->count; i++) {
        if (walk->stops[i].node == node) return true;
    }
    return false;
}

static double get_link_s(const mc_walk *walk) {
    return fmin(LINK_S, CHAIN_S / fmax(walk->count, 1));
}

bool mc_session_skip_walk(mc_session *session) {
    if (session->walk.elapsed_s < 0) return false;
    session->walk.elapsed_s = -1;
    mc_session_redraw(session);
    return true;
}

// Another metric or time window has another cause.
static bool is_stale(const mc_session *session) {
    const mc_session_walk *walk = &session->walk;
    const mc_layout *shown = session->shown;
    return (walk->is_known || walk->is_walking) &&
           (walk->wanted.metric != shown->metric ||
            walk->wanted.window.first_step != shown->window.first_step ||
            walk->wanted.window.last_step != shown->window.last_step);
}

void mc_session_update_walk(mc_session *session) {
    mc_session_walk *walk = &session->walk;
    if (!session->shown) return;
    if (is_stale(session)) start(session, walk->wanted.from_node, true);
    if (!walk->is_shown || mc_session_is_pictured(session)) return;
    if (mc_session_get_selected(session) != MC_NONE &&
        !mc_session_is_stop(session, mc_session_get_selected(session))) {
        mc_session_hide_walk(session); // one goes one's own way
        return;
    }
    if (walk->elapsed_s < 0) return;
    const mc_walk *found = mc_session_get_walk(session);
    double link_s = get_link_s(found);
    walk->elapsed_s +=
        fmin(session->turn.elapsed_s, link_s); // however slow frames are, each link is seen
    if (walk->elapsed_s > link_s * found->count) walk->elapsed_s = -1;
    mc_session_redraw_once(session); // the whole chain, too
}

bool mc_session_hide_walk(mc_session *session) {
    mc_session_walk *walk = &session->walk;
    if (!walk->is_shown) return false;
    walk->is_shown = false;
    walk->elapsed_s = -1;
    walk->version++;
    mc_session_redraw(session);
    return true;
}

float mc_session_get_link_reveal(const mc_session *session, uint32_t link) {
    double elapsed = session->walk.elapsed_s;
    if (elapsed < 0) return 1;
    double at = fmin(fmax(elapsed / get_link_s(mc_session_get_walk(session)) - link, 0), 1);
    return (float)(at * at * (3 - 2 * at));
}

void mc_session_show_stop(mc_session *session, uint32_t row) {
    mc_session_walk *walk = &session->walk;
    const mc_walk *found = mc_session_get_walk(session);
    if (row >= found->count) return;
    if (!walk->is_shown) {
        walk->is_shown = true;
        walk->version++;
    }
    mc_playback_set_step(&session->playback, found->desc.step);
    mc_session_visit(session, found->stops[row].node);
}

static void describe(void *user, uint32_t index, mc_fact_list_row *row) {
    mc_session *session = user;
    const mc_walk *walk = mc_session_get_walk(session);
    const mc_walk_stop *stop = &walk->stops[index];
    static const uint32_t colors[] = {
        [MC_WALK_SYMPTOM] = MC_FACT_MARK_MUTED,   [MC_WALK_CAUSE] = MC_FACT_MARK_WARNING,
        [MC_WALK_CONTAINER] = MC_FACT_MARK_CHAIN, [MC_WALK_HOLDER] = MC_FACT_MARK_CHAIN,
        [MC_WALK_LARGEST] = MC_FACT_MARK_MUTED,
    };
    row->name = mc_session_get_name(session, stop->node);
    row->mark = colors[stop->verdict];
    row->selected = stop->node == mc_session_get_selected(session);
    row->strong = stop->verdict == MC_WALK_CAUSE;
    mc_text *detail = mc_session_get_text(session);
    char objects[MC_FORMAT_SIZE], growth[MC_FORMAT_SIZE];
    mc_text_format(detail, "%s · %s", mc_walk_verdict_names[stop->verdict],
                   mc_format_counted(objects, stop->objects, "object"));
    if (walk->suspects.verdict != MC_HEAP_SINGLE && (!walk->is_owned || index == 0))
        mc_text_format(detail, ", %s", mc_format_growth(growth, stop->growth));
    mc_text_append_string(detail, "\n");
    if (index + 1 < walk->count) {
        mc_walk_append_link(walk, session->trace, index, detail);
        mc_walk_append_through(walk, session->trace, index, detail);
    } else {
        mc_walk_append_last(walk, session->trace, detail);
    }
    row->detail = detail->failed ? NULL : detail->data;
}

static void describe_more(void *user, uint32_t index, mc_text *text) {
    const mc_session *session = user;
    mc_node_append_path_line(session->trace, mc_session_get_walk(session)->stops[index].node, text);
}

void mc_session_fill_walk(mc_session *session, mc_fact_walk *model) {
    mc_session_walk *walk = &session->walk;
    model->is_walking = walk->is_walking;
    model->wants_view = walk->frames_wanted > 0;
    if (walk->frames_wanted > 0) walk->frames_wanted--;
    model->can_walk = mc_trace_has_references(session->trace);
    model->is_shown = walk->is_shown;
    model->is_of_one_step =
        session->suspects.has_verdict && session->suspects.verdict == MC_HEAP_SINGLE;
    model->has_selection = mc_session_get_selected(session) != MC_NONE;
    if (!model->can_walk) {
        model->note = "This trace has no references, so nothing says what keeps objects alive.";
        return;
    }
    if (!walk->is_known) {
        model->note =
            model->is_of_one_step
                ? "Follows the strongest references from what is largest to what keeps "
                  "it alive."
                : "Follows the strongest references from what grew to what keeps it alive.";
        return;
    }
    const mc_walk_answer *answer = mc_asked_get_answer(session->asked[MC_QUERY_WALK]);
    model->summary = answer->summary.failed ? NULL : answer->summary.data;
    model->stops = (mc_fact_list){
        .count = answer->walk.count,
        .describe = describe,
        .describe_more = describe_more,
        .user = session,
        .wanted_row = MC_NONE,
    };
}
