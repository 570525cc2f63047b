#include "engine/import/smaps/memory_kind.h"

#include "engine/import/stacks/line_reader.h"
#include <inttypes.h>
#include <string.h>

#define ARENA_SIZE (UINT64_C(64) << 20)      // that glibc reserves for an arena, aligned to as much
#define GUARD_SIZE_MOST (UINT64_C(64) << 10) // below a thread's stack
#define STACKS "stacks of threads"           // whose names nobody tells
#define STACK_SIZE_LEAST (UINT64_C(16) << 10)
#define STACK_SIZE_MOST (UINT64_C(8) << 20) // more is a stack and what lies behind it, or none
#define GO_HEAP UINT64_C(0xc000000000)
#define GO_HEAP_END UINT64_C(0x1c000000000)
#define SINGLE_SIZE_LEAST (UINT64_C(1) << 20) // unexplained mappings with a group of their own

const char *const mc_memory_kind_names[MC_MEMORY_KIND_COUNT] = {
    [MC_MEMORY_JAVA_HEAP] = "Java heap",
    [MC_MEMORY_METASPACE] = "metaspace",
    [MC_MEMORY_CODE_CACHE] = "code cache",
    [MC_MEMORY_GC] = "garbage collector",
    [MC_MEMORY_CLASS_ARCHIVE] = "class archive",
    [MC_MEMORY_JVM] = "other of the JVM",
    [MC_MEMORY_STACKS] = "thread stacks",
    [MC_MEMORY_MALLOC] = "malloc",
    [MC_MEMORY_NAMED] = "named by the program",
    [MC_MEMORY_PROGRAMS] = "programs and libraries",
    [MC_MEMORY_FILES] = "mapped files",
    [MC_MEMORY_SHARED] = "shared memory",
    [MC_MEMORY_KERNEL] = "kernel",
    [MC_MEMORY_UNEXPLAINED] = "unexplained"};

static void append(mc_text *text, mc_span span) {
    mc_text_append(text, span.at, span.size);
}

static bool contains(mc_span text, const char *wanted) {
    return text.size > 0 && memmem(text.at, text.size, wanted, strlen(wanted)) != NULL;
}

// Behind the last slash.
static mc_span get_file_name(mc_span path) {
    const char *slash = path.size > 0 ? memrchr(path.at, '/', path.size) : NULL;
    if (!slash || slash + 1 == path.at + path.size) return path;
    return (mc_span){slash + 1, path.size - (size_t)(slash + 1 - path.at)};
}

// ---- owners that the JVM names

// "STACK-32209-pool-1-thread-7" of System.map has the thread's number and name. Threads whose names
// differ by a number at the end are one group: a pool, or what starts ever new ones.
static bool find_stack(mc_span owner, mc_text *key) {
    mc_span rest = owner;
    uint64_t thread;
    if (!mc_span_skip(&rest, "STACK")) return false;
    if (!mc_span_skip(&rest, "-") || !mc_span_take_decimal(&rest, &thread) ||
        !mc_span_skip(&rest, "-") || rest.size == 0)
        rest = (mc_span){STACKS, strlen(STACKS)};
    size_t size = rest.size;
    while (size > 0 && rest.at[size - 1] >= '0' && rest.at[size - 1] <= '9')
        size--;
    append(key, (mc_span){rest.at, size});
    if (size < rest.size) mc_text_append_string(key, "*");
    return true;
}

// NMT's words, and those of System.map, where several may stand joined by commas.
static mc_memory_kind find_owned(mc_span owner, const char **name) {
    static const struct {
        const char *owner;
        mc_memory_kind kind;
        const char *name;
    } known[] = {{"Java Heap", MC_MEMORY_JAVA_HEAP, "heap"},
                 {"JAVAHEAP", MC_MEMORY_JAVA_HEAP, "heap"},
                 {"Class", MC_MEMORY_METASPACE, "class space"},
                 {"CLASS", MC_MEMORY_METASPACE, "class space"},
                 {"Metaspace", MC_MEMORY_METASPACE, "metaspace"},
                 {"META", MC_MEMORY_METASPACE, "metaspace"},
                 {"Code", MC_MEMORY_CODE_CACHE, "compiled code"},
                 {"CODE", MC_MEMORY_CODE_CACHE, "compiled code"},
                 {"CODE,GC", MC_MEMORY_CODE_CACHE, "compiled code, with memory of the GC"},
                 {"GC", MC_MEMORY_GC, "GC"},
                 {"GCCardSet", MC_MEMORY_GC, "card sets"},
                 {"CARDTBL", MC_MEMORY_GC, "card table"},
                 {"Shared class space", MC_MEMORY_CLASS_ARCHIVE, "classes"},
                 {"CDS", MC_MEMORY_CLASS_ARCHIVE, "classes"},
                 {"INTERN", MC_MEMORY_JVM, "Internal"},
                 {"POLL", MC_MEMORY_JVM, "polling pages"},
                 {"JDK", MC_MEMORY_JVM, "JDK libraries"},
                 {MC_MEMORY_LARGE_BLOCKS, MC_MEMORY_MALLOC, "memory of large blocks"}};
    *name = NULL;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (!mc_span_is(owner, known[i].owner)) continue;
        *name = known[i].name;
        return known[i].kind;
    }
    return MC_MEMORY_JVM;
}

