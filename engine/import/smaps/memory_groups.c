#include "engine/import/smaps/memory_groups.h"

#include "engine/base/memory.h"
#include "engine/import/jvm/grouping.h"
#include "engine/import/stacks/path_groups.h"
#include <string.h>

enum { KIND, MAPPING };
enum { BYTES, PROPORTIONAL, SWAPPED, DIRTY, ESTIMATED, VALUE_COUNT };

// Pieces that count together, as what is in them is known, but not in which of them it is.
enum { ARENAS, HEAP, METASPACE, POOL_COUNT };

typedef struct pool {
    uint64_t values[VALUE_COUNT];
    uint64_t offset;
} pool;

struct mc_memory_groups {
    mc_path_groups *groups;
    mc_memory_pieces pieces;
    mc_strings programs;    // of the step
    mc_text key, name;      // scratch
    pool pools[POOL_COUNT]; // of the step
};

mc_result mc_memory_groups_create(mc_memory_groups **groups, mc_error *error) {
    static const mc_path_desc desc = {
        .root = MC_MEMORY_ROOT,
        .roles = {"Kind", "Mapping"},
        .metrics = {{"bytes", "resident bytes", MC_UNIT_BYTES, false, MC_METRIC_STOCK},
                    {"pss", "proportional share (Pss)", MC_UNIT_BYTES, false, MC_METRIC_STOCK},
                    {"swap", "swapped out", MC_UNIT_BYTES, false, MC_METRIC_STOCK},
                    {"dirty", "private and written", MC_UNIT_BYTES, false, MC_METRIC_STOCK},
                    {MC_MEMORY_ESTIMATED, "resident bytes whose owner or share is estimated",
                     MC_UNIT_BYTES, false, MC_METRIC_STOCK}}};
    mc_memory_groups *self = *groups = mc_alloc_zero(1, sizeof *self);
    if (!self) return mc_error_out_of_memory(error);
    mc_result result = mc_path_groups_create(&desc, &self->groups, error);
    if (result == MC_OK) return MC_OK;
    mc_memory_groups_destroy(self);
    *groups = NULL;
    return result;
}

void mc_memory_groups_destroy(mc_memory_groups *groups) {
    if (!groups) return;
    mc_path_groups_destroy(groups->groups);
    mc_memory_pieces_deinit(&groups->pieces);
    mc_strings_deinit(&groups->programs);
    mc_text_deinit(&groups->key);
    mc_text_deinit(&groups->name);
    mc_free(groups);
}

static bool find_programs(mc_memory_groups *self, const mc_process_memory *memory) {
    mc_strings_deinit(&self->programs);
    for (size_t i = 0; i < memory->mapping_count; i++) {
        const mc_mapping *mapping = &memory->mappings[i];
        if (!(mapping->flags & MC_MAPPING_EXECUTE) || mapping->name.size == 0) continue;
        if (mc_strings_intern(&self->programs, mapping->name.at, mapping->name.size) == MC_NONE)
            return false;
    }
    return true;
}

static mc_result fail_too_much(uint64_t offset, mc_error *error) {
    return mc_error_set(error, MC_ERROR_BAD_DATA, offset,
                        "memory map: expected sums below 2^63 bytes");
}

// In the group of the kind, by key and name of the scratch texts.
static mc_result count(mc_memory_groups *self, mc_memory_kind kind, const uint64_t *values,
                       uint64_t offset, mc_error *error) {
    const char *kind_name = mc_memory_kind_names[kind];
    if (self->key.failed || self->name.failed) return mc_error_out_of_memory(error);
    uint32_t key = mc_path_groups_intern(self->groups, self->key.data, self->key.size);
    uint32_t name = mc_path_groups_intern(self->groups, self->name.data, self->name.size);
    uint32_t around = mc_path_groups_find(self->groups, 0, KIND, kind_name, strlen(kind_name));
    if (key == MC_NONE || name == MC_NONE || around == MC_NONE)
        return mc_error_out_of_memory(error);
    uint32_t group = mc_path_groups_find_interned(self->groups, around, MAPPING, key, name);
    if (group == MC_NONE) return mc_error_out_of_memory(error);
    return mc_path_groups_count(self->groups, group, values, offset) ? MC_OK
                                                                     : fail_too_much(offset, error);
}

