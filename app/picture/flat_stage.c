#include "app/picture/flat_stage.h"

#include "app/flat/flat_svg.h"
#include "app/format.h"
#include "app/node_text.h"
#include "app/pair.h"
#include "app/picture/flat_legend.h"
#include "app/picture/picture_options.h"
#include "app/picture/stage.h"
#include "app/png_file.h"
#include "engine/analyze/search.h"
#include "engine/base/file.h"
#include "engine/base/memory.h"
#include "engine/scene/legend.h"
#include "engine/scene/style_source.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define MARGIN 16 // of a picture, times the sheet's scale
#define TITLE 44
#define NOTE 19

static const char *const form_names[] = {"sunburst", "icicle", "icicle-down", NULL};
// As mc_flat_color_mode_names; the others are said by --color.
static const char *const color_names[] = {"branch", "growth", "level", "role",
                                          "step",   "trend",  NULL};
static const char *const palette_names[] = {"heat", "color-blind-safe", NULL};

mc_flat_options mc_flat_options_default(void) {
    return (mc_flat_options){.layout = mc_layout_options_default(),
                             .has_names = true,
                             .has_title = true,
                             .size = {1280, 720}};
}

void mc_option_list_add_flat(mc_option_list *list, const char *form_name,
                             mc_flat_options *options) {
    mc_option_list_add_choice(
        list, form_name, &options->form, form_names, "V",
        "draw rings around the root, columns to its right, or rows below it (sunburst)");
    mc_option_list_add_metric(list, &options->layout);
    mc_option_list_add_window(
        list, &options->layout,
        "time window: use only steps A to B, counted from 0, for order and growth");
    mc_option_list_add_string(list, "root", &options->layout.root_key, "KEY",
                              "show only the group with this full key");
    mc_option_list_add_uint(list, "levels", &options->level_count, "D",
                            "number of levels below the root (0: all)");
    mc_option_list_add_choice(
        list, "sort", &options->sort, mc_tree_sort_names, "S",
        "order siblings by growth over the time window, or by size at its start or end (growth)");
    mc_option_list_add_string(list, "prune", &options->prune, "P%,N",
                              "keep the first children up to P % of their parent, at most N, and "
                              "merge the rest into a gray Other (off)");
    mc_option_list_add_choice(
        list, "color-by", &options->color_mode, color_names, "C",
        "colour by branch of the first level, growth since the first step of the time window or "
        "since the step before, steady growth, or classes (branch)");
    mc_option_list_add_string(
        list, "color", &options->color_key, "WHAT",
        "colour by: as --color-by, or first, the step of first appearance, or a metric");
    mc_option_list_add(list, (mc_option){.name = "select",
                                         .kind = MC_OPTION_LIST,
                                         .target = &options->selected,
                                         .argument = "KEY",
                                         .help = "frame the group with this full key, or the only "
                                                 "one whose key ends so; repeatable"});
    mc_option_list_add(list, (mc_option){.name = "pin",
                                         .kind = MC_OPTION_STEPS,
                                         .target = &options->pinned,
                                         .argument = "K",
                                         .help = "colour by growth and shrinkage since step K"});
    mc_option_list_add_string(list, "search", &options->search, "PATTERN",
                              "highlight only groups whose full key contains the pattern");
    mc_option_list_add_flag(list, "regex", &options->search_is_regex,
                            "treat the pattern of --search as a regular expression");
    mc_option_list_add(list, (mc_option){.name = "no-labels",
                                         .kind = MC_OPTION_FLAG,
                                         .target = &options->has_names,
                                         .value = false,
                                         .help = "draw no names in segments"});
    mc_option_list_add_size(list, "size", options->size,
                            "size of the picture in pixels (1280x720)");
    mc_option_list_add_flag(list, "dark", &options->is_dark, "use the dark theme");
    mc_option_list_add_choice(list, "palette", &options->palette, palette_names, "P",
                              "colour palette of growth");
    mc_option_list_add_string(list, "device", &options->device_name, "NAME",
                              "use the GPU whose name contains NAME");
    mc_option_list_add_flag(list, "validation", &options->validation,
                            "enable Vulkan's validation layers");
}

