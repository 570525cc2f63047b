#include "app/page/page_facts.h"

#include "app/format.h"
#include "app/print/print.h"
#include "app/version.h"
#include "app/walk_text.h"
#include "app/why_text.h"
#include "engine/analyze/owner_growth.h"
#include "engine/scene/theme.h"
#include <inttypes.h>
#include <stdio.h>

static void put_color(mc_print *print, const char *key, const float color[3]) {
    mc_print_put(print, key,
                 MC_LIST(mc_cell_real((double)color[0], 6), mc_cell_real((double)color[1], 6),
                         mc_cell_real((double)color[2], 6)));
}

static const char *const palettes[MC_PALETTE_COUNT] = {"heat", "safe"};

static void put_theme(mc_print *print, const char *key, bool is_dark) {
    mc_theme theme = mc_theme_get(is_dark, MC_PALETTE_HEAT);
    mc_print_begin_object(print, key);
    put_color(print, "top", theme.background_top);
    put_color(print, "bottom", theme.background_bottom);
    put_color(print, "root", theme.district_root);
    put_color(print, "deepest", theme.district_deepest);
    mc_print_put(print, "shadow", mc_cell_real((double)theme.shadow, 6));
    put_color(print, "selected", theme.selection_outline);
    put_color(print, "hovered", theme.hover_outline);
    put_color(print, "new", theme.new_color);
    put_color(print, "gone", theme.gone_color);
    mc_print_begin_list(print, "shrinking");
    for (int i = 0; i < 2; i++)
        put_color(print, NULL, theme.shrinking[i]);
    mc_print_end_list(print);
    // Where nothing grows: in a city it is the light of a solid building.
    mc_print_begin_object(print, "plain");
    for (int palette = 0; palette < MC_PALETTE_COUNT; palette++) {
        theme = mc_theme_get(is_dark, (mc_palette)palette);
        put_color(print, palettes[palette], theme.gradient[0]);
    }
    mc_print_end_object(print);
    put_color(print, "held", theme.frustums[MC_FRUSTUM_INCOMING]);
    for (int palette = 0; palette < MC_PALETTE_COUNT; palette++) {
        theme = mc_theme_get(is_dark, (mc_palette)palette);
        mc_print_begin_list(print, palettes[palette]);
        for (int i = 0; i < 3; i++)
            put_color(print, NULL, i == 0 ? theme.solid : theme.gradient[i]);
        mc_print_end_list(print);
    }
    mc_print_end_object(print);
}

static void put_metric(mc_print *print, const char *key, const mc_metric_info *info) {
    mc_print_put(print, key,
                 MC_OBJECT({"key", mc_cell_metric(info)},
                           {"title", mc_cell_bytes_of(info->title, info->title_size)},
                           {"unit", mc_cell_text(mc_unit_names[info->unit])},
                           {"additive", mc_cell_bool(info->is_additive)},
                           {"real", mc_cell_bool(info->is_real)},
                           {"scale", mc_cell_number(info->is_real ? info->scale : 0)}));
}

static mc_result put_steps(mc_print *print, const mc_page_facts *facts, mc_error *error) {
    const mc_trace *trace = facts->desc->trace;
    const mc_metric_info *info = mc_trace_get_metric(trace, facts->desc->city.metric);
    mc_result result = MC_OK;
    mc_print_begin_list(print, "steps");
    for (uint32_t i = 0; i < facts->steps.count && result == MC_OK; i++) {
        uint32_t step = facts->steps.items[i];
        uint64_t total = 0;
        result = mc_trace_read_value(trace, step, facts->desc->city.metric, facts->plan->node[0],
                                     &total, error);
        int64_t time_ms = mc_trace_get_step(trace, step)->time_ms;
        char time[MC_FORMAT_SIZE];
        const char *note = mc_trace_get_note(trace, step);
        mc_print_put(print, NULL,
                     MC_OBJECT({"step", mc_cell_index(step)}, {"ms", mc_cell_number(time_ms)},
                               {"time", mc_cell_text(mc_format_time(time, time_ms))},
                               {"total", mc_cell_count(mc_metric_get_count(info, total))},
                               {"note", mc_cell_if(note != NULL, mc_cell_text(note))}));
    }
    mc_print_end_list(print);
    return result;
}

