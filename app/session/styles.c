#include "app/session/styles.h"

#include "app/format.h"
#include "app/session/metrics.h"
#include "engine/base/memory.h"
#include "engine/scene/legend.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct style_task {
    mc_held_city *held;
    mc_session_style_query query;
    mc_style_source *source;
} style_task;

static void destroy_task(void *context) {
    style_task *task = context;
    mc_style_source_destroy(task->source);
    mc_held_city_release(task->held);
    mc_free(task);
}

static mc_result run_task(void *context, void **state, const mc_progress *progress,
                          mc_error *error) {
    style_task *task = context;
    (void)state;
    return mc_style_source_create_mapped(task->held->dataset->trace, task->held->city,
                                         &task->query.mapping, progress, &task->source, error);
}

// What could not be searched for, such as half a regular expression, dims nothing.
static bool is_marking(const mc_session *session) {
    const mc_session_search *search = &session->search;
    return session->walk.is_shown || (search->found.text[0] != '\0' && search->note[0] == '\0');
}

static mc_session_style_query get_query(const mc_session *session) {
    mc_session_style_query query = {.city_version = session->city_version};
    if (!session->city) return query;
    (void)mc_style_mapping_init(&query.mapping, &session->wish.look, session->trace,
                                session->city->desc.metric);
    query.is_needed = query.mapping.color_mode != MC_COLOR_MODE_GROWTH ||
                      query.mapping.height_mode != MC_HEIGHT_MODE_METRIC || is_marking(session);
    return query;
}

static bool queries_differ(const void *first, const void *second) {
    const mc_session_style_query *a = first, *b = second;
    return a->is_needed != b->is_needed || mc_style_mappings_differ(&a->mapping, &b->mapping) ||
           a->city_version != b->city_version;
}

mc_result mc_session_begin_styles(mc_session *session, mc_error *error) {
    static const mc_slot_kind kind = {sizeof(mc_session_style_query), queries_differ, run_task,
                                      destroy_task, NULL};
    static const mc_session_style_query none;
    return mc_slot_create(&kind, &none, session->desc->host.wake, &session->styles.slot, error);
}

static void put(mc_session *session) {
    mc_session_styles *styles = &session->styles;
    const mc_building_style *items =
        styles->source ? mc_style_source_get(styles->source)->items : NULL;
    session->city->styles = items;
    session->hover_is_stale = true;
    mc_session_redraw(session);
    session->styles_version++;
}

static void drop_source(mc_session *session) {
    mc_session_styles *styles = &session->styles;
    if (!styles->source) return;
    mc_style_source_destroy(styles->source);
    styles->source = NULL;
    if (session->city) put(session);
}

// The city goes; whoever draws has a copy.
void mc_session_forget_styles(mc_session *session) {
    mc_session_styles *styles = &session->styles;
    mc_slot_reset(styles->slot);
    if (session->city) session->city->styles = NULL;
    mc_style_source_destroy(styles->source);
    styles->source = NULL;
}

void mc_session_end_styles(mc_session *session) {
    mc_session_forget_styles(session);
    mc_slot_destroy(session->styles.slot);
    session->styles.slot = NULL;
}

// A search shows its hits; a walk, its stops.
static void mark(mc_session *session) {
    const mc_session_search *search = &session->search;
    const mc_walk *walk = &session->walk.walk;
    mc_styles *styles = mc_style_source_get(session->styles.source);
    static const uint32_t none = 0;
    if (session->walk.is_shown) {
        uint32_t nodes[MC_WALK_MOST_STOPS], count = 0;
        for (; count < walk->count && count < MC_WALK_MOST_STOPS; count++)
            nodes[count] = walk->stops[count].node;
        mc_styles_mark(styles, session->city, nodes, count);
    } else if (is_marking(session)) {
        mc_styles_mark(styles, session->city, search->hits ? search->hits : &none,
                       search->hit_count);
    } else {
        mc_styles_mark(styles, session->city, NULL, 0);
    }
}

static void set_step(mc_session *session, bool is_first) {
    mc_session_styles *styles = &session->styles;
    mc_error error = {0};
    styles->step = session->shown_step;
    mc_result result = mc_style_source_set_step(styles->source, styles->step, is_first, &error);
    if (result != MC_OK) mc_session_set_message(session, error.message);
}

// Back to what is there, if what was asked for can't be had.
static void revert(mc_session *session) {
    mc_session_styles *styles = &session->styles;
    const mc_style_mapping *shown = &styles->shown.mapping;
    mc_look *look = &session->wish.look;
    bool has_source = styles->source != NULL;
    look->color_mode = has_source ? (uint32_t)shown->color_mode : MC_COLOR_MODE_GROWTH;
    look->height_mode = has_source ? (uint32_t)shown->height_mode : MC_HEIGHT_MODE_METRIC;
    mc_session_name_metric(session, has_source ? shown->color_metric : MC_NONE, look->color_metric);
    mc_session_name_metric(session, has_source ? shown->height_metric : MC_NONE,
                           look->height_metric);
    mc_session_style_query query = get_query(session);
    mc_slot_want(styles->slot, &query);
}

