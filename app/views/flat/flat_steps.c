#include "app/views/flat/flat_steps.h"

#include "app/views/flat/flat_colors.h"
#include "app/views/flat/flat_pruned.h"
#include "app/views/flat/flat_steps_frame.h"
#include "engine/base/memory.h"
#include <string.h>

enum { BATCH = 4 }; // trees that are made before the first of them is shown

typedef struct trees_query {
    uint32_t version, count;
    uint32_t steps[BATCH];
} trees_query;

static const trees_query nothing;

typedef struct trees_task {
    mc_layout *layout;      // held
    mc_flat_pruned *pruned; // held; NULL: the tree is the layout's
    trees_query query;
    mc_flat_steps_key key;
    uint32_t form;
    uint8_t *hits;         // per node; NULL: nothing is looked for
    mc_flat_column column; // that colours show, if they show one
    mc_flat_small smalls[BATCH];
} trees_task;

static void destroy_task(void *context) {
    trees_task *task = context;
    for (uint32_t i = 0; i < BATCH; i++)
        mc_flat_small_deinit(&task->smalls[i]);
    mc_free(task->hits);
    mc_flat_column_deinit(&task->column);
    mc_flat_pruned_release(task->pruned);
    mc_layout_release(task->layout);
    mc_free(task);
}

// ---- in the thread

typedef struct scratch {
    mc_flat_pane pane;
    mc_theme theme;
    uint64_t *node_values, *base, *end;
} scratch;

static const mc_tree *get_tree(const trees_task *task) {
    const mc_flat_content *content = task->layout->content;
    return task->pruned ? task->pruned->tree : content->tree;
}

static mc_result prepare(const trees_task *task, scratch *s, mc_error *error) {
    const mc_tree *tree = get_tree(task);
    s->theme = mc_theme_get(task->key.dark, (mc_palette)task->key.palette);
    mc_result result = mc_flat_pane_init(&s->pane, tree, error);
    if (result != MC_OK) return result;
    s->node_values = mc_alloc(tree->node_count, sizeof *s->node_values);
    if (!s->node_values) return mc_error_out_of_memory(error);
    if (task->key.color != MC_FLAT_COLOR_GROWTH) return MC_OK;
    s->base = mc_alloc(tree->count, sizeof *s->base);
    s->end = mc_alloc(tree->count, sizeof *s->end);
    if (!s->base || !s->end) return mc_error_out_of_memory(error);
    mc_tree_gather(tree, tree->first, s->base);
    mc_tree_gather(tree, tree->last, s->end);
    return MC_OK;
}

static mc_result make(trees_task *task, scratch *s, uint32_t index, mc_error *error) {
    const mc_trace *trace = task->layout->dataset->trace;
    uint32_t levels = task->key.levels > 0 ? task->key.levels + 1 : 0;
    mc_result result = mc_trace_read_counts(trace, task->query.steps[index], task->layout->metric,
                                            s->node_values, error);
    if (result == MC_OK && task->column.values)
        result = mc_flat_column_set_step(&task->column, task->query.steps[index], error);
    if (result != MC_OK) return result;
    mc_flat_pane_show(&s->pane, s->node_values, task->key.root, levels, false);
    mc_flat_color_desc colors = {.mode = (mc_flat_color_mode)task->key.color,
                                 .theme = &s->theme,
                                 .nodes = mc_trace_get_nodes(trace),
                                 .base = s->base,
                                 .now = s->pane.now.values,
                                 .end = s->end,
                                 .values = task->column.values,
                                 .most = task->column.most,
                                 .hits = task->hits,
                                 .solid_entry = MC_NONE};
    mc_flat_color(s->pane.tree, &colors, s->pane.now.colors);
    return mc_flat_small_make(&task->smalls[index], &s->pane, task->form, task->key.texel_count,
                              error);
}

