#include "engine/heap/owner_profile.h"

#include "engine/base/memory.h"
#include "engine/heap/owner_tops.h"
#include "engine/heap/owner_ways.h"
#include <stdlib.h>
#include <string.h>

#define KEPT_SHARE 32768 // of the bytes that are reachable, at least, as the part of a whole
#define KEPT_MAX 8000
#define WAYS_SHARE 256
#define WAYS_MAX 8
#define FEW 4 // outermost places that a way comes from

#define REST_BIT 0x80000000u // of what is kept near a place: it is the rest of this root

typedef struct profiler {
    mc_owner_facts facts;
    mc_owner_places places;
    mc_owner_references references; // to places whose ways are told
    const uint32_t *tree_nodes;
    bool *is_kept;    // by place
    bool *is_wanted;  // by place: its ways are told
    uint32_t *owners; // by place: the nearest that is kept, or the rest
    mc_step_owners *into;
    bool is_before; // what is told is of the first moment of a film
} profiler;

static uint32_t copy_text(const profiler *self, const mc_strings *from, uint32_t text) {
    size_t size;
    const char *bytes = mc_strings_get(from, text, &size);
    return mc_strings_intern(&self->into->names, bytes, size);
}

// ---- what is kept

typedef struct candidate {
    uint64_t bytes;
    uint32_t place;
} candidate;

static int compare_candidates(const void *a, const void *b) {
    const candidate *x = a, *y = b;
    if (x->bytes != y->bytes) return x->bytes > y->bytes ? -1 : 1;
    return x->place < y->place ? -1 : x->place > y->place;
}

// What is kept retains no more than its parent, which has a lower number.
static bool choose(profiler *self, uint64_t bytes) {
    const mc_owner_places *places = &self->places;
    size_t count = 0, capacity = 0;
    candidate *list = NULL;
    for (uint32_t i = 0; i < places->count; i++) {
        uint64_t of = places->items[i].count.retained.size;
        if (of <= bytes / KEPT_SHARE) continue;
        if (!mc_reserve(&list, &capacity, count + 1, sizeof *list)) {
            mc_free(list);
            return false;
        }
        list[count++] = (candidate){of, i};
    }
    if (count > KEPT_MAX) qsort(list, count, sizeof *list, compare_candidates);
    for (size_t i = 0; i < count && i < KEPT_MAX; i++)
        self->is_kept[list[i].place] = true;
    mc_free(list);
    return true;
}

// ---- ways

static bool want_ways(profiler *self, uint64_t bytes) {
    bool is_any = false;
    for (uint32_t i = 0; i < self->places.count; i++) {
        const mc_owner_place *place = &self->places.items[i];
        bool has_several =
            place->field == MC_NONE && (place->parent != MC_NONE || place->root == MC_OWNER_SHARED);
        self->is_wanted[i] =
            has_several && self->is_kept[i] && place->count.retained.size > bytes / WAYS_SHARE;
        is_any = is_any || self->is_wanted[i];
    }
    return is_any;
}

static uint32_t find_kept(const profiler *self, uint32_t place) {
    const mc_owner_place *items = self->places.items;
    while (!self->is_kept[place]) {
        if (items[place].parent == MC_NONE) return REST_BIT | items[place].root;
        place = items[place].parent;
    }
    return place;
}

static uint32_t find_outermost(const profiler *self, uint32_t place) {
    while (self->places.items[place].parent != MC_NONE)
        place = self->places.items[place].parent;
    return place;
}

// The references with what is kept near their source. False: out of memory.
static bool add_up_ways(const profiler *self, mc_owner_references *ways) {
    for (uint32_t i = 0; i < self->references.count; i++) {
        mc_owner_reference way = self->references.items[i];
        way.from = find_kept(self, way.from);
        if (!mc_owner_references_add(ways, way)) return false;
    }
    return mc_owner_references_sort(ways, &self->facts.words.texts);
}

