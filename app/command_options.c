#include "app/command_options.h"

#include "engine/import/collapsed/collapsed.h"
#include <stddef.h>

const char *const mc_metric_names[] = {"objects", "bytes", NULL};
const char *const mc_scaling_names[] = {"sqrt",    "linear",    "quadratic",
                                        "uniform", "elevation", NULL};
const char *const mc_pair_show_names[] = {"difference", "a", "b", "both", NULL};
const char *const mc_tiling_names[] = {"squarify", "binary", "slice", "dice", "slice-dice", NULL};

#define FIELD(member_name, field_kind, field_uses)                            \
    .kind = (field_kind), .offset = offsetof(mc_layout_options, member_name), \
    .uses = (field_uses) | MC_USE_LAYOUT | MC_USE_LAYOUT_OPTION

// What files say of the root and the time window stands beside the settings there (view_file.c).
const mc_form_field mc_layout_fields[MC_LAYOUT_FIELD_COUNT] = {
    {FIELD(metric_key, MC_FORM_TEXT, 0), .option = "metric", .argument = "NAME",
     .help = "metric to show: objects, bytes or another metric that memcity info lists (bytes)",
     .choices = mc_metric_names},
    {FIELD(area_key, MC_FORM_TEXT, 0), .option = "area", .argument = "NAME",
     .help = "metric of plot and footprint areas, as --metric; or uniform: equal square plots for "
             "all groups"},
    {.name = "metric", FIELD(metric, MC_FORM_NAME, MC_USE_VIEW), .count = MC_METRIC_NAME_SIZE},
    {.name = "pair",
     .kind = MC_FORM_CHOICE,
     .offset = offsetof(mc_layout_options, pair),
     .uses = MC_USE_VIEW | MC_USE_LAYOUT,
     .choices = mc_pair_show_names},
    {.name = "align",
     .kind = MC_FORM_NAME,
     .offset = offsetof(mc_layout_options, align),
     .uses = MC_USE_VIEW | MC_USE_LAYOUT,
     .count = MC_ALIGN_SIZE},
    {.name = "scaling",
     FIELD(scaling, MC_FORM_CHOICE, MC_USE_VIEW),
     .choices = mc_scaling_names,
     .option = "scaling",
     .argument = "S",
     .help = "how a plot's area scales with its value (linear)"},
    {.name = "tiling",
     FIELD(tiling, MC_FORM_CHOICE, MC_USE_VIEW),
     .choices = mc_tiling_names,
     .option = "tiling",
     .argument = "T",
     .help = "treemap algorithm that packs the plots (squarify)"},
    {FIELD(padding, MC_FORM_TEXT, 0), .option = "padding", .argument = "P",
     .help =
         "border and gap width in the unit of --size, or auto (streets that narrow with depth)"},
    {.name = "child_limit",
     FIELD(child_limit, MC_FORM_UINT, MC_USE_VIEW),
     .most = UINT32_MAX,
     .option = "child-limit",
     .argument = "N",
     .help = "show only the N largest children of a district (0: all)"},
    {FIELD(window, MC_FORM_RANGE, 0), .option = "window", .argument = "A:B",
     .help = "time window: use only steps A to B, counted from 0, also for growth and maximum"},
    {FIELD(root_key, MC_FORM_TEXT, 0), .option = "root", .argument = "KEY",
     .help = "show only the group with this full key"},
};

mc_layout_options mc_layout_options_default(void) {
    return (mc_layout_options){
        .scaling = MC_NONE, .tiling = MC_NONE, .child_limit = 0, .window = {MC_NONE, MC_NONE}};
}

void mc_option_list_add_metric(mc_option_list *list, mc_layout_options *layout) {
    mc_option_list_add_fields(list, mc_layout_fields, 1, MC_USE_LAYOUT_OPTION, layout);
}

void mc_option_list_add_window(mc_option_list *list, mc_layout_options *layout, const char *help) {
    mc_option_list_add_range(list, "window", layout->window, "A:B", help);
}

