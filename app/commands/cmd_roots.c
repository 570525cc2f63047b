#include "app/command.h"
#include "app/format.h"
#include "app/node_text.h"
#include "app/print/print_trace.h"
#include "app/root_path_text.h"
#include "engine/analyze/owner_trail.h"
#include "engine/base/memory.h"
#include <inttypes.h>
#include <stdlib.h>

typedef struct roots_options {
    const char *of;
    uint32_t step, most;
    bool tsv, json;
} roots_options;

// The roots of a step that are asked for: indices into its columns, the most first.
typedef struct shown_roots {
    const mc_trace *trace;
    mc_root_rows roots;
    uint32_t *order;
    uint32_t count;
    uint32_t node; // whose; MC_NONE: all
    mc_root_path trail;
} shown_roots;

static void shown_deinit(shown_roots *shown) {
    mc_root_rows_deinit(&shown->roots);
    mc_free(shown->order);
}

static bool is_below(const mc_trace *trace, uint32_t node, uint32_t ancestor) {
    const uint32_t *parent = mc_trace_get_nodes(trace)->parent;
    while (node != MC_NONE && node != ancestor)
        node = parent[node];
    return node == ancestor;
}

// Within a leaf they have an order of their own.
typedef struct ranked {
    uint64_t count;
    uint32_t index;
} ranked;

static int compare_ranked(const void *a, const void *b) {
    const ranked *x = a, *y = b;
    if (x->count != y->count) return x->count > y->count ? -1 : 1;
    return x->index < y->index ? -1 : x->index > y->index;
}

static mc_result choose(shown_roots *shown, const roots_options *options, mc_error *error) {
    const mc_root_rows *roots = &shown->roots;
    ranked *order = mc_alloc((size_t)roots->count + 1, sizeof *order);
    shown->order = mc_alloc((size_t)roots->count + 1, sizeof *shown->order);
    if (!order || !shown->order) {
        mc_free(order);
        return mc_error_out_of_memory(error);
    }
    uint32_t count = 0;
    for (uint32_t i = 0; i < roots->count; i++)
        if (shown->node == MC_NONE || is_below(shown->trace, roots->items[i].node, shown->node))
            order[count++] = (ranked){roots->items[i].count, i};
    qsort(order, count, sizeof *order, compare_ranked);
    shown->count = count < options->most ? count : options->most;
    for (uint32_t i = 0; i < shown->count; i++)
        shown->order[i] = order[i].index;
    mc_free(order);
    return MC_OK;
}

// A leaf that no root holds directly is held by one all the same.
static mc_result find_trail(shown_roots *shown, uint32_t step, mc_error *error) {
    mc_root_path_finder *finder = NULL;
    mc_root_path_desc desc = {.leaf = shown->node};
    if (shown->node == MC_NONE || mc_trace_get_nodes(shown->trace)->child_count[shown->node] > 0)
        return MC_OK;
    if (mc_trace_get_step(shown->trace, step)->has_owners)
        return mc_owner_trail_find(shown->trace, step, shown->node, &shown->trail, error);
    mc_result result = mc_root_path_finder_create(shown->trace, step, step, &finder, error);
    if (result == MC_OK) result = mc_root_path_finder_find(finder, &desc, &shown->trail, error);
    mc_root_path_finder_destroy(finder);
    return result;
}

// ---- output

static void write_trail(const shown_roots *shown, mc_text *out) {
    if (!shown->trail.is_known) return;
    mc_text_append_string(out, "held by ");
    mc_root_path_append_way(&shown->trail, shown->trace, out);
    mc_text_append_string(out, " → ");
    mc_node_append_name_line(shown->trace, shown->node, out);
    mc_root_path_append_others(&shown->trail, shown->trace, out);
    mc_text_append_string(out, "\n");
}

static void write_head(const shown_roots *shown, uint32_t index, mc_text *out) {
    const mc_step_info *step = mc_trace_get_step(shown->trace, index);
    char text[MC_FORMAT_SIZE];
    mc_node_append_path_line(shown->trace, shown->node == MC_NONE ? 0 : shown->node, out);
    mc_text_format(out, "\nstep %" PRIu32 " (%s)\n", index, mc_format_time(text, step->time_ms));
    write_trail(shown, out);
    if (!step->has_referrers)
        mc_text_append_string(out, "\nthis step has no GC roots: only heap dumps have them");
    else if (shown->count == 0)
        mc_text_append_string(out, "\nno GC root references its objects directly");
    mc_text_append_string(out, "\n");
}

