#include "engine/heap/owner_places.h"

#include "engine/base/hash.h"
#include "engine/base/memory.h"
#include "engine/trace/step_owners.h"

#define FOLD_DISTANCE 4 // places
#define PLACES_MAX (1u << 20)
#define AT_HAND (1u << 12) // places; a power of two

// Of attachments.
enum { STATE_WAITS, STATE_COMES, STATE_DONE };

void mc_owner_places_deinit(mc_owner_places *places) {
    mc_free(places->items);
    mc_slots_deinit(&places->slots);
    *places = (mc_owner_places){.count = 0};
}

typedef struct walker {
    mc_owner_places *places;
    mc_owner_facts *facts;
    const mc_heap *heap;
    uint32_t *chain; // attachments that wait for one another
    // Of objects of a kind that what is at a place references by a link.
    struct known_place {
        uint32_t parent, link, kind;
        uint32_t place; // MC_NONE: not known
    } at_hand[AT_HAND];
    bool is_out_of_memory;
} walker;

typedef struct place_key {
    uint32_t parent, root, field, class;
    bool has_name;
    bool is_element; // of a list: no chain
    bool is_program; // of a class that is the program's own
} place_key;

// ---- places

static bool is_same(const mc_owner_place *place, const place_key *key) {
    return place->field == key->field && place->class == key->class &&
           place->parent == key->parent && place->root == key->root &&
           place->has_name == key->has_name;
}

// Whether elements come by the same fields: up to the nearest object of the program's own, both
// have the same way. An element of a queue that holds a list with elements of its class has
// another.
static bool is_alike(const mc_owner_place *items, uint32_t a, uint32_t b) {
    while (a != b) {
        if (a == MC_NONE || b == MC_NONE || items[a].field != items[b].field ||
            items[a].class != items[b].class || items[a].root != items[b].root ||
            items[a].has_name != items[b].has_name)
            return false;
        if (items[b].count.program_objects > 0) return true;
        a = items[a].parent;
        b = items[b].parent;
    }
    return true;
}

// What collections consist of is no place above one of the program's own: a list in a list is one
// place, a list in a program's object in a list is two.
static uint32_t find_fold(const mc_owner_place *items, const place_key *key) {
    uint32_t at = key->parent;
    if (!key->is_element && items[at].class == key->class && !items[at].has_name) return at;
    for (int i = 0; at != MC_NONE && i < FOLD_DISTANCE; i++, at = items[at].parent) {
        if (items[at].field == key->field && items[at].class == key->class && !items[at].has_name &&
            (!key->is_element || is_alike(items, items[at].parent, key->parent)))
            return at;
        if (items[at].count.program_objects > 0 && !key->is_program) break;
    }
    return MC_NONE;
}

static uint32_t find_or_add(mc_owner_places *places, const place_key *key) {
    const uint32_t words[5] = {key->parent, key->root, key->field, key->class, key->has_name};
    const uint32_t hash = (uint32_t)mc_hash_bytes(words, sizeof words, 0);
    for (uint32_t at = hash, found; (found = mc_slots_find(&places->slots, hash, &at)) != MC_NONE;)
        if (is_same(&places->items[found], key)) return found;
    if (places->count >= PLACES_MAX && key->parent != MC_NONE) return key->parent;
    if (!mc_reserve(&places->items, &places->capacity, (size_t)places->count + 1,
                    sizeof *places->items) ||
        !mc_slots_add(&places->slots, hash, places->count))
        return MC_NONE;
    places->items[places->count] = (mc_owner_place){.parent = key->parent,
                                                    .root = key->root,
                                                    .field = key->field,
                                                    .class = key->class,
                                                    .has_name = key->has_name,
                                                    .group = MC_NONE,
                                                    .recent = MC_NONE,
                                                    .example = MC_NONE};
    return places->count++;
}

// Alike objects mostly follow one another. MC_NONE if memory is out.
static uint32_t put_place(walker *self, const place_key *key) {
    mc_owner_places *places = self->places;
    if (key->parent == MC_NONE) {
        uint32_t place = find_or_add(places, key);
        self->is_out_of_memory = self->is_out_of_memory || place == MC_NONE;
        return place;
    }
    uint32_t recent = places->items[key->parent].recent;
    if (recent != MC_NONE && places->items[recent].field == key->field &&
        places->items[recent].class == key->class)
        return recent;
    uint32_t place = find_fold(places->items, key);
    if (place == MC_NONE) place = find_or_add(places, key);
    if (place == MC_NONE)
        self->is_out_of_memory = true;
    else
        places->items[key->parent].recent = place;
    return place;
}

// ---- objects

static uint32_t find_group(const walker *self, uint32_t a, uint32_t b) {
    const uint32_t *parents = self->heap->group_parents;
    while (a != b && a != MC_NONE && b != MC_NONE) {
        if (a > b)
            a = parents[a];
        else
            b = parents[b];
    }
    return a == b ? a : MC_NONE;
}

// But for what is at the place itself.
static void add_count(mc_owner_count *to, const mc_owner_count *added) {
    to->retained.count += added->retained.count;
    to->retained.size += added->retained.size;
    to->program_objects += added->program_objects;
}

