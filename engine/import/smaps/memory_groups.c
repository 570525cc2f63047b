#include "engine/import/smaps/memory_groups.h"

#include "engine/base/memory.h"
#include "engine/import/stacks/path_groups.h"
#include <string.h>

enum { KIND, MAPPING };
enum { BYTES, PROPORTIONAL, SWAPPED, DIRTY, ESTIMATED, VALUE_COUNT };

struct mc_memory_groups {
    mc_path_groups *groups;
    mc_memory_pieces pieces;
    mc_strings programs;          // of the step
    mc_text key, name;            // scratch
    uint64_t arenas[VALUE_COUNT]; // of the step's arenas together
    uint64_t arenas_offset;
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
    if (!place.is_arena) return count(self, place.kind, values, offset, error);
    for (int i = 0; i < VALUE_COUNT; i++) {
        if (values[i] > MC_COUNT_MAX - self->arenas[i]) return fail_too_much(offset, error);
        self->arenas[i] += values[i];
    }
    self->arenas_offset = offset;
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
    if (!memory->has_arenas) {
        set_name(self, "memory of arenas");
        return count(self, MC_MEMORY_MALLOC, self->arenas, self->arenas_offset, error);
    }
    const uint64_t all = self->arenas[BYTES];
    const uint64_t given = memory->arena_bytes > memory->arena_free_bytes
                               ? memory->arena_bytes - memory->arena_free_bytes
                               : 0;
    const uint64_t in_use = given < all ? given : all;
    for (int i = 0; i < VALUE_COUNT; i++) {
        long double share = all > 0 ? (long double)in_use / (long double)all : 1;
        used[i] = i == BYTES ? in_use : (uint64_t)((long double)self->arenas[i] * share);
        if (used[i] > self->arenas[i]) used[i] = self->arenas[i];
        kept[i] = self->arenas[i] - used[i];
    }
    set_name(self, "arena memory in use (at most)");
    mc_result result = count(self, MC_MEMORY_MALLOC, used, self->arenas_offset, error);
    set_name(self, "arena memory free but kept (at least)");
    if (result == MC_OK && kept[BYTES] > 0)
        result = count(self, MC_MEMORY_MALLOC, kept, self->arenas_offset, error);
    return result;
}

mc_result mc_memory_groups_fill_tree(mc_memory_groups *self, const mc_process_memory *memory,
                                     const mc_resident_pages *pages, mc_step_tree *tree,
                                     mc_error *error) {
    mc_result result = MC_OK;
    memset(self->arenas, 0, sizeof self->arenas);
    if (!find_programs(self, memory) || !mc_memory_pieces_cut(&self->pieces, memory, pages))
        result = mc_error_out_of_memory(error);
    for (size_t i = 0; i < self->pieces.count && result == MC_OK; i++)
        result = count_piece(self, memory, &self->pieces.items[i], error);
    if (result == MC_OK && (self->arenas[BYTES] > 0 || self->arenas[SWAPPED] > 0))
        result = count_arenas(self, memory, error);
    if (result == MC_OK) return mc_path_groups_fill_tree(self->groups, tree, error);
    mc_path_groups_clear(self->groups);
    return result;
}
