#include "app/views/city/city_styles.h"

#include "app/caption_text.h"
#include "app/session/metrics.h"
#include "app/session/unit.h"
#include "engine/base/memory.h"
#include "engine/scene/theme.h"
#include <stdio.h>
#include <string.h>

typedef struct style_task {
    mc_layout *layout; // held
    mc_city_style_query query;
    mc_style_source *source;
} style_task;

static void destroy_task(void *context) {
    style_task *task = context;
    mc_style_source_destroy(task->source);
    mc_layout_release(task->layout);
    mc_free(task);
}

static mc_result run_task(void *context, void **state, const mc_progress *progress,
                          mc_error *error) {
    style_task *task = context;
    (void)state;
    return mc_style_source_create_mapped(task->layout->dataset->trace, task->layout->content,
                                         &task->query.mapping, progress, &task->source, error);
}

// What could not be searched for, such as half a regular expression, dims nothing.
static bool is_marking(const mc_session *session) {
    const mc_session_search *search = &session->search;
    return session->walk.is_shown || (search->found.text[0] != '\0' && search->note[0] == '\0');
}

static mc_city_style_query get_query(const mc_session *session) {
    mc_city_style_query query = {.layout_version = session->layout_version};
    if (!session->shown) return query;
    (void)mc_style_mapping_init(&query.mapping, &session->settings.look, session->trace,
                                session->shown->metric);
    mc_style_mapping_pin(&query.mapping, mc_session_get_pin(session));
    query.is_needed =
        is_marking(session) || mc_asked_has_answer(session->asked[MC_QUERY_WHAT_IF]) ||
        mc_style_mapping_is_needed(&query.mapping, session->trace, session->shown->metric);
    return query;
}

static bool queries_differ(const void *first, const void *second) {
    const mc_city_style_query *a = first, *b = second;
    return a->is_needed != b->is_needed || mc_style_mappings_differ(&a->mapping, &b->mapping) ||
           a->layout_version != b->layout_version;
}

mc_result mc_city_view_begin_styles(mc_city_view *self, mc_error *error) {
    static const mc_slot_kind kind = {
        sizeof(mc_city_style_query), queries_differ, run_task, destroy_task, NULL, false};
    static const mc_city_style_query none;
    void (*wake)(void) = self->base.session->desc->host.wake;
    return mc_slot_create(&kind, &none, wake, &self->styles.slot, error);
}

static void put(mc_city_view *self) {
    mc_city_styles *styles = &self->styles;
    const mc_building_style *items =
        styles->source ? mc_style_source_get(styles->source)->items : NULL;
    self->city->styles = items;
    mc_view_pick_again(&self->base);
    mc_view_redraw(&self->base);
    styles->version++;
}

static void drop_source(mc_city_view *self) {
    mc_city_styles *styles = &self->styles;
    if (!styles->source) return;
    mc_style_source_destroy(styles->source);
    styles->source = NULL;
    if (self->city) put(self);
}

// The city goes; whoever draws has a copy.
void mc_city_view_forget_styles(mc_city_view *self) {
    mc_city_styles *styles = &self->styles;
    mc_slot_reset(styles->slot);
    if (self->city) self->city->styles = NULL;
    mc_style_source_destroy(styles->source);
    styles->source = NULL;
}

void mc_city_view_end_styles(mc_city_view *self) {
    mc_city_view_forget_styles(self);
    mc_slot_destroy(self->styles.slot);
    self->styles.slot = NULL;
}

// A search shows its hits; a walk, its stops.
static void mark(mc_city_view *self) {
    const mc_session *session = self->base.session;
    const mc_hits *hits = mc_session_get_hits(session);
    const mc_walk *walk = mc_session_get_walk(session);
    mc_styles *styles = mc_style_source_get(self->styles.source);
    static const uint32_t none = 0;
    uint32_t hit_count = 0;
    if (session->walk.is_shown) {
        uint32_t nodes[MC_WALK_MOST_STOPS], count = 0;
        for (; count < walk->count && count < MC_WALK_MOST_STOPS; count++)
            nodes[count] = walk->stops[count].node;
        mc_styles_mark(styles, self->city, nodes, count);
    } else if (is_marking(session)) {
        hit_count = hits->count;
        mc_styles_mark(styles, self->city, hits->nodes ? hits->nodes : &none, hit_count);
    } else {
        mc_styles_mark(styles, self->city, NULL, 0);
    }
    self->styles.marked_count =
        mc_label_find_marked(styles, self->city, hits->nodes, hit_count, self->styles.marked);
}