static void put_city(mc_print *print, const mc_city *city) {
    mc_print_put(print, "city",
                 MC_OBJECT({"width", mc_cell_real((double)city->width, 9)},
                           {"depth", mc_cell_real((double)city->depth, 9)},
                           {"district_height", mc_cell_real((double)city->district_height, 9)},
                           {"full_height", mc_cell_real((double)city->full_height, 9)},
                           {"scaling", mc_cell_count(city->desc.scaling)},
                           {"largest_growth", mc_cell_number(city->largest_growth)}));
    mc_plot ground = city->district_count > 0 ? city->district_plot[0] : city->building_plot[0];
    mc_print_put(print, "ground",
                 MC_LIST(mc_cell_real((double)ground.x0, 9), mc_cell_real((double)ground.z0, 9),
                         mc_cell_real((double)ground.x1, 9), mc_cell_real((double)ground.z1, 9)));
}

// A text that was appended to `line`, which is empty then.
static void put_line(mc_print *print, const char *key, mc_text *line) {
    print->out->failed |= line->failed;
    mc_print_put(print, key, mc_cell_line(line));
    mc_text_clear(line);
}

static mc_cell get_node(const mc_page_facts *facts, uint32_t node) {
    return mc_cell_index(
        mc_page_plan_find_around(facts->plan, mc_trace_get_nodes(facts->desc->trace), node));
}

static void put_cause(mc_print *print, const mc_page_facts *facts, const mc_why *why,
                      const mc_cause *cause, mc_text *line) {
    mc_print_begin_object(print, NULL);
    mc_why_append_sentence(why, cause, line);
    put_line(print, "sentence", line);
    mc_print_put(print, "group", get_node(facts, cause->node));
    mc_print_begin_list(print, "explains");
    for (uint32_t i = 0; i < cause->explained_count; i++)
        mc_print_put(print, NULL, get_node(facts, cause->explained[i].node));
    mc_print_end_list(print);
    mc_print_begin_list(print, "facts");
    for (int fact = 0; fact < MC_WHY_FACT_COUNT; fact++) {
        mc_why_append_fact(why, cause, (mc_why_fact)fact, line);
        if (line->size > 0)
            mc_print_put(print, NULL,
                         MC_LIST(mc_cell_text(mc_why_fact_names[fact]), mc_cell_line(line)));
        print->out->failed |= line->failed;
        mc_text_clear(line);
    }
    mc_print_end_list(print);
    mc_print_end_object(print);
}

// As the city's colours have them: the share of the gradient by group, and what its end stands for.
static void put_owners(mc_print *print, const mc_page_facts *facts) {
    mc_owner_growth items[MC_CAUSES_MOST_OWNED];
    const mc_trace *trace = facts->desc->trace;
    bool is_known = facts->causes && !facts->is_difference && mc_trace_has_owners(trace);
    uint32_t count = is_known ? mc_owner_growth_list(facts->causes, items) : 0;
    char text[MC_FORMAT_SIZE];
    if (count == 0) return;
    mc_print_begin_object(print, "owners");
    for (uint32_t i = 0; i < count; i++) {
        uint32_t node =
            mc_page_plan_find_around(facts->plan, mc_trace_get_nodes(trace), items[i].node);
        snprintf(text, sizeof text, "%" PRIu32, node);
        mc_print_put(print, text,
                     mc_cell_real((double)items[i].growth / (double)items[0].growth, 6));
    }
    mc_print_end_object(print);
    mc_format_value_growth(text, mc_trace_get_metric(trace, MC_METRIC_BYTES),
                           (int64_t)items[0].growth);
    mc_print_put(print, "kept", mc_cell_text(text));
}

static void put_findings(mc_print *print, const mc_page_facts *facts) {
    const mc_causes *causes = facts->causes;
    if (!causes) return;
    mc_why why = {.trace = facts->desc->trace,
                  .causes = causes,
                  .limit = mc_why_get_limit(facts->desc->trace, causes->desc.window)};
    mc_text line = {0};
    mc_print_begin_object(print, "findings");
    mc_why_append_headline(&why, &line);
    put_line(print, "headline", &line);
    mc_print_begin_list(print, "causes");
    for (uint32_t i = 0; i < mc_why_get_shown_count(causes); i++)
        put_cause(print, facts, &why, &causes->items[i], &line);
    mc_print_end_list(print);
    mc_why_append_rest(causes, &line);
    put_line(print, "rest", &line);
    mc_print_end_object(print);
    mc_text_deinit(&line);
}