static mc_result run_task(void *context, void **state, const mc_progress *progress,
                          mc_error *error) {
    trees_task *task = context;
    scratch s = {.node_values = NULL};
    (void)state;
    mc_result result = prepare(task, &s, error);
    for (uint32_t i = 0; i < task->query.count && result == MC_OK; i++) {
        result = mc_progress_report(progress, i, task->query.count)
                     ? make(task, &s, i, error)
                     : mc_fail(error, MC_ERROR_CANCELLED, "cancelled");
    }
    mc_flat_pane_deinit(&s.pane);
    mc_free(s.node_values);
    mc_free(s.base);
    mc_free(s.end);
    return result;
}

static bool queries_differ(const void *a, const void *b) {
    return memcmp(a, b, sizeof(trees_query)) != 0;
}

// ---- which there are

static uint32_t find_item(const mc_flat_steps *trees, uint32_t step) {
    for (uint32_t i = 0; i < trees->count; i++)
        if (trees->items[i].step == step) return i;
    return MC_NONE;
}

// Those of the time window, and the current one if there are any.
static uint32_t list_steps(const mc_flat_view *self, uint32_t steps[MC_FLAT_MOST_TREES]) {
    const mc_session *session = self->base.session;
    const mc_form_steps *wanted = &session->settings.tree_steps;
    mc_step_range window = session->shown->window;
    uint32_t count = 0, current = session->counts.step;
    bool is_current_due = !mc_form_has_step(wanted, current);
    for (uint32_t i = 0; i < wanted->count; i++) {
        uint32_t step = wanted->items[i];
        if (step < window.first_step || step > window.last_step) continue;
        if (is_current_due && current < step) steps[count++] = current;
        is_current_due = is_current_due && current > step;
        steps[count++] = step;
    }
    if (is_current_due && count > 0) steps[count++] = current;
    return count;
}

static void set_steps(mc_flat_steps *trees, const uint32_t *steps, uint32_t count) {
    mc_flat_step_tree items[MC_FLAT_MOST_TREES];
    bool is_same = count == trees->count;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t at = find_item(trees, steps[i]);
        is_same = is_same && at == i;
        items[i] = (mc_flat_step_tree){.step = steps[i]};
        if (at == MC_NONE) continue;
        items[i] = trees->items[at];
        trees->items[at].small = (mc_flat_small){.root = 0};
    }
    for (uint32_t i = 0; i < trees->count; i++)
        mc_flat_small_deinit(&trees->items[i].small);
    for (uint32_t i = 0; i < count; i++)
        trees->items[i] = items[i];
    trees->count = count;
    if (!is_same) trees->changes++;
}

void mc_flat_steps_forget(mc_flat_view *self) {
    mc_flat_steps *trees = &self->trees;
    set_steps(trees, NULL, 0);
    mc_slot_reset(trees->slot);
    memset(&trees->key, 0, sizeof trees->key);
}

// ---- making them

static mc_flat_steps_key get_key(const mc_flat_view *self) {
    const mc_session *session = self->base.session;
    const mc_settings *settings = &session->settings;
    mc_flat_steps_key key;
    memset(&key, 0, sizeof key);
    key.layout_version = session->layout_version;
    key.tree_version = self->tree_version;
    key.root = self->root;
    key.levels = settings->tree_levels;
    key.color = (uint32_t)mc_flat_colors_get_mode(self);
    key.colors_version = self->colors.found_version;
    key.palette = settings->look.palette;
    key.dark = settings->look.dark;
    key.texel_count = mc_flat_steps_get_texels(self);
    key.hits_version = self->hits_version;
    return key;
}

// What is missing, the current step first.
static trees_query get_query(const mc_flat_view *self) {
    const mc_flat_steps *trees = &self->trees;
    trees_query query = {.version = trees->version};
    uint32_t current = find_item(trees, self->base.session->counts.step);
    for (uint32_t i = 0; i <= trees->count && query.count < BATCH; i++) {
        uint32_t at = i == 0 ? current : i - 1;
        if (at == MC_NONE || (i > 0 && at == current)) continue;
        const mc_flat_step_tree *item = &trees->items[at];
        if (item->version != trees->version) query.steps[query.count++] = item->step;
    }
    return query;
}

