#include "engine/import/jfr/jfr_names.h"

#include "engine/base/hash.h"
#include "engine/base/memory.h"
#include <inttypes.h>
#include <string.h>

// ---- numbers of the chunk

struct mc_jfr_id_entry {
    uint64_t ids[3];
    uint32_t number;
};

static uint32_t hash_ids(const uint64_t ids[3]) {
    return (uint32_t)(mc_hash_u64(mc_hash_u64(mc_hash_u64(ids[0], 1), ids[1]), ids[2]) >> 20);
}

static uint32_t find_ids(const mc_jfr_id_map *map, const uint64_t ids[3]) {
    uint32_t hash = hash_ids(ids);
    for (uint32_t at = hash, found; (found = mc_slots_find(&map->slots, hash, &at)) != MC_NONE;)
        if (memcmp(map->entries[found].ids, ids, sizeof map->entries[found].ids) == 0)
            return map->entries[found].number;
    return MC_NONE;
}

// Returns the number, MC_NONE if memory is out.
static uint32_t add_ids(mc_jfr_id_map *map, const uint64_t ids[3], uint32_t number) {
    if (number == MC_NONE ||
        !mc_reserve(&map->entries, &map->capacity, (size_t)map->count + 1, sizeof *map->entries) ||
        !mc_slots_add(&map->slots, hash_ids(ids), map->count))
        return MC_NONE;
    map->entries[map->count++] = (struct mc_jfr_id_entry){{ids[0], ids[1], ids[2]}, number};
    return number;
}

static void clear_ids(mc_jfr_id_map *map) {
    map->count = 0;
    mc_slots_deinit(&map->slots);
}

void mc_jfr_names_begin_chunk(mc_jfr_names *self) {
    clear_ids(&self->known_stacks);
    clear_ids(&self->known_classes);
    clear_ids(&self->known_threads);
    clear_ids(&self->known_kinds);
    clear_ids(&self->known_native_kinds);
    clear_ids(&self->known_native_frames);
}

void mc_jfr_names_deinit(mc_jfr_names *self) {
    mc_jfr_names_begin_chunk(self);
    mc_free(self->known_stacks.entries);
    mc_free(self->known_classes.entries);
    mc_free(self->known_threads.entries);
    mc_free(self->known_kinds.entries);
    mc_free(self->known_native_kinds.entries);
    mc_free(self->known_native_frames.entries);
    mc_strings_deinit(&self->texts);
    mc_strings_deinit(&self->stacks);
    mc_strings_deinit(&self->kinds);
    mc_strings_deinit(&self->native_kinds);
    mc_text_deinit(&self->text);
    mc_text_deinit(&self->class_text);
    *self = (mc_jfr_names){.texts = {0}};
}

// ---- texts

uint32_t mc_jfr_names_add_text(mc_jfr_names *self, const mc_text *text) {
    return text->failed ? MC_NONE : mc_strings_intern(&self->texts, mc_text_get(text), text->size);
}

// "[Ljava/util/HashMap$Node;" as Java has it: "java.util.HashMap$Node[]".
static void append_class(const char *name, size_t size, mc_text *out) {
    static const struct {
        char letter;
        const char *name;
    } primitives[] = {{'Z', "boolean"}, {'B', "byte"}, {'C', "char"},  {'S', "short"},
                      {'I', "int"},     {'J', "long"}, {'F', "float"}, {'D', "double"}};
    size_t levels = 0;
    while (levels < size && name[levels] == '[')
        levels++;
    name += levels;
    size -= levels;
    const char *primitive = NULL;
    for (size_t i = 0; levels > 0 && size == 1 && i < sizeof primitives / sizeof *primitives; i++)
        if (primitives[i].letter == name[0]) primitive = primitives[i].name;
    if (levels > 0 && size > 2 && name[0] == 'L' && name[size - 1] == ';') {
        name++;
        size -= 2;
    }
    if (primitive) mc_text_append_string(out, primitive);
    for (size_t i = 0; i < size && !primitive; i++)
        mc_text_append(out, name[i] == '/' ? "." : &name[i], 1);
    for (size_t i = 0; i < levels; i++)
        mc_text_append_string(out, "[]");
}

// What is made up while a program runs differs from run to run only in what stands behind this.
static size_t cut_generated(const char *name, size_t size) {
    static const char lambda[] = "$$Lambda";
    const char *found = memmem(name, size, lambda, sizeof lambda - 1);
    if (found) return (size_t)(found - name) + sizeof lambda - 1;
    for (size_t i = 1; i + 2 < size; i++)
        if ((name[i] == '/' || name[i] == '.' || name[i] == '+') && name[i + 1] == '0' &&
            name[i + 2] == 'x')
            return i;
    return size;
}