static void count_object(const walker *self, uint32_t number, uint32_t place) {
    mc_owner_place *at = &self->places->items[place];
    const mc_heap *heap = self->heap;
    const uint32_t group = heap->group_of[number];
    if (group == MC_NONE) return; // no object that counts
    if (at->count.objects == 0)
        at->group = group;
    else if (at->group != group)
        at->group = find_group(self, at->group, group);
    const mc_owner_count one = {
        1,
        {.count = 1, .size = mc_vertex_sizes_get(&heap->sizes, number)},
        self->facts->words.standings[mc_owner_facts_get_kind(self->facts, number)].is_program};
    add_count(&at->count, &one);
    at->count.objects++;
    if (!heap->is_new || heap->is_new[number]) return;
    add_count(&at->before, &one);
    at->before.objects++;
}

static uint32_t get_class(const walker *self, uint32_t number) {
    return self->facts->words.classes[mc_owner_facts_get_kind(self->facts, number)];
}

// Whoever else names it, an object that a static field names is held by that.
static uint32_t put_root(walker *self, uint32_t number, bool has_root) {
    const mc_owner_facts *facts = self->facts;
    const mc_owner_root *root = has_root ? mc_owner_facts_find_root(facts, number) : NULL;
    uint32_t link = mc_owner_marks_find(&facts->statics, number);
    place_key key = {.parent = MC_NONE, .field = MC_NONE, .class = get_class(self, number)};
    if (link != MC_NONE && !(root && root->root.kind == MC_ROOT_THREAD)) {
        key.root = MC_ROOT_STATIC;
        key.field = facts->words.fields[link];
        return put_place(self, &key);
    }
    key.root = root                          ? (uint32_t)root->root.kind
               : self->heap->root_count == 0 ? MC_ROOT_UNKNOWN
                                             : MC_OWNER_SHARED;
    key.field = root ? root->root.name : MC_NONE;
    key.has_name = key.field != MC_NONE;
    uint32_t place = put_place(self, &key);
    if (place == MC_NONE || !root || root->root.example == MC_NONE) return place;
    mc_owner_place *at = &self->places->items[place];
    uint32_t size = self->heap->tree.sizes[number];
    if (size > at->example_size) {
        at->example_size = size;
        at->example = root->root.example;
    }
    return place;
}

// Of what `parent` dominates immediately, or is attached to.
static uint32_t find_below(walker *self, uint32_t number, uint32_t parent, uint32_t parent_place,
                           uint32_t link) {
    const mc_owner_words *words = &self->facts->words;
    place_key key = {.parent = parent_place,
                     .field = MC_NONE,
                     .class = get_class(self, number),
                     .is_program =
                         words->standings[mc_owner_facts_get_kind(self->facts, number)].is_program};
    if (link == MC_NONE) {
        if (mc_owner_facts_is_structure(self->facts, parent)) return put_root(self, number, false);
        return put_place(self, &key);
    }
    key.field = words->fields[link];
    key.is_element = words->links[link] & MC_OWNER_LINK_ELEMENT;
    if (words->links[link] & MC_OWNER_LINK_ROOT) {
        key.parent = MC_NONE;
        key.root = MC_ROOT_STATIC;
    } else if (words->links[link] & MC_OWNER_LINK_LOCAL) {
        uint32_t name = mc_owner_marks_find(&self->facts->locals, parent);
        if (name != MC_NONE) key.field = name;
    }
    return put_place(self, &key);
}

static uint32_t put_below(walker *self, uint32_t number, uint32_t parent, uint32_t parent_place,
                          uint32_t link) {
    // Without a link, or by a local one, it depends on the object.
    if (link == MC_NONE || self->facts->words.links[link] & MC_OWNER_LINK_LOCAL)
        return find_below(self, number, parent, parent_place, link);
    const uint32_t kind = mc_owner_facts_get_kind(self->facts, number);
    const uint64_t hash = mc_hash_u64((uint64_t)parent_place << 32 | link, kind);
    struct known_place *known = &self->at_hand[hash & (AT_HAND - 1)];
    if (known->place == MC_NONE || known->parent != parent_place || known->link != link ||
        known->kind != kind)
        *known = (struct known_place){parent_place, link, kind,
                                      find_below(self, number, parent, parent_place, link)};
    return known->place;
}

// ---- the walk

// All that is below an object whose place is known.
static void walk_subtree(walker *self, uint32_t top, uint32_t place) {
    const mc_dominator_tree *tree = &self->heap->tree;
    const uint32_t end = mc_dominator_tree_get_end(tree, top);
    mc_dominator_walk walk = {.depth = 0};
    uint32_t parent = MC_NONE;
    for (uint32_t i = top; i < end && !self->is_out_of_memory; i++) {
        parent = mc_dominator_walk_get(&walk, i);
        if (parent != MC_NONE)
            place = put_below(self, i, parent, mc_owner_facts_get_link(self->facts, parent),
                              mc_owner_facts_get_link(self->facts, i));
        if (place == MC_NONE) return;
        if (!mc_owner_facts_set_link(self->facts, i, place)) self->is_out_of_memory = true;
        count_object(self, i, place);
        if (tree->sizes[i] > 1) mc_dominator_walk_put(&walk, mc_dominator_tree_get_end(tree, i), i);
    }
}