void mc_option_list_add_flat_picture(mc_option_list *list, mc_flat_options *options) {
    mc_option_list_add_flag(list, "scaled", &options->is_scaled,
                            "scale the area to the heap's size at the step; the largest of the "
                            "time window fills the picture");
    mc_option_list_add_flag(
        list, "global", &options->has_global,
        "draw the whole heap beside the picture where --root or --levels hides a part");
}

// "90%,9"
static int read_pruning(const char *text, mc_tree_pruning *pruning) {
    if (!text || strcmp(text, "off") == 0) return MC_EXIT_OK;
    char *end;
    double share = strtod(text, &end);
    bool is_fine = end != text && *end == '%' && share > 0 && share <= 100;
    unsigned long most = 0;
    if (is_fine && end[1] == ',' && end[2] >= '0' && end[2] <= '9') {
        most = strtoul(end + 2, &end, 10);
        is_fine = *end == '\0' && most > 0 && most < MC_NONE;
    } else {
        is_fine = false;
    }
    if (!is_fine)
        return mc_command_wrong_usage("--prune: expected a share and a number, such as 90%%,9, or "
                                      "off, not \"%s\"",
                                      text);
    pruning->share = share / 100;
    pruning->most = (uint32_t)most;
    return MC_EXIT_OK;
}

static int find_hits(mc_flat_stage *stage) {
    const mc_flat_options *options = stage->options;
    const mc_node_columns *nodes = mc_trace_get_nodes(stage->trace);
    if (!options->search) {
        return options->search_is_regex
                   ? mc_command_wrong_usage("--regex: --search PATTERN is missing")
                   : MC_EXIT_OK;
    }
    mc_search *search = NULL;
    mc_search_result found = {0};
    mc_error error = {0};
    mc_result result = mc_search_create(stage->trace, &search, &error);
    if (result == MC_OK)
        result = mc_search_find(search, options->search, strlen(options->search),
                                options->search_is_regex ? MC_SEARCH_REGEX : MC_SEARCH_SUBSTRING,
                                NULL, &found, &error);
    if (result == MC_OK) {
        stage->hits = mc_alloc(nodes->count, 1);
        if (!stage->hits) result = mc_error_out_of_memory(&error);
    }
    for (uint32_t i = 0; result == MC_OK && i < nodes->count; i++)
        stage->hits[i] = (found.marks[i] & MC_SEARCH_HIT) != 0;
    if (result == MC_OK) stage->hit_count = found.own_count;
    mc_search_destroy(search);
    if (result == MC_ERROR_BAD_DATA) return mc_command_wrong_usage("--search: %s", error.message);
    if (result != MC_OK) return mc_command_fail(&error);
    if (stage->hit_count == 0) mc_message_warn("no key contains \"%s\"", options->search);
    return MC_EXIT_OK;
}

static int find_selection(mc_flat_stage *stage) {
    const mc_option_texts *keys = &stage->options->selected;
    int code = MC_EXIT_OK;
    for (uint32_t i = 0; i < keys->count && code == MC_EXIT_OK; i++) {
        const char *key = keys->items[i];
        uint32_t node = mc_trace_find_node(stage->trace, key, strlen(key));
        if (node == MC_NONE && stage->options->is_lenient)
            mc_message_say("the view's selection is not in this trace: %s", key);
        else if (node == MC_NONE)
            code = mc_command_find_node(stage->trace, "--select", key, &node);
        if (code == MC_EXIT_OK && !mc_selection_add(&stage->selected, node))
            code = mc_command_wrong_usage("--select: expected at most %d", MC_SELECTION_CAPACITY);
    }
    return code;
}