// False: it has no name.
static bool append_class_name(mc_jfr_names *self, mc_jfr_chunk *chunk, mc_jfr_value class,
                              mc_text *out) {
    mc_text *raw = &self->class_text;
    mc_text_clear(raw);
    if (!mc_jfr_append_text(chunk, mc_jfr_get(chunk, class, "name"), raw)) return false;
    append_class(mc_text_get(raw), cut_generated(mc_text_get(raw), raw->size), out);
    out->failed |= raw->failed;
    return raw->size > 0;
}

uint32_t mc_jfr_names_add_class(mc_jfr_names *self, mc_jfr_chunk *chunk, mc_jfr_value class) {
    mc_text_clear(&self->text);
    if (!append_class_name(self, chunk, class, &self->text))
        mc_text_append_string(&self->text, "(unknown)");
    return mc_jfr_names_add_text(self, &self->text);
}

static uint32_t find_class(mc_jfr_names *self, mc_jfr_chunk *chunk, mc_jfr_value class,
                           uint64_t id) {
    const uint64_t ids[3] = {id, 0, 0};
    uint32_t number = find_ids(&self->known_classes, ids);
    if (number != MC_NONE) return number;
    return add_ids(&self->known_classes, ids, mc_jfr_names_add_class(self, chunk, class));
}

static uint32_t add_thread(mc_jfr_names *self, mc_jfr_chunk *chunk, mc_jfr_value thread) {
    mc_text_clear(&self->text);
    if (!thread.at) {
        mc_text_append_string(&self->text, "(unknown)");
    } else if (!mc_jfr_append_text(chunk, mc_jfr_get(chunk, thread, "javaName"), &self->text)) {
        mc_jfr_append_text(chunk, mc_jfr_get(chunk, thread, "osName"), &self->text);
    }
    if (self->text.size == 0) mc_text_append_string(&self->text, "(unnamed)");
    return mc_jfr_names_add_text(self, &self->text);
}

static uint32_t find_thread(mc_jfr_names *self, mc_jfr_chunk *chunk, mc_jfr_value thread,
                            uint64_t id) {
    const uint64_t ids[3] = {id, 0, 0};
    uint32_t number = find_ids(&self->known_threads, ids);
    if (number != MC_NONE) return number;
    return add_ids(&self->known_threads, ids, add_thread(self, chunk, thread));
}

// ---- stacks

// The class and name of a method, and the line: "com.acme.Shop.add:42". Native frames, as
// async-profiler has them, are of no class.
static uint32_t add_frame(mc_jfr_names *self, mc_jfr_chunk *chunk, mc_jfr_value frame) {
    mc_text *text = &self->text;
    mc_jfr_value method = mc_jfr_get(chunk, frame, "method");
    uint64_t line = mc_jfr_get_number(chunk, frame, "lineNumber");
    mc_text_clear(text);
    bool has_class = append_class_name(self, chunk, mc_jfr_get(chunk, method, "type"), text);
    if (has_class) mc_text_append(text, ".", 1);
    size_t before = text->size;
    mc_jfr_append_text(chunk, mc_jfr_get(chunk, method, "name"), text);
    if (text->size == before) mc_text_append_string(text, "(unknown)");
    if (line > 0 && line <= INT32_MAX) mc_text_format(text, ":%" PRIu64, line);
    return mc_jfr_names_add_text(self, text);
}

// Whether a method is a function of C. async-profiler does not know its parameters, and writes a
// descriptor that no method of Java can have.
static bool is_of_c(mc_jfr_names *self, mc_jfr_chunk *chunk, mc_jfr_value method) {
    mc_text *text = &self->text;
    mc_text_clear(text);
    mc_jfr_append_text(chunk, mc_jfr_get(chunk, method, "descriptor"), text);
    const char *descriptor = mc_text_get(text);
    return strcmp(descriptor, "()L;") == 0 || strcmp(descriptor, "(Lk;)L;") == 0;
}

// The class is the library. What has none tells why the profiler knows no more.
static uint32_t add_c_frame(mc_jfr_names *self, mc_jfr_chunk *chunk, mc_jfr_value method) {
    mc_text *text = &self->text;
    mc_text_clear(text);
    mc_jfr_append_text(chunk, mc_jfr_get(chunk, method, "name"), text);
    if (text->size == 0) mc_text_append_string(text, "(unknown)");
    mc_text_append(text, "", 1);
    const size_t before = text->size;
    mc_jfr_append_text(chunk, mc_jfr_get(chunk, mc_jfr_get(chunk, method, "type"), "name"), text);
    if (text->size == before) mc_text_append_string(text, "[async-profiler]");
    return mc_jfr_names_add_text(self, text);
}

static uint32_t find_native_frame(mc_jfr_names *self, mc_jfr_chunk *chunk, mc_jfr_value frame) {
    const uint64_t ids[3] = {mc_jfr_get_number(chunk, frame, "method"),
                             mc_jfr_get_number(chunk, frame, "lineNumber"), 0};
    uint32_t number = ids[0] > 0 ? find_ids(&self->known_native_frames, ids) : MC_NONE;
    if (number != MC_NONE) return number;
    const mc_jfr_value method = mc_jfr_get(chunk, frame, "method");
    number = is_of_c(self, chunk, method) ? add_c_frame(self, chunk, method)
                                          : add_frame(self, chunk, frame);
    return ids[0] > 0 ? add_ids(&self->known_native_frames, ids, number) : number;
}