// Of which pool a piece is; POOL_COUNT: it counts by itself.
static int find_pool(const mc_process_memory *memory, const mc_memory_place *place) {
    if (place->is_arena) return ARENAS;
    if (place->kind == MC_MEMORY_JAVA_HEAP && memory->classes.count > 0) return HEAP;
    if (place->kind == MC_MEMORY_METASPACE && memory->loaders.count > 0) return METASPACE;
    return POOL_COUNT;
}

static mc_result count_piece(mc_memory_groups *self, const mc_process_memory *memory,
                             const mc_memory_piece *piece, mc_error *error) {
    const uint64_t offset = memory->mappings[piece->mapping].source_offset;
    uint64_t values[VALUE_COUNT] = {[BYTES] = piece->resident,
                                    [PROPORTIONAL] = piece->proportional,
                                    [SWAPPED] = piece->swapped,
                                    [DIRTY] = piece->dirty};
    if (piece->resident == 0 && piece->swapped == 0) return MC_OK;
    mc_text_clear(&self->key);
    mc_text_clear(&self->name);
    mc_memory_place place =
        mc_memory_kind_find(memory, piece, &self->programs, &self->key, &self->name);
    if (piece->is_estimated || place.is_guessed) values[ESTIMATED] = piece->resident;
    const int found = find_pool(memory, &place);
    if (found == POOL_COUNT) return count(self, place.kind, values, offset, error);
    pool *into = &self->pools[found];
    for (int i = 0; i < VALUE_COUNT; i++) {
        if (values[i] > MC_COUNT_MAX - into->values[i]) return fail_too_much(offset, error);
        into->values[i] += values[i];
    }
    into->offset = offset;
    return MC_OK;
}

static void set_name(mc_memory_groups *self, const char *name) {
    mc_text_clear(&self->key);
    mc_text_clear(&self->name);
    mc_text_append_string(&self->key, name);
    mc_text_append_string(&self->name, name);
}

// One group: a program fills one arena after the other, so what grows is all of them. What is
// resident beyond what malloc has given out, where that is known, is free for sure, and kept. Which
// pages these are, nobody says.
static mc_result count_arenas(mc_memory_groups *self, const mc_process_memory *memory,
                              mc_error *error) {
    uint64_t used[VALUE_COUNT], kept[VALUE_COUNT];
    const pool *arenas = &self->pools[ARENAS];
    if (!memory->has_arenas) {
        set_name(self, "memory of arenas");
        return count(self, MC_MEMORY_MALLOC, arenas->values, arenas->offset, error);
    }
    const uint64_t all = arenas->values[BYTES];
    const uint64_t given = memory->arena_bytes > memory->arena_free_bytes
                               ? memory->arena_bytes - memory->arena_free_bytes
                               : 0;
    const uint64_t in_use = given < all ? given : all;
    for (int i = 0; i < VALUE_COUNT; i++) {
        long double share = all > 0 ? (long double)in_use / (long double)all : 1;
        used[i] = i == BYTES ? in_use : (uint64_t)((long double)arenas->values[i] * share);
        if (used[i] > arenas->values[i]) used[i] = arenas->values[i];
        kept[i] = arenas->values[i] - used[i];
    }
    set_name(self, "arena memory in use (at most)");
    mc_result result = count(self, MC_MEMORY_MALLOC, used, arenas->offset, error);
    set_name(self, "arena memory free but kept (at least)");
    if (result == MC_OK && kept[BYTES] > 0)
        result = count(self, MC_MEMORY_MALLOC, kept, arenas->offset, error);
    return result;
}

// ---- what a pool consists of, as the JVM counts

// "java.util.HashMap$Node", "byte[]".
static void append_class(mc_memory_groups *self, mc_span class) {
    size_t package_size;
    bool is_primitive;
    mc_class_name_append(&self->key, class.at, class.size, &package_size, &is_primitive);
}

// "classes of \"app\" (jdk.internal.loader.ClassLoaders$AppClassLoader)", "classes of
// com.shop.PluginLoader", "hidden classes of the boot loader": loaders of one class are one group.
static void append_loader(mc_memory_groups *self, mc_span loader) {
    static const char instance[] = "instance of ", boot[] = "the boot loader";
    const bool is_hidden = mc_span_skip(&loader, "<hidden class>, loaded by ");
    if (mc_span_is(loader, "\"<bootstrap>\"")) loader = (mc_span){boot, sizeof boot - 1};
    mc_text_append_string(&self->key, is_hidden ? "hidden classes of " : "classes of ");
    const char *class = memmem(loader.at, loader.size, instance, sizeof instance - 1);
    const size_t before = class ? (size_t)(class - loader.at) : loader.size;
    mc_text_append(&self->key, loader.at, before);
    if (class) {
        mc_text_append_string(&self->key, before > 0 ? "(" : "");
        mc_text_append(&self->key, class + sizeof instance - 1,
                       loader.size - before - (sizeof instance - 1));
        mc_text_append_string(&self->key, before > 0 ? ")" : "");
    }
}

