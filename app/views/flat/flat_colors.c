#include "app/views/flat/flat_colors.h"

#include "app/format.h"
#include "engine/base/memory.h"
#include "engine/scene/legend.h"
#include "engine/scene/style_source.h"
#include "engine/scene/theme.h"
#include "engine/trace/versus/versus.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

typedef struct colors_query {
    uint32_t layout_version;
    mc_flat_color_mode mode; // that of a column, or MC_FLAT_COLOR_BRANCH: none is needed
    mc_metric value;         // of MC_FLAT_COLOR_VALUE; else MC_NONE
    uint32_t pin;            // of MC_FLAT_COLOR_PIN; else MC_NONE
} colors_query;

typedef struct colors_task {
    mc_layout *layout; // held
    colors_query query;
    mc_flat_column column;
} colors_task;

static void destroy_task(void *context) {
    colors_task *task = context;
    mc_flat_column_deinit(&task->column);
    mc_layout_release(task->layout);
    mc_free(task);
}

static mc_result run_task(void *context, void **state, const mc_progress *progress,
                          mc_error *error) {
    colors_task *task = context;
    (void)state;
    mc_flat_column_desc desc = {.mode = mc_flat_column_get_mode(task->query.mode),
                                .metric = task->layout->metric,
                                .value = task->query.value,
                                .pin = task->query.pin,
                                .window = task->layout->window};
    return mc_flat_column_init(&task->column, task->layout->dataset->trace, &desc, progress, error);
}

static bool queries_differ(const void *first, const void *second) {
    const colors_query *a = first, *b = second;
    return a->layout_version != b->layout_version || a->mode != b->mode || a->value != b->value ||
           a->pin != b->pin;
}

static const colors_query nothing = {
    .mode = MC_FLAT_COLOR_BRANCH, .value = MC_NONE, .pin = MC_NONE};

mc_result mc_flat_colors_begin(mc_flat_view *self, mc_error *error) {
    static const mc_slot_kind kind = {sizeof(colors_query), queries_differ, run_task,
                                      destroy_task,         NULL,           false};
    void (*wake)(void) = self->base.session->desc->host.wake;
    self->colors.mode = MC_FLAT_COLOR_BRANCH;
    return mc_slot_create(&kind, &nothing, wake, &self->colors.slot, error);
}

static void drop(mc_flat_colors *colors) {
    if (colors->mode != MC_FLAT_COLOR_BRANCH) {
        colors->version++;
        colors->found_version++;
    }
    mc_flat_column_deinit(&colors->column);
    mc_layout_release(colors->layout);
    colors->layout = NULL;
    colors->mode = MC_FLAT_COLOR_BRANCH;
}

void mc_flat_colors_forget(mc_flat_view *self, const mc_layout *layout) {
    mc_flat_colors *colors = &self->colors;
    if (layout && (!colors->layout || colors->layout->dataset == layout->dataset)) return;
    mc_slot_reset(colors->slot);
    drop(colors);
}

void mc_flat_colors_end(mc_flat_view *self) {
    mc_flat_colors_forget(self, NULL);
    mc_slot_destroy(self->colors.slot);
    self->colors.slot = NULL;
}

static mc_flat_color_mode get_wanted(const mc_flat_view *self) {
    const mc_session *session = self->base.session;
    mc_flat_color_mode mode = (mc_flat_color_mode)session->settings.tree_color;
    if (mc_session_get_pin(session) != MC_NONE) return MC_FLAT_COLOR_PIN;
    bool is_pair = session->shown && mc_style_is_of_pair(session->trace, session->shown->metric);
    // Of two traces growth is that of the one against the other, which is what one looks for first.
    bool is_usual =
        mode == MC_FLAT_COLOR_BRANCH || mode == MC_FLAT_COLOR_GROWTH || mode == MC_FLAT_COLOR_OWNER;
    if (self->picture && self->picture->is_color_chosen) is_usual = false;
    // Where there is one step, nothing grew.
    bool has_growth = session->trace && mc_trace_get_step_count(session->trace) > 1;
    bool is_before = session->shown && mc_versus_is_before(session->trace, session->shown->metric);
    bool has_owners =
        session->trace && mc_trace_has_owners(session->trace) && !is_pair && !is_before;
    if (mode == MC_FLAT_COLOR_OWNER && !has_owners) mode = MC_FLAT_COLOR_GROWTH;
    if (is_usual && !has_growth) mode = MC_FLAT_COLOR_BRANCH;
    return is_pair && is_usual ? MC_FLAT_COLOR_DIFFERENCE : mode;
}

// A metric that the trace lacks leaves the one that areas have.
static colors_query get_query(const mc_flat_view *self) {
    const mc_session *session = self->base.session;
    mc_flat_color_mode mode = get_wanted(self);
    colors_query query = nothing;
    if (!self->tree || !session->shown || mode < MC_FLAT_COLOR_STEP) return query;
    query.layout_version = session->layout_version;
    query.mode = mode;
    if (mode == MC_FLAT_COLOR_PIN) query.pin = mc_session_get_pin(session);
    if (mode != MC_FLAT_COLOR_VALUE) return query;
    query.value = mc_trace_find_metric(session->trace, session->settings.look.color_metric);
    if (query.value == MC_NONE) query.value = session->shown->metric;
    return query;
}

static void set_step(mc_flat_view *self) {
    const mc_session *session = self->base.session;
    mc_flat_colors *colors = &self->colors;
    mc_error error = {0};
    colors->step = session->counts.step;
    if (mc_flat_column_set_step(&colors->column, colors->step, &error) != MC_OK)
        mc_view_complain(&self->base, error.message);
    colors->version++;
}