static trees_task *create_task(const mc_flat_view *self, const trees_query *query) {
    const mc_session *session = self->base.session;
    trees_task *task = mc_alloc_zero(1, sizeof *task);
    if (!task) return NULL;
    task->layout = mc_layout_hold(session->shown);
    task->pruned = self->pruned ? mc_flat_pruned_hold(self->pruned) : NULL;
    task->query = *query;
    task->key = self->trees.key;
    task->form = self->form;
    uint32_t count = mc_trace_get_nodes(session->trace)->count;
    task->hits = self->hits ? mc_alloc(count, 1) : NULL;
    if (task->hits) memcpy(task->hits, self->hits, count);
    bool is_whole = task->hits || !self->hits;
    if (task->key.color >= MC_FLAT_COLOR_STEP)
        is_whole &= mc_flat_column_copy(&task->column, &self->colors.column, NULL) == MC_OK;
    if (is_whole) return task;
    destroy_task(task);
    return NULL;
}

// A batch that is being made is let be, unless what it is made of has changed.
static void request(mc_flat_view *self) {
    mc_flat_steps *trees = &self->trees;
    const trees_query *wanted = mc_slot_get_wanted(trees->slot);
    if (mc_slot_is_busy(trees->slot) && wanted->version == trees->version) return;
    trees_query query = get_query(self);
    if (query.count == 0) {
        if (mc_slot_want(trees->slot, &nothing)) mc_slot_cancel(trees->slot);
        return;
    }
    if (!mc_slot_want(trees->slot, &query)) return;
    trees_task *task = create_task(self, &query);
    if (task) mc_slot_start(trees->slot, self->base.session->dataset, task);
}

static void take(mc_flat_view *self) {
    mc_flat_steps *trees = &self->trees;
    mc_error error = {0};
    void *taken;
    mc_slot_outcome outcome = mc_slot_take(trees->slot, &taken, &error);
    if (outcome == MC_SLOT_NOTHING) return;
    trees_task *task = taken;
    if (outcome == MC_SLOT_FAILED) mc_view_complain(&self->base, error.message);
    for (uint32_t i = 0; i < task->query.count && task->query.version == trees->version; i++) {
        uint32_t at = find_item(trees, task->query.steps[i]);
        if (at == MC_NONE) continue;
        mc_flat_step_tree *item = &trees->items[at];
        mc_flat_small_deinit(&item->small);
        item->small = task->smalls[i];
        item->version = trees->version;
        task->smalls[i] = (mc_flat_small){.root = 0};
    }
    destroy_task(task);
    (void)mc_slot_want(trees->slot, &nothing); // the same may be wanted again
    trees->changes++;
    mc_view_redraw(&self->base);
}

void mc_flat_steps_sync(mc_flat_view *self) {
    mc_flat_steps *trees = &self->trees;
    const mc_session *session = self->base.session;
    uint32_t steps[MC_FLAT_MOST_TREES];
    take(self);
    if (!self->tree || !session->shown) return;
    set_steps(trees, steps, list_steps(self, steps));
    mc_flat_steps_key key = get_key(self);
    // NOLINTNEXTLINE(bugprone-suspicious-memory-comparison)
    if (memcmp(&key, &trees->key, sizeof key) != 0) {
        trees->key = key;
        trees->version++;
    }
    request(self);
}

bool mc_flat_steps_is_deriving(const mc_flat_view *self) {
    return mc_slot_is_busy(self->trees.slot);
}

mc_result mc_flat_steps_begin(mc_flat_view *self, mc_error *error) {
    static const mc_slot_kind kind = {sizeof(trees_query), queries_differ, run_task,
                                      destroy_task,        NULL,           false};
    void (*wake)(void) = self->base.session->desc->host.wake;
    return mc_slot_create(&kind, &nothing, wake, &self->trees.slot, error);
}

void mc_flat_steps_end(mc_flat_view *self) {
    mc_flat_steps_forget(self);
    mc_slot_destroy(self->trees.slot);
    self->trees.slot = NULL;
}
