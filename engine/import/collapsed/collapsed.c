#include "engine/import/collapsed/collapsed.h"

#include "engine/base/ascii.h"
#include "engine/base/memory.h"
#include "engine/base/printable.h"
#include "engine/import/stacks/frame_name.h"
#include "engine/import/stacks/path_groups.h"
#include "engine/import/stacks/profile.h"
#include <string.h>

#define DETECT_LINES 32

const char *const mc_stacks_form_names[] = {"methods", "sites", "calls", NULL};

enum { PACKAGE, CLASS, METHOD, THREAD };
enum { SITE, CALLER };

#define TIME \
    { "time", "time", MC_UNIT_TIME, true, MC_METRIC_FLOW }
#define SAMPLES \
    { "samples", "samples", MC_UNIT_COUNT, false, MC_METRIC_FLOW }

static const mc_path_desc descs[MC_STACKS_FORM_COUNT] = {
    [MC_STACKS_METHODS] = {.root = "Program",
                           .roles = {"Package", "Class", "Method", "Thread"},
                           .metrics = {TIME, SAMPLES}},
    [MC_STACKS_SITES] = {.root = "Heap",
                         .roles = {"Allocation Site", "Caller"},
                         .metrics = {{"bytes", "bytes", MC_UNIT_BYTES, false, MC_METRIC_FLOW}}},
    [MC_STACKS_CALLS] = {.root = "Program", .roles = {"Call"}, .metrics = {TIME, SAMPLES}},
};

struct mc_collapsed_reader {
    mc_stacks_form form;
    double interval_ms;
    mc_path_groups *groups;
    const unsigned char *data;
};

mc_result mc_collapsed_reader_create(mc_stacks_form form, double interval_ms,
                                     mc_collapsed_reader **reader, mc_error *error) {
    mc_collapsed_reader *self = *reader = mc_alloc_zero(1, sizeof *self);
    if (!self) return mc_error_out_of_memory(error);
    self->form = form;
    self->interval_ms = interval_ms;
    mc_result result = mc_path_groups_create(&descs[form], &self->groups, error);
    if (result == MC_OK) return MC_OK;
    mc_free(self);
    *reader = NULL;
    return result;
}

void mc_collapsed_reader_destroy(mc_collapsed_reader *reader) {
    if (!reader) return;
    mc_path_groups_destroy(reader->groups);
    mc_free(reader);
}

// ---- lines

static bool is_space(unsigned char byte) {
    return byte == ' ' || byte == '\t' || byte == '\r';
}

typedef struct line {
    const unsigned char *begin, *stack_end; // the stack
    const unsigned char *number, *end;      // its count
} line;

// The next line, with what surrounds it cut off, and what ends it.
static line take_line(const unsigned char *data, size_t size, size_t *at) {
    line l = {.begin = data + *at};
    const unsigned char *feed = memchr(l.begin, '\n', size - *at);
    l.end = feed ? feed : data + size;
    *at = (size_t)(l.end - data) + (feed ? 1 : 0);
    while (l.end > l.begin && is_space(l.end[-1]))
        l.end--;
    while (l.begin < l.end && is_space(*l.begin))
        l.begin++;
    l.number = l.end;
    while (l.number > l.begin && !is_space(l.number[-1]))
        l.number--;
    l.stack_end = l.number;
    while (l.stack_end > l.begin && is_space(l.stack_end[-1]))
        l.stack_end--;
    return l;
}

static bool read_count(const line *l, uint64_t *count) {
    *count = 0;
    for (const unsigned char *at = l->number; at < l->end; at++) {
        uint64_t digit = (uint64_t)(*at - '0');
        if (!mc_is_digit(*at) || *count > (MC_COUNT_MAX - digit) / 10) return false;
        *count = *count * 10 + digit;
    }
    return l->end > l->number;
}

bool mc_collapsed_detect(const unsigned char *data, size_t size) {
    size_t at = 0;
    bool has_stack = false;
    for (uint32_t count = 0; at < size && count < DETECT_LINES;) {
        line l = take_line(data, size, &at);
        uint64_t number;
        if (l.begin == l.end) continue;
        if (*l.begin == '{' || *l.begin == '"') return false; // JSON
        // The last line may be cut off by who shows the beginning alone.
        if (at == size && data[size - 1] != '\n' && count > 0) break;
        // One that is wrong behind a stack is told when it is read.
        if (l.stack_end == l.begin || !read_count(&l, &number)) return has_stack;
        has_stack |= memchr(l.begin, ';', (size_t)(l.stack_end - l.begin)) != NULL;
        count++;
    }
    return has_stack;
}

// ---- stacks

// The outermost frame that is left; false: there is none.
static bool take_frame(mc_span *stack, mc_span *frame) {
    while (stack->size > 0) {
        const char *end = memchr(stack->at, ';', stack->size);
        size_t size = end ? (size_t)(end - stack->at) : stack->size, whole = size + (end ? 1 : 0);
        *frame = (mc_span){stack->at, size};
        *stack = (mc_span){stack->at + whole, stack->size - whole};
        if (size > 0) return true;
    }
    return false;
}

