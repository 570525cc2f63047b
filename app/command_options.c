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
     .help = "what is counted: objects, bytes, or another metric of the trace, as memcity info "
             "lists them (bytes)",
     .choices = mc_metric_names},
    {FIELD(area_key, MC_FORM_TEXT, 0), .option = "area", .argument = "NAME",
     .help =
         "the same as --metric: what plots and footprints show; or uniform: every group has the "
         "same square plot"},
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
     .help = "a plot's area by its count (linear)"},
    {.name = "tiling",
     FIELD(tiling, MC_FORM_CHOICE, MC_USE_VIEW),
     .choices = mc_tiling_names,
     .option = "tiling",
     .argument = "T",
     .help = "how plots are packed (squarify)"},
    {FIELD(padding, MC_FORM_TEXT, 0), .option = "padding", .argument = "P",
     .help = "border and gaps in the unit of the size, or auto (streets that narrow with depth)"},
    {.name = "child_limit",
     FIELD(child_limit, MC_FORM_UINT, MC_USE_VIEW),
     .most = UINT32_MAX,
     .option = "child-limit",
     .argument = "N",
     .help = "only the N largest children of a district (0: all)"},
    {FIELD(window, MC_FORM_RANGE, 0), .option = "window", .argument = "A:B",
     .help = "only steps A to B, counted from 0: first, last, growth and maximum refer to them"},
    {FIELD(root_key, MC_FORM_TEXT, 0), .option = "root", .argument = "KEY",
     .help = "only the part of the heap with this full key"},
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

void mc_option_list_add_input(mc_option_list *list, mc_input_options *input) {
    list->group = "what is read";
    mc_option_list_add_flag(list, "skip-bad-steps", &input->skip_bad_steps,
                            "leave bad steps out and say so, instead of giving up");
    mc_option_list_add_flag(list, "no-references", &input->no_references,
                            "only objects and bytes of heap dumps: three times as fast");
    mc_option_list_add_flag(list, "retained", &input->deep.retained,
                            "of heap dumps, also what each group retains: the metrics retained and "
                            "retained_objects (takes two to three times as long)");
    mc_option_list_add_flag(list, "paths", &input->deep.paths,
                            "of heap dumps, also how the GC roots hold each group (memcity paths)");
    mc_option_list_add_flag(list, "waste", &input->deep.waste,
                            "of heap dumps, also what each group wastes: the metrics waste, "
                            "empty_slots, empty_collections, duplicates, boxed and builders");
    mc_option_list_add_flag(list, "deep", &input->deep.all,
                            "the same as --retained --paths --waste");
    mc_option_list_add_flag(list, "partial", &input->partial,
                            "take what is there of a class histogram or heap dump that is cut off");
    mc_option_list_add_string(list, "group-by", &input->group_by, "LIST",
                              "what the groups are by, outermost first: of class histograms and "
                              "heap dumps package, type, loader, module (package,type), of heap "
                              "dumps also datastructure: the collection that holds an object; of "
                              "other traces any of what they are grouped by (memcity info); of "
                              "allocation sites type,site is usual");
    mc_option_list_add_string(list, "collections", &input->deep.collections, "PATTERNS",
                              "more classes that are data structures, as in "
                              "com.acme.Cache,com.acme.*Pool");
    mc_option_list_add_string(list, "times", &input->times, "LIST|FILE",
                              "when the steps of class histograms and heap dumps were, in their "
                              "order: 0,10s,1h30m or dates");
    mc_option_list_add_file(list, "notes", &input->notes, "FILE",
                            "what happened at which step: a line each, the step's number or a "
                            "time, a tab, a text");
    mc_option_list_add_string(
        list, "frame", &input->frame, "T",
        "of methods: how much of the last T each was busy, 0.1s to 60s, all of the run so far, or "
        "none for their times as they were recorded (1s)");
    mc_option_list_add_choice(list, "stacks", &input->stacks, mc_stacks_form_names, "F",
                              "what collapsed stacks are taken for: methods and their own time, "
                              "allocation sites and their bytes, or who calls whom (methods)");
    mc_option_list_add_double(list, "sample-interval", &input->sample_interval_ms, "MS",
                              "the milliseconds that one of their counts stands for (10)");
    mc_option_list_add_string(list, "tab", &input->tab, "N",
                              "of ws://HOST:PORT: the tab that has the trees, as ws://HOST:PORT/N");
}

