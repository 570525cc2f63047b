#include "engine/live/agent/method_steps.h"

#include "engine/base/memory.h"
#include "engine/import/stacks/path_groups.h"
#include <string.h>

#define ROWS_MOST (1u << 24)
#define NS_MOST (UINT64_C(1) << 62)
#define YEAR_9999_MS INT64_C(253402300800000)
#define EARLY_NS UINT64_C(10000000) // that the last batch of a step may come: no two are as long
#define NAMESAKES_MOST 256u         // threads of one name; what comes then is one with the last

enum { PACKAGE, CLASS, METHOD, THREAD };

#define TIME \
    { MC_METHOD_METRIC_TIME, "time", MC_UNIT_TIME, true, MC_METRIC_FLOW }
#define CALLS \
    { MC_METHOD_METRIC_CALLS, "calls", MC_UNIT_COUNT, false, MC_METRIC_FLOW }
// An agent of an earlier version counts none.
#define SAMPLES \
    { "samples", "samples", MC_UNIT_COUNT, false, MC_METRIC_FLOW }
#define ROLES \
    { "Package", "Class", "Method", "Thread" }

static const mc_path_desc descs[MC_AGENT_HOW_END] = {
    [MC_AGENT_EXACT] = {.root = "Program", .roles = ROLES, .metrics = {TIME, CALLS}},
    [MC_AGENT_WALL] = {.root = "Program", .roles = ROLES, .metrics = {TIME, SAMPLES}},
    [MC_AGENT_CPU] = {.root = "Program", .roles = ROLES, .metrics = {TIME, SAMPLES}},
    [MC_AGENT_COUNT] = {.root = "Program", .roles = ROLES, .metrics = {CALLS}},
};

struct mc_method_steps {
    mc_method_desc desc;
    mc_agent_how how;       // 0: nothing came yet
    mc_path_groups *groups; // once something did
    mc_strings known;       // method and thread of each row, as bytes
    uint32_t *leaves;       // of those
    size_t leaf_capacity;
    mc_strings thread_names;
    uint32_t *namesakes; // by thread name: how many threads have it
    size_t namesake_capacity;
    uint32_t *ordinals; // by thread number: which of its namesakes it is, from 1; 0: not met yet
    size_t ordinal_count, ordinal_capacity;
    mc_text text;        // scratch
    int64_t wall_ms;     // of HELLO
    uint64_t hello_ns;   // likewise
    uint64_t batch_ns;   // of the batch that was taken last
    uint64_t step_ns;    // and of that of the last step
    int64_t last_ms;     // of the last step; INT64_MIN: there is none
    uint32_t last_count; // rows of the frame that was taken last
    bool is_wanted, has_rest;
};

mc_result mc_method_steps_create(const mc_method_desc *desc, mc_method_steps **steps,
                                 mc_error *error) {
    mc_method_steps *self = *steps = mc_alloc_zero(1, sizeof *self);
    if (!self) return mc_error_out_of_memory(error);
    self->desc = *desc;
    self->last_ms = INT64_MIN;
    return MC_OK;
}

void mc_method_steps_destroy(mc_method_steps *steps) {
    if (!steps) return;
    mc_path_groups_destroy(steps->groups);
    mc_strings_deinit(&steps->known);
    mc_strings_deinit(&steps->thread_names);
    mc_free(steps->leaves);
    mc_free(steps->namesakes);
    mc_free(steps->ordinals);
    mc_text_deinit(&steps->text);
    mc_free(steps);
}

// ---- names

// One type of a JVM's signature, "I", "[Lcom/acme/Shop;", as "int", "Shop[]". Returns what is
// behind it; a signature that is none is copied as it is.
static const char *append_type(mc_text *text, const char *at, const char *end) {
    static const char letters[] = "BCDFIJSZV";
    static const char *const names[] = {"byte", "char",  "double",  "float", "int",
                                        "long", "short", "boolean", "void"};
    uint32_t dimensions = 0;
    for (; at < end && *at == '['; at++)
        dimensions++;
    const char *letter = at < end && *at ? strchr(letters, *at) : NULL;
    const char *semicolon = at < end && *at == 'L' ? memchr(at, ';', (size_t)(end - at)) : NULL;
    if (letter) {
        mc_text_append_string(text, names[letter - letters]);
        at++;
    } else if (semicolon) {
        const char *slash = memrchr(at, '/', (size_t)(semicolon - at));
        const char *name = slash ? slash + 1 : at + 1;
        mc_text_append(text, name, (size_t)(semicolon - name));
        at = semicolon + 1;
    } else {
        mc_text_append(text, at, (size_t)(end - at));
        at = end;
    }
    while (dimensions-- > 0)
        mc_text_append_string(text, "[]");
    return at;
}

