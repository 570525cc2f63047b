#include "engine/import/massif/massif.h"

#include "engine/base/memory.h"
#include "engine/import/stacks/line_reader.h"
#include <string.h>

#define NODES_MOST ((size_t)1 << 28)
#define TIME_MOST (INT64_C(1) << 60)

// A node of the tree whose children are being read.
typedef struct node {
    uint64_t children; // that are to come
    uint64_t rest;     // bytes that none of the children has
    uint64_t offset;
} node;

typedef struct parser {
    const mc_profile_input *input;
    mc_profile *profile;
    mc_error *error;
    mc_lines lines;
    mc_span line;
    mc_strings labels; // frames of the profile have their numbers
    node *nodes;       // from the root on
    uint32_t *frames;  // of these, but for the root
    size_t depth, node_capacity, frame_capacity;
    int64_t last_ms;
    uint64_t time_scale;
    uint64_t most_bytes; // since the last step
    uint64_t time, heap, extra, stacks;
} parser;

// ---- lines

static uint64_t get_offset(const parser *self) {
    return (uint64_t)(self->line.at - (const char *)self->input->data);
}

static mc_result fail(const parser *self, const char *expected) {
    return mc_error_set(self->error, MC_ERROR_BAD_DATA, get_offset(self),
                        "massif file: expected %s", expected);
}

static mc_result fail_memory(const parser *self) {
    return mc_error_out_of_memory(self->error);
}

static bool next_line(parser *self) {
    if (mc_lines_next(&self->lines, &self->line)) return true;
    self->line = (mc_span){self->lines.end, 0};
    return false;
}

// "time=846"
static mc_result take_value(parser *self, const char *name, uint64_t *value) {
    mc_span text = (next_line(self), self->line);
    if (mc_span_skip(&text, name) && mc_span_take_decimal(&text, value) && text.size == 0)
        return MC_OK;
    return mc_error_set(self->error, MC_ERROR_BAD_DATA, get_offset(self),
                        "massif file: expected \"%s\" and a number up to 2^63 - 1", name);
}

// ---- the tree

static bool add_sample(parser *self, size_t depth, const char *name, uint64_t bytes,
                       uint64_t offset) {
    for (size_t i = 0; i < depth; i++)
        if (!mc_profile_push_frame(self->profile, self->frames[i])) return false;
    return mc_profile_add_sample(self->profile, &bytes, name, offset);
}

// Its frame; MC_NONE: out of memory.
static uint32_t find_frame(parser *self, mc_span label) {
    uint32_t count = self->labels.count;
    uint32_t frame = mc_strings_intern(&self->labels, label.at, label.size);
    if (frame == MC_NONE || frame < count) return frame;
    return mc_profile_add_frame(self->profile, mc_span_parse_valgrind(label));
}

// Nodes all of whose children are there.
static bool close_nodes(parser *self) {
    while (self->depth > 0 && self->nodes[self->depth - 1].children == 0) {
        const node *n = &self->nodes[--self->depth];
        if (n->rest > 0 && !add_sample(self, self->depth, NULL, n->rest, n->offset)) return false;
    }
    return true;
}

// " n3: 4096 0x10A: add (shop.c:12)", with as many blanks as it is deep.
static mc_result read_node(parser *self) {
    mc_span text = self->line;
    uint64_t children, bytes;
    size_t depth = self->depth;
    for (size_t i = 0; i < depth; i++)
        if (!mc_span_skip(&text, " ")) return fail(self, "a node of the tree, one blank deeper");
    if (!mc_span_skip(&text, "n") || !mc_span_take_decimal(&text, &children) ||
        !mc_span_skip(&text, ": ") || !mc_span_take_decimal(&text, &bytes) ||
        !mc_span_skip(&text, " "))
        return fail(self, "\"nCHILDREN: BYTES PLACE\"");
    if (depth > 0 && bytes > self->nodes[depth - 1].rest)
        return fail(self, "at most as many bytes as the node around it has left");
    if (depth > 0) {
        self->nodes[depth - 1].rest -= bytes;
        self->nodes[depth - 1].children--;
    }
    bool is_rest = mc_span_begins_with(text, "in ") && children == 0;
    if (is_rest) {
        if (bytes > 0 && !add_sample(self, depth - (depth > 0), "(below massif's threshold)", bytes,
                                     get_offset(self)))
            return fail_memory(self);
        return close_nodes(self) ? MC_OK : fail_memory(self);
    }
    uint32_t frame = depth > 0 ? find_frame(self, text) : 0;
    if (frame == MC_NONE || depth > NODES_MOST ||
        !mc_reserve(&self->nodes, &self->node_capacity, depth + 1, sizeof *self->nodes) ||
        !mc_reserve(&self->frames, &self->frame_capacity, depth + 1, sizeof frame))
        return fail_memory(self);
    self->nodes[self->depth++] = (node){children, bytes, get_offset(self)};
    if (depth > 0) self->frames[depth - 1] = frame;
    return close_nodes(self) ? MC_OK : fail_memory(self);
}

static mc_result read_tree(parser *self) {
    self->depth = 0;
    do {
        if (!next_line(self))
            return fail(self, "more nodes of the tree, found the end of the file");
        mc_result result = read_node(self);
        if (result != MC_OK) return result;
    } while (self->depth > 0);
    return MC_OK;
}

// ---- snapshots