// The step that is nearest to one that the page may lack.
static uint32_t find_step(mc_page_steps steps, uint32_t wanted) {
    uint32_t found = 0;
    for (uint32_t i = 0; i < steps.count; i++)
        if (steps.items[i] <= wanted) found = steps.items[i];
    return steps.count > 0 && wanted < steps.items[0] ? steps.items[0] : found;
}

static void put_view(mc_print *print, const mc_page_facts *facts) {
    const mc_page_view *view = facts->desc->view;
    if (!view) return;
    const mc_camera_pose *pose = &view->pose;
    mc_cell camera = MC_LIST(mc_cell_exact(pose->azimuth_rad), mc_cell_exact(pose->elevation_rad),
                             mc_cell_exact(pose->distance), mc_cell_exact(pose->target[0]),
                             mc_cell_exact(pose->target[1]), mc_cell_exact(pose->target[2]));
    mc_print_put(
        print, "view",
        MC_OBJECT({"step", mc_cell_index(find_step(facts->steps, view->step))},
                  {"select", view->node == MC_NONE ? mc_cell_null() : get_node(facts, view->node)},
                  {"as", mc_cell_count(view->kind)}, {"camera", mc_cell_if(view->has_pose, camera)},
                  {"theme", mc_cell_if(view->is_dark, mc_cell_text("dark"))},
                  {"palette", mc_cell_text(palettes[view->palette])}));
}

static void put_columns(mc_print *print, const mc_page_columns *columns) {
    mc_print_begin_list(print, "columns");
    for (uint32_t i = 0; i < columns->count; i++)
        mc_print_put(print, NULL,
                     MC_LIST(mc_cell_text(columns->items[i].name),
                             mc_cell_count(columns->items[i].plane_count),
                             mc_cell_count(columns->items[i].count)));
    mc_print_end_list(print);
}

static void put_classifiers(mc_print *print, const mc_trace *trace) {
    mc_print_begin_list(print, "classifiers");
    for (uint32_t i = 0; i < mc_trace_get_classifier_count(trace); i++) {
        size_t size;
        const char *name = mc_trace_get_classifier(trace, i, &size);
        mc_print_put(print, NULL, mc_cell_bytes_of(name, size));
    }
    mc_print_end_list(print);
}

mc_result mc_page_facts_append(const mc_page_facts *facts, mc_text *out, mc_error *error) {
    const mc_page_desc *desc = facts->desc;
    mc_print print = mc_print_to(out, true, false);
    mc_print_begin_object(&print, NULL);
    MC_PRINT(&print, {"title", mc_cell_text(desc->title)}, {"version", mc_cell_text(mc_version)},
             {"nodes", mc_cell_count(facts->plan->count)},
             {"versus", mc_cell_bool(facts->is_difference)},
             {"of_districts", mc_cell_bool(facts->of_districts)},
             {"all_steps", mc_cell_count(facts->report->all_step_count)},
             {"hidden", mc_cell_count(facts->report->hidden_count)},
             {"hidden_share", mc_cell_exact(facts->report->hidden_share)});
    put_metric(&print, "metric", mc_trace_get_metric(desc->trace, desc->city.metric));
    if (facts->report->other != MC_NONE)
        put_metric(&print, "other", mc_trace_get_metric(desc->trace, facts->report->other));
    put_classifiers(&print, desc->trace);
    mc_result result = put_steps(&print, facts, error);
    put_city(&print, facts->plan->city);
    mc_print_begin_object(&print, "themes");
    put_theme(&print, "light", false);
    put_theme(&print, "dark", true);
    mc_print_end_object(&print);
    put_view(&print, facts);
    put_owners(&print, facts);
    put_findings(&print, facts);
    put_columns(&print, facts->columns);
    mc_print_end_object(&print);
    mc_print_end(&print);
    if (result != MC_OK) return result;
    return out->failed ? mc_error_out_of_memory(error) : MC_OK;
}
