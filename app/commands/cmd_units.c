#include "app/command.h"
#include "app/commands/methods.h"
#include "app/commands/units_of.h"
#include "app/format.h"
#include "app/print/print_trace.h"
#include "app/print/print_unit.h"
#include "app/unit_text.h"
#include "engine/analyze/units.h"
#include "engine/trace/regroup/sliding_window.h"
#include <inttypes.h>
#include <stdio.h>

#define SMALL_SHARE 0.01 // of what the heap grew by: units below are only counted

typedef struct units_options {
    uint32_t most;
    bool tsv, json;
} units_options;

typedef struct told_units {
    const mc_trace *trace;
    const mc_units *units;
    mc_step_range window;
} told_units;

// ---- for programs

static const mc_column part_columns[] = {
    {.key = "unit", .forms = MC_IN_TSV},    {.key = "units", .forms = MC_IN_TSV},
    {.key = "key", .forms = MC_IN_TSV},     {.key = "per_unit", .forms = MC_IN_TSV},
    {.key = "objects", .forms = MC_IN_TSV}, {.key = "bytes", .forms = MC_IN_TSV},
    {.key = "shared", .forms = MC_IN_TSV},
};

static void print_parts(mc_print *print, const told_units *told, uint32_t index) {
    const mc_growth_unit *unit = &told->units->items[index];
    for (uint32_t i = 0; i < unit->part_count; i++) {
        const mc_unit_part *part = &unit->parts[i];
        MC_PRINT_ROW(print, mc_cell_index(index), mc_cell_count(unit->count),
                     mc_cell_key(told->trace, part->node), mc_cell_decimal(part->per_unit, 4),
                     mc_cell_count((uint64_t)part->objects), mc_cell_number(part->bytes),
                     mc_cell_bool(part->is_shared));
    }
}

static void print_json(mc_print *print, const told_units *told, uint32_t most) {
    const mc_units *units = told->units;
    mc_print_begin_object(print, NULL);
    MC_PRINT(print, {"first_step", mc_cell_count(told->window.first_step)},
             {"last_step", mc_cell_count(told->window.last_step)},
             {"growth_bytes", mc_cell_number(units->bytes)},
             {"unit_bytes", mc_cell_number(units->own_bytes)},
             {"groups", mc_cell_count(units->all_mover_count)},
             {"groups_compared", mc_cell_count(units->mover_count)});
    mc_print_begin_list(print, "units");
    for (uint32_t i = 0; i < units->count && i < most && mc_command_pass_on(print->out); i++) {
        mc_print_break(print);
        mc_print_unit(print, NULL, told->trace, told->window, units, &units->items[i]);
    }
    mc_print_end_list(print);
    mc_print_incomplete(print, told->trace, told->window.first_step, told->window.last_step);
    mc_print_end_object(print);
    mc_print_end(print);
}

static void print_tsv(mc_print *print, const told_units *told, uint32_t most) {
    MC_PRINT_BEGIN_ROWS(print, NULL, part_columns);
    for (uint32_t i = 0; i < told->units->count && i < most && mc_command_pass_on(print->out); i++)
        print_parts(print, told, i);
    mc_print_end_rows(print);
}

// ---- for people

static void append_growth(const told_units *told, const mc_growth_unit *unit, mc_text *out) {
    const mc_growth *growth = &unit->trend.growth;
    uint32_t first = told->window.first_step;
    if (growth->kind == MC_GROWTH_GOES_ON)
        mc_text_format(out, "keeps growing since step %" PRIu32, first + growth->since);
    else if (growth->kind == MC_GROWTH_STOPPED)
        mc_text_format(out, "grew from step %" PRIu32 " to step %" PRIu32 " and then stopped",
                       first + growth->since, first + growth->until);
    else if (told->window.last_step - first + 1 < MC_GROWTH_LEAST_POINTS)
        mc_text_append_string(out, "too few steps to tell whether it keeps growing");
    else
        mc_text_append_string(out, "it does not keep growing");
}

static void append_unit(const told_units *told, const mc_growth_unit *unit, mc_text *out) {
    char each[MC_FORMAT_SIZE], bytes[MC_FORMAT_SIZE], share[MC_FORMAT_SIZE];
    double part = mc_units_get_share(told->units, unit);
    mc_text_append_string(out, "\n");
    mc_unit_append_formula(told->trace, unit, MC_UNIT_TEXT_PARTS, out);
    mc_text_format(out, "\n    %s B each, %s",
                   mc_format_count(each, (uint64_t)mc_unit_get_bytes_each(unit)),
                   mc_format_bytes_growth(bytes, unit->bytes));
    if (part > 0)
        mc_text_format(out, ", %s of what the heap grew by",
                       mc_format_share(share, part < 1 ? part : 1));
    mc_text_append_string(out, "; ");
    append_growth(told, unit, out);
    mc_text_append_string(out, "\n");
}

