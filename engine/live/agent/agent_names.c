#include "engine/live/agent/agent_names.h"

#include "engine/base/memory.h"
#include "engine/import/jvm/grouping.h"
#include <inttypes.h>
#include <string.h>

#define STRINGS_MOST ((size_t)1 << 30)  // bytes
#define FRAMES_MOST ((size_t)128 << 20) // of all stacks

static const char unknown[] = "(unknown)";

static uint32_t intern(mc_agent_names *names, mc_agent_string string) {
    return mc_strings_intern(&names->strings, string.bytes, string.size);
}

// A hidden class has another address in its name in each run: "Shop$$Lambda$14/0x0000000800c03000",
// of an array "[LShop$$Lambda$14/0x0000000800c03000;".
static void append_lasting(mc_text *text, mc_agent_string name) {
    const char *address = memmem(name.bytes, name.size, "/0x", 3), *end = name.bytes + name.size;
    size_t size = address ? (size_t)(address - name.bytes) : name.size;
    mc_text_append(text, name.bytes, size);
    if (address && end[-1] == ';') mc_text_append(text, ";", 1);
}

static bool take_class(mc_agent_names *names, const mc_agent_event *event) {
    if (!mc_reserve(&names->classes, &names->class_capacity, names->class_count + 1,
                    sizeof *names->classes))
        return false;
    size_t package_size;
    bool is_primitive;
    mc_text lasting = {0};
    append_lasting(&lasting, event->name);
    mc_text_clear(&names->text);
    mc_class_name_append(&names->text, lasting.data ? lasting.data : "", lasting.size,
                         &package_size, &is_primitive);
    names->text.failed |= lasting.failed;
    mc_text_deinit(&lasting);
    if (names->text.size == 0) mc_text_append_string(&names->text, unknown);
    uint32_t name = names->text.failed
                        ? MC_NONE
                        : mc_strings_intern(&names->strings, names->text.data, names->text.size);
    names->classes[names->class_count++] = (mc_agent_class){name, event->loader};
    return name != MC_NONE;
}

static bool take_method(mc_agent_names *names, const mc_agent_event *event) {
    if (!mc_reserve(&names->methods, &names->method_capacity, names->method_count + 1,
                    sizeof *names->methods))
        return false;
    mc_agent_method method = {.class_number = event->class_number,
                              .name = intern(names, event->name),
                              .signature = intern(names, event->signature),
                              .file = intern(names, event->file),
                              .flags = event->flags};
    names->methods[names->method_count++] = method;
    return method.name != MC_NONE && method.signature != MC_NONE && method.file != MC_NONE;
}

static bool take_thread(mc_agent_names *names, const mc_agent_event *event) {
    if (!mc_reserve(&names->threads, &names->thread_capacity, names->thread_count + 1,
                    sizeof *names->threads))
        return false;
    uint32_t name = intern(names, event->name);
    names->threads[names->thread_count++] = name;
    return name != MC_NONE;
}

static bool take_stack(mc_agent_names *names, const mc_agent_event *event) {
    if (!mc_reserve(&names->stacks, &names->stack_capacity, names->stack_count + 1,
                    sizeof *names->stacks) ||
        !mc_reserve(&names->frames, &names->frame_capacity, names->frame_count + event->count + 1,
                    sizeof *names->frames))
        return false;
    names->stacks[names->stack_count++] = (mc_agent_stack){names->frame_count, event->count};
    if (event->count > 0)
        memcpy(names->frames + names->frame_count, event->frames,
               event->count * sizeof *names->frames);
    names->frame_count += event->count;
    return true;
}

mc_result mc_agent_names_take(mc_agent_names *names, const mc_agent_event *event, mc_error *error) {
    bool is_done = true;
    switch (event->type) {
    case MC_AGENT_CLASS: is_done = take_class(names, event); break;
    case MC_AGENT_METHOD: is_done = take_method(names, event); break;
    case MC_AGENT_THREAD: is_done = take_thread(names, event); break;
    case MC_AGENT_STACK: is_done = take_stack(names, event); break;
    default: return MC_OK;
    }
    if (!is_done) return mc_error_out_of_memory(error);
    if (names->strings.bytes_size <= STRINGS_MOST && names->frame_count <= FRAMES_MOST)
        return MC_OK;
    return mc_error_set(error, MC_ERROR_BAD_DATA, event->offset,
                        "the agent sends more names than a program can have");
}

static const char *get(const mc_agent_names *names, uint32_t string, size_t *size) {
    return mc_strings_get(&names->strings, string, size);
}

static const char *get_unknown(size_t *size) {
    if (size) *size = sizeof unknown - 1;
    return unknown;
}

const char *mc_agent_names_get_class(const mc_agent_names *names, uint32_t number, size_t *size) {
    return number ? get(names, names->classes[number - 1].name, size) : get_unknown(size);
}

const char *mc_agent_names_get_thread(const mc_agent_names *names, uint32_t number, size_t *size) {
    return number ? get(names, names->threads[number - 1], size) : get_unknown(size);
}

uint32_t mc_agent_names_get_frame_class(const mc_agent_names *names, mc_agent_frame frame) {
    return frame.method ? names->methods[frame.method - 1].class_number : 0;
}

void mc_agent_names_append_frame(const mc_agent_names *names, mc_agent_frame frame, mc_text *text) {
    size_t size, file_size;
    if (!frame.method) {
        mc_text_append_string(text, unknown);
        return;
    }
    const mc_agent_method *method = &names->methods[frame.method - 1];
    const char *type = mc_agent_names_get_class(names, method->class_number, &size);
    mc_text_append(text, type, size);
    mc_text_append(text, ".", 1);
    const char *name = get(names, method->name, &size);
    mc_text_append(text, size ? name : "?", size ? size : 1);
    const char *file = get(names, method->file, &file_size);
    if (method->flags & MC_AGENT_METHOD_NATIVE) {
        mc_text_append_string(text, "(Native Method)");
    } else if (file_size == 0) {
        mc_text_append_string(text, "(Unknown Source)");
    } else {
        mc_text_append(text, "(", 1);
        mc_text_append(text, file, file_size);
        if (frame.line) mc_text_format(text, ":%" PRIu32, frame.line);
        mc_text_append(text, ")", 1);
    }
}

void mc_agent_names_deinit(mc_agent_names *names) {
    mc_strings_deinit(&names->strings);
    mc_free(names->classes);
    mc_free(names->methods);
    mc_free(names->threads);
    mc_free(names->stacks);
    mc_free(names->frames);
    mc_text_deinit(&names->text);
    *names = (mc_agent_names){0};
}