// "add(int, String)": the result is left out, as in source code no two methods differ by it alone.
static void append_method(mc_text *text, const char *name, size_t name_size, const char *signature,
                          size_t signature_size) {
    const char *end = memchr(signature, ')', signature_size);
    mc_text_append(text, name, name_size);
    if (signature_size == 0 || signature[0] != '(' || !end) return;
    mc_text_append_string(text, "(");
    for (const char *at = signature + 1; at < end;) {
        if (at > signature + 1) mc_text_append_string(text, ", ");
        at = append_type(text, at, end);
    }
    mc_text_append_string(text, ")");
}

// ---- groups

static uint32_t go_down(const mc_method_steps *self, uint32_t group, uint32_t role,
                        const char *name, size_t size) {
    return group == MC_NONE ? MC_NONE : mc_path_groups_find(self->groups, group, role, name, size);
}

static uint32_t find_class(const mc_method_steps *self, uint32_t class_number) {
    size_t size;
    uint32_t group = 0;
    const char *name = mc_agent_names_get_class(self->desc.names, class_number, &size);
    for (const char *dot; (dot = memchr(name, '.', size));) {
        size_t level = (size_t)(dot - name);
        if (level > 0) group = go_down(self, group, PACKAGE, name, level);
        name = dot + 1;
        size -= level + 1;
    }
    return go_down(self, group, CLASS, name, size);
}

static uint32_t find_method(mc_method_steps *self, uint32_t number) {
    static const char unknown[] = "(unknown)";
    const mc_agent_names *names = self->desc.names;
    size_t name_size, signature_size;
    if (number == 0) return go_down(self, find_class(self, 0), METHOD, unknown, sizeof unknown - 1);
    const mc_agent_method *method = &names->methods[number - 1];
    const char *name = mc_strings_get(&names->strings, method->name, &name_size);
    const char *signature = mc_strings_get(&names->strings, method->signature, &signature_size);
    mc_text_clear(&self->text);
    append_method(&self->text, name, name_size, signature, signature_size);
    if (self->text.size == 0) mc_text_append_string(&self->text, unknown);
    if (self->text.failed) return MC_NONE;
    uint32_t group = find_class(self, method->class_number);
    return go_down(self, group, METHOD, self->text.data, self->text.size);
}

// Which of the threads of its name it is, from 1 on; 0: memory is out.
static uint32_t get_ordinal(mc_method_steps *self, uint32_t thread, const char *name, size_t size) {
    if (!mc_reserve(&self->ordinals, &self->ordinal_capacity, (size_t)thread + 1,
                    sizeof *self->ordinals))
        return 0;
    while (self->ordinal_count <= thread)
        self->ordinals[self->ordinal_count++] = 0;
    if (self->ordinals[thread]) return self->ordinals[thread];
    uint32_t before = self->thread_names.count;
    uint32_t string = mc_strings_intern(&self->thread_names, name, size);
    if (string == MC_NONE || !mc_reserve(&self->namesakes, &self->namesake_capacity,
                                         (size_t)string + 1, sizeof *self->namesakes))
        return 0;
    if (string >= before) self->namesakes[string] = 0;
    if (self->namesakes[string] < NAMESAKES_MOST) self->namesakes[string]++;
    return self->ordinals[thread] = self->namesakes[string];
}

static uint32_t find_leaf(mc_method_steps *self, const mc_agent_time *row) {
    size_t size;
    uint32_t group = find_method(self, row->method);
    const char *name = mc_agent_names_get_thread(self->desc.names, row->thread, &size);
    uint32_t ordinal = get_ordinal(self, row->thread, name, size);
    if (group == MC_NONE || ordinal == 0) return MC_NONE;
    mc_text_clear(&self->text);
    mc_text_append(&self->text, size ? name : "(no name)", size ? size : strlen("(no name)"));
    if (ordinal > 1) mc_text_format(&self->text, " #%u", (unsigned)ordinal);
    if (self->text.failed) return MC_NONE;
    return go_down(self, group, THREAD, self->text.data, self->text.size);
}