static void demolish(mc_city_view *self) {
    const mc_session *session = self->base.session;
    const mc_what_if *found = &mc_session_get_what_if(session)->found;
    const mc_what_if_key *key = mc_asked_get_key(session->asked[MC_QUERY_WHAT_IF]);
    const mc_selection *demolished = &key->nodes;
    mc_fallen fallen = {.step = found->step,
                        .demolished = demolished->nodes,
                        .count = demolished->count,
                        .objects = found->node_objects,
                        .bytes = found->node_bytes};
    mc_error error = {0};
    mc_result result = mc_style_source_demolish(self->styles.source, &fallen, &error);
    if (result != MC_OK) mc_view_miss(&self->base, &error);
}

static void set_step(mc_city_view *self, bool is_first) {
    const mc_session *session = self->base.session;
    mc_city_styles *styles = &self->styles;
    mc_error error = {0};
    styles->step = session->counts.step;
    mc_result result = mc_style_source_set_step(styles->source, styles->step, is_first, &error);
    if (result != MC_OK) mc_view_miss(&self->base, &error);
    styles->is_of_change = mc_label_find_changed(mc_style_source_get(styles->source), self->city,
                                                 styles->changed, &styles->changed_count);
}

// Back to what is there, as what was asked for can't be had.
static void revert(mc_city_view *self) {
    mc_city_styles *styles = &self->styles;
    mc_view_revert_styles(&self->base, styles->source ? &styles->shown.mapping : NULL);
    mc_city_style_query query = get_query(self->base.session);
    mc_slot_want(styles->slot, &query);
}

static void take(mc_city_view *self) {
    mc_city_styles *styles = &self->styles;
    mc_error error = {0};
    void *taken;
    mc_slot_outcome outcome = mc_slot_take(styles->slot, &taken, &error);
    if (outcome == MC_SLOT_NOTHING) return;
    style_task *task = taken;
    mc_view_redraw(&self->base);
    if (outcome == MC_SLOT_FOUND && task->source) {
        mc_style_source_destroy(styles->source);
        styles->source = task->source;
        styles->shown = task->query;
        task->source = NULL;
        set_step(self, true);
        mark(self);
        demolish(self);
        put(self);
    } else if (outcome == MC_SLOT_FAILED) {
        mc_view_miss(&self->base, &error);
        revert(self);
    }
    destroy_task(task);
}

static void request(mc_city_view *self, const mc_city_style_query *query) {
    const mc_session *session = self->base.session;
    mc_city_styles *styles = &self->styles;
    if (!query->is_needed) {
        mc_slot_cancel(styles->slot);
        drop_source(self);
        return;
    }
    style_task *task = mc_alloc_zero(1, sizeof *task);
    if (!task) return;
    task->layout = mc_layout_hold(session->shown);
    task->query = *query;
    mc_slot_start(styles->slot, session->dataset, task);
}

void mc_city_view_sync_styles(mc_city_view *self) {
    const mc_session *session = self->base.session;
    mc_city_styles *styles = &self->styles;
    const mc_session_search *search = &session->search;
    take(self);
    mc_city_style_query query = get_query(session);
    if (mc_slot_want(styles->slot, &query)) request(self, &query);
    bool marks_differ = styles->search_version != search->version ||
                        styles->walk_is_marked != session->walk.is_shown;
    bool step_differs = styles->step != session->counts.step;
    styles->search_version = search->version;
    styles->walk_is_marked = session->walk.is_shown;
    bool falls_otherwise =
        styles->what_if_version != mc_asked_get_version(session->asked[MC_QUERY_WHAT_IF]);
    styles->what_if_version = mc_asked_get_version(session->asked[MC_QUERY_WHAT_IF]);
    if (!styles->source || (!marks_differ && !step_differs && !falls_otherwise)) return;
    if (step_differs) set_step(self, false);
    if (marks_differ) mark(self);
    if (falls_otherwise) demolish(self);
    const mc_style_mapping *shown = &styles->shown.mapping;
    bool follows_time =
        mc_style_mapping_follows_time(shown, session->trace, session->shown->metric);
    if (marks_differ || follows_time || falls_otherwise) put(self);
}

