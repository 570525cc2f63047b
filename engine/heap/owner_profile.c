#include "engine/heap/owner_profile.h"

#include "engine/base/memory.h"
#include "engine/heap/owner_ways.h"
#include <stdlib.h>
#include <string.h>

#define KEPT_SHARE 32768 // of the bytes that are reachable, at least, as the part of a whole
#define KEPT_MAX 8000
#define WAYS_SHARE 256
#define WAYS_MAX 8

typedef struct profiler {
    mc_owner_facts facts;
    mc_owner_places places;
    const uint32_t *tree_nodes;
    uint32_t *kept;   // by place: the owner; MC_NONE: it is left out
    uint32_t *owners; // by place: the nearest that is kept, or the rest
    uint32_t *wanted; // by place: the owner whose ways are wanted
    mc_step_owners *into;
} profiler;

typedef struct candidate {
    uint64_t bytes;
    uint32_t place;
} candidate;

static int compare_candidates(const void *a, const void *b) {
    const candidate *x = a, *y = b;
    if (x->bytes != y->bytes) return x->bytes > y->bytes ? -1 : 1;
    return x->place < y->place ? -1 : x->place > y->place;
}

// Whatever is kept retains no more than its parent, which has a lower number.
static bool choose(profiler *self, uint64_t bytes) {
    const mc_owner_places *places = &self->places;
    size_t count = 0, capacity = 0;
    candidate *list = NULL;
    for (uint32_t i = 0; i < places->count; i++) {
        uint64_t of = places->items[i].retained.size;
        self->kept[i] = self->owners[i] = self->wanted[i] = MC_NONE;
        if (of <= bytes / KEPT_SHARE) continue;
        if (!mc_reserve(&list, &capacity, count + 1, sizeof *list)) {
            mc_free(list);
            return false;
        }
        list[count++] = (candidate){of, i};
    }
    if (count > KEPT_MAX) qsort(list, count, sizeof *list, compare_candidates);
    for (size_t i = 0; i < count && i < KEPT_MAX; i++)
        self->kept[list[i].place] = 0; // its number follows
    mc_free(list);
    return true;
}

static uint32_t copy_text(const profiler *self, const mc_strings *from, uint32_t text) {
    size_t size;
    const char *bytes = mc_strings_get(from, text, &size);
    return mc_strings_intern(&self->into->names, bytes, size);
}

static bool add_owner(profiler *self, uint32_t index) {
    const mc_owner_place *place = &self->places.items[index];
    const mc_owner_facts *facts = &self->facts;
    mc_step_owners *into = self->into;
    const mc_strings *names = place->has_name ? &facts->root_names : &facts->words.texts;
    mc_owner owner = {
        .parent = place->parent == MC_NONE ? MC_NONE : self->kept[place->parent],
        .root = place->root,
        .field = place->field == MC_NONE ? MC_NONE : copy_text(self, names, place->field),
        .class = copy_text(self, &facts->words.texts, place->class),
        .place = place->group == MC_NONE ? MC_NONE : self->tree_nodes[place->group]};
    mc_owner_sum sum = {.owner = (uint32_t)into->owner_count,
                        .example = place->example == MC_NONE
                                       ? MC_NONE
                                       : copy_text(self, &facts->root_names, place->example),
                        .objects = place->objects,
                        .retained_objects = place->retained.count,
                        .retained_bytes = place->retained.size,
                        .program_objects = place->program_objects};
    bool has_field = place->field == MC_NONE || owner.field != MC_NONE;
    bool has_example = place->example == MC_NONE || sum.example != MC_NONE;
    self->kept[index] = self->owners[index] = sum.owner;
    return has_field && has_example && owner.class != MC_NONE && mc_step_owners_add(into, owner) &&
           mc_step_owners_add_sum(into, sum);
}