// MC_NONE: memory is out.
static uint32_t get_leaf(mc_method_steps *self, const mc_agent_time *row) {
    uint32_t key[2] = {row->method, row->thread}, before = self->known.count;
    uint32_t index = mc_strings_intern(&self->known, (const char *)key, sizeof key);
    if (index == MC_NONE ||
        !mc_reserve(&self->leaves, &self->leaf_capacity, (size_t)index + 1, sizeof *self->leaves))
        return MC_NONE;
    if (index >= before || self->leaves[index] == MC_NONE)
        self->leaves[index] = find_leaf(self, row);
    return self->leaves[index];
}

// ---- what comes

bool mc_method_steps_is_due(const mc_method_steps *steps, const mc_agent_event *event) {
    return steps->is_wanted && event->type == MC_AGENT_TIME && event->to_ns > steps->batch_ns;
}

bool mc_method_steps_is_due_now(const mc_method_steps *steps) {
    return steps->is_wanted && steps->last_count < MC_AGENT_TIME_ROWS_MOST;
}

bool mc_method_steps_has_rest(const mc_method_steps *steps) {
    return steps->has_rest;
}

static mc_result fail(const mc_agent_event *event, mc_error *error, const char *message) {
    return mc_error_set(error, MC_ERROR_BAD_DATA, event->offset, "%s", message);
}

static mc_result take_row(mc_method_steps *self, const mc_agent_event *event,
                          const mc_agent_time *row, mc_error *error) {
    if (self->known.count >= ROWS_MOST)
        return fail(event, error, "more methods and threads than a program can have");
    if (row->ns > NS_MOST || row->calls > MC_COUNT_MAX)
        return fail(event, error, "a time or a number of calls that can't be");
    uint32_t leaf = get_leaf(self, row);
    if (leaf == MC_NONE) return mc_error_out_of_memory(error);
    uint64_t time = mc_metric_pack((double)row->ns / 1e6);
    uint64_t values[2] = {self->how == MC_AGENT_COUNT ? row->calls : time, row->calls};
    if (!mc_path_groups_count(self->groups, leaf, values, event->offset))
        return fail(event, error, "all calls together are more than 2^63 - 1");
    return MC_OK;
}

static mc_result take_batch(mc_method_steps *self, const mc_agent_event *event, mc_error *error) {
    if (event->to_ns < self->batch_ns || event->to_ns < self->hello_ns ||
        (event->to_ns - self->hello_ns) / 1000000 > (uint64_t)YEAR_9999_MS)
        return fail(event, error, "a batch from before the last one, or from no time");
    if (self->how && event->how != self->how)
        return fail(event, error, "times that are measured in another way than those before");
    if (!self->how) {
        self->how = event->how;
        mc_result result = mc_path_groups_create(&descs[event->how], &self->groups, error);
        if (result != MC_OK) return result;
    }
    self->batch_ns = event->to_ns;
    self->has_rest = true;
    self->last_count = event->count;
    self->is_wanted = event->to_ns - self->step_ns + EARLY_NS >= self->desc.every_ns;
    for (uint32_t i = 0; i < event->count; i++) {
        mc_result result = take_row(self, event, &event->times[i], error);
        if (result != MC_OK) return result;
    }
    return MC_OK;
}

mc_result mc_method_steps_take(mc_method_steps *steps, const mc_agent_event *event,
                               mc_error *error) {
    if (event->type == MC_AGENT_TIME) return take_batch(steps, event, error);
    if (event->type != MC_AGENT_HELLO) return MC_OK;
    if (event->wall_ms < -YEAR_9999_MS || event->wall_ms > YEAR_9999_MS)
        return fail(event, error, "a wall clock that shows no time");
    steps->wall_ms = event->wall_ms;
    steps->hello_ns = steps->batch_ns = steps->step_ns = event->to_ns;
    return MC_OK;
}

// ---- steps

mc_result mc_method_steps_fill_tree(mc_method_steps *steps, mc_step_tree *tree, mc_error *error) {
    mc_result result = mc_path_groups_fill_tree(steps->groups, tree, error);
    if (result != MC_OK) return result;
    int64_t span_ms = (int64_t)((steps->batch_ns - steps->hello_ns) / 1000000);
    int64_t time_ms = steps->wall_ms + span_ms;
    tree->time_ms = time_ms > steps->last_ms ? time_ms : steps->last_ms + 1;
    steps->last_ms = tree->time_ms;
    steps->step_ns = steps->batch_ns;
    steps->is_wanted = steps->has_rest = false;
    return MC_OK;
}