// What was named must not be hidden in an Other: search, selection and root.
static uint8_t *list_kept(const mc_flat_stage *stage) {
    const mc_node_columns *nodes = mc_trace_get_nodes(stage->trace);
    uint8_t *kept = mc_alloc_zero(nodes->count, 1);
    if (!kept) return NULL;
    if (stage->hits) memcpy(kept, stage->hits, nodes->count);
    for (uint32_t i = 0; i < stage->selected.count; i++)
        kept[stage->selected.nodes[i]] = 1;
    kept[stage->desc.root_node] = 1;
    return kept;
}

// The groups whose Other was opened. NULL: no memory.
static uint8_t *list_opened(const mc_flat_stage *stage) {
    const mc_form_texts *keys = stage->options->opened;
    uint8_t *opened = mc_alloc_zero(mc_trace_get_nodes(stage->trace)->count, 1);
    for (uint32_t i = 0; opened && keys && i < keys->count; i++) {
        uint32_t node = mc_trace_find_node(stage->trace, keys->items[i], strlen(keys->items[i]));
        if (node == MC_NONE)
            mc_message_say("the view's opened group is not in this trace: %s", keys->items[i]);
        else
            opened[node] = 1;
    }
    return opened;
}

static bool find_name(const char *const *names, const char *name, uint32_t *index) {
    for (*index = 0; names[*index]; ++*index)
        if (strcmp(names[*index], name) == 0) return true;
    return false;
}

// What colours show. *column: from MC_FLAT_COLOR_STEP on.
static int choose_colors(mc_flat_stage *stage, mc_flat_column_desc *column) {
    const char *key = stage->options->color_key;
    uint32_t mode = stage->options->color_mode;
    *column = (mc_flat_column_desc){
        .metric = stage->desc.metric, .value = MC_NONE, .window = stage->desc.window};
    int code = MC_EXIT_OK;
    if (key && strcmp(key, "first") == 0) {
        mode = MC_FLAT_COLOR_FIRST;
    } else if (key && !find_name(color_names, key, &mode)) {
        mode = MC_FLAT_COLOR_VALUE;
        code = mc_command_find_metric(stage->trace, "--color", key, &column->value);
    }
    const mc_form_steps *pinned = &stage->options->pinned;
    uint32_t last = mc_trace_get_step_count(stage->trace) - 1;
    bool has_pin = pinned->count > 0 && pinned->items[0] <= last;
    if (pinned->count > 1) return mc_command_wrong_usage("--pin: expected one step");
    if (pinned->count > 0 && !has_pin && !stage->options->is_lenient)
        return mc_command_wrong_usage("--pin: the trace has steps 0 to %" PRIu32, last);
    // Of two traces growth is that of the one against the other.
    bool is_usual = mode == MC_FLAT_COLOR_BRANCH || mode == MC_FLAT_COLOR_GROWTH;
    if (is_usual && !key && mc_style_is_of_pair(stage->trace, stage->desc.metric))
        mode = MC_FLAT_COLOR_DIFFERENCE;
    if (has_pin) mode = MC_FLAT_COLOR_PIN;
    if (has_pin) column->pin = pinned->items[0];
    stage->color_mode = (mc_flat_color_mode)mode;
    column->mode = mc_flat_column_get_mode(stage->color_mode);
    return code;
}

static int init_colors(mc_flat_stage *stage) {
    mc_flat_column_desc desc;
    int code = choose_colors(stage, &desc);
    if (code != MC_EXIT_OK || stage->color_mode < MC_FLAT_COLOR_STEP) return code;
    mc_error error = {0};
    mc_command_progress shown;
    mc_progress progress = mc_command_begin_progress(&shown, "comparing steps");
    mc_result result = mc_flat_column_init(&stage->column, stage->trace, &desc, &progress, &error);
    result = mc_command_end_progress(&shown, result, &error);
    return result == MC_OK ? MC_EXIT_OK : mc_command_fail(&error);
}

