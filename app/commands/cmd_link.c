#include "app/command.h"
#include "app/format.h"
#include "app/node_text.h"
#include "app/print/print.h"
#include "engine/analyze/method_link.h"
#include "engine/base/memory.h"
#include "engine/trace/regroup/sliding_window.h"
#include <inttypes.h>
#include <string.h>

typedef struct link_options {
    const char *with, *of, *method;
    uint32_t step, most;
    bool json;
} link_options;

typedef struct linked {
    const mc_trace *heap, *methods;
    const char *names[2]; // of both files
    mc_method_link *link;
    uint32_t heap_step, method_step, node;
    uint64_t gap_ms;
    bool of_method; // `node` is one of methods
    mc_method_link_found found;
} linked;

static bool is_by_site(const linked *self) {
    return mc_method_link_get_way(self->link) == MC_METHOD_LINK_BY_SITE;
}

// ---- output

static void append_moment(const linked *self, mc_text *out) {
    char time[MC_FORMAT_SIZE];
    const uint32_t steps[] = {self->heap_step, self->method_step};
    const mc_trace *traces[] = {self->heap, self->methods};
    for (uint32_t i = 0; i < 2; i++) {
        mc_text_append_string(out, i == 0 ? "" : ", ");
        mc_format_append_line(out, self->names[i], strlen(self->names[i]));
        mc_format_time(time, mc_trace_get_step(traces[i], steps[i])->time_ms);
        mc_text_format(out, " step %" PRIu32 " (%s)", steps[i], time);
    }
    mc_text_append_string(out, "\n");
}

static void append_subject(const linked *self, mc_text *out) {
    const mc_method_link_found *found = &self->found;
    char bytes[MC_FORMAT_SIZE], objects[MC_FORMAT_SIZE], now[MC_FORMAT_SIZE], all[MC_FORMAT_SIZE];
    mc_format_bytes(bytes, found->bytes + found->unlinked_bytes);
    mc_format_counted(objects, found->objects + found->unlinked_objects, "object");
    mc_node_append_path_line(self->of_method ? self->methods : self->heap, self->node, out);
    if (!self->of_method) {
        mc_text_format(out, "\n%s in %s alive; %s\n", bytes, objects,
                       is_by_site(self) ? "the methods that allocated them:"
                                        : "the methods of their classes, as the heap knows no "
                                          "allocation sites:");
        return;
    }
    mc_text_format(out, "\n%s of the time in the frame, %s of all so far; %s in %s alive%s\n",
                   mc_format_share(now, found->now), mc_format_share(all, found->all), bytes,
                   objects,
                   is_by_site(self) ? " of what it allocated:"
                                    : " of its classes, as the heap knows no allocation sites:");
}

static double get_share(uint64_t part, uint64_t whole) {
    return whole > 0 ? (double)part / (double)whole : 0;
}

static void print_row(const linked *self, mc_print *print, const mc_method_link_row *row) {
    const mc_method_link_found *found = &self->found;
    uint64_t all = found->bytes + found->unlinked_bytes;
    const mc_trace *trace = self->of_method ? self->heap : self->methods;
    mc_cell node = mc_cell_node(trace, row->node);
    char namesakes[MC_FORMAT_SIZE];
    mc_format_counted(namesakes, row->namesakes, "method of its name");
    MC_PRINT_ROW(print, node, mc_cell_count(row->objects), mc_cell_count(row->bytes),
                 mc_cell_share(get_share(row->bytes, all)),
                 mc_cell_share(get_share(row->bytes, row->whole_bytes)),
                 mc_cell_share(get_share(row->direct_bytes, row->bytes)), mc_cell_share(row->now),
                 mc_cell_share(row->all), mc_cell_count(row->whole_bytes),
                 mc_cell_count(row->direct_bytes), mc_cell_count(row->namesakes),
                 mc_cell_real(row->now, 9), mc_cell_real(row->all, 9), node,
                 mc_cell_if(row->namesakes > 0, mc_cell_text(namesakes)));
}

