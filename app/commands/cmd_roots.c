#include "app/command.h"
#include "app/format.h"
#include "app/incomplete_text.h"
#include "app/node_text.h"
#include "app/root_path_text.h"
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
    mc_root_columns roots;
    uint32_t *order;
    uint32_t count;
    uint32_t node; // whose; MC_NONE: all
    mc_root_path trail;
} shown_roots;

static void shown_deinit(shown_roots *shown) {
    mc_root_columns_deinit(&shown->roots);
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
    const mc_root_columns *roots = &shown->roots;
    ranked *order = mc_alloc((size_t)roots->count + 1, sizeof *order);
    shown->order = mc_alloc((size_t)roots->count + 1, sizeof *shown->order);
    if (!order || !shown->order) {
        mc_free(order);
        return mc_error_out_of_memory(error);
    }
    uint32_t count = 0;
    for (uint32_t i = 0; i < roots->count; i++)
        if (shown->node == MC_NONE || is_below(shown->trace, roots->node[i], shown->node))
            order[count++] = (ranked){roots->counts[i], i};
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
    mc_result result = mc_root_path_finder_create(shown->trace, step, step, &finder, error);
    if (result == MC_OK) result = mc_root_path_finder_find(finder, &desc, &shown->trail, error);
    mc_root_path_finder_destroy(finder);
    return result;
}

// ---- output

static void append_name(const shown_roots *shown, uint32_t root, mc_text *out,
                        void (*append)(mc_text *, const char *, size_t)) {
    size_t size;
    if (shown->roots.name[root] == MC_NONE) return;
    const char *name = mc_trace_get_string(shown->trace, shown->roots.name[root], &size);
    append(out, name, size);
}

static void write_tsv(const shown_roots *shown, mc_text *out) {
    mc_text_append_string(out, "kind\tname\troots\tleaf\n");
    for (uint32_t i = 0; i < shown->count && mc_command_pass_on(out); i++) {
        uint32_t root = shown->order[i];
        mc_text_format(out, "%s\t", mc_root_kind_names[shown->roots.kind[root]]);
        append_name(shown, root, out, mc_format_append_tsv);
        mc_text_format(out, "\t%" PRIu64 "\t", shown->roots.counts[root]);
        mc_node_append_key_tsv(shown->trace, shown->roots.node[root], out);
        mc_text_append_string(out, "\n");
    }
}

static void write_json(const shown_roots *shown, const roots_options *options, mc_text *out) {
    bool is_known = mc_trace_get_step(shown->trace, options->step)->has_holders;
    mc_text_append_string(out, "{\"of\":");
    mc_node_append_key_json(shown->trace, shown->node == MC_NONE ? 0 : shown->node, out);
    mc_text_format(out, ",\"step\":%" PRIu32 ",\"known\":%s,\"roots\":[", options->step,
                   is_known ? "true" : "false");
    for (uint32_t i = 0; i < shown->count && mc_command_pass_on(out); i++) {
        uint32_t root = shown->order[i];
        mc_text_format(out, "%s\n{\"kind\":\"%s\",\"name\":", i > 0 ? "," : "",
                       mc_root_kind_names[shown->roots.kind[root]]);
        if (shown->roots.name[root] == MC_NONE)
            mc_text_append_string(out, "null");
        else
            append_name(shown, root, out, mc_format_append_json);
        mc_text_format(out, ",\"roots\":%" PRIu64 ",\"leaf\":", shown->roots.counts[root]);
        mc_node_append_key_json(shown->trace, shown->roots.node[root], out);
        mc_text_append_string(out, "}");
    }
    mc_text_append_string(out, "]");
    mc_incomplete_append_json(shown->trace, options->step, options->step, out);
    if (shown->trail.is_known) {
        mc_text_append_string(out, ",\n\"trail\":");
        mc_root_path_append_json(&shown->trail, shown->trace, out);
    }
    mc_text_append_string(out, "}\n");
}

static void write_trail(const shown_roots *shown, mc_text *out) {
    if (!shown->trail.is_known) return;
    mc_text_append_string(out, "held by ");
    mc_root_path_append_way(&shown->trail, shown->trace, out);
    mc_text_append_string(out, " → ");
    mc_node_append_name_line(shown->trace, shown->node, out);
    mc_root_path_append_others(&shown->trail, shown->trace, out);
    mc_text_append_string(out, "\n");
}

static void write_text(const shown_roots *shown, const roots_options *options, mc_text *out) {
    const mc_step_info *step = mc_trace_get_step(shown->trace, options->step);
    char text[MC_FORMAT_SIZE];
    mc_node_append_path_line(shown->trace, shown->node == MC_NONE ? 0 : shown->node, out);
    mc_text_format(out, "\nstep %" PRIu32 " (%s)\n", options->step,
                   mc_format_time(text, step->time_ms));
    write_trail(shown, out);
    if (!step->has_holders)
        mc_text_append_string(out, "\nthis step's GC roots are not known: heap dumps have them\n");
    else if (shown->count == 0)
        mc_text_append_string(out, "\nno root holds its objects directly\n");
    else
        mc_text_append_string(out, "\n         roots  kind\n");
    for (uint32_t i = 0; i < shown->count && mc_command_pass_on(out); i++) {
        uint32_t root = shown->order[i];
        mc_text_format(out, "%14s  %-17s  ", mc_format_count(text, shown->roots.counts[root]),
                       mc_root_kind_names[shown->roots.kind[root]]);
        if (shown->roots.name[root] == MC_NONE)
            mc_text_append_string(out, "others");
        else
            append_name(shown, root, out, mc_format_append_line);
        mc_text_append_string(out, "  → ");
        mc_node_append_place_line(shown->trace, shown->roots.node[root], out);
        mc_text_append_string(out, "\n");
    }
    mc_incomplete_append_line(shown->trace, options->step, options->step, out);
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
    if (result == MC_OK && options->json)
        write_json(&shown, options, &out);
    else if (result == MC_OK && options->tsv)
        write_tsv(&shown, &out);
    else if (result == MC_OK)
        write_text(&shown, options, &out);
    shown_deinit(&shown);
    if (result == MC_OK) return mc_command_print(&out);
    mc_text_deinit(&out);
    return mc_command_fail(&error);
}

int mc_command_roots(int argc, const char **argv) {
    roots_options options = {.step = MC_NONE, .most = MC_NONE};
    uint32_t path_count;
    int code;
    mc_input_options input = {0};
    mc_option_list list = {0};
    mc_option_list_add_string(
        &list, "of", &options.of, "KEY",
        "only those of a building or district, by full key or the end of one");
    mc_option_list_add_uint(&list, "step", &options.step, "K",
                            "which step, counted from 0 (the last)");
    mc_option_list_add_uint(&list, "n", &options.most, "N", "only the N most frequent (all)");
    mc_option_list_add_flag(&list, "tsv", &options.tsv, "tab-separated values");
    mc_option_list_add_flag(&list, "json", &options.json, "one JSON object");
    mc_option_list_add_input(&list, &input);
    if (!mc_command_begin(&list, "memcity roots TRACE… [--of KEY] [--step K] [-n N] [--tsv|--json]",
                          "Says which GC roots hold objects directly: static fields, local "
                          "variables of threads, and what else a heap\ndump names. Of a building "
                          "also by way of what a root holds its objects.",
                          argc, argv, &path_count, &code))
        return code;
    mc_trace *trace = NULL;
    code = mc_command_open(argv, path_count, &input, &trace);
    if (code == MC_EXIT_OK) code = run(trace, &options);
    mc_trace_destroy(trace);
    return code;
}
