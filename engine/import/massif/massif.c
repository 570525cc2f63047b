#include "engine/import/massif/massif.h"

#include "engine/base/memory.h"
#include "engine/import/stacks/line_reader.h"
#include "engine/trace/notes.h"
#include <stdlib.h>
#include <string.h>

#define NODES_MOST ((size_t)1 << 28)
#define TIME_MOST (INT64_C(1) << 60)
#define GAP_INTERVALS 8 // of the usual ones, that a gap is at least as long as
#define GAP_PART 20     // of the whole time, that it is at least
#define GAP_STEPS_MOST 64
#define GAP_CHANGE 20 // a part of the heap; what is less shows as no change
#define GAP_FACTOR 4  // bytes of trees that are read again, times the file's size
#define BYTE_CLOCK                                                                         \
    {                                                                                      \
        MC_METRIC_BYTE_CLOCK, "the time: bytes allocated and freed", MC_UNIT_BYTES, false, \
            MC_METRIC_STOCK                                                                \
    }

// Of instructions or bytes that are shown as a millisecond.
#define UNITS_MOST 1000000
#define UNITS_LEAST 1000
#define SHORT_RUN_MS 10000 // at that pace
#define SAYS(WHAT, HOW_MANY)                                                          \
    "it counts " WHAT "; a " HOW_MANY " of them is shown as a millisecond (valgrind " \
    "--time-unit=ms has the time)"

// A node of the tree whose children are being read.
typedef struct node {
    uint64_t children; // that are to come
    uint64_t rest;     // bytes that none of the children has
    uint64_t offset;
} node;

// What each snapshot says, also those without a tree.
typedef struct snapshot {
    uint64_t time, all; // bytes
    bool is_detailed;
} snapshot;

typedef struct sums {
    uint64_t heap, extra, stacks;
} sums;

// A tree that may be read again.
typedef struct tree {
    mc_lines lines; // from its first one on
    size_t size;    // bytes; 0: there is none
    sums sums;
} tree;

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
    bool is_of_bytes; // time passes as bytes are allocated
    snapshot *snapshots;
    size_t snapshot_count, snapshot_capacity;
    uint64_t interval, pace; // between snapshots, and between detailed ones, mostly
    size_t gap;              // the snapshot before it; SIZE_MAX: there is none
    size_t at;               // snapshots that were read
    size_t step_end;         // the first of them that no step stands for
    tree last_tree;
    size_t gap_bytes; // that may still be read for its steps
    uint64_t time;
    sums now;
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

// ---- steps

static uint64_t get_all(const sums *now) {
    return now->heap + now->extra + now->stacks;
}

// That the last step stands for.
static size_t get_last(const parser *self) {
    return self->step_end > 0 ? self->step_end - 1 : 0;
}

// The most of the snapshots from the last step's on, up to `end`, or of now.
static uint64_t find_most(const parser *self, size_t end) {
    uint64_t most = get_all(&self->now);
    for (size_t i = get_last(self); i < end && i < self->snapshot_count; i++)
        if (self->snapshots[i].all > most) most = self->snapshots[i].all;
    return most;
}

static bool add_step(parser *self, uint64_t time, uint64_t most, const char *note) {
    int64_t time_ms = (int64_t)(time / self->time_scale);
    if (self->profile->step_count > 0 && time_ms <= self->last_ms) time_ms = self->last_ms + 1;
    self->last_ms = time_ms;
    mc_profile_step step = {
        .time_ms = time_ms, .has_time = true, .note = note, .totals = {most, time}};
    const sums *now = &self->now;
    return mc_profile_add_step(self->profile, step) &&
           (now->extra == 0 ||
            add_sample(self, 0, "(overhead of malloc)", now->extra, get_offset(self))) &&
           (now->stacks == 0 || add_sample(self, 0, "(stacks)", now->stacks, get_offset(self)));
}

// ---- the gap