static void print_rows(const linked *self, mc_print *print) {
    bool of_method = self->of_method, by_site = is_by_site(self);
    const mc_column columns[] = {
        {.key = "key"},
        {.key = "objects"},
        {"bytes", "bytes", .width = 16},
        {.heading = "of these", .before = " ", .width = 9},
        {.heading = of_method ? "of group" : "of its",
         .before = " ",
         .width = 9,
         .is_off = !of_method && !by_site},
        {.heading = "itself", .before = " ", .width = 9, .is_off = !by_site},
        {.heading = "time", .before = " ", .width = 9, .is_off = of_method},
        {.heading = "so far", .before = " ", .width = 9, .is_off = of_method},
        {.key = "whole_bytes", .is_off = !of_method && !by_site},
        {.key = "direct_bytes", .is_off = !by_site},
        {.key = "namesakes", .is_off = of_method},
        {.key = "time", .is_off = of_method},
        {.key = "time_so_far", .is_off = of_method},
        {.heading = of_method ? "group" : "method", .before = "  "},
        {.heading = "", .before = " and "}};
    MC_PRINT_BEGIN_ROWS(print, of_method ? "groups" : "methods", columns);
    for (uint32_t i = 0; i < self->found.count && mc_command_pass_on(print->out); i++)
        print_row(self, print, &self->found.rows[i]);
    mc_print_end_rows(print);
}

static void append_unlinked(const linked *self, mc_text *out) {
    const mc_method_link_found *found = &self->found;
    char text[MC_FORMAT_SIZE];
    if (found->unlinked_leaf == MC_NONE) return;
    mc_text_format(out, "%16s", mc_format_count(text, found->unlinked_bytes));
    mc_text_format(out, " %9s",
                   mc_format_share(text, get_share(found->unlinked_bytes,
                                                   found->bytes + found->unlinked_bytes)));
    mc_text_append_string(out, "  belong to no method that ");
    mc_format_append_line(out, self->names[1], strlen(self->names[1]));
    mc_text_append_string(out, " has; most: ");
    mc_node_append_place_line(mc_trace_get_base(self->heap), found->unlinked_leaf, out);
    mc_text_append_string(out, "\n");
}

static void print_all(const linked *self, mc_print *print) {
    const mc_method_link_found *found = &self->found;
    bool of_method = self->of_method, is_text = print->form == MC_PRINT_TEXT;
    const mc_trace *trace = of_method ? self->methods : self->heap;
    if (is_text) append_moment(self, print->out);
    if (is_text) append_subject(self, print->out);
    mc_print_begin_object(print, NULL);
    MC_PRINT(print, {"by", mc_cell_text(is_by_site(self) ? "site" : "class")},
             {"heap_step", mc_cell_count(self->heap_step)},
             {"method_step", mc_cell_count(self->method_step)},
             {"gap_ms", mc_cell_count(self->gap_ms)},
             {of_method ? "method" : "of", mc_cell_node(trace, self->node)},
             {"objects", mc_cell_count(found->objects)}, {"bytes", mc_cell_count(found->bytes)},
             {"time", mc_cell_if(of_method, mc_cell_real(found->now, 9))},
             {"time_so_far", mc_cell_if(of_method, mc_cell_real(found->all, 9))},
             {"unlinked_objects", mc_cell_if(!of_method, mc_cell_count(found->unlinked_objects))},
             {"unlinked_bytes", mc_cell_if(!of_method, mc_cell_count(found->unlinked_bytes))});
    print_rows(self, print);
    mc_print_end_object(print);
    mc_print_end(print);
    if (is_text) append_unlinked(self, print->out);
    if (is_text && found->count < found->all_count)
        mc_message_say("%" PRIu32 " more; -n says how many", found->all_count - found->count);
}

// ---- the command

// Of other moments nothing is told but that.
static int check_times(const linked *self) {
    const mc_trace *traces[] = {self->heap, self->methods};
    int64_t first[2], last[2];
    for (uint32_t i = 0; i < 2; i++) {
        first[i] = mc_trace_get_step(traces[i], 0)->time_ms;
        last[i] = mc_trace_get_step(traces[i], mc_trace_get_step_count(traces[i]) - 1)->time_ms;
    }
    if (first[0] > last[1] || first[1] > last[0])
        mc_message_warn("%s and %s have no moment in common; the nearest steps are taken",
                        self->names[0], self->names[1]);
    return MC_EXIT_OK;
}

static mc_result find(linked *self, const link_options *options, mc_error *error) {
    mc_command_progress shown;
    mc_progress progress = mc_command_begin_progress(&shown, "linking");
    mc_result result =
        mc_method_link_read(self->link, self->heap_step, self->method_step, &progress, error);
    if (result == MC_OK)
        result = self->of_method ? mc_method_link_find_groups(self->link, &self->node, 1,
                                                              options->most, &self->found, error)
                                 : mc_method_link_find_methods(self->link, &self->node, 1,
                                                               options->most, &self->found, error);
    return mc_command_end_progress(&shown, result, error);
}