static mc_result read_totals(mc_flat_stage *stage, mc_error *error) {
    uint32_t count = mc_trace_get_step_count(stage->trace);
    mc_result result = MC_OK;
    stage->totals = mc_alloc_zero(count, sizeof *stage->totals);
    if (!stage->totals) return mc_error_out_of_memory(error);
    mc_step_range window = stage->desc.window;
    for (uint32_t i = window.first_step; result == MC_OK && i <= window.last_step; i++) {
        uint64_t word = 0;
        result = mc_trace_read_value(stage->trace, i, stage->desc.metric, stage->desc.root_node,
                                     &word, error);
        stage->totals[i] = mc_metric_get_count(stage->metric, word);
        if (stage->totals[i] > stage->most_total) stage->most_total = stage->totals[i];
    }
    return result;
}

static mc_result make_tree(mc_flat_stage *stage, const mc_tree_pruning *pruning, mc_error *error) {
    const mc_node_columns *nodes = mc_trace_get_nodes(stage->trace);
    uint8_t *kept = list_kept(stage), *opened = list_opened(stage);
    mc_tree_desc desc = {.metric = stage->desc.metric,
                         .window = stage->desc.window,
                         .sort = (mc_tree_sort)stage->options->sort,
                         .pruning = *pruning};
    desc.pruning.kept = kept;
    desc.pruning.opened = opened;
    mc_result result = kept && opened ? mc_tree_create(stage->trace, &desc, &stage->tree, error)
                                      : mc_error_out_of_memory(error);
    mc_free(kept);
    mc_free(opened);
    if (result == MC_OK) result = mc_flat_pane_init(&stage->pane, stage->tree, error);
    if (result == MC_OK && stage->options->has_global)
        result = mc_flat_pane_init(&stage->overview, stage->tree, error);
    if (result != MC_OK) return result;
    stage->node_values = mc_alloc(nodes->count, sizeof *stage->node_values);
    stage->base = mc_alloc(stage->tree->count, sizeof *stage->base);
    stage->end = mc_alloc(stage->tree->count, sizeof *stage->end);
    if (!stage->node_values || !stage->base || !stage->end) return mc_error_out_of_memory(error);
    mc_tree_gather(stage->tree, stage->tree->first, stage->base);
    mc_tree_gather(stage->tree, stage->tree->last, stage->end);
    if (stage->hits) mc_flat_color_spread_hits(nodes, stage->hits);
    return MC_OK;
}

int mc_flat_stage_init_open(mc_flat_stage *stage, const mc_flat_options *options,
                            const mc_trace *trace, const char *name) {
    mc_error error = {0};
    mc_tree_pruning pruning = {0};
    *stage = (mc_flat_stage){.options = options, .trace = trace};
    int code = read_pruning(options->prune, &pruning);
    if (code == MC_EXIT_OK)
        code = mc_stage_check_size(options->size, &stage->width, &stage->height);
    if (code == MC_EXIT_OK)
        code = mc_command_get_city_desc(&options->layout, stage->trace, &stage->desc);
    if (code == MC_EXIT_OK) code = find_hits(stage);
    if (code == MC_EXIT_OK) code = find_selection(stage);
    if (code == MC_EXIT_OK) code = init_colors(stage);
    if (code != MC_EXIT_OK) return code;
    stage->theme = mc_theme_get(options->is_dark, (mc_palette)options->palette);
    // Flat figures stand on an even ground.
    memcpy(stage->theme.background_bottom, stage->theme.background_top,
           sizeof stage->theme.background_top);
    stage->metric = mc_trace_get_metric(stage->trace, stage->desc.metric);
    stage->name = mc_copy_string(name);
    mc_result result = stage->name ? MC_OK : mc_error_out_of_memory(&error);
    if (result == MC_OK) result = read_totals(stage, &error);
    if (result == MC_OK) result = make_tree(stage, &pruning, &error);
    return result == MC_OK ? MC_EXIT_OK : mc_command_fail(&error);
}

