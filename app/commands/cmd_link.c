#include "app/command.h"
#include "app/format.h"
#include "app/node_text.h"
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

// ---- for people

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

static void append_share(mc_text *out, double share) {
    char text[MC_FORMAT_SIZE];
    mc_text_format(out, " %9s", mc_format_share(text, share));
}

static double get_share(uint64_t part, uint64_t whole) {
    return whole > 0 ? (double)part / (double)whole : 0;
}

static void append_row(const linked *self, const mc_method_link_row *row, mc_text *out) {
    const mc_method_link_found *found = &self->found;
    char text[MC_FORMAT_SIZE];
    mc_text_format(out, "%16s", mc_format_count(text, row->bytes));
    append_share(out, get_share(row->bytes, found->bytes + found->unlinked_bytes));
    if (self->of_method || is_by_site(self))
        append_share(out, get_share(row->bytes, row->whole_bytes));
    if (is_by_site(self)) append_share(out, get_share(row->direct_bytes, row->bytes));
    if (!self->of_method) append_share(out, row->now);
    if (!self->of_method) append_share(out, row->all);
    mc_text_append_string(out, "  ");
    if (row->node == MC_NONE)
        mc_text_append_string(out, "–");
    else
        mc_node_append_place_line(self->of_method ? self->heap : self->methods, row->node, out);
    if (row->namesakes > 0)
        mc_text_format(out, " and %s",
                       mc_format_counted(text, row->namesakes, "method of its name"));
    mc_text_append_string(out, "\n");
}

static void append_heading(const linked *self, mc_text *out) {
    mc_text_format(out, "%16s %9s", "bytes", "of these");
    if (self->of_method) mc_text_format(out, " %9s", "of group");
    if (!self->of_method && is_by_site(self)) mc_text_format(out, " %9s", "of its");
    if (is_by_site(self)) mc_text_format(out, " %9s", "itself");
    if (!self->of_method) mc_text_format(out, " %9s %9s", "time", "so far");
    mc_text_append_string(out, self->of_method ? "  group\n" : "  method\n");
}

static void append_unlinked(const linked *self, mc_text *out) {
    const mc_method_link_found *found = &self->found;
    char text[MC_FORMAT_SIZE];
    if (found->unlinked_leaf == MC_NONE) return;
    mc_text_format(out, "%16s", mc_format_count(text, found->unlinked_bytes));
    append_share(out, get_share(found->unlinked_bytes, found->bytes + found->unlinked_bytes));
    mc_text_append_string(out, "  belong to no method that ");
    mc_format_append_line(out, self->names[1], strlen(self->names[1]));
    mc_text_append_string(out, " has; most: ");
    mc_node_append_place_line(mc_trace_get_base(self->heap), found->unlinked_leaf, out);
    mc_text_append_string(out, "\n");
}

static void write_text(const linked *self, mc_text *out) {
    append_moment(self, out);
    append_subject(self, out);
    append_heading(self, out);
    for (uint32_t i = 0; i < self->found.count && mc_command_pass_on(out); i++)
        append_row(self, &self->found.rows[i], out);
    append_unlinked(self, out);
    if (self->found.count < self->found.all_count)
        mc_message_say("%" PRIu32 " more; -n says how many",
                       self->found.all_count - self->found.count);
}

// ---- for programs

static void write_row_json(const linked *self, const mc_method_link_row *row, mc_text *out) {
    mc_text_append_string(out, "\n{\"key\":");
    if (row->node == MC_NONE)
        mc_text_append_string(out, "null");
    else
        mc_node_append_key_json(self->of_method ? self->heap : self->methods, row->node, out);
    mc_text_format(out, ",\"objects\":%" PRIu64 ",\"bytes\":%" PRIu64, row->objects, row->bytes);
    if (self->of_method || is_by_site(self))
        mc_text_format(out, ",\"whole_bytes\":%" PRIu64, row->whole_bytes);
    if (is_by_site(self)) mc_text_format(out, ",\"direct_bytes\":%" PRIu64, row->direct_bytes);
    if (!self->of_method)
        mc_text_format(out, ",\"namesakes\":%" PRIu32 ",\"time\":%.9g,\"time_so_far\":%.9g",
                       row->namesakes, row->now, row->all);
    mc_text_append_string(out, "}");
}

static void write_json(const linked *self, mc_text *out) {
    const mc_method_link_found *found = &self->found;
    mc_text_format(out, "{\"by\":\"%s\",\"heap_step\":%" PRIu32 ",\"method_step\":%" PRIu32,
                   is_by_site(self) ? "site" : "class", self->heap_step, self->method_step);
    mc_text_format(out, ",\"gap_ms\":%" PRIu64 ",\"%s\":", self->gap_ms,
                   self->of_method ? "method" : "of");
    mc_node_append_key_json(self->of_method ? self->methods : self->heap, self->node, out);
    mc_text_format(out, ",\"objects\":%" PRIu64 ",\"bytes\":%" PRIu64, found->objects,
                   found->bytes);
    if (self->of_method)
        mc_text_format(out, ",\"time\":%.9g,\"time_so_far\":%.9g", found->now, found->all);
    else
        mc_text_format(out, ",\"unlinked_objects\":%" PRIu64 ",\"unlinked_bytes\":%" PRIu64,
                       found->unlinked_objects, found->unlinked_bytes);
    mc_text_format(out, ",\"%s\":[", self->of_method ? "groups" : "methods");
    for (uint32_t i = 0; i < found->count && mc_command_pass_on(out); i++) {
        mc_text_append_string(out, i > 0 ? "," : "");
        write_row_json(self, &found->rows[i], out);
    }
    mc_text_append_string(out, "]}\n");
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
        if (options->json)
            write_json(self, &out);
        else
            write_text(self, &out);
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
        code = mc_command_wrong_usage("--frame: methods are told in a frame of 0.1s to 60s");
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
                            "the trace of methods of the same program, as `memcity run --sites "
                            "--methods sampled` records it beside");
    mc_option_list_add_string(&list, "of", &options.of, "KEY",
                              "the methods that allocated this group, by full key (the whole "
                              "heap)");
    mc_option_list_add_string(&list, "method", &options.method, "KEY",
                              "instead: what is alive of what this method allocated, or those of "
                              "this class or package");
    mc_option_list_add_uint(&list, "step", &options.step, "K",
                            "of the heap, counted from 0 (the last); of the methods the step "
                            "nearest to its time");
    mc_option_list_add_uint(&list, "n", &options.most, "N", "at most so many (20)");
    mc_option_list_add_flag(&list, "json", &options.json, "one JSON object");
    mc_option_list_add_input(&list, &input);
    if (!mc_command_begin(&list,
                          "memcity link HEAP… --with METHODS [--of KEY | --method KEY] [--step K] "
                          "[-n N] [--json]",
                          "Links a heap and the methods of one program by their names: which "
                          "methods allocated what is\nalive, and their share of the time; or what "
                          "is alive of a method's allocations. A heap\nwithout allocation sites is "
                          "linked by packages and classes.",
                          argc, argv, &path_count, &code))
        return code;
    if (!options.with)
        return mc_command_wrong_usage("link: --with says which trace of methods belongs to it");
    if (options.of && options.method)
        return mc_command_wrong_usage("link: either --of, a group of the heap, or --method");
    return open_both(argv, path_count, &input, &options);
}