static int choose(linked *self, const link_options *options) {
    int code = MC_EXIT_OK;
    mc_city_desc desc = mc_city_desc_default(self->heap);
    self->heap_step = options->step;
    self->of_method = options->method != NULL;
    code = mc_command_get_step(self->heap, &desc, &self->heap_step);
    if (code == MC_EXIT_OK) code = check_times(self);
    if (code == MC_EXIT_OK && options->of)
        code = mc_command_find_node(self->heap, "--of", options->of, &self->node);
    if (code == MC_EXIT_OK && options->method)
        code = mc_command_find_node(self->methods, "--method", options->method, &self->node);
    if (code == MC_EXIT_OK)
        self->method_step =
            mc_method_link_find_step(self->heap, self->heap_step, self->methods, &self->gap_ms);
    return code;
}

static int run(linked *self, const link_options *options, double frame_ms) {
    mc_error error = {0};
    mc_text out = {0};
    mc_result result =
        mc_method_link_create(self->heap, self->methods, frame_ms, &self->link, &error);
    int code = result == MC_OK ? choose(self, options) : mc_command_fail(&error);
    if (code == MC_EXIT_OK && find(self, options, &error) != MC_OK) code = mc_command_fail(&error);
    if (code == MC_EXIT_OK) {
        mc_print print = mc_print_to(&out, options->json, false);
        print_all(self, &print);
        code = mc_command_print(&out);
    }
    mc_method_link_found_deinit(&self->found);
    mc_method_link_destroy(self->link);
    return code;
}

static int open_both(const char **argv, uint32_t path_count, const mc_input_options *input,
                     const link_options *options) {
    mc_trace *heap = NULL, *methods = NULL;
    mc_input_options with = *input, shown = *input;
    with.group_by = NULL;
    shown.groups_as_usual = true;
    double frame_ms;
    int code = mc_command_read_frame(input, &frame_ms);
    if (code == MC_EXIT_OK && !(frame_ms > 0))
        code = mc_command_wrong_usage("--frame: expected 0.1s to 60s");
    if (code == MC_EXIT_OK) code = mc_command_open(argv, path_count, &shown, &heap);
    if (code == MC_EXIT_OK) code = mc_command_open(&options->with, 1, &with, &methods);
    linked self = {.heap = heap, .methods = methods, .found = {.unlinked_leaf = MC_NONE}};
    if (code == MC_EXIT_OK) {
        char *name = mc_command_get_trace_name(argv[0]);
        char *with_name = mc_command_get_trace_name(options->with);
        self.names[0] = name ? name : argv[0];
        self.names[1] = with_name ? with_name : options->with;
        code = run(&self, options, frame_ms);
        mc_free(name);
        mc_free(with_name);
    }
    mc_trace_destroy(heap);
    mc_trace_destroy(methods);
    return code;
}

int mc_command_link(int argc, const char **argv) {
    link_options options = {.step = MC_NONE, .most = 20};
    uint32_t path_count;
    int code;
    mc_input_options input = {0};
    mc_option_list list = {0};
    mc_option_list_add_file(&list, "with", &options.with, "METHODS",
                            "trace of the same program's methods, such as `memcity run --sites "
                            "--methods sampled` records");
    mc_option_list_add_string(
        &list, "of", &options.of, "KEY",
        "list the methods that allocated the group with this full key (the whole heap)");
    mc_option_list_add_string(
        &list, "method", &options.method, "KEY",
        "list instead the live objects that this method, class or package allocated");
    mc_option_list_add_uint(
        &list, "step", &options.step, "K",
        "step of the heap, counted from 0 (the last); methods use the step nearest in time");
    mc_option_list_add_uint(&list, "n", &options.most, "N", "print at most N rows (20)");
    mc_option_list_add_flag(&list, "json", &options.json, "print one JSON object");
    mc_option_list_add_input(&list, &input);
    if (!mc_command_begin(
            &list,
            "memcity link HEAP… --with METHODS [--of KEY | --method KEY] [--step K] "
            "[-n N] [--json]",
            "Links a heap and the methods of the same program by name: lists the methods that "
            "allocated the\nlive objects, with their share of the time, or the live objects that a "
            "method allocated. A heap\nwithout allocation sites is linked by packages and classes.",
            argc, argv, &path_count, &code))
        return code;
    if (!options.with) return mc_command_wrong_usage("link: --with METHODS is missing");
    if (options.of && options.method)
        return mc_command_wrong_usage("link: --of and --method can't be combined");
    return open_both(argv, path_count, &input, &options);
}
