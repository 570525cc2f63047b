#include "app/command_options.h"

const char *const mc_metric_names[] = {"objects", "bytes", NULL};
const char *const mc_scaling_names[] = {"sqrt", "linear", "quadratic", NULL};
const char *const mc_tiling_names[] = {"squarify", "binary", "slice", "dice", "slice-dice", NULL};

mc_layout_options mc_layout_options_default(void) {
    return (mc_layout_options){.metric = MC_NONE,
                               .scaling = MC_NONE,
                               .tiling = MC_NONE,
                               .child_limit = 0,
                               .window = {MC_NONE, MC_NONE}};
}

void mc_option_list_add_metric(mc_option_list *list, mc_layout_options *layout) {
    mc_option_list_add_string(list, "metric", &layout->metric_key, "NAME",
                              "what is counted: objects, bytes, or another metric of the trace, as "
                              "memcity info lists them (bytes)");
}

void mc_option_list_add_window(mc_option_list *list, mc_layout_options *layout, const char *help) {
    mc_option_list_add_range(list, "window", layout->window, "A:B", help);
}

void mc_option_list_add_input(mc_option_list *list, mc_input_options *input) {
    mc_option_list_add_flag(list, "skip-bad-steps", &input->skip_bad_steps,
                            "leave bad steps out and say so, instead of giving up");
    mc_option_list_add_flag(list, "no-references", &input->no_references,
                            "only objects and bytes of heap dumps: three times as fast");
    mc_option_list_add_flag(list, "partial", &input->partial,
                            "take what is there of a class histogram or heap dump that is cut off");
    mc_option_list_add_string(list, "group-by", &input->group_by, "LIST",
                              "of package, type, loader, module: how the classes of class "
                              "histograms and heap dumps are grouped (package,type)");
    mc_option_list_add_string(list, "times", &input->times, "LIST|FILE",
                              "when the steps of class histograms and heap dumps were, in their "
                              "order: 0,10s,1h30m or dates");
}

void mc_option_list_add_layout(mc_option_list *list, mc_layout_options *layout,
                               const char *size_name) {
    mc_option_list_add_metric(list, layout);
    mc_option_list_add_string(list, "area", &layout->area_key, "NAME",
                              "the same: the metric that plots and footprints show");
    mc_option_list_add_choice(list, "scaling", &layout->scaling, mc_scaling_names, "S",
                              "a plot's area by its count (linear)");
    mc_option_list_add_choice(list, "tiling", &layout->tiling, mc_tiling_names, "T",
                              "how plots are packed (squarify)");
    mc_option_list_add_string(
        list, "padding", &layout->padding, "P",
        "border and gaps in the unit of the size, or auto (streets that narrow with depth)");
    mc_option_list_add_uint(list, "child-limit", &layout->child_limit, "N",
                            "only the N largest children of a district (0: all)");
    mc_option_list_add_window(
        list, layout,
        "only steps A to B, counted from 0: first, last, growth and maximum refer to them");
    mc_option_list_add_string(list, "root", &layout->root_key, "KEY",
                              "only the part of the heap with this full key");
    if (size_name)
        mc_option_list_add_size(list, size_name, layout->size,
                                "the ground plan's size (1000x1000)");
}