static void append_header(const told_units *told, mc_text *out) {
    char bytes[MC_FORMAT_SIZE], time[MC_FORMAT_SIZE];
    const mc_units *units = told->units;
    uint32_t last = told->window.last_step;
    mc_text_format(out, "From step %" PRIu32 " to step %" PRIu32 " (%s) the heap changed by %s",
                   told->window.first_step, last,
                   mc_format_time(time, mc_trace_get_step(told->trace, last)->time_ms),
                   mc_format_bytes_growth(bytes, units->bytes));
    mc_text_append_string(out, units->count > 0 ? ". What grew together:\n"
                                                : ". No group has grown steadily.\n");
    if (units->mover_count < units->all_mover_count)
        mc_text_format(out,
                       "Of %" PRIu32 " groups that grew, the %" PRIu32
                       " that changed the most were compared.\n",
                       units->all_mover_count, units->mover_count);
}

static void print_text(mc_print *print, const told_units *told, uint32_t most) {
    mc_text *out = print->out;
    const mc_units *units = told->units;
    uint32_t shown = 0;
    append_header(told, out);
    for (uint32_t i = 0; i < units->count && mc_command_pass_on(out); i++) {
        const mc_growth_unit *unit = &units->items[i];
        bool is_small = units->bytes > 0 && mc_units_get_share(units, unit) < SMALL_SHARE;
        if (is_small || shown == most) continue;
        append_unit(told, unit, out);
        shown++;
    }
    if (shown < units->count)
        mc_text_format(out, "\n%s%" PRIu32 " %s\n", shown > 0 ? "and " : "", units->count - shown,
                       shown == most ? "more (-n)" : "small ones");
    mc_print_incomplete(print, told->trace, told->window.first_step, told->window.last_step);
}

// ---- the command

static int run(const mc_trace *trace, const mc_layout_options *layout,
               const units_options *options) {
    mc_city_desc city;
    int code = mc_command_get_city_desc(layout, trace, &city);
    if (code != MC_EXIT_OK) return code;
    mc_units units = {0};
    mc_error error = {0};
    mc_text out = {0};
    mc_command_progress shown;
    mc_progress progress = mc_command_begin_progress(&shown, "comparing increments");
    mc_result result = mc_units_find(trace, city.window, &progress, &units, &error);
    result = mc_command_end_progress(&shown, result, &error);
    if (result != MC_OK) return mc_command_fail(&error);
    told_units told = {trace, &units, city.window};
    mc_print print = mc_print_to(&out, options->json, options->tsv);
    switch (print.form) {
    case MC_PRINT_JSON: print_json(&print, &told, options->most); break;
    case MC_PRINT_TSV: print_tsv(&print, &told, options->most); break;
    default: print_text(&print, &told, options->most); break;
    }
    mc_units_deinit(&units);
    return mc_command_print(&out);
}

int mc_command_units(int argc, const char **argv) {
    units_options options = {.most = 10};
    mc_units_of_options of = {.step = MC_NONE};
    uint32_t path_count;
    int code;
    mc_input_options input = {0};
    mc_layout_options layout = mc_layout_options_default();
    mc_option_list list = {0};
    mc_option_list_add_uint(&list, "n", &options.most, "N", "print at most N units (10)");
    mc_option_list_add_window(&list, &layout,
                              "time window: growth from step A to step B, counted from 0");
    mc_option_list_add_string(&list, "of", &of.of, "KEY",
                              "of a heap dump: what each object of this group retains, exactly; "
                              "full key, or its end");
    mc_option_list_add_uint(&list, "step", &of.step, "K",
                            "with --of: dump, ordered by time, counted from 0 (the last)");
    mc_option_list_add_flag(&list, "tsv", &options.tsv,
                            "print tab-separated values, one row per part");
    mc_option_list_add_flag(&list, "json", &options.json, "print one JSON object");
    mc_option_list_add_input(&list, &input);
    mc_option_list_hide(&list, "paths");
    if (!mc_command_begin(&list,
                          "memcity units TRACE… [--window A:B] [-n N] [--tsv|--json]\n"
                          "       memcity units DUMP… --of KEY [--step K] [-n N] [--tsv|--json]",
                          "Lists units: groups whose objects come and go in fixed proportions, "
                          "step by step. Each has its\nformula, such as 80,001 × { 1 HttpHost, 2 "
                          "LinkedList }, its bytes, and whether it keeps growing.\nNumbers of "
                          "objects over time are enough, such as class histograms have.",
                          argc, argv, &path_count, &code))
        return code;
    mc_trace *trace = NULL;
    if (of.of) {
        of.dump = (mc_dump_options){.group_by = input.group_by, .partial = input.partial};
        of.most = options.most;
        of.tsv = options.tsv;
        of.json = options.json;
        return mc_command_units_of(&of, argv, path_count);
    }
    if (of.step != MC_NONE) return mc_command_wrong_usage("units: --step is for --of KEY");
    code = mc_command_open(argv, path_count, &input, &trace);
    if (code == MC_EXIT_OK && mc_trace_get_frame_ms(trace) > 0)
        code = mc_command_refuse_methods("units");
    else if (code == MC_EXIT_OK)
        code = run(trace, &layout, &options);
    mc_trace_destroy(trace);
    return code;
}