// massif looks at the heap as it changes. So a time without snapshots is one in which nothing was
// allocated or freed, but for what came right behind the snapshot before it and with the one that
// ends it. Steps are added there, as often as there are others, or a heap that is filled and then
// stays as it is would look like one that grew all the time. But only once it has stayed so for
// longer than it ever did before it grew again.

static bool is_close(uint64_t a, uint64_t b) {
    uint64_t more = a > b ? a : b, less = a > b ? b : a;
    return more - less <= more / GAP_CHANGE;
}

static uint64_t get_pause(const parser *self, size_t index) {
    const snapshot *from = &self->snapshots[index], *to = from + 1;
    return to->time > from->time ? to->time - from->time : 0;
}

static bool is_gap(const parser *self, size_t index) {
    const snapshot *from = &self->snapshots[index], *to = from + 1;
    uint64_t whole = self->snapshots[self->snapshot_count - 1].time;
    uint64_t pause = get_pause(self, index);
    return self->interval > 0 && pause > whole / GAP_PART && is_close(from->all, to->all) &&
           pause / GAP_INTERVALS >= self->interval;
}

// The longest pause, if it is twice as long as each other and the heap has not grown behind it.
static void find_gap(parser *self) {
    uint64_t longest = 0, next = 0;
    size_t found = SIZE_MAX;
    for (size_t i = 0; i + 1 < self->snapshot_count; i++) {
        uint64_t pause = self->snapshots[i].all > 0 ? get_pause(self, i) : 0; // it has begun
        if (pause > longest) {
            next = longest;
            longest = pause;
            found = i;
        } else if (pause > next) {
            next = pause;
        }
    }
    self->gap = SIZE_MAX;
    if (self->is_of_bytes || found == SIZE_MAX || longest / 2 < next || !is_gap(self, found))
        return;
    const uint64_t all = self->snapshots[found].all;
    for (size_t i = found + 1; i < self->snapshot_count; i++)
        if (self->snapshots[i].all > all && !is_close(self->snapshots[i].all, all)) return;
    self->gap = found;
}

static mc_result read_tree_again(parser *self, const tree *t, uint64_t time, uint64_t most) {
    self->lines = t->lines;
    self->now = t->sums;
    if (most < get_all(&self->now)) most = get_all(&self->now);
    return add_step(self, time, most, NULL) ? read_tree(self) : fail_memory(self);
}

// Steps in the gap, at which the heap was as that tree says.
static mc_result fill_gap(parser *self, const tree *t) {
    const uint64_t begin = self->snapshots[self->gap].time, pause = get_pause(self, self->gap);
    uint64_t count = pause / (self->pace > 0 ? self->pace : self->interval);
    if (count > GAP_STEPS_MOST) count = GAP_STEPS_MOST;
    const uint64_t part = pause / (count + 1), rest = pause % (count + 1);
    uint64_t most = find_most(self, self->gap + 1);
    mc_result result = MC_OK;
    for (uint64_t i = 1; i <= count && result == MC_OK && t->size <= self->gap_bytes; i++) {
        uint64_t time = begin + part * i + rest * i / (count + 1);
        result = read_tree_again(self, t, time, i == 1 ? most : 0);
        self->gap_bytes -= t->size;
        self->step_end = self->gap + 1;
    }
    return result;
}

// If the gap lies before the snapshot `end` and was not passed: the heap was as in the last tree or
// as in the next one, whichever is closer to what is known of it. `next` of size 0: there is none.
static mc_result pass_gap(parser *self, size_t end, const tree *next) {
    if (self->gap == SIZE_MAX || self->gap + 1 >= end) return MC_OK;
    const snapshot *from = &self->snapshots[self->gap], *to = from + 1;
    uint64_t before = get_all(&self->last_tree.sums), after = get_all(&next->sums);
    bool is_before = self->last_tree.size > 0 && is_close(before, from->all);
    bool is_after = next->size > 0 && is_close(after, to->all);
    if (is_before && is_after) is_after = before != from->all || after == to->all;
    mc_result result = MC_OK;
    if (is_after)
        result = fill_gap(self, next);
    else if (is_before)
        result = fill_gap(self, &self->last_tree);
    self->gap = SIZE_MAX;
    return result;
}