int mc_flat_stage_init(mc_flat_stage *stage, const mc_flat_options *options,
                       const char *const *paths, uint32_t path_count,
                       const mc_input_options *input) {
    mc_tree_pruning pruning = {0};
    mc_trace *trace = NULL;
    *stage = (mc_flat_stage){.options = options};
    // What was said wrongly is said before a long trace is read.
    int code = read_pruning(options->prune, &pruning);
    if (code == MC_EXIT_OK)
        code = mc_stage_check_size(options->size, &stage->width, &stage->height);
    mc_input_options shown = *input;
    shown.groups_as_usual = !options->is_lenient; // a view says how, or as it was recorded
    if (code == MC_EXIT_OK) code = mc_command_open(paths, path_count, &shown, &trace);
    if (code != MC_EXIT_OK) return code;
    char *name = mc_command_get_opened_name(paths[0], input);
    code = mc_flat_stage_init_open(stage, options, trace, name ? name : "");
    stage->opened = trace;
    mc_free(name);
    return code;
}

void mc_flat_stage_deinit(mc_flat_stage *stage) {
    mc_ui_destroy(stage->ui);
    mc_renderer_destroy(stage->renderer);
    mc_gpu_destroy(stage->gpu);
    mc_flat_sheet_deinit(&stage->sheet);
    mc_flat_pane_deinit(&stage->pane);
    mc_flat_pane_deinit(&stage->overview);
    mc_tree_destroy(stage->tree);
    mc_flat_column_deinit(&stage->column);
    mc_free(stage->hits);
    mc_free(stage->node_values);
    mc_free(stage->base);
    mc_free(stage->end);
    mc_free(stage->totals);
    mc_free(stage->name);
    mc_free(stage->pixels);
    mc_trace_destroy(stage->opened);
    memset(stage, 0, sizeof *stage);
}

// Whether there is more than the pane shows, and it is wanted.
static bool has_overview(const mc_flat_stage *stage) {
    uint32_t levels = stage->options->level_count;
    return stage->options->has_global &&
           (stage->desc.root_node != 0 || (levels > 0 && levels + 1 < stage->tree->level_count));
}

// `solid_entry` as in mc_flat_color_desc.
static void show(mc_flat_stage *stage, mc_flat_pane *pane, uint32_t root, uint32_t level_count,
                 uint32_t solid_entry, bool keeps_before) {
    mc_flat_pane_show(pane, stage->node_values, root, level_count, keeps_before);
    mc_flat_color_desc colors = {.mode = stage->color_mode,
                                 .theme = &stage->theme,
                                 .nodes = mc_trace_get_nodes(stage->trace),
                                 .base = stage->base,
                                 .now = pane->now.values,
                                 .end = stage->end,
                                 .values = stage->column.values,
                                 .most = stage->column.most,
                                 .hits = stage->hits,
                                 .solid_entry = solid_entry};
    mc_flat_color(stage->tree, &colors, pane->now.colors);
}

int mc_flat_stage_set_step(mc_flat_stage *stage, uint32_t step, bool keeps_before) {
    mc_error error = {0};
    mc_result result =
        mc_trace_read_counts(stage->trace, step, stage->desc.metric, stage->node_values, &error);
    if (result == MC_OK && stage->color_mode >= MC_FLAT_COLOR_STEP)
        result = mc_flat_column_set_step(&stage->column, step, &error);
    if (result != MC_OK) return mc_command_fail(&error);
    uint32_t root = stage->tree->node_entry[stage->desc.root_node];
    uint32_t levels = stage->options->level_count;
    show(stage, &stage->pane, root, levels > 0 ? levels + 1 : 0, MC_NONE, keeps_before);
    if (has_overview(stage)) show(stage, &stage->overview, 0, 0, root, keeps_before);
    stage->step_before = keeps_before ? stage->step : step;
    stage->step = step;
    stage->blend = 1;
    return MC_EXIT_OK;
}