// The way's outermost places, if they are few.
static void keep_outermost(profiler *self, const mc_owner_reference *way) {
    uint32_t found[FEW], count = 0;
    for (uint32_t i = 0; i < self->references.count; i++) {
        const mc_owner_reference *reference = &self->references.items[i];
        if (reference->place != way->place || reference->field != way->field ||
            find_kept(self, reference->from) != way->from)
            continue;
        uint32_t outermost = find_outermost(self, reference->from), k = 0;
        while (k < count && found[k] != outermost)
            k++;
        if (k == FEW) return;
        found[k] = outermost;
        if (k == count) count++;
    }
    for (uint32_t i = 0; i < count; i++)
        self->is_kept[found[i]] = true;
}

// Of each place the nearest that is kept or, as none is, the outermost: what is told of where
// references come from needs no more, and there may be a million places. NULL: out of memory.
static uint32_t *list_stand_ins(const profiler *self) {
    const mc_owner_places *places = &self->places;
    uint32_t *stand_ins = mc_alloc_scattered((size_t)places->count + 1, sizeof *stand_ins);
    for (uint32_t i = 0; stand_ins && i < places->count; i++) {
        const uint32_t parent = places->items[i].parent;
        stand_ins[i] = self->is_kept[i] || parent == MC_NONE ? i : stand_ins[parent];
    }
    return stand_ins;
}

// Owners that retain little by themselves may hold much together with others.
static mc_result find_ways(profiler *self, uint64_t bytes, mc_error *error) {
    mc_owner_references ways = {.count = 0};
    if (!want_ways(self, bytes)) return MC_OK;
    uint32_t *stand_ins = list_stand_ins(self);
    mc_result result = stand_ins ? mc_owner_references_find(&self->references, &self->facts,
                                                            self->is_wanted, stand_ins, error)
                                 : mc_error_out_of_memory(error);
    mc_free(stand_ins);
    if (result == MC_OK && !add_up_ways(self, &ways)) result = mc_error_out_of_memory(error);
    for (uint32_t i = 0, rank = 0; result == MC_OK && i < ways.count; i++) {
        rank = i > 0 && ways.items[i - 1].place == ways.items[i].place ? rank + 1 : 1;
        if (rank <= WAYS_MAX && ways.items[i].from & REST_BIT) keep_outermost(self, &ways.items[i]);
    }
    mc_owner_references_deinit(&ways);
    return result;
}

static bool tell_ways(profiler *self) {
    const mc_strings *texts = &self->facts.words.texts;
    mc_owner_references ways = {.count = 0};
    bool is_done = true;
    for (uint32_t i = 0; i < self->references.count && is_done; i++) {
        mc_owner_reference way = self->references.items[i];
        way.from = self->owners[way.from];
        is_done = mc_owner_references_add(&ways, way);
    }
    is_done = is_done && mc_owner_references_sort(&ways, texts);
    for (uint32_t i = 0, rank = 0; i < ways.count && is_done; i++) {
        const mc_owner_reference *way = &ways.items[i];
        rank = i > 0 && ways.items[i - 1].place == way->place ? rank + 1 : 1;
        if (rank > WAYS_MAX) continue;
        uint32_t field = copy_text(self, texts, way->field);
        is_done = field != MC_NONE &&
                  mc_step_owners_add_way(self->into, (mc_owner_way){self->owners[way->place],
                                                                    way->from, field, way->count});
    }
    mc_owner_references_deinit(&ways);
    return is_done;
}

// ---- owners

static const mc_owner_count *get_count(const profiler *self, const mc_owner_place *place) {
    return self->is_before ? &place->before : &place->count;
}