// ---- snapshots

static mc_result take_sums(parser *self) {
    mc_result result = take_value(self, "time=", &self->time);
    if (result == MC_OK) result = take_value(self, "mem_heap_B=", &self->now.heap);
    if (result == MC_OK) result = take_value(self, "mem_heap_extra_B=", &self->now.extra);
    if (result == MC_OK) result = take_value(self, "mem_stacks_B=", &self->now.stacks);
    if (result != MC_OK) return result;
    if (self->time > TIME_MOST || self->now.heap > MC_COUNT_MAX - self->now.extra ||
        self->now.heap + self->now.extra > MC_COUNT_MAX - self->now.stacks)
        return fail(self, "times and sums below 2^60");
    return MC_OK;
}

static mc_result read_detailed(parser *self, bool is_peak) {
    const uint64_t time = self->time;
    tree own = {self->lines, 0, self->now};
    // How long it is shows as it is passed.
    mc_lines lines = self->lines;
    for (mc_span line; mc_lines_next(&lines, &line) && !mc_span_begins_with(line, "#");)
        own.size = (size_t)(line.at + line.size - self->lines.at);
    mc_result result = pass_gap(self, self->at, &own);
    if (result != MC_OK) return result;
    self->lines = own.lines;
    self->now = own.sums;
    uint64_t most = find_most(self, self->at);
    if (!add_step(self, time, most, is_peak ? MC_NOTE_PEAK : NULL)) return fail_memory(self);
    self->last_tree = own;
    self->step_end = self->at;
    return read_tree(self);
}

static mc_result read_snapshot(parser *self) {
    mc_span kind;
    mc_result result = take_sums(self);
    if (result != MC_OK) return result;
    self->at++;
    kind = (next_line(self), self->line);
    if (!mc_span_skip(&kind, "heap_tree=")) return fail(self, "\"heap_tree=\"");
    if (mc_span_is(kind, "empty")) return MC_OK;
    bool is_peak = mc_span_is(kind, "peak");
    if (!is_peak && !mc_span_is(kind, "detailed"))
        return fail(self, "\"heap_tree=\" and empty, detailed or peak");
    return read_detailed(self, is_peak);
}

static mc_result read_snapshots(parser *self) {
    const tree none = {.size = 0};
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
    return result == MC_OK ? pass_gap(self, self->at, &none) : result;
}

// ---- what is known of all snapshots before they are read

static int compare_numbers(const void *a, const void *b) {
    uint64_t x, y;
    memcpy(&x, a, sizeof x);
    memcpy(&y, b, sizeof y);
    return x < y ? -1 : x > y;
}

// The median of the intervals between them; 0: there are fewer than two. False: out of memory.
static bool find_interval(const parser *self, bool is_of_detailed, uint64_t *interval) {
    uint64_t *intervals = mc_alloc(self->snapshot_count + 1, sizeof *intervals);
    const snapshot *last = NULL;
    size_t count = 0;
    if (!intervals) return false;
    for (size_t i = 0; i < self->snapshot_count; i++) {
        const snapshot *at = &self->snapshots[i];
        if (is_of_detailed && !at->is_detailed) continue;
        if (last && at->time > last->time) intervals[count++] = at->time - last->time;
        last = at;
    }
    qsort(intervals, count, sizeof *intervals, compare_numbers);
    *interval = count > 1 ? intervals[count / 2] : 0;
    mc_free(intervals);
    return true;
}