// The innermost one.
static bool take_last_frame(mc_span *stack, mc_span *frame) {
    while (stack->size > 0) {
        const char *before = memrchr(stack->at, ';', stack->size);
        const char *begin = before ? before + 1 : stack->at, *end = stack->at + stack->size;
        *frame = (mc_span){begin, (size_t)(end - begin)};
        stack->size = before ? (size_t)(before - stack->at) : 0;
        if (frame->size > 0) return true;
    }
    return false;
}

// MC_NONE, which it may be given, if memory is out.
static uint32_t go_down(const mc_collapsed_reader *self, uint32_t group, uint32_t role,
                        mc_span name) {
    return group == MC_NONE ? MC_NONE
                            : mc_path_groups_find(self->groups, group, role, name.at, name.size);
}

static mc_span span_of(const char *text) {
    return (mc_span){text, strlen(text)};
}

static uint32_t find_method(const mc_collapsed_reader *self, mc_span stack) {
    mc_span thread = span_of("(all threads)"), first, last = {NULL, 0}, rest = stack, level;
    (void)take_last_frame(&stack, &last);
    // What looks like a thread and has no frame below it is the method itself.
    if (take_frame(&rest, &first) && first.at != last.at &&
        mc_frame_name_is_thread(first.at, first.size, &level))
        thread = level;
    mc_frame_name name = mc_frame_name_parse(last.at, last.size);
    uint32_t group = 0;
    while (mc_frame_name_take_level(&name.package, &level))
        group = go_down(self, group, PACKAGE, level);
    if (name.class.size == 0) name.class = span_of(name.is_kernel ? "(kernel)" : "(native)");
    group = go_down(self, group, CLASS, name.class);
    group = go_down(self, group, METHOD, name.method);
    return go_down(self, group, THREAD, thread);
}

static uint32_t find_site(const mc_collapsed_reader *self, mc_span stack) {
    mc_span frame;
    uint32_t group = 0, role = SITE;
    for (; take_last_frame(&stack, &frame); role = CALLER)
        group = go_down(self, group, role, frame);
    return group;
}

static uint32_t find_call(const mc_collapsed_reader *self, mc_span stack) {
    mc_span frame;
    uint32_t group = 0;
    while (take_frame(&stack, &frame))
        group = go_down(self, group, 0, frame);
    return group;
}

static uint32_t find_group(const mc_collapsed_reader *self, mc_span stack) {
    switch (self->form) {
    case MC_STACKS_SITES: return find_site(self, stack);
    case MC_STACKS_CALLS: return find_call(self, stack);
    default: return find_method(self, stack);
    }
}

// ---- texts

static mc_result fail(const mc_collapsed_reader *self, const unsigned char *at,
                      const unsigned char *end, const char *expected, mc_error *error) {
    mc_excerpt found;
    if (at == end)
        return mc_error_set(error, MC_ERROR_BAD_DATA, (uint64_t)(at - self->data),
                            "expected %s, found the end of the line", expected);
    mc_excerpt_make(&found, (const char *)at, (size_t)(end - at));
    return mc_error_set(error, MC_ERROR_BAD_DATA, (uint64_t)(at - self->data),
                        "expected %s, found \"%s\"", expected, found.text);
}

static mc_result read_line(const mc_collapsed_reader *self, const line *l, mc_error *error) {
    uint64_t count;
    if (l->stack_end == l->begin)
        return fail(self, l->begin, l->end, "a stack, and behind a space how often it was seen",
                    error);
    if (!read_count(l, &count))
        return fail(self, l->number, l->end,
                    "how often the stack was seen, a whole number from 0 to 2^63 - 1", error);
    mc_span stack = {(const char *)l->begin, (size_t)(l->stack_end - l->begin)}, rest = stack,
            frame;
    if (!take_frame(&rest, &frame))
        return fail(self, l->begin, l->stack_end, "a stack of at least one frame", error);
    uint32_t group = find_group(self, stack);
    if (group == MC_NONE) return mc_error_out_of_memory(error);
    uint64_t time = mc_metric_pack((double)count * self->interval_ms);
    uint64_t values[] = {self->form == MC_STACKS_SITES ? count : time, count};
    if (!mc_path_groups_count(self->groups, group, values, (uint64_t)(l->begin - self->data)))
        return mc_error_set(error, MC_ERROR_BAD_DATA, (uint64_t)(l->number - self->data),
                            "all counts together are more than 2^63 - 1");
    return MC_OK;
}

mc_result mc_collapsed_reader_read(mc_collapsed_reader *self, const unsigned char *data,
                                   size_t size, mc_step_tree *tree, mc_error *error) {
    mc_result result = MC_OK;
    self->data = data;
    for (size_t at = 0; at < size && result == MC_OK;) {
        line l = take_line(data, size, &at);
        if (l.begin < l.end) result = read_line(self, &l, error);
    }
    if (result != MC_OK) {
        mc_path_groups_clear(self->groups);
        return result;
    }
    result = mc_path_groups_fill_tree(self->groups, tree, error);
    if (result != MC_OK || self->form != MC_STACKS_SITES) return result;
    return mc_profile_add_sampling(tree, MC_PROFILE_SAMPLING_UNTOLD)
               ? MC_OK
               : mc_error_out_of_memory(error);
}