// Of `whole`, what lies between two places of a range that is `all` long. `all` is not 0.
static uint64_t get_part(uint64_t whole, uint64_t begin, uint64_t end, uint64_t all) {
    const long double scale = (long double)whole / (long double)all;
    const uint64_t to = end >= all ? whole : (uint64_t)((long double)end * scale);
    const uint64_t from = begin >= all ? whole : (uint64_t)((long double)begin * scale);
    return to > from ? to - from : 0;
}

// Bytes in use are resident unless they were swapped out; if they are more than what is resident,
// or some were swapped out, each has its share, an estimate. The pool's other columns go by share.
static mc_result count_contents(mc_memory_groups *self, mc_memory_kind kind, const pool *from,
                                const mc_memory_contents *contents,
                                void (*append_content)(mc_memory_groups *self, mc_span name),
                                const char *rest, mc_error *error) {
    const uint64_t resident = from->values[BYTES];
    const bool is_estimated = contents->sum > resident || from->values[SWAPPED] > 0;
    const uint64_t all = contents->sum > resident ? contents->sum : resident;
    uint64_t values[VALUE_COUNT], left[VALUE_COUNT], before = 0;
    mc_result result = MC_OK;
    if (all == 0) return MC_OK;
    memcpy(left, from->values, sizeof left);
    for (size_t i = 0; i < contents->count && result == MC_OK; i++) {
        const uint64_t bytes = contents->items[i].bytes;
        for (int k = 0; k < VALUE_COUNT; k++)
            values[k] = get_part(from->values[k], before, before + bytes, all);
        if (contents->sum <= resident) values[BYTES] = bytes;
        for (int k = 0; k < VALUE_COUNT; k++) {
            if (values[k] > left[k]) values[k] = left[k];
            left[k] -= values[k];
        }
        if (is_estimated) values[ESTIMATED] = values[BYTES];
        before += bytes;
        if (values[BYTES] == 0 && values[SWAPPED] == 0) continue;
        mc_text_clear(&self->key);
        mc_text_clear(&self->name);
        append_content(self, contents->items[i].name);
        mc_text_append(&self->name, self->key.data, self->key.size);
        result = count(self, kind, values, from->offset, error);
    }
    if (result != MC_OK || (left[BYTES] == 0 && left[SWAPPED] == 0)) return result;
    if (is_estimated) left[ESTIMATED] = left[BYTES];
    set_name(self, rest);
    return count(self, kind, left, from->offset, error);
}

static mc_result count_pools(mc_memory_groups *self, const mc_process_memory *memory,
                             mc_error *error) {
    const pool *arenas = &self->pools[ARENAS];
    mc_result result = MC_OK;
    if (arenas->values[BYTES] > 0 || arenas->values[SWAPPED] > 0)
        result = count_arenas(self, memory, error);
    if (result == MC_OK)
        result = count_contents(self, MC_MEMORY_JAVA_HEAP, &self->pools[HEAP], &memory->classes,
                                append_class, "free, or not collected yet", error);
    if (result == MC_OK)
        result = count_contents(self, MC_MEMORY_METASPACE, &self->pools[METASPACE],
                                &memory->loaders, append_loader, "free, or of no loader", error);
    return result;
}

mc_result mc_memory_groups_fill_tree(mc_memory_groups *self, const mc_process_memory *memory,
                                     const mc_resident_pages *pages, mc_step_tree *tree,
                                     mc_error *error) {
    mc_result result = MC_OK;
    memset(self->pools, 0, sizeof self->pools);
    if (!find_programs(self, memory) || !mc_memory_pieces_cut(&self->pieces, memory, pages))
        result = mc_error_out_of_memory(error);
    for (size_t i = 0; i < self->pieces.count && result == MC_OK; i++)
        result = count_piece(self, memory, &self->pieces.items[i], error);
    if (result == MC_OK) result = count_pools(self, memory, error);
    if (result == MC_OK) return mc_path_groups_fill_tree(self->groups, tree, error);
    mc_path_groups_clear(self->groups);
    return result;
}