static void take(mc_flat_view *self) {
    mc_flat_colors *colors = &self->colors;
    mc_error error = {0};
    void *taken;
    mc_slot_outcome outcome = mc_slot_take(colors->slot, &taken, &error);
    if (outcome == MC_SLOT_NOTHING) return;
    colors_task *task = taken;
    drop(colors);
    if (outcome == MC_SLOT_FOUND) {
        colors->column = task->column;
        colors->layout = task->layout;
        task->layout = NULL;
        colors->mode = task->query.mode;
        task->column = (mc_flat_column){.trace = NULL};
        colors->found_version++;
        set_step(self);
    } else {
        mc_view_complain(&self->base, error.message);
    }
    destroy_task(task);
    mc_view_redraw(&self->base);
}

static void request(mc_flat_view *self, const colors_query *query) {
    const mc_session *session = self->base.session;
    mc_flat_colors *colors = &self->colors;
    bool goes_on = query->mode == colors->mode && query->mode != MC_FLAT_COLOR_BRANCH;
    if (!goes_on) drop(colors);
    if (query->mode == MC_FLAT_COLOR_BRANCH) {
        mc_slot_cancel(colors->slot);
        return;
    }
    colors_task *task = mc_alloc_zero(1, sizeof *task);
    if (!task) return;
    task->layout = mc_layout_hold(session->shown);
    task->query = *query;
    mc_slot_start(colors->slot, session->dataset, task);
}

void mc_flat_colors_sync(mc_flat_view *self) {
    const mc_session *session = self->base.session;
    take(self);
    colors_query query = get_query(self);
    if (mc_slot_want(self->colors.slot, &query)) request(self, &query);
    bool has_column = self->colors.mode != MC_FLAT_COLOR_BRANCH;
    if (has_column && session->shown && self->colors.step != session->counts.step) set_step(self);
}

bool mc_flat_colors_is_deriving(const mc_flat_view *self) {
    return mc_slot_is_busy(self->colors.slot);
}

mc_flat_color_mode mc_flat_colors_get_mode(const mc_flat_view *self) {
    mc_flat_color_mode wanted = get_wanted(self);
    return wanted < MC_FLAT_COLOR_STEP ? wanted : self->colors.mode;
}

// ---- the legend

// Colours of branches say what they are of by their place, levels and roles likewise.
void mc_flat_colors_fill_legend(mc_flat_view *self, mc_fact_legend *legend) {
    const mc_session *session = self->base.session;
    mc_flat_colors *colors = &self->colors;
    mc_flat_color_mode mode = mc_flat_colors_get_mode(self);
    bool is_gradient = mode == MC_FLAT_COLOR_GROWTH || mode >= MC_FLAT_COLOR_STEP;
    legend->is_working = mc_slot_is_looking(colors->slot);
    legend->title = NULL;
    if (!is_gradient) return;
    bool has_owners = mode == MC_FLAT_COLOR_OWNER && colors->column.owner_count > 0;
    bool is_growth = mode == MC_FLAT_COLOR_GROWTH || (mode == MC_FLAT_COLOR_OWNER && !has_owners);
    mc_color_mode shown = is_growth ? MC_COLOR_MODE_GROWTH : mc_flat_column_get_mode(mode);
    mc_text title = {0};
    mc_text_append_string(&title, mc_legend_get_title(shown));
    if (mode == MC_FLAT_COLOR_VALUE) {
        const mc_metric_info *info = mc_trace_get_metric(session->trace, colors->column.desc.value);
        mc_format_append_line(&title, info->title, info->title_size);
    }
    if (mode == MC_FLAT_COLOR_PIN) mc_text_format(&title, "%" PRIu32, colors->column.desc.pin);
    snprintf(colors->title, sizeof colors->title, "%s", title.data ? title.data : "");
    mc_text_deinit(&title);
    legend->title = colors->title;
    legend->is_gradient = true;
    legend->count = 0;
    bool is_pin = mode == MC_FLAT_COLOR_PIN || mode == MC_FLAT_COLOR_DIFFERENCE;
    if (mode == MC_FLAT_COLOR_DIFFERENCE) {
        legend->apart_count = 2;
        legend->apart_colors[0] = mc_theme_pack(self->theme.new_color, 255);
        legend->apart_colors[1] = mc_theme_pack(self->theme.gone_color, 255);
        legend->apart_texts[0] = "new";
        legend->apart_texts[1] = "gone";
    }
    if (is_pin) {
        legend->colors[legend->count++] = mc_theme_pack(self->theme.shrinking[1], 255);
        legend->colors[legend->count++] = mc_theme_pack(self->theme.shrinking[0], 255);
    }
    for (uint32_t i = 0; i < 3; i++)
        legend->colors[legend->count++] = mc_theme_pack(self->theme.gradient[i], 255);
    if (has_owners) {
        float pale[3];
        mc_flat_color_get_gradient(&self->theme, MC_STYLE_OWNED_TINT, pale);
        legend->apart_count = 1;
        legend->apart_colors[0] = mc_theme_pack(pale, 255);
        legend->apart_texts[0] = "pale: its own growth";
        mc_text full = {0};
        mc_format_append_growth(&full, mc_trace_get_metric(session->trace, MC_METRIC_BYTES),
                                (int64_t)colors->column.owners[0].growth);
        snprintf(legend->full, sizeof legend->full, "%s", mc_text_get(&full));
        mc_text_deinit(&full);
        return;
    }
    if (is_pin) snprintf(legend->low, sizeof legend->low, "shrank");
    if (mode == MC_FLAT_COLOR_FIRST) snprintf(legend->low, sizeof legend->low, "at the start");
    if (mode == MC_FLAT_COLOR_FIRST)
        snprintf(legend->full, sizeof legend->full, "step %" PRIu32,
                 session->shown->window.last_step);
    else
        snprintf(legend->full, sizeof legend->full, "most of its level");
}