// The others of a kind are called as those that have a name.
static const char *get_kind_words(const shown_roots *shown, const mc_root_count *root) {
    const mc_root_rows *roots = &shown->roots;
    uint32_t name = root->name;
    for (uint32_t i = 0; i < roots->count && name == MC_NONE; i++)
        if (roots->items[i].kind == root->kind) name = roots->items[i].name;
    return mc_root_get_kind(shown->trace, (mc_root_kind)root->kind, name);
}

static void write_rows(const shown_roots *shown, mc_print *print) {
    const mc_root_rows *roots = &shown->roots;
    bool has_heads = shown->count > 0;
    const mc_column columns[] = {
        {.heading = has_heads ? "roots" : "", .width = 14},
        {.key = "kind", .heading = has_heads ? "kind" : "", .before = "  ", .width = -17},
        {.key = "name", .heading = "", .before = "  ", .unknown = "others"},
        {.key = "roots"},
        {.key = "leaf", .heading = "", .before = "  → "}};
    MC_PRINT_BEGIN_ROWS(print, "roots", columns);
    for (uint32_t i = 0; i < shown->count && mc_command_pass_on(print->out); i++) {
        uint32_t root = shown->order[i];
        const mc_root_count *item = &roots->items[root];
        const char *kind = print->form == MC_PRINT_TEXT ? get_kind_words(shown, item)
                                                        : mc_root_kind_names[item->kind];
        mc_cell count = mc_cell_count(item->count);
        MC_PRINT_ROW(print, count, mc_cell_text(kind), mc_cell_string(shown->trace, item->name),
                     count, mc_cell_node(shown->trace, roots->items[root].node));
    }
    mc_print_end_rows(print);
}

static void write_all(const shown_roots *shown, uint32_t step, mc_print *print) {
    if (print->form == MC_PRINT_TEXT) write_head(shown, step, print->out);
    mc_print_begin_object(print, NULL);
    MC_PRINT(print, {"of", mc_cell_node(shown->trace, shown->node == MC_NONE ? 0 : shown->node)},
             {"step", mc_cell_count(step)},
             {"known", mc_cell_bool(mc_trace_get_step(shown->trace, step)->has_referrers)});
    write_rows(shown, print);
    mc_print_incomplete(print, shown->trace, step, step);
    mc_print_root_path(print, "trail", shown->trace, &shown->trail);
    mc_print_end_object(print);
    mc_print_end(print);
}

// ----

static int run(const mc_trace *trace, roots_options *options) {
    mc_city_desc desc = mc_city_desc_default(trace);
    shown_roots shown = {.trace = trace, .node = MC_NONE};
    mc_error error = {0};
    int code = mc_command_get_step(trace, &desc, &options->step);
    if (code == MC_EXIT_OK && options->of)
        code = mc_command_find_node(trace, "--of", options->of, &shown.node);
    if (code != MC_EXIT_OK) return code;
    mc_result result = mc_trace_read_roots(trace, options->step, &shown.roots, &error);
    if (result == MC_OK) result = choose(&shown, options, &error);
    if (result == MC_OK) result = find_trail(&shown, options->step, &error);
    mc_text out = {0};
    mc_print print = mc_print_to(&out, options->json, options->tsv);
    if (result == MC_OK) write_all(&shown, options->step, &print);
    shown_deinit(&shown);
    return result == MC_OK ? mc_command_print(&out) : mc_command_fail(&error);
}

int mc_command_roots(int argc, const char **argv) {
    roots_options options = {.step = MC_NONE, .most = MC_NONE};
    uint32_t path_count;
    int code;
    mc_input_options input = {0};
    mc_option_list list = {0};
    mc_option_list_add_string(
        &list, "of", &options.of, "KEY",
        "print only roots of the building or district with this full key, or end of one");
    mc_option_list_add_uint(&list, "step", &options.step, "K", "step, counted from 0 (the last)");
    mc_option_list_add_uint(&list, "n", &options.most, "N", "print only the N most frequent (all)");
    mc_option_list_add_flag(&list, "tsv", &options.tsv, "print tab-separated values");
    mc_option_list_add_flag(&list, "json", &options.json, "print one JSON object");
    mc_option_list_add_input(&list, &input);
    if (!mc_command_begin(&list, "memcity roots TRACE… [--of KEY] [--step K] [-n N] [--tsv|--json]",
                          "Lists the GC roots that reference objects directly: static fields, "
                          "local variables of threads,\nand others that a heap dump names. For a "
                          "building also through which objects a root keeps its\nobjects alive.",
                          argc, argv, &path_count, &code))
        return code;
    mc_trace *trace = NULL;
    code = mc_command_open(argv, path_count, &input, &trace);
    if (code == MC_EXIT_OK) code = run(trace, &options);
    mc_trace_destroy(trace);
    return code;
}
