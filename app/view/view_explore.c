#include "app/format.h"
#include "app/node_text.h"
#include "app/view/view_state.h"

#include "engine/base/memory.h"
#include <string.h>

mc_result mc_view_begin_exploring(mc_view *view, mc_error *error) {
    mc_view_explore *explore = &view->explore;
    explore->ui.lit_link = MC_NONE;
    explore->references.wanted.node = explore->references.found.node = MC_NONE;
    mc_view_drop_frustums(view);
    explore->search.current = explore->search.wanted_row = MC_NONE;
    mc_result result = mc_job_create(mc_window_wake, &explore->references.job, error);
    if (result == MC_OK) result = mc_job_create(mc_window_wake, &explore->walk.job, error);
    if (result == MC_OK) result = mc_job_create(mc_window_wake, &explore->styles.job, error);
    if (result != MC_OK) return result;
    explore->walk.elapsed_s = -1;
    return mc_job_create(mc_window_wake, &explore->search.job, error);
}

void mc_view_forget_city(mc_view *view) {
    mc_error error = {0};
    mc_view_end_search(view);
    mc_view_end_styles(view);
    mc_view_drop_frustums(view);
    if (mc_job_create(mc_window_wake, &view->explore.search.job, &error) != MC_OK ||
        mc_job_create(mc_window_wake, &view->explore.styles.job, &error) != MC_OK) {
        mc_view_fail(view, &error);
    }
}

void mc_view_forget_explored(mc_view *view) {
    mc_view_explore *explore = &view->explore;
    mc_error error = {0};
    mc_view_end_references(view);
    mc_view_end_walk(view);
    explore->trail.count = explore->trail.at = 0;
    explore->children.is_known = false;
    if (mc_job_create(mc_window_wake, &explore->references.job, &error) != MC_OK ||
        mc_job_create(mc_window_wake, &explore->walk.job, &error) != MC_OK) {
        mc_view_fail(view, &error);
    }
}

void mc_view_end_exploring(mc_view *view) {
    mc_view_explore *explore = &view->explore;
    mc_view_end_references(view);
    mc_view_end_search(view);
    mc_view_end_walk(view);
    mc_view_end_styles(view);
    mc_text_deinit(&explore->walk.summary);
    for (size_t i = 0; i < MC_WALK_MOST_STOPS; i++) {
        mc_text_deinit(&explore->walk.details[i]);
    }
    for (size_t i = 0; i < MC_VIEW_PLACE_COUNT; i++) {
        mc_text_deinit(&explore->search.places[i]);
    }
    mc_view_drop_frustums(view);
    mc_free(explore->trail.nodes);
    mc_free(explore->children.nodes);
}

void mc_view_sync_exploring(mc_view *view) {
    mc_view_take_search(view);
    mc_view_sync_search(view);
    mc_view_take_walk(view);
    if (view->city) mc_view_update_walk(view);
    mc_view_take_references(view);
    mc_view_sync_references(view);
    if (view->city) mc_view_sync_styles(view);
}

void mc_view_visit(mc_view *view, uint32_t node) {
    if (node != MC_NONE) mc_view_widen_root(view, node);
    mc_view_select_node(view, node, true);
    if (node != MC_NONE) mc_view_frame_structure(view, view->selected, false);
}

void mc_view_fill_explore(mc_view *view, mc_ui_model *model) {
    mc_ui_explore_model *to = &model->explore_model;
    model->explore = &view->explore.ui;
    to->can_be_root = mc_view_can_be_root(view);
    to->root_level = mc_trace_get_nodes(view->trace)->level[view->city->desc.root_node];
    mc_view_fill_search(view, &to->search);
    mc_view_fill_references(view, &to->references);
    mc_view_fill_walk(view, &to->walk);
    mc_view_fill_legend(view, &to->legend);
    to->has_retained_sizes = mc_trace_has_column(view->trace, MC_COLUMN_RETAINED_SIZE);
    mc_view_fill_children(view, &to->children);
}

void mc_view_report_explore(const mc_view *view, mc_text *out) {
    const mc_view_references *references = &view->explore.references;
    const mc_wish *s = &view->wish;
    bool known = references->found.node != MC_NONE &&
                 references->found.node == references->wanted.node &&
                 references->found.step == references->wanted.step;
    mc_text_format(
        out,
        ",\"references\":%u,\"all_references\":%u,\"references_step\":%d"
        ",\"incoming\":%s,\"outgoing\":%s,\"most_references\":%u,\"arcs\":%s",
        references->links.count, references->total_count, known ? (int)references->found.step : -1,
        s->look.show_incoming ? "true" : "false", s->look.show_outgoing ? "true" : "false",
        s->look.most_references, s->look.arcs ? "true" : "false");
    mc_view_report_key(out, view, "root",
                       view->city->desc.root_node == 0 ? MC_NONE : view->city->desc.root_node);
    static const char *const fields[] = {"holder", "held"};
    for (int i = 0; i < MC_LINK_DIRECTION_COUNT; i++) {
        const mc_link *link = mc_links_get_strongest(&references->links, (mc_link_direction)i);
        mc_view_report_key(out, view, fields[i], known && link ? link->partner : MC_NONE);
    }
    const mc_view_search *search = &view->explore.search;
    mc_text_format(out, ",\"search\":");
    mc_format_append_json(out, search->found.text, strlen(search->found.text));
    mc_text_format(out,
                   ",\"search_open\":%s,\"search_regex\":%s,\"hits\":%u,\"hit_buildings\":%u"
                   ",\"hit\":%d,\"typing\":\"%s\"",
                   view->wish.search_open ? "true" : "false",
                   view->wish.search_is_regex ? "true" : "false", search->hit_count,
                   search->leaf_count, search->current == MC_NONE ? -1 : (int)search->current,
                   mc_ui_get_text_field(view->ui));
    const mc_view_walk *walk = &view->explore.walk;
    mc_text_format(out, ",\"walk_shown\":%s,\"walk\":[", walk->is_shown ? "true" : "false");
    for (uint32_t i = 0; i < walk->walk.count; i++) {
        mc_text_append_string(out, i > 0 ? "," : "");
        mc_node_append_key_json(view->trace, walk->walk.stops[i].node, out);
    }
    mc_text_append_string(out, "]");
    mc_view_report_key(out, view, "cause",
                       walk->walk.count > 0 && walk->walk.cause_index != MC_NONE
                           ? walk->walk.stops[walk->walk.cause_index].node
                           : MC_NONE);
    const mc_view_styles *styles = &view->explore.styles;
    mc_text_format(out, ",\"color_by\":\"%s\",\"height_by\":\"%s\",\"marked\":%d",
                   mc_color_mode_names[styles->source ? styles->shown.color_mode : 0],
                   mc_height_mode_names[styles->source ? styles->shown.height_mode : 0],
                   styles->source && mc_style_source_get(styles->source)->is_marking
                       ? (int)mc_style_source_get(styles->source)->marked_count
                       : -1);
    mc_text_format(out, ",\"can_go_back\":%s,\"can_go_forward\":%s,\"children\":%u",
                   mc_view_can_follow_trail(view, -1) ? "true" : "false",
                   mc_view_can_follow_trail(view, 1) ? "true" : "false",
                   view->explore.children.count);
}
