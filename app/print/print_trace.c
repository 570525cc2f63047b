#include "app/print/print_trace.h"

#include "app/incomplete_text.h"
#include "app/root_path_text.h"

static void append_incomplete_line(const mc_trace *trace, uint32_t first_step, uint32_t last_step,
                                   mc_text *out) {
    mc_text line = {0};
    mc_incomplete_append_sentence(trace, first_step, last_step, &line);
    if (line.size > 0) mc_text_format(out, "\n%s\n", line.data);
    out->failed |= line.failed;
    mc_text_deinit(&line);
}

void mc_print_incomplete(mc_print *print, const mc_trace *trace, uint32_t first_step,
                         uint32_t last_step) {
    bool has_any = false;
    if (print->form == MC_PRINT_TEXT)
        append_incomplete_line(trace, first_step, last_step, print->out);
    for (uint32_t step = first_step; step <= last_step; step++) {
        const mc_step_info *info = mc_trace_get_step(trace, step);
        if (!info->is_incomplete) continue;
        if (!has_any) mc_print_begin_list(print, "incomplete");
        has_any = true;
        mc_print_put(print, NULL,
                     MC_OBJECT({"step", mc_cell_count(step)},
                               {"reason", mc_cell_string(trace, info->missing)}));
    }
    if (has_any) mc_print_end_list(print);
}

void mc_print_nodes(mc_print *print, const char *key, const mc_trace *trace, const uint32_t *nodes,
                    uint32_t count) {
    mc_print_begin_list(print, key);
    for (uint32_t i = 0; i < count; i++)
        mc_print_put(print, NULL, mc_cell_node(trace, nodes[i]));
    mc_print_end_list(print);
}

void mc_print_root_path(mc_print *print, const char *key, const mc_trace *trace,
                        const mc_root_path *path) {
    uint32_t other_count = path->other_count;
    if (!path->is_known) return;
    mc_print_break(print);
    mc_print_begin_object(print, key);
    MC_PRINT(print, {"from", mc_cell_node(trace, path->start)});
    mc_print_begin_list(print, "hops");
    for (uint32_t i = 0; i < path->count; i++) {
        const mc_root_path_hop *hop = &path->hops[i];
        mc_print_break(print);
        mc_print_put(print, NULL,
                     MC_OBJECT({"key", mc_cell_node(trace, hop->node)},
                               {"field", mc_cell_string(trace, hop->field)},
                               {"references", mc_cell_count(hop->count)},
                               {"library", mc_cell_bool(!hop->is_program)}));
    }
    mc_print_end_list(print);
    mc_print_break(print);
    MC_PRINT(print,
             {"root", MC_OBJECT({"kind", mc_cell_text(mc_root_kind_names[path->root_kind])},
                                {"name", mc_cell_string(trace, path->root_name)},
                                {"references", mc_cell_count(path->root_count)})},
             {"means", mc_cell_text(mc_root_path_means_names[path->means])},
             {"other_count", mc_cell_count(other_count)});
    mc_print_begin_list(print, "others");
    for (uint32_t i = 0; i < other_count && i < MC_ROOT_PATH_OTHER_COUNT; i++)
        mc_print_put(print, NULL, mc_cell_string(trace, path->others[i]));
    mc_print_end_list(print);
    mc_print_end_object(print);
}