static mc_memory_place place_owned(const mc_process_memory *memory, const mc_memory_piece *piece,
                                   mc_text *key, mc_text *name) {
    const mc_mapping *mapping = &memory->mappings[piece->mapping];
    const mc_memory_range *range = &memory->ranges[piece->range];
    const char *known;
    if (mc_span_is(range->owner, "Thread Stack") || mc_span_is(range->owner, "Thread")) {
        mc_text_append_string(key, STACKS);
        return (mc_memory_place){.kind = MC_MEMORY_STACKS};
    }
    if (range->is_by_map && find_stack(range->owner, key))
        return (mc_memory_place){.kind = MC_MEMORY_STACKS};
    mc_memory_kind kind = find_owned(range->owner, &known);
    if (mapping->name.size > 0 && *mapping->name.at == '/') {
        append(key, mapping->name);
        append(name, kind == MC_MEMORY_JVM ? mapping->name : get_file_name(mapping->name));
    } else if (known) {
        mc_text_append_string(key, known);
    } else {
        append(key, range->owner);
    }
    return (mc_memory_place){.kind = kind};
}

// ---- mappings with names

static mc_memory_place place_bracketed(mc_span mapping, mc_text *key) {
    mc_memory_place place = {.kind = MC_MEMORY_NAMED};
    if (mc_span_is(mapping, "[heap]"))
        return (mc_memory_place){.kind = MC_MEMORY_MALLOC, .is_arena = true};
    if (mc_span_is(mapping, "[stack]")) {
        mc_text_append_string(key, "main thread");
        return (mc_memory_place){.kind = MC_MEMORY_STACKS};
    }
    append(key, mapping);
    if (mc_span_begins_with(mapping, "[anon")) {
        if (contains(mapping, "malloc") || contains(mapping, "scudo"))
            place.kind = MC_MEMORY_MALLOC;
        else if (contains(mapping, "stack"))
            place.kind = MC_MEMORY_STACKS;
    } else if (mc_span_begins_with(mapping, "[stack:")) {
        place.kind = MC_MEMORY_STACKS;
    } else if (mc_span_begins_with(mapping, "[v") || mc_span_is(mapping, "[uprobes]") ||
               mc_span_is(mapping, "[sigpage]")) {
        place.kind = MC_MEMORY_KERNEL;
    }
    return place;
}

static mc_memory_place place_file(mc_span path, const mc_strings *programs, mc_text *key,
                                  mc_text *name) {
    static const char *const shared[] = {"/dev/shm/", "/memfd:", "/SYSV", "/dev/zero",
                                         "/dev/ashmem"};
    append(key, path);
    append(name, get_file_name(path));
    for (size_t i = 0; i < sizeof shared / sizeof *shared; i++)
        if (mc_span_begins_with(path, shared[i]))
            return (mc_memory_place){.kind = MC_MEMORY_SHARED};
    bool is_program = mc_strings_find(programs, path.at, path.size) != MC_NONE;
    return (mc_memory_place){.kind = is_program ? MC_MEMORY_PROGRAMS : MC_MEMORY_FILES};
}

// ---- mappings without

static bool is_reserved(const mc_mapping *mapping) {
    return mapping->name.size == 0 && mapping->flags == 0;
}

// Go's heap begins here where the system lets it, in pieces of 64 MiB that look like arenas.
static bool is_go_heap(const mc_mapping *mapping) {
    return mapping->begin >= GO_HEAP && mapping->begin < GO_HEAP_END &&
           (mapping->flags & MC_MAPPING_WRITE);
}