void mc_city_view_apply_styles(const mc_city_view *self, const mc_theme *theme,
                               mc_update_params *params) {
    mc_style_source *source = self->styles.source;
    mc_legend_apply(source ? mc_style_source_get(source) : NULL, theme, params);
}

static void copy_text(char *out, size_t size, mc_text *text) {
    snprintf(out, size, "%s", mc_text_get(text));
    mc_text_deinit(text);
}

static void add_apart(mc_fact_legend *model, const mc_legend_entry *entry) {
    model->apart_colors[model->apart_count] = mc_theme_pack(entry->color, 255);
    model->apart_texts[model->apart_count++] = entry->text;
}

void mc_city_view_get_legend(const mc_city_view *self, mc_legend *legend) {
    mc_style_source *source = self->styles.source;
    mc_legend_get(legend, source ? mc_style_source_get(source) : NULL, self->city,
                  self->base.session->trace, &self->params);
}

void mc_city_view_fill_legend(mc_city_view *self, mc_fact_legend *model) {
    const mc_session *session = self->base.session;
    mc_legend *legend = &self->styles.legend;
    mc_city_view_get_legend(self, legend);
    model->title = legend->title;
    model->is_gradient = legend->is_gradient;
    model->area_title = legend->area_title;
    model->height_title = legend->height_title;
    model->height_texts = legend->height_texts;
    const mc_city_style_query *wanted = mc_slot_get_wanted(self->styles.slot);
    model->is_working = wanted->is_needed && queries_differ(wanted, &self->styles.shown);
    if (!legend->title) return;
    for (uint32_t i = 0; i < legend->apart_count; i++)
        add_apart(model, &legend->apart[i]);
    if (legend->has_unknown) add_apart(model, &legend->unknown);
    model->count = legend->entry_count;
    for (uint32_t i = 0; i < legend->entry_count && i < MC_FACT_LEGEND_CAPACITY; i++) {
        model->colors[i] = mc_theme_pack(legend->entries[i].color, 255);
        model->texts[i] = legend->entries[i].text;
    }
    if (!legend->is_gradient) return;
    if (legend->full <= 0) { // a scale from nothing to nothing says less
        uint32_t neutral = legend->is_diverging ? legend->entry_count / 2 : 0;
        model->is_gradient = false;
        model->count = 1;
        model->colors[0] = model->colors[neutral];
        model->texts[0] = legend->is_diverging ? "nothing changed" : "nothing grew";
        return;
    }
    mc_text full = {0}, low = {0};
    mc_caption_append_full(legend, session->trace, session->shown->window, &full);
    if (legend->is_diverging) mc_caption_append_low(legend, &low);
    copy_text(model->full, sizeof model->full, &full);
    copy_text(model->low, sizeof model->low, &low);
}

void mc_city_view_fill_unit_legend(const mc_city_view *self, mc_fact_legend *model) {
    const mc_session *session = self->base.session;
    const mc_look *look = &session->settings.look;
    mc_session_unit_part unit[MC_UNIT_MARK_CAPACITY];
    if (mc_session_list_unit(session, unit) == 0) return;
    mc_theme theme = mc_theme_get(look->dark, (mc_palette)look->palette);
    bool is_itself = unit[0].node == mc_session_get_selected(session);
    model->apart_colors[model->apart_count] = mc_theme_pack(theme.selection_outline, 255);
    model->apart_texts[model->apart_count++] =
        is_itself ? "came with its unit" : "came with the selection";
}
