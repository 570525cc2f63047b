// owner_facts.h - what owners are computed from: of each object the reference by which its
// immediate dominator holds it, and of those that no object dominates what holds them.
//
// Objects are numbers of the dominator tree. An object at the top is one whose immediate dominator
// is the root. Static fields of lasting classes count as roots, and so do those of a loader that is
// at the top, unless several alike are there (as after redeployments). What a stack or a lock names
// is passing: if something else that lasts references the object too, it is attached where all of
// those references come from (or has several owners). Memory: 8 bytes per object, 12 per object at
// the top; 6 or 4 where there are fewer than 65,535 kinds, or links and places. Two passes over the
// graph, one of them that of owner_tops.h. Threads: filling, the heap's; reading, any.
#pragma once
#include "engine/heap/owner_words.h"

typedef struct mc_owner_mark {
    uint32_t number, value;
} mc_owner_mark;

typedef struct mc_owner_marks {
    mc_owner_mark *items; // by number, then value
    size_t count, capacity;
} mc_owner_marks;

typedef struct mc_owner_root {
    uint32_t number;
    mc_heap_root root; // names: of root_names
} mc_owner_root;

// An object at the top that hangs below another.
typedef struct mc_owner_attachment {
    uint32_t number, anchor;
    uint32_t
        link; // by which the anchor references it; MC_NONE: others do that the anchor dominates
    uint32_t state; // of who walks
} mc_owner_attachment;

typedef struct mc_owner_facts {
    const mc_heap *heap;
    mc_owner_words words;
    uint16_t *few;       // what few_kinds and few_links lie in if there are both; or NULL
    uint16_t *few_kinds; // by number; NULL: there are more kinds, so they are in
    uint32_t *kinds;     // likewise
    // By number: from the immediate dominator, MC_NONE: it has no reference; what it is replaced by
    // when places are found (owner_places.h).
    uint16_t *few_links; // NULL: there are more links or places, so they are in
    uint32_t *links;     // likewise
    uint32_t *globals;   // classes whose static fields are roots, by number: those that hang below
                         // their loader or nothing
    size_t global_count;
    mc_owner_marks statics; // links of classes that are roots, by the object; one an object
    mc_owner_marks locals;  // texts, by the object that is_local
    mc_strings root_names;
    mc_owner_root *roots; // by number
    size_t root_count;
    mc_owner_attachment *attachments; // by number
    size_t attachment_count;
} mc_owner_facts;

// Finds all but links and attachments. `heap` is linked; its graph's spare columns are taken. To be
// deinitialised in any case.
mc_result mc_owner_facts_init(mc_owner_facts *facts, mc_heap *heap, mc_error *error);
void mc_owner_facts_deinit(mc_owner_facts *facts);
// They are as many as objects: for whoever needs them no more.
void mc_owner_facts_drop_kinds(mc_owner_facts *facts);

static inline uint32_t mc_owner_facts_get_kind(const mc_owner_facts *facts, uint32_t number) {
    return facts->few_kinds ? facts->few_kinds[number] : facts->kinds[number];
}

static inline uint32_t mc_owner_facts_get_link(const mc_owner_facts *facts, uint32_t number) {
    if (!facts->few_links) return facts->links[number];
    return facts->few_links[number] == UINT16_MAX ? MC_NONE : facts->few_links[number];
}
// Before it is asked for.
static inline void mc_owner_facts_fetch_link(const mc_owner_facts *facts, uint32_t number) {
    if (facts->few_links)
        __builtin_prefetch(&facts->few_links[number]);
    else
        __builtin_prefetch(&facts->links[number]);
}
// Makes room for greater numbers. False if memory is out.
bool mc_owner_facts_widen_links(mc_owner_facts *facts);
// MC_NONE for all.
void mc_owner_facts_clear_links(mc_owner_facts *facts);

// A link, or MC_NONE; or a place, for which there may be no memory: false. Threads: for links, any.
static inline bool mc_owner_facts_set_link(mc_owner_facts *facts, uint32_t number, uint32_t link) {
    const bool fits = link < UINT16_MAX || link == MC_NONE;
    if (facts->few_links && !fits && !mc_owner_facts_widen_links(facts)) return false;
    if (facts->few_links)
        facts->few_links[number] = (uint16_t)link; // MC_NONE is UINT16_MAX then
    else
        facts->links[number] = link;
    return true;
}

// Whether the object is a class of `globals` or how the runtime holds them: not an owner.
bool mc_owner_facts_is_structure(const mc_owner_facts *facts, uint32_t number);
// MC_NONE: there is none. O(log count).
uint32_t mc_owner_marks_find(const mc_owner_marks *marks, uint32_t number);
const mc_owner_root *mc_owner_facts_find_root(const mc_owner_facts *facts, uint32_t number);
mc_owner_attachment *mc_owner_facts_find_attachment(const mc_owner_facts *facts, uint32_t number);
// Whether a root of this kind is a stack's or a lock's.
bool mc_owner_root_is_passing(mc_root_kind kind);