static bool add_step(parser *self, bool is_peak) {
    int64_t time_ms = (int64_t)(self->time / self->time_scale);
    if (self->profile->step_count > 0 && time_ms <= self->last_ms) time_ms = self->last_ms + 1;
    self->last_ms = time_ms;
    mc_profile_step step = {.time_ms = time_ms,
                            .has_time = true,
                            .note = is_peak ? "the most bytes are alive" : NULL,
                            .totals = {self->most_bytes}};
    self->most_bytes = self->heap + self->extra + self->stacks;
    return mc_profile_add_step(self->profile, step) &&
           (self->extra == 0 ||
            add_sample(self, 0, "(overhead of malloc)", self->extra, get_offset(self))) &&
           (self->stacks == 0 || add_sample(self, 0, "(stacks)", self->stacks, get_offset(self)));
}

static mc_result read_snapshot(parser *self) {
    mc_span kind;
    mc_result result = take_value(self, "time=", &self->time);
    if (result == MC_OK) result = take_value(self, "mem_heap_B=", &self->heap);
    if (result == MC_OK) result = take_value(self, "mem_heap_extra_B=", &self->extra);
    if (result == MC_OK) result = take_value(self, "mem_stacks_B=", &self->stacks);
    if (result != MC_OK) return result;
    if (self->time > TIME_MOST || self->heap > MC_COUNT_MAX - self->extra ||
        self->heap + self->extra > MC_COUNT_MAX - self->stacks)
        return fail(self, "times and sums below 2^60");
    uint64_t all = self->heap + self->extra + self->stacks;
    if (all > self->most_bytes) self->most_bytes = all;
    kind = (next_line(self), self->line);
    if (!mc_span_skip(&kind, "heap_tree=")) return fail(self, "\"heap_tree=\"");
    if (mc_span_is(kind, "empty")) return MC_OK;
    bool is_peak = mc_span_is(kind, "peak");
    if (!is_peak && !mc_span_is(kind, "detailed"))
        return fail(self, "\"heap_tree=\" and empty, detailed or peak");
    return add_step(self, is_peak) ? read_tree(self) : fail_memory(self);
}

static mc_result read_snapshots(parser *self) {
    mc_result result = MC_OK;
    while (result == MC_OK && next_line(self)) {
        if (self->line.size == 0 || *self->line.at == '#') continue;
        uint64_t number;
        mc_span text = self->line;
        if (!mc_span_skip(&text, "snapshot=") || !mc_span_take_decimal(&text, &number))
            return fail(self, "\"snapshot=\" and its number");
        next_line(self); // another rule
        result = read_snapshot(self);
        if (mc_import_watch_should_stop(self->input->watch))
            return mc_fail(self->error, MC_ERROR_CANCELLED, "cancelled");
    }
    return result;
}

static mc_result read_unit(parser *self) {
    mc_span text = self->line;
    if (!mc_span_skip(&text, "time_unit: ")) return fail(self, "\"time_unit: \"");
    self->time_scale = 1;
    if (mc_span_is(text, "ms")) return MC_OK;
    self->time_scale = 1000000;
    if (mc_span_is(text, "i"))
        self->profile->warning = "it counts instructions; a million of them is shown as a "
                                 "millisecond (valgrind --time-unit=ms has the time)";
    else if (mc_span_is(text, "B"))
        self->profile->warning = "it counts allocated bytes; a million of them is shown "
                                 "as a millisecond (valgrind --time-unit=ms has the time)";
    else
        return fail(self, "\"time_unit: \" and i, ms or B");
    return MC_OK;
}

static mc_result read_head(parser *self) {
    static const char *const names[] = {"desc:", "cmd:"};
    for (size_t i = 0; i < 2; i++)
        if (!next_line(self) || !mc_span_begins_with(self->line, names[i]))
            return fail(self, i == 0 ? "\"desc:\"" : "\"cmd:\"");
    next_line(self);
    return read_unit(self);
}

mc_result mc_massif_parse(const mc_profile_input *input, mc_profile *profile, mc_error *error) {
    static const mc_path_metric bytes = MC_SITES_BYTES, most = MC_PROFILE_MOST;
    mc_error own = {.code = MC_OK};
    const char *text = (const char *)input->data;
    parser self = {.input = input,
                   .profile = profile,
                   .error = error ? error : &own,
                   .lines = {text, text + input->size}};
    profile->metrics[0] = bytes;
    profile->totals[0] = most;
    profile->metrics[1].key = profile->totals[1].key = NULL;
    mc_result result = read_head(&self);
    if (result == MC_OK) result = read_snapshots(&self);
    if (result == MC_OK && profile->step_count == 0)
        result = mc_error_set(self.error, MC_ERROR_BAD_DATA, 0,
                              "massif file: none of its snapshots says where memory was allocated "
                              "(valgrind --detailed-freq=1 has more that do)");
    mc_strings_deinit(&self.labels);
    mc_free(self.nodes);
    mc_free(self.frames);
    return result;
}

bool mc_massif_detect(const unsigned char *data, size_t size) {
    mc_lines lines = {(const char *)data, (const char *)data + size};
    mc_span line;
    return mc_lines_next(&lines, &line) && mc_span_begins_with(line, "desc:") &&
           mc_lines_next(&lines, &line) && mc_span_begins_with(line, "cmd:") &&
           mc_lines_next(&lines, &line) && mc_span_begins_with(line, "time_unit:");
}