void mc_option_list_add_binary(mc_option_list *list, const char **binary) {
    mc_option_list_add_string(list, "binary", binary, "FILES",
                              "heap dumps of Go: the program that wrote them, or a folder with it, "
                              "for names of variables and functions; usual: what lies beside");
}

void mc_option_list_add_input(mc_option_list *list, mc_input_options *input) {
    list->group = "input";
    mc_option_list_add_flag(list, "skip-bad-steps", &input->skip_bad_steps,
                            "skip unreadable steps with a warning instead of failing");
    mc_option_list_add_flag(list, "no-references", &input->no_references,
                            "read only objects and bytes of heap dumps, three times as fast");
    mc_option_list_add_flag(list, "fast", &input->deep.fast,
                            "don't compute who owns the objects of heap dumps: half the time and "
                            "memory, but memcity why goes by references between classes only");
    mc_option_list_add_flag(list, "retained", &input->deep.retained,
                            "compute retained sizes of heap dumps: metrics retained and "
                            "retained_objects (takes two to three times as long)");
    mc_option_list_add_flag(
        list, "paths", &input->deep.paths,
        "compute the paths from GC roots to each group of heap dumps (memcity paths)");
    mc_option_list_add_flag(list, "waste", &input->deep.waste,
                            "compute the wasted bytes of each group of heap dumps: metrics waste, "
                            "empty_slots, empty_collections, duplicates, boxed and builders");
    mc_option_list_add_flag(list, "by-generation", &input->deep.by_generation,
                            "heaps of Ruby: steps are garbage collections, and show what was made "
                            "until then and is still there");
    mc_option_list_add_flag(list, "deep", &input->deep.all, "same as --retained --paths --waste");
    mc_option_list_add_flag(
        list, "partial", &input->partial,
        "accept truncated class histograms and heap dumps, and use what they have");
    mc_option_list_add_string(
        list, "group-by", &input->group_by, "LIST",
        "group by these classifiers, outermost first. Class histograms and heap dumps: package, "
        "type, loader, module (package,type); heap dumps also datastructure, the collection that "
        "contains an object. Other traces: any of the classifiers that memcity info lists; usual "
        "for allocation sites: type,site");
    mc_option_list_add_string(
        list, "collections", &input->deep.collections, "PATTERNS",
        "further classes to treat as data structures, such as com.acme.Cache,com.acme.*Pool");
    mc_option_list_add_binary(list, &input->deep.binary);
    mc_option_list_add_string(
        list, "times", &input->times, "LIST|FILE",
        "times of the class histograms or heap dumps, in their order: 0,10s,1h30m or dates");
    mc_option_list_add_file(list, "notes", &input->notes, "FILE",
                            "notes on steps, one per line: step number or time, a tab, text");
    mc_option_list_add_string(
        list, "frame", &input->frame, "T",
        "sliding window of method traces: show how busy each method was in the last T, 0.1s to "
        "60s; all: since the start; none: the recorded times (1s)");
    mc_option_list_add_choice(list, "stacks", &input->stacks, mc_stacks_form_names, "F",
                              "read collapsed stacks as methods with their self time, allocation "
                              "sites with their bytes, or a call tree (methods)");
    mc_option_list_add_double(list, "sample-interval", &input->sample_interval_ms, "MS",
                              "milliseconds per sample of collapsed stacks (10)");
    mc_option_list_add_uint(list, "depth", &input->profiles.depth, "N",
                            "allocation profiles: frames of a call path that become groups, from "
                            "the site outward (8)");
    mc_option_list_add_string(list, "symbols", &input->profiles.symbols, "FILES",
                              "heap profiles of addresses: programs and libraries, or folders with "
                              "them, whose symbols are used; also what lies beside the profile");
    mc_option_list_add_uint(list, "moments", &input->profiles.moment_count, "N",
                            "recordings of every allocation, and heaps that say when each object "
                            "was made: steps, spread evenly over the time; of the former the peak "
                            "comes as one more (60)");
    mc_option_list_add_flag(list, "library-frames", &input->profiles.has_libraries,
                            "allocation profiles: the site is the innermost frame even if it lies "
                            "in a library, instead of the program's own");
    mc_option_list_add_string(
        list, "tab", &input->tab, "N",
        "with ws://HOST:PORT: number of the tab with the trees, as in ws://HOST:PORT/N");
}