static uint32_t add_stack(mc_jfr_names *self, mc_jfr_chunk *chunk, mc_jfr_value stack,
                          bool is_native) {
    uint32_t frames[MC_JFR_FRAMES_MOST], count = 0;
    mc_jfr_value frame;
    mc_jfr_array array = mc_jfr_array_begin(chunk, stack, "frames");
    while (count < MC_JFR_FRAMES_MOST && mc_jfr_array_next(chunk, &array, &frame)) {
        frames[count] =
            is_native ? find_native_frame(self, chunk, frame) : add_frame(self, chunk, frame);
        if (frames[count++] == MC_NONE) return MC_NONE;
    }
    return mc_strings_intern(&self->stacks, (const char *)frames, count * sizeof *frames);
}

static uint32_t find_stack(mc_jfr_names *self, mc_jfr_chunk *chunk, mc_jfr_value stack, uint64_t id,
                           bool is_native) {
    const uint64_t ids[3] = {id, is_native, 0};
    uint32_t number = find_ids(&self->known_stacks, ids);
    if (number != MC_NONE) return number;
    return add_ids(&self->known_stacks, ids, add_stack(self, chunk, stack, is_native));
}

// ---- kinds

uint32_t mc_jfr_names_find_known_kind(mc_jfr_names *self, uint64_t stack_id, uint64_t class_id,
                                      uint64_t thread_id) {
    const uint64_t ids[3] = {stack_id, class_id, thread_id};
    return find_ids(&self->known_kinds, ids);
}

uint32_t mc_jfr_names_find_kind(mc_jfr_names *self, mc_jfr_chunk *chunk, mc_jfr_value stack,
                                uint64_t stack_id, mc_jfr_value class, uint64_t class_id,
                                mc_jfr_value thread, uint64_t thread_id) {
    const uint64_t ids[3] = {stack_id, class_id, thread_id};
    uint32_t number = find_ids(&self->known_kinds, ids);
    if (number != MC_NONE) return number;
    mc_jfr_kind_key key = {.stack = find_stack(self, chunk, stack, stack_id, false),
                           .class = find_class(self, chunk, class, class_id),
                           .thread = find_thread(self, chunk, thread, thread_id)};
    if (key.stack == MC_NONE || key.class == MC_NONE || key.thread == MC_NONE) return MC_NONE;
    return add_ids(&self->known_kinds, ids,
                   mc_strings_intern(&self->kinds, (const char *)&key, sizeof key));
}

uint32_t mc_jfr_names_find_known_native_kind(mc_jfr_names *self, uint64_t stack_id,
                                             uint64_t thread_id) {
    const uint64_t ids[3] = {stack_id, 0, thread_id};
    return find_ids(&self->known_native_kinds, ids);
}

uint32_t mc_jfr_names_find_native_kind(mc_jfr_names *self, mc_jfr_chunk *chunk, mc_jfr_value stack,
                                       uint64_t stack_id, mc_jfr_value thread, uint64_t thread_id) {
    const uint64_t ids[3] = {stack_id, 0, thread_id};
    uint32_t number = find_ids(&self->known_native_kinds, ids);
    if (number != MC_NONE) return number;
    mc_jfr_kind_key key = {.stack = find_stack(self, chunk, stack, stack_id, true),
                           .class = MC_NONE,
                           .thread = find_thread(self, chunk, thread, thread_id)};
    if (key.stack == MC_NONE || key.thread == MC_NONE) return MC_NONE;
    return add_ids(&self->known_native_kinds, ids,
                   mc_strings_intern(&self->native_kinds, (const char *)&key, sizeof key));
}

mc_jfr_kind_key mc_jfr_names_get_native_kind(const mc_jfr_names *self, uint32_t kind) {
    mc_jfr_kind_key key;
    memcpy(&key, mc_strings_get(&self->native_kinds, kind, NULL), sizeof key);
    return key;
}

mc_jfr_kind_key mc_jfr_names_get_kind(const mc_jfr_names *self, uint32_t kind) {
    mc_jfr_kind_key key;
    memcpy(&key, mc_strings_get(&self->kinds, kind, NULL), sizeof key);
    return key;
}

uint32_t mc_jfr_names_get_stack(const mc_jfr_names *self, uint32_t stack,
                                uint32_t frames[MC_JFR_FRAMES_MOST]) {
    size_t size;
    const char *bytes = mc_strings_get(&self->stacks, stack, &size);
    memcpy(frames, bytes, size);
    return (uint32_t)(size / sizeof *frames);
}