// What is wrong with them shows as they are read. False: out of memory.
static bool list_snapshots(parser *self) {
    mc_lines lines = self->lines;
    snapshot now = {0};
    uint64_t number;
    for (mc_span line; mc_lines_next(&lines, &line);) {
        bool is_time = mc_span_skip(&line, "time=");
        if (is_time || mc_span_skip(&line, "mem_heap_B=") ||
            mc_span_skip(&line, "mem_heap_extra_B=") || mc_span_skip(&line, "mem_stacks_B=")) {
            if (!mc_span_take_decimal(&line, &number) || number > TIME_MOST) return true;
            if (is_time) now = (snapshot){.time = number};
            if (!is_time) now.all += number;
        } else if (mc_span_skip(&line, "heap_tree=")) {
            now.is_detailed = !mc_span_is(line, "empty");
            if (!mc_reserve(&self->snapshots, &self->snapshot_capacity, self->snapshot_count + 1,
                            sizeof now))
                return false;
            self->snapshots[self->snapshot_count++] = now;
        }
    }
    self->gap_bytes = self->input->size * GAP_FACTOR;
    if (!find_interval(self, false, &self->interval) || !find_interval(self, true, &self->pace))
        return false;
    find_gap(self);
    return true;
}

static mc_result read_unit(parser *self) {
    mc_span text = self->line;
    if (!mc_span_skip(&text, "time_unit: ")) return fail(self, "\"time_unit: \"");
    self->time_scale = 1;
    self->is_of_bytes = mc_span_is(text, "B");
    if (mc_span_is(text, "ms")) return MC_OK;
    if (!self->is_of_bytes && !mc_span_is(text, "i"))
        return fail(self, "\"time_unit: \" and i, ms or B");
    self->time_scale = UNITS_MOST;
    return MC_OK;
}

// What is no time: so many units a millisecond that steps of a short run don't come to one.
static void choose_scale(parser *self) {
    const size_t count = self->snapshot_count;
    const uint64_t end = count > 0 ? self->snapshots[count - 1].time : 0;
    if (self->time_scale == 1) return;
    const bool is_short = end / UNITS_MOST < SHORT_RUN_MS;
    if (is_short) self->time_scale = UNITS_LEAST;
    if (self->is_of_bytes)
        self->profile->warning =
            is_short ? SAYS("allocated bytes", "thousand") : SAYS("allocated bytes", "million");
    else
        self->profile->warning =
            is_short ? SAYS("instructions", "thousand") : SAYS("instructions", "million");
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
    static const mc_path_metric clock = BYTE_CLOCK;
    mc_error own = {.code = MC_OK};
    const char *text = (const char *)input->data;
    parser self = {.input = input,
                   .profile = profile,
                   .error = error ? error : &own,
                   .lines = {text, text + input->size}};
    self.gap = SIZE_MAX;
    profile->metrics[0] = bytes;
    profile->totals[0] = most;
    profile->metrics[1].key = profile->totals[1].key = NULL;
    mc_result result = read_head(&self);
    if (self.is_of_bytes) profile->totals[1] = clock;
    profile->totals[2].key = NULL;
    if (result == MC_OK && !list_snapshots(&self)) result = fail_memory(&self);
    if (result == MC_OK) choose_scale(&self);
    if (result == MC_OK) result = read_snapshots(&self);
    if (result == MC_OK && profile->step_count == 0)
        result = mc_error_set(self.error, MC_ERROR_BAD_DATA, 0,
                              "massif file: none of its snapshots says where memory was allocated "
                              "(valgrind --detailed-freq=1 has more that do)");
    mc_strings_deinit(&self.labels);
    mc_free(self.nodes);
    mc_free(self.frames);
    mc_free(self.snapshots);
    return result;
}

bool mc_massif_detect(const unsigned char *data, size_t size) {
    mc_lines lines = {(const char *)data, (const char *)data + size};
    mc_span line;
    return mc_lines_next(&lines, &line) && mc_span_begins_with(line, "desc:") &&
           mc_lines_next(&lines, &line) && mc_span_begins_with(line, "cmd:") &&
           mc_lines_next(&lines, &line) && mc_span_begins_with(line, "time_unit:");
}