void mc_option_list_add_folds(mc_option_list *list, mc_pair_options *pair) {
    mc_option_list_add(list,
                       (mc_option){.name = "fold",
                                   .kind = MC_OPTION_LIST,
                                   .target = &pair->folds,
                                   .argument = "REGEX=NAME",
                                   .help = "names that are one, as 'Task\\d+=Task'; $1 is the "
                                           "first group; may be said several times"});
    mc_option_list_add_flag(list, "no-folds", &pair->no_folds,
                            "don't take lambdas, proxies and hidden classes for one");
    mc_option_list_add_flag(list, "no-moves", &pair->no_moves,
                            "don't look for what was moved or renamed");
}

void mc_option_list_add_pair(mc_option_list *list, mc_pair_options *pair,
                             mc_layout_options *layout) {
    list->group = "two traces";
    mc_option_list_add_file(list, "versus", &pair->versus, "TRACE",
                            "another trace: what is opened is A, this is B, and colours show what "
                            "changed from A to B");
    mc_option_list_add_choice(list, "pair", &layout->pair, mc_pair_show_names, "P",
                              "what is shown: the difference, in a city of the larger of both, "
                              "A in A's own districts, B alone, or both side by side (difference)");
    mc_option_list_add_string(list, "align", &pair->align, "HOW",
                              "which steps are beside each other: step, by their number; time, "
                              "since the first; end, from the last; or A:B, these two (step)");
    mc_option_list_add_string(list, "base-window", &pair->windows[0], "A:B",
                              "only steps A to B of what is opened; with --versus-window, two "
                              "ranges of one trace that is given twice");
    mc_option_list_add_string(list, "versus-window", &pair->windows[1], "A:B",
                              "only steps A to B of the other trace");
    mc_option_list_add_folds(list, pair);
}

void mc_option_list_add_ground_size(mc_option_list *list, mc_layout_options *layout,
                                    const char *name) {
    mc_option_list_add_size(list, name, layout->size, "the ground plan's size (1000x1000)");
}

void mc_option_list_add_layout(mc_option_list *list, mc_layout_options *layout) {
    mc_option_list_add_fields(list, mc_layout_fields, MC_LAYOUT_FIELD_COUNT, MC_USE_LAYOUT_OPTION,
                              layout);
}

void mc_option_list_add_rows(mc_option_list *list, mc_rows_options *rows) {
    static const char *const units[] = {"ms", "s", "us", "ns", NULL};
    static const char *const forms[] = {"auto", "tsv", "csv", NULL};
    list->group = "rows";
    mc_option_list_add_flag(list, "rows", &rows->is_stated,
                            "what is read is rows, tab-separated or CSV with a header line; - is "
                            "the standard input");
    mc_option_list_add_choice(list, "rows-form", (uint32_t *)&rows->form, forms, "F",
                              "how they are written (auto: as the header line looks)");
    mc_option_list_add_string(list, "time", &rows->time, "COLUMN", "the column of the time (time)");
    mc_option_list_add_choice(list, "time-unit", (uint32_t *)&rows->unit, units, "U",
                              "of times that are whole numbers (ms)");
    mc_option_list_add_string(list, "classifiers", &rows->classifiers, "A,B,C",
                              "the columns of names, outermost first (those that are no numbers)");
    mc_option_list_add_flag(list, "unordered", &rows->is_unordered,
                            "rows may come in any order: they are sorted by time, in a temporary "
                            "file beside the one that is written");
    mc_option_list_add_string(list, "references", &rows->references, "FILE",
                              "rows of references: time, from_…, to_…, points_to, pointed_from; - "
                              "is the standard input");
    mc_option_list_add_string(
        list, "metrics", &rows->metrics, "A,B,C",
        "the columns of further metrics (one that is numbers; several have to be said)");
}