// The used part of an arena, and behind it what is reserved of its 64 MiB.
static bool is_arena(const mc_mapping *mapping, const mc_mapping *next) {
    if (mapping->begin % ARENA_SIZE != 0 || !(mapping->flags & MC_MAPPING_WRITE) ||
        (mapping->flags & MC_MAPPING_EXECUTE))
        return false;
    uint64_t rest = mapping->end % ARENA_SIZE;
    return rest > 0 && next && is_reserved(next) && next->begin == mapping->end &&
           next->end - next->begin == ARENA_SIZE - rest;
}

static bool is_stack(const mc_mapping *mapping, const mc_mapping *before) {
    return before && is_reserved(before) && before->end == mapping->begin &&
           before->end - before->begin <= GUARD_SIZE_MOST &&
           mapping->end - mapping->begin >= STACK_SIZE_LEAST && mapping->begin % ARENA_SIZE != 0 &&
           mapping->flags == (MC_MAPPING_READ | MC_MAPPING_WRITE);
}

// Where a mapping ends, with what is reserved right behind it: a heap grows into that.
static uint64_t find_end(const mc_memory_piece *piece, const mc_mapping *mapping,
                         const mc_mapping *next) {
    bool has_rest = piece->end == mapping->end && next && is_reserved(next) &&
                    next->begin == mapping->end && next->end - next->begin > SINGLE_SIZE_LEAST;
    return has_rest ? next->end : piece->end;
}

// The zeroed data of a program or library begins where its other data ends.
static bool is_zeroed_data(const mc_mapping *mapping, const mc_mapping *before,
                           const mc_strings *programs) {
    return before && before->end == mapping->begin && before->name.size > 0 &&
           *before->name.at == '/' && (before->flags & MC_MAPPING_WRITE) &&
           !(before->flags & MC_MAPPING_SHARED) &&
           mapping->flags == (MC_MAPPING_READ | MC_MAPPING_WRITE) &&
           mc_strings_find(programs, before->name.at, before->name.size) != MC_NONE;
}

static mc_memory_place place_anonymous(const mc_process_memory *memory,
                                       const mc_memory_piece *piece, const mc_strings *programs,
                                       mc_text *key, mc_text *name) {
    const mc_mapping *mapping = &memory->mappings[piece->mapping];
    const mc_mapping *before = piece->mapping > 0 ? mapping - 1 : NULL;
    const mc_mapping *next = piece->mapping + 1 < memory->mapping_count ? mapping + 1 : NULL;
    bool is_whole = piece->begin == mapping->begin && piece->end == mapping->end;
    if (mapping->flags & MC_MAPPING_SHARED) {
        mc_text_append_string(key, "anonymous");
        return (mc_memory_place){.kind = MC_MEMORY_SHARED};
    }
    if (is_go_heap(mapping)) {
        mc_text_append_string(key, "anonymous at c000000000, where Go has its heap");
        return (mc_memory_place){.kind = MC_MEMORY_UNEXPLAINED};
    }
    if (is_whole && is_arena(mapping, next))
        return (mc_memory_place){.kind = MC_MEMORY_MALLOC, .is_arena = true};
    if (is_whole && is_stack(mapping, before)) {
        mc_text_append_string(key, STACKS);
        return (mc_memory_place){.kind = MC_MEMORY_STACKS, .is_guessed = true};
    }
    if (is_whole && is_zeroed_data(mapping, before, programs)) {
        append(key, before->name);
        append(name, get_file_name(before->name));
        return (mc_memory_place){.kind = MC_MEMORY_PROGRAMS, .is_guessed = true};
    }
    // New mappings lie below older ones, and grow together with them: the end stays.
    const char *what = mapping->flags & MC_MAPPING_EXECUTE ? "executable" : "anonymous";
    if (piece->end - piece->begin < SINGLE_SIZE_LEAST)
        mc_text_format(key, "%s, smaller than 1 MiB each", what);
    else
        mc_text_format(key, "%s to %" PRIx64, what, find_end(piece, mapping, next));
    return (mc_memory_place){.kind = MC_MEMORY_UNEXPLAINED};
}

mc_memory_place mc_memory_kind_find(const mc_process_memory *memory, const mc_memory_piece *piece,
                                    const mc_strings *programs, mc_text *key, mc_text *name) {
    const mc_mapping *mapping = &memory->mappings[piece->mapping];
    mc_memory_place place;
    if (piece->range != MC_NONE)
        place = place_owned(memory, piece, key, name);
    else if (mapping->name.size == 0)
        place = place_anonymous(memory, piece, programs, key, name);
    else if (*mapping->name.at == '[')
        place = place_bracketed(mapping->name, key);
    else
        place = place_file(mapping->name, programs, key, name);
    if (name->size == 0) mc_text_append(name, key->data ? key->data : "", key->size);
    return place;
}