// The share of the space that the tree takes if it is scaled, else 1.
static double get_share(const mc_flat_stage *stage) {
    if (!stage->options->is_scaled || stage->most_total == 0) return 1;
    double before = (double)stage->totals[stage->step_before];
    double now = (double)stage->totals[stage->step];
    return (before + (now - before) * stage->blend) / (double)stage->most_total;
}

mc_flat_figure mc_flat_stage_get_figure(const mc_flat_stage *stage, mc_flat_rect rect,
                                        uint32_t selected[MC_SELECTION_CAPACITY]) {
    for (uint32_t i = 0; i < stage->selected.count; i++)
        selected[i] = stage->tree->node_entry[stage->selected.nodes[i]];
    return (mc_flat_figure){.pane = &stage->pane,
                            .trace = stage->trace,
                            .metric = stage->metric,
                            .blend = stage->blend,
                            .form = stage->options->form,
                            .rect = rect,
                            .share = get_share(stage),
                            .has_names = stage->options->has_names,
                            .selected = selected,
                            .selected_count = stage->selected.count};
}

// ---- the sheet

void mc_flat_stage_begin_sheet(mc_flat_stage *stage, bool is_vector) {
    mc_flat_sheet_begin(&stage->sheet, stage->width, stage->height, is_vector, &stage->theme);
}

// What colours say, where that is not seen from what they are of. Returns its width.
static double put_legend(mc_flat_stage *stage, double right, double y) {
    char last[MC_FORMAT_SIZE];
    bool is_column = stage->color_mode >= MC_FLAT_COLOR_STEP;
    if (!is_column && stage->color_mode != MC_FLAT_COLOR_GROWTH) return 0;
    mc_color_mode mode = is_column ? stage->column.desc.mode : MC_COLOR_MODE_GROWTH;
    bool is_first = mode == MC_COLOR_MODE_FIRST, is_pin = mode == MC_COLOR_MODE_PIN;
    bool is_difference = mode == MC_COLOR_MODE_DIFFERENCE;
    mc_text title = {0};
    mc_text_append_string(&title, mc_legend_get_title(mode));
    if (mode == MC_COLOR_MODE_VALUE) {
        const mc_metric_info *info = mc_trace_get_metric(stage->trace, stage->column.desc.value);
        mc_format_append_line(&title, info->title, info->title_size);
    }
    if (is_pin) mc_text_format(&title, "%" PRIu32, stage->column.desc.pin);
    if (is_difference) mc_text_append_string(&title, "; green: new, pink: gone");
    snprintf(last, sizeof last, "step %" PRIu32, stage->desc.window.last_step);
    double width =
        mc_flat_legend_put(&stage->sheet, right, y, title.data ? title.data : "",
                           is_pin || is_difference ? "shrank"
                           : is_first              ? "at the start"
                                                   : "0",
                           is_first ? last : "most of its level", is_pin || is_difference);
    stage->sheet.failed |= title.failed;
    mc_text_deinit(&title);
    return width;
}