// The top that an object is below. O(log tops).
static mc_owner_attachment *find_waiting(const walker *self, uint32_t anchor) {
    const mc_owner_attachment *items = self->facts->attachments;
    size_t low = 0, high = self->facts->attachment_count; // the first behind it
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (items[middle].number <= anchor)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == 0) return NULL;
    mc_owner_attachment *last = &self->facts->attachments[low - 1];
    return anchor < mc_dominator_tree_get_end(&self->heap->tree, last->number) ? last : NULL;
}

static void attach(walker *self, mc_owner_attachment *attachment) {
    uint32_t anchor = attachment->anchor, number = attachment->number;
    uint32_t place =
        anchor == 0 ? put_root(self, number, false)
                    : put_below(self, number, anchor, mc_owner_facts_get_link(self->facts, anchor),
                                attachment->link);
    attachment->state = STATE_DONE;
    if (place != MC_NONE) walk_subtree(self, number, place);
}

// First those that the anchors are below. Of some that go in circles one has no anchor.
static void attach_all(walker *self) {
    mc_owner_facts *facts = self->facts;
    for (size_t i = 0; i < facts->attachment_count; i++) {
        mc_owner_attachment *at = &facts->attachments[i];
        size_t depth = 0;
        while (at && at->state == STATE_WAITS) {
            at->state = STATE_COMES;
            self->chain[depth++] = (uint32_t)(at - facts->attachments);
            at = at->anchor == 0 ? NULL : find_waiting(self, at->anchor);
        }
        if (at && at->state == STATE_COMES) facts->attachments[self->chain[depth - 1]].anchor = 0;
        while (depth > 0 && !self->is_out_of_memory)
            attach(self, &facts->attachments[self->chain[--depth]]);
    }
}

// What pending finalizers or soft references keep. Late roots are no objects.
static void walk_region(walker *self, uint32_t late, mc_root_kind kind) {
    const mc_dominator_tree *tree = &self->heap->tree;
    const uint32_t end = mc_dominator_tree_get_end(tree, late);
    for (uint32_t at = late + 1; at < end && !self->is_out_of_memory;
         at = mc_dominator_tree_get_end(tree, at)) {
        bool is_root = mc_owner_facts_get_link(self->facts, at) != MC_NONE;
        place_key key = {.parent = MC_NONE,
                         .root = is_root ? (uint32_t)kind : MC_OWNER_SHARED,
                         .field = is_root ? get_class(self, late) : MC_NONE,
                         .class = get_class(self, at)};
        uint32_t place = put_place(self, &key);
        if (place != MC_NONE) walk_subtree(self, at, place);
    }
}

static bool walk_top(walker *self, uint32_t number) {
    if (number == mc_heap_get_region_root(self->heap, MC_HEAP_FINALIZING)) {
        walk_region(self, number, MC_ROOT_FINALIZING);
    } else if (number == mc_heap_get_region_root(self->heap, MC_HEAP_SOFT)) {
        walk_region(self, number, MC_ROOT_SOFT);
    } else {
        uint32_t place = put_root(self, number, true);
        if (place != MC_NONE) walk_subtree(self, number, place);
    }
    return !self->is_out_of_memory;
}

static bool walk_all(walker *self) {
    const mc_dominator_tree *tree = &self->heap->tree;
    const mc_owner_facts *facts = self->facts;
    size_t next = 0;
    for (uint32_t at = 1; at < tree->reachable; at = mc_dominator_tree_get_end(tree, at)) {
        if (next < facts->attachment_count && facts->attachments[next].number == at) {
            next++;
            continue;
        }
        if (!walk_top(self, at)) return false;
    }
    attach_all(self);
    return !self->is_out_of_memory;
}

static void add_up(mc_owner_places *places) {
    for (uint32_t i = places->count; i > 0; i--) {
        const mc_owner_place *place = &places->items[i - 1];
        if (place->parent == MC_NONE) continue;
        mc_owner_place *parent = &places->items[place->parent];
        add_count(&parent->count, &place->count);
        add_count(&parent->before, &place->before);
    }
}

mc_result mc_owner_places_init(mc_owner_places *places, mc_owner_facts *facts, mc_error *error) {
    walker *self = mc_alloc_zero(1, sizeof *self);
    *places = (mc_owner_places){.count = 0};
    if (!self) return mc_error_out_of_memory(error);
    self->places = places;
    self->facts = facts;
    self->heap = facts->heap;
    for (uint32_t i = 0; i < AT_HAND; i++)
        self->at_hand[i].place = MC_NONE;
    self->chain = mc_alloc_scattered(facts->attachment_count + 1, sizeof *self->chain);
    bool is_done = self->chain && walk_all(self);
    if (is_done) add_up(places);
    mc_free(self->chain);
    mc_free(self);
    return is_done ? MC_OK : mc_error_out_of_memory(error);
}