static bool add_owner(profiler *self, uint32_t index) {
    const mc_owner_place *place = &self->places.items[index];
    const mc_owner_facts *facts = &self->facts;
    const mc_owner_count *count = get_count(self, place);
    mc_step_owners *into = self->into;
    if (count->retained.count == 0) { // it is not there yet, nor is what is below
        self->owners[index] = MC_NONE;
        return true;
    }
    const mc_strings *names = place->has_name ? &facts->root_names : &facts->words.texts;
    mc_owner owner = {.parent = place->parent == MC_NONE ? MC_NONE : self->owners[place->parent],
                      .root = place->root,
                      .field =
                          place->field == MC_NONE ? MC_NONE : copy_text(self, names, place->field),
                      .class = copy_text(self, &facts->words.texts, place->class),
                      .place = place->group == MC_NONE ? MC_NONE : self->tree_nodes[place->group]};
    mc_owner_sum sum = {.owner = (uint32_t)into->owner_count,
                        .example = place->example == MC_NONE
                                       ? MC_NONE
                                       : copy_text(self, &facts->root_names, place->example),
                        .objects = count->objects,
                        .retained_objects = count->retained.count,
                        .retained_bytes = count->retained.size,
                        .program_objects = count->program_objects};
    bool has_field = place->field == MC_NONE || owner.field != MC_NONE;
    bool has_example = place->example == MC_NONE || sum.example != MC_NONE;
    self->owners[index] = sum.owner;
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
        if (place->parent != MC_NONE || place->root != root || self->is_kept[i]) continue;
        is_there = true;
        self->owners[i] = sum.owner;
        const mc_owner_count *count = get_count(self, place);
        sum.objects += count->objects;
        sum.retained_objects += count->retained.count;
        sum.retained_bytes += count->retained.size;
        sum.program_objects += count->program_objects;
    }
    mc_owner owner = {.parent = MC_NONE, .root = root, .field = MC_NONE, .place = MC_NONE};
    if (!is_there) return true;
    owner.class =
        mc_strings_intern(&into->names, MC_OWNERS_REST_CLASS, sizeof MC_OWNERS_REST_CLASS - 1);
    return owner.class != MC_NONE && mc_step_owners_add(into, owner) &&
           mc_step_owners_add_sum(into, sum);
}

static bool add_owners(profiler *self) {
    const mc_owner_places *places = &self->places;
    for (uint32_t i = 0; i < places->count; i++)
        if (self->is_kept[i] && !add_owner(self, i)) return false;
    for (uint32_t root = 0; root <= MC_OWNER_SHARED; root++)
        if (!add_rest(self, root)) return false;
    for (uint32_t i = 0; i < places->count; i++)
        if (!self->is_kept[i] && places->items[i].parent != MC_NONE)
            self->owners[i] = self->owners[places->items[i].parent];
    return true;
}

static mc_result tell(profiler *self, mc_error *error) {
    const size_t count = (size_t)self->places.count + 1;
    uint64_t bytes = 0;
    self->is_kept = mc_alloc_zero_scattered(count, sizeof *self->is_kept);
    self->is_wanted = mc_alloc_zero_scattered(count, sizeof *self->is_wanted);
    self->owners = mc_alloc_scattered(count, sizeof *self->owners);
    for (uint32_t i = 0; i < self->places.count; i++)
        if (self->places.items[i].parent == MC_NONE)
            bytes += self->places.items[i].count.retained.size;
    if (!self->is_kept || !self->is_wanted || !self->owners || !choose(self, bytes))
        return mc_error_out_of_memory(error);
    mc_result result = find_ways(self, bytes, error);
    if (result == MC_OK && (!add_owners(self) || !tell_ways(self)))
        result = mc_error_out_of_memory(error);
    return result;
}

// The same owners as they were at the first moment.
static mc_result tell_before(profiler *self, const uint32_t *tree_nodes, mc_step_owners *before,
                             mc_error *error) {
    self->tree_nodes = tree_nodes;
    self->into = before;
    self->is_before = true;
    return add_owners(self) ? MC_OK : mc_error_out_of_memory(error);
}

mc_result mc_heap_add_owners(mc_heap *heap, const uint32_t *tree_nodes, mc_step_owners *owners,
                             const mc_heap_owners_before *before, mc_error *error) {
    profiler self = {.tree_nodes = tree_nodes, .into = owners};
    mc_result result = mc_owner_facts_init(&self.facts, heap, error);
    if (result == MC_OK) result = mc_owner_tops_attach(&self.facts, error);
    if (result == MC_OK) result = mc_owner_places_init(&self.places, &self.facts, error);
    mc_owner_facts_drop_kinds(&self.facts);
    if (result == MC_OK) result = tell(&self, error);
    if (result == MC_OK && before)
        result = tell_before(&self, before->tree_nodes, before->owners, error);
    mc_owner_places_deinit(&self.places);
    mc_owner_facts_deinit(&self.facts);
    mc_owner_references_deinit(&self.references);
    mc_free(self.is_kept);
    mc_free(self.is_wanted);
    mc_free(self.owners);
    return result;
}