void mc_flat_stage_put_title(mc_flat_stage *stage, float x, float y, bool has_step) {
    mc_flat_sheet *sheet = &stage->sheet;
    float scale = sheet->scale;
    char number[MC_FORMAT_SIZE];
    mc_text text = {0};
    mc_text_append_string(&text, stage->name);
    if (stage->desc.root_node != 0) {
        mc_text_append_string(&text, "  ·  ");
        mc_node_append_place_line(stage->trace, stage->desc.root_node, &text);
    }
    double right = (double)stage->width - (double)x;
    mc_drawn_text title = {.text = text.data ? text.data : "",
                           .x = x,
                           .y = y + 10 * scale,
                           .room =
                               (float)(stage->width - put_legend(stage, right, (double)y)) - 2 * x,
                           .color = mc_flat_sheet_get_ink(sheet, MC_INK_TEXT),
                           .font = MC_DRAWN_STRONG,
                           .align = MC_DRAWN_LEFT};
    mc_flat_sheet_put_text(sheet, &title);
    mc_text_clear(&text);
    mc_step_range window = stage->desc.window;
    if (has_step && mc_trace_is_versus(stage->trace)) {
        mc_pair_append_moment(stage->trace, stage->desc.metric, stage->desc.root_node, stage->step,
                              &text);
    } else if (has_step) {
        uint64_t word = mc_metric_get_word(stage->metric, stage->totals[stage->step]);
        mc_format_append_value(&text, stage->metric, word);
        mc_text_format(
            &text, "  ·  step %" PRIu32 " of %" PRIu32 "–%" PRIu32 "  ·  %s", stage->step,
            window.first_step, window.last_step,
            mc_format_time(number, mc_trace_get_step(stage->trace, stage->step)->time_ms));
    } else {
        mc_format_append_line(&text, stage->metric->title, stage->metric->title_size);
        mc_text_format(&text, "  ·  steps %" PRIu32 "–%" PRIu32, window.first_step,
                       window.last_step);
    }
    if (stage->hits)
        mc_text_format(&text, "  ·  %s", mc_format_counted(number, stage->hit_count, "hit"));
    title.text = text.data ? text.data : "";
    title.y = y + 29 * scale;
    title.color = mc_flat_sheet_get_ink(sheet, MC_INK_MUTED);
    title.font = MC_DRAWN_REGULAR;
    mc_flat_sheet_put_text(sheet, &title);
    mc_text_clear(&text);
    if (has_step) mc_pair_append_end_note(stage->trace, stage->step, &text);
    title.text = text.data ? text.data : "";
    title.y = y + (29 + NOTE) * scale;
    title.room = (float)stage->width - 2 * x;
    if (text.size > 0) mc_flat_sheet_put_text(sheet, &title);
    sheet->failed |= text.failed;
    mc_text_deinit(&text);
}

// A line more where the ends of two traces differ, at whatever step.
static double get_title_height(const mc_flat_stage *stage) {
    if (!stage->options->has_title) return 0;
    bool has_note = mc_trace_is_versus(stage->trace) && mc_pair_ends_differ(stage->trace);
    return TITLE + (has_note ? NOTE : 0);
}

static void put_empty(mc_flat_stage *stage) {
    mc_flat_sheet *sheet = &stage->sheet;
    mc_text text = {0};
    mc_node_append_path_line(stage->trace, stage->desc.root_node, &text);
    mc_text_format(&text, " is not there at step %" PRIu32, stage->step);
    mc_drawn_text line = {.text = text.data ? text.data : "",
                          .x = (float)stage->width / 2,
                          .y = (float)stage->height / 2,
                          .room = (float)stage->width * 0.9f,
                          .color = mc_flat_sheet_get_ink(sheet, MC_INK_MUTED),
                          .font = MC_DRAWN_REGULAR};
    mc_flat_sheet_put_text(sheet, &line);
    mc_text_deinit(&text);
}

void mc_flat_stage_put_picture(mc_flat_stage *stage, bool is_vector) {
    uint32_t selected[MC_SELECTION_CAPACITY];
    mc_flat_sheet *sheet = &stage->sheet;
    mc_flat_sheet_begin(sheet, stage->width, stage->height, is_vector, &stage->theme);
    double scale = (double)sheet->scale, margin = MARGIN * scale;
    double title = get_title_height(stage) * scale;
    mc_flat_rect rect = {margin, margin + title, stage->width - margin, stage->height - margin};
    if (title > 0) mc_flat_stage_put_title(stage, (float)margin, (float)margin, true);
    if (has_overview(stage)) {
        mc_flat_rect beside;
        mc_flat_figure_split(&rect, &beside);
        mc_flat_figure overview = mc_flat_stage_get_figure(stage, beside, selected);
        overview.pane = &stage->overview;
        overview.share = 1;
        overview.has_names = false;
        mc_flat_figure_put(sheet, &overview);
    }
    if (stage->totals[stage->step] == 0) {
        put_empty(stage);
        return;
    }
    mc_flat_figure figure = mc_flat_stage_get_figure(stage, rect, selected);
    mc_flat_figure_put(sheet, &figure);
}