// What places without a parent are left out of a kind of root.
static bool add_rest(profiler *self, uint32_t root) {
    mc_step_owners *into = self->into;
    mc_owner_sum sum = {.owner = (uint32_t)into->owner_count, .example = MC_NONE};
    bool is_there = false;
    for (uint32_t i = 0; i < self->places.count; i++) {
        const mc_owner_place *place = &self->places.items[i];
        if (place->parent != MC_NONE || place->root != root || self->kept[i] != MC_NONE) continue;
        is_there = true;
        self->owners[i] = sum.owner;
        sum.objects += place->objects;
        sum.retained_objects += place->retained.count;
        sum.retained_bytes += place->retained.size;
        sum.program_objects += place->program_objects;
    }
    mc_owner owner = {.parent = MC_NONE, .root = root, .field = MC_NONE, .place = MC_NONE};
    if (!is_there) return true;
    owner.class = mc_strings_intern(&into->names, MC_OWNERS_REST_CLASS,
                                    sizeof MC_OWNERS_REST_CLASS - 1);
    return owner.class != MC_NONE && mc_step_owners_add(into, owner) &&
           mc_step_owners_add_sum(into, sum);
}

static bool add_owners(profiler *self) {
    const mc_owner_places *places = &self->places;
    for (uint32_t i = 0; i < places->count; i++)
        if (self->kept[i] != MC_NONE && !add_owner(self, i)) return false;
    for (uint32_t root = 0; root <= MC_OWNER_SHARED; root++)
        if (!add_rest(self, root)) return false;
    for (uint32_t i = 0; i < places->count; i++)
        if (self->owners[i] == MC_NONE) self->owners[i] = self->owners[places->items[i].parent];
    return true;
}

static mc_result add_ways(profiler *self, uint64_t bytes, mc_error *error) {
    bool is_wanted = false;
    for (uint32_t i = 0; i < self->places.count; i++) {
        const mc_owner_place *place = &self->places.items[i];
        bool has_several = place->field == MC_NONE &&
                           (place->parent != MC_NONE || place->root == MC_OWNER_SHARED);
        if (!has_several || self->kept[i] == MC_NONE || place->retained.size <= bytes / WAYS_SHARE)
            continue;
        self->wanted[i] = self->kept[i];
        is_wanted = true;
    }
    mc_owner_ways_desc desc = {&self->facts, self->wanted, self->owners, WAYS_MAX};
    return is_wanted ? mc_owner_ways_add(&desc, self->into, error) : MC_OK;
}

static mc_result tell(profiler *self, mc_error *error) {
    const size_t count = (size_t)self->places.count + 1;
    uint64_t bytes = 0;
    self->kept = mc_alloc(count, sizeof *self->kept);
    self->owners = mc_alloc(count, sizeof *self->owners);
    self->wanted = mc_alloc(count, sizeof *self->wanted);
    for (uint32_t i = 0; i < self->places.count; i++)
        if (self->places.items[i].parent == MC_NONE) bytes += self->places.items[i].retained.size;
    if (!self->kept || !self->owners || !self->wanted || !choose(self, bytes) || !add_owners(self))
        return mc_error_out_of_memory(error);
    return add_ways(self, bytes, error);
}

mc_result mc_heap_add_owners(const mc_heap *heap, const uint32_t *tree_nodes,
                             mc_step_owners *owners, mc_error *error) {
    profiler self = {.tree_nodes = tree_nodes, .into = owners};
    mc_result result = mc_owner_facts_init(&self.facts, heap, error);
    if (result == MC_OK) result = mc_owner_places_init(&self.places, &self.facts, error);
    mc_free(self.facts.kinds); // they are as many as objects
    self.facts.kinds = NULL;
    if (result == MC_OK) result = tell(&self, error);
    mc_owner_places_deinit(&self.places);
    mc_owner_facts_deinit(&self.facts);
    mc_free(self.kept);
    mc_free(self.owners);
    mc_free(self.wanted);
    return result;
}