static void take(mc_session *session) {
    mc_session_styles *styles = &session->styles;
    mc_error error = {0};
    void *taken;
    mc_slot_outcome outcome = mc_slot_take(styles->slot, &taken, &error);
    if (outcome == MC_SLOT_NOTHING) return;
    style_task *task = taken;
    mc_session_redraw(session);
    if (outcome == MC_SLOT_FOUND && task->source) {
        mc_style_source_destroy(styles->source);
        styles->source = task->source;
        styles->shown = task->query;
        task->source = NULL;
        set_step(session, true);
        mark(session);
        put(session);
    } else if (outcome == MC_SLOT_FAILED) {
        mc_session_set_message(session, error.message);
        revert(session);
    }
    destroy_task(task);
}

static void request(mc_session *session, const mc_session_style_query *query) {
    mc_session_styles *styles = &session->styles;
    if (!query->is_needed) {
        mc_slot_cancel(styles->slot);
        drop_source(session);
        return;
    }
    style_task *task = mc_alloc_zero(1, sizeof *task);
    if (!task) return;
    task->held = mc_held_city_hold(session->held);
    task->query = *query;
    mc_slot_start(styles->slot, session->dataset, task);
}

void mc_session_sync_styles(mc_session *session) {
    mc_session_styles *styles = &session->styles;
    mc_session_search *search = &session->search;
    take(session);
    mc_session_style_query query = get_query(session);
    if (mc_slot_want(styles->slot, &query)) request(session, &query);
    bool marks_differ = search->changed || styles->walk_is_marked != session->walk.is_shown;
    bool step_differs = styles->step != session->shown_step;
    search->changed = false;
    styles->walk_is_marked = session->walk.is_shown;
    if (!styles->source || (!marks_differ && !step_differs)) return;
    if (step_differs) set_step(session, false);
    if (marks_differ) mark(session);
    const mc_style_mapping *shown = &styles->shown.mapping;
    bool follows_time = shown->color_mode == MC_COLOR_MODE_STEP ||
                        shown->color_mode == MC_COLOR_MODE_VALUE ||
                        shown->height_mode != MC_HEIGHT_MODE_METRIC;
    if (marks_differ || follows_time) put(session);
}

void mc_session_apply_styles(const mc_session *session, const mc_theme *theme,
                             mc_update_params *params) {
    mc_style_source *source = session->styles.source;
    mc_legend_apply(source ? mc_style_source_get(source) : NULL, theme, params);
}

static uint32_t pack(const float color[3]) {
    uint32_t packed = 0xff000000u;
    for (int i = 0; i < 3; i++) {
        packed |= (uint32_t)lroundf(fminf(fmaxf(color[i], 0), 1) * 255) << (8 * i);
    }
    return packed;
}

// What the end of the gradient stands for: "+12.3 MiB/s", "+12 k objects", "70 %", "step 7".
static void describe_full(const mc_legend *legend, char *out, size_t size) {
    char text[MC_FORMAT_SIZE];
    const mc_metric_info *info = legend->metric;
    uint64_t full = legend->full < 1e18 ? (uint64_t)llround(legend->full) : (uint64_t)1e18;
    if (!info) {
        snprintf(out, size, "step %" PRIu64, full);
        return;
    }
    mc_format_brief(text, info, mc_metric_get_word(info, full));
    bool is_objects = strcmp(info->key, "objects") == 0;
    snprintf(out, size, "%s%s%s%s", legend->is_value ? "" : "+", text, is_objects ? " objects" : "",
             legend->is_rate ? "/s" : "");
}

void mc_session_fill_legend(mc_session *session, mc_ui_legend *model) {
    mc_style_source *source = session->styles.source;
    mc_legend *legend = &session->styles.legend;
    mc_legend_get(legend, source ? mc_style_source_get(source) : NULL, session->city,
                  session->trace, &session->params);
    model->title = legend->title;
    model->is_gradient = legend->is_gradient;
    model->area_title = legend->area_title;
    model->height_title = legend->height_title;
    model->height_texts = legend->height_texts;
    const mc_session_style_query *wanted = mc_slot_get_wanted(session->styles.slot);
    model->is_working = wanted->is_needed && queries_differ(wanted, &session->styles.shown);
    if (!legend->title) return;
    model->count = legend->entry_count;
    for (uint32_t i = 0; i < legend->entry_count && i < MC_UI_LEGEND_CAPACITY; i++) {
        model->colors[i] = pack(legend->entries[i].color);
        model->texts[i] = legend->entries[i].text;
    }
    if (!legend->is_gradient) return;
    if (legend->full > 0)
        describe_full(legend, model->full, sizeof model->full);
    else
        snprintf(model->full, sizeof model->full, "nothing grew");
}