static mc_result prepare_device(mc_flat_stage *stage, mc_error *error) {
    mc_picture_options picture = {.device_name = stage->options->device_name,
                                  .validation = stage->options->validation};
    mc_renderer_desc desc = {.samples = 1, .rasterizer = MC_RASTERIZER_RASTER};
    mc_result result = mc_picture_create_gpu(&picture, &stage->gpu, error);
    if (result == MC_OK) result = mc_renderer_create(stage->gpu, &desc, &stage->renderer, error);
    if (result == MC_OK) result = mc_ui_create(stage->sheet.scale, &stage->ui, error);
    if (result != MC_OK) return result;
    uint32_t width, height;
    const uint8_t *texture = mc_ui_get_texture(stage->ui, &width, &height);
    result = mc_renderer_set_ui_texture(stage->renderer, texture, width, height, error);
    stage->pixels = mc_alloc((size_t)stage->width * stage->height, 4);
    return result == MC_OK && !stage->pixels ? mc_error_out_of_memory(error) : result;
}

static mc_result render(mc_flat_stage *stage, mc_error *error) {
    mc_flat_sheet *sheet = &stage->sheet;
    mc_result result = mc_flat_sheet_finish(sheet, error);
    if (result != MC_OK) return result;
    mc_drawing drawing = mc_flat_sheet_get_drawing(sheet);
    mc_ui_caption caption = {.drawing = &drawing};
    mc_ui_draw draw;
    mc_ui_draw_caption(stage->ui, &caption, sheet->theme.dark, (float)sheet->width,
                       (float)sheet->height, &draw);
    mc_flat_scene flat = mc_flat_sheet_get_scene(sheet, ++stage->version);
    mc_scene scene = {.theme = sheet->theme, .flat = &flat};
    scene.hovered = scene.selected = MC_STRUCTURE_NONE;
    return mc_renderer_render_image(stage->renderer, &scene, &draw, sheet->width, sheet->height,
                                    stage->pixels, error);
}

int mc_flat_stage_render(mc_flat_stage *stage) {
    mc_error error = {0};
    mc_result result = stage->pixels ? MC_OK : prepare_device(stage, &error);
    if (result == MC_OK) result = render(stage, &error);
    return result == MC_OK ? MC_EXIT_OK : mc_command_fail(&error);
}

bool mc_flat_stage_is_vector(const char *path) {
    size_t size = strlen(path);
    return size >= 4 && strcmp(path + size - 4, ".svg") == 0;
}

static mc_result write_document(mc_flat_stage *stage, const char *path, mc_error *error) {
    mc_text out = {0};
    mc_result result = mc_flat_svg_append_sheet(&stage->sheet, stage->name, "", &out, error);
    if (result == MC_OK) result = mc_file_write(path, out.data, out.size, error);
    mc_text_deinit(&out);
    return result;
}

int mc_flat_stage_write(mc_flat_stage *stage, const char *path) {
    mc_error error = {0};
    if (mc_flat_stage_is_vector(path))
        return write_document(stage, path, &error) == MC_OK ? MC_EXIT_OK : mc_command_fail(&error);
    int code = mc_flat_stage_render(stage);
    if (code == MC_EXIT_OK &&
        mc_png_write(path, stage->pixels, stage->width, stage->height, &error) != MC_OK)
        code = mc_command_fail(&error);
    return code;
}