void mc_option_list_add_folds(mc_option_list *list, mc_pair_options *pair) {
    mc_option_list_add(list,
                       (mc_option){.name = "fold",
                                   .kind = MC_OPTION_LIST,
                                   .target = &pair->folds,
                                   .argument = "REGEX=NAME",
                                   .help = "treat matching names as NAME, as in 'Task\\d+=Task'; "
                                           "$1 is the first group; repeatable"});
    mc_option_list_add_flag(list, "no-folds", &pair->no_folds,
                            "don't merge lambdas, proxies and hidden classes by name");
    mc_option_list_add_flag(list, "no-moves", &pair->no_moves,
                            "don't detect moved and renamed groups");
}

void mc_option_list_add_pair(mc_option_list *list, mc_pair_options *pair,
                             mc_layout_options *layout) {
    list->group = "comparing two traces";
    mc_option_list_add_file(list, "versus", &pair->versus, "TRACE",
                            "compare with this trace: the opened trace is A, TRACE is B; colours "
                            "show the change from A to B");
    mc_option_list_add_choice(list, "pair", &layout->pair, mc_pair_show_names, "P",
                              "show the difference in one layout with the larger value of each "
                              "group, only A, only B, or both side by side (difference)");
    mc_option_list_add_string(list, "align", &pair->align, "HOW",
                              "align steps of A and B by number (step), by time since the first "
                              "(time), from the last (end), or pair step A with step B (step)");
    mc_option_list_add_string(list, "base-window", &pair->windows[0], "A:B",
                              "use only steps A to B of the opened trace; with --versus-window, "
                              "give one trace twice to compare two ranges of it");
    mc_option_list_add_string(list, "versus-window", &pair->windows[1], "A:B",
                              "use only steps A to B of the other trace");
    mc_option_list_add_folds(list, pair);
}

void mc_option_list_add_ground_size(mc_option_list *list, mc_layout_options *layout,
                                    const char *name) {
    mc_option_list_add_size(list, name, layout->size, "size of the ground plan (1000x1000)");
}

void mc_option_list_add_layout(mc_option_list *list, mc_layout_options *layout) {
    mc_option_list_add_fields(list, mc_layout_fields, MC_LAYOUT_FIELD_COUNT, MC_USE_LAYOUT_OPTION,
                              layout);
}

void mc_option_list_add_rows(mc_option_list *list, mc_rows_options *rows) {
    static const char *const units[] = {"ms", "s", "us", "ns", NULL};
    static const char *const forms[] = {"auto", "tsv", "csv", NULL};
    list->group = "rows";
    mc_option_list_add_flag(
        list, "rows", &rows->is_stated,
        "read rows, tab-separated or CSV with a header line; -: standard input");
    mc_option_list_add_choice(list, "rows-form", (uint32_t *)&rows->form, forms, "F",
                              "format of the rows (auto: detect by the header line)");
    mc_option_list_add_string(list, "time", &rows->time, "COLUMN",
                              "name of the time column (time)");
    mc_option_list_add_choice(list, "time-unit", (uint32_t *)&rows->unit, units, "U",
                              "unit of times that are whole numbers (ms)");
    mc_option_list_add_string(list, "classifiers", &rows->classifiers, "A,B,C",
                              "columns to group by, outermost first (all that are not numeric)");
    mc_option_list_add_flag(
        list, "unordered", &rows->is_unordered,
        "accept rows in any order: sort them by time in a temporary file beside the output file");
    mc_option_list_add_string(
        list, "references", &rows->references, "FILE",
        "read references as rows: time, from_…, to_…, points_to, pointed_from; -: standard input");
    mc_option_list_add_string(
        list, "metrics", &rows->metrics, "A,B,C",
        "columns of further metrics (the only numeric one; several must be listed)");
}
