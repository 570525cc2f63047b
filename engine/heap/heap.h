// heap.h - the objects of one heap, whatever wrote them: what they are, how large, what they
// reference and by which names, which of them roots hold; and what one may ask of them.
//
// This is the seam between readers of formats and all questions. A reader adds its kinds, puts its
// objects into the graph (mc_graph_put(): a block of edges at a time, in as many threads as it
// likes), notes weak edges, says where the groups are, and calls mc_heap_link(). No function of the
// reader is called for single objects or edges: `words` names kinds, slots and roots, each once or
// a few times. What runtimes differ in:
//
//   objects  numbers 0 to n - 1, in any order; the root is the vertex behind them. Ids, stable or
//            not, and addresses stay with the reader, which finds an object by its number.
//   kinds    whatever objects have in common: a class, a list of property names, a size class with
//            the places of its pointers, a site. Objects without a type are of such a kind, too.
//   groups   a leaf for each kind, or for each object (mc_heap_leaves.of), where it depends on what
//            a kind does not tell: data structure, site, generation.
//   edges    by a slot of the kind: a field, a closure's variable. Elements, and edges without a
//            name, share the only slot of a kind of layout MC_GRAPH_LIST, or the last one of
//            MC_GRAPH_MIXED, whose other slots all have an edge.
//   weak     edges of all kinds that keep nothing alive are listed apart, each with its slot.
//   roots    edges of the root, those that last first; `words` tells what they are.
//   late     roots of the graph (graph.h) for what only pending finalizers keep, and for what only
//            soft references do: regions of their own. A reader adds both, in this order, or none.
//
// Memory when linked: 16 bytes per object, 4 per reference, 12 per weak edge; 30 % more while
// linking. Threads: linking and asking use `thread_count`; asking changes nothing, so any number of
// threads may ask; otherwise one object serves one thread at a time.
#pragma once
#include "engine/graph/paths.h"
#include "engine/graph/reach.h"
#include "engine/heap/groups.h"
#include "engine/trace/step_referrers.h"

// What objects of a kind have in common, beside what the graph knows (mc_graph_kind).
typedef struct mc_heap_kind {
    uint32_t leaf;       // in the groups; MC_NONE: no objects
    uint32_t first_link; // slots of all kinds are numbered on: those of links
    uint32_t slot_count; // links; those behind the graph's slots are of weak edges alone
    uint32_t class_slot; // an edge to what describes the object: it keeps that alive, and is no
                         // reference to those who count them; MC_NONE: there is none
} mc_heap_kind;

// Of two vertices, by their positions (graph.h).
typedef struct mc_heap_weak_edge {
    uint32_t source, target, slot;
} mc_heap_weak_edge;

// What keeps an object: it is in the first region from which it is reached. No object of a region
// is dominated by one of another, or on a way into it.
typedef enum mc_heap_region {
    MC_HEAP_STRONG,
    MC_HEAP_FINALIZING, // goes once it is finalized
    MC_HEAP_SOFT,       // goes when memory is short
    MC_HEAP_REGION_COUNT
} mc_heap_region;

typedef struct mc_heap_weak_edges {
    mc_heap_weak_edge *items; // when linked, by source
    size_t count, capacity;
} mc_heap_weak_edges;

// Which leaf an object is in.
typedef struct mc_heap_leaves {
    uint32_t count;
    const uint64_t *objects, *bytes;   // of each leaf
    uint64_t *own_objects, *own_bytes; // the same if they were divided (divide.h); or NULL
    uint32_t *of;                      // by object; NULL: as the kind says, or it is not needed
} mc_heap_leaves;

typedef enum mc_heap_wording {
    MC_HEAP_WORDS_FULL,  // "static com.acme.Shop.MAP"
    MC_HEAP_WORDS_SHORT, // "static Shop.MAP"
    MC_HEAP_WORDS_BARE   // "Shop.MAP"
} mc_heap_wording;

typedef enum mc_heap_link_kind {
    MC_HEAP_LINK_FIELD,
    MC_HEAP_LINK_STATIC, // authors of programs take it for a root: it counts as one, too
    MC_HEAP_LINK_WEAK
} mc_heap_link_kind;

// What a kind is to data structures (structures.h). A bit a slot; the first 32 count.
typedef struct mc_heap_role {
    bool may_be_structure;
    bool is_array;    // may be one, and has elements
    bool is_class;    // holds what is global; in no structure
    uint32_t inside;  // what it references is a part of this
    uint32_t element; // what it references is an element
    uint32_t ignored; // says nothing of who owns what it references
} mc_heap_role;

#define MC_HEAP_INSIDE MC_NONE // as the field of a link: likewise a part of this, whatever the slot

// What a kind is to those who ask who owns its objects (owner_profile.h).
typedef struct mc_heap_standing {
    bool is_program;      // its objects are the program's own, not the runtime's or its library's
    bool is_class;        // its only object has links of MC_HEAP_LINK_STATIC
    bool is_lasting;      // of a class: it lives as long as the program, whoever references it
    bool is_local;        // what it references is known by what its weak reference leads to
    uint32_t loader_slot; // of a class that may go: by it it references what it goes with; MC_NONE
} mc_heap_standing;

// What holds an object that a root names.
typedef struct mc_heap_root {
    mc_root_kind kind;
    uint32_t name;    // equal from heap to heap, of alike roots the same: "thread \"worker-#\""
    uint32_t example; // this one: "thread \"worker-3\""; MC_NONE: as the name
} mc_heap_root;

// A vertex that a root names for as long as another one is there: a thread's local variable. By
// positions; holder 0: the root stays.
typedef struct mc_heap_root_holder {
    uint32_t target, holder;
} mc_heap_root_holder;

typedef struct mc_heap_root_holders {
    mc_heap_root_holder *items;
    size_t count, capacity;
} mc_heap_root_holders;

// What the reader says of its heap.
typedef struct mc_heap_words {
    // Append what objects of a kind are ("java.util.HashMap", "GC root"), and by what they
    // reference others ("Shop.cache", "Object[] elements").
    void (*append_kind)(const void *reader, uint32_t kind, mc_heap_wording wording, mc_text *text);
    mc_heap_link_kind (*append_link)(const void *reader, uint32_t kind, uint32_t slot,
                                     mc_heap_wording wording, mc_text *text);
    // For data structures; NULL if there are none. Fills the role of each kind (zeroed), and of
    // links that are one field the same (each its own number at first), or MC_HEAP_INSIDE.
    mc_result (*list_roles)(const void *reader, mc_heap_role *roles, uint32_t *fields,
                            mc_error *error);
    // Names the roots of some vertices, by position, briefly and equally from heap to heap:
    // "Shop.run()". names[i]: in `strings`; MC_NONE, as it was before: not known.
    mc_result (*name_roots)(const void *reader, const uint32_t *positions, size_t count,
                            uint32_t *names, mc_strings *strings, mc_error *error);
    // For owners; NULL: no kind is anything special, no root is known. Fill the standing of each
    // kind (zeroed but for the slot), and what holds some vertices that roots name, by position: of
    // several roots what lasts longest, a thread before all. roots[i]: unknown, as it was before.
    mc_result (*list_standings)(const void *reader, mc_heap_standing *standings, mc_error *error);
    mc_result (*tell_roots)(const void *reader, const uint32_t *positions, size_t count,
                            mc_heap_root *roots, mc_strings *strings, mc_error *error);
    // What an object is called by its reader, stable or not; NULL: it has no ids.
    uint64_t (*get_id)(const void *reader, uint32_t object);
    // For paths; NULL: what a root holds says what the root is. A number below MC_NONE for what
    // holds a vertex that the root references, by position, equal for alike roots; and its words:
    // "global main.sessions", nothing for 0.
    uint32_t (*number_root)(const void *reader, uint32_t position);
    void (*append_root)(const void *reader, uint32_t number, mc_text *text);
    // All roots of all objects, in any order; NULL: one an object, as above.
    bool (*visit_roots)(const void *reader,
                        bool (*visit)(void *user, uint32_t position, mc_root_kind kind,
                                      const char *name, size_t size),
                        void *user);
    // For what-if; NULL: all roots stay. Appends the roots that don't last. False: out of memory.
    bool (*list_root_holders)(const void *reader, mc_heap_root_holders *holders);
} mc_heap_words;

// Zero-initialise; what the reader fills comes first.
typedef struct mc_heap {
    const mc_heap_words *words;
    const void *reader;
    uint32_t thread_count;       // at least 1
    const mc_progress *progress; // may be NULL
    mc_heap_groups *groups;
    mc_heap_leaves leaves;
    mc_heap_kind *kinds; // added by mc_heap_add_kind()
    mc_graph_kind *graph_kinds;
    uint32_t kind_count;
    bool keeps_spares; // what linking has used goes when the graph does: paths are asked for
    uint64_t link_count;
    size_t kind_capacity, graph_kind_capacity;
    mc_graph graph;
    mc_heap_weak_edges weak;
    uint64_t root_count;         // objects that roots name; 0: unknown, and all count as one
    uint32_t lasting_root_count; // those that more than a stack or a lock names
    uint64_t undescribed_count;  // objects whose references are not all known
    // Filled by linking. Numbers are those of the tree.
    mc_dominator_tree tree;
    mc_vertex_sizes sizes;
    uint32_t *group_of;      // by number: the leaf's group
    bool *is_new;            // by number, of a film: it was not there at the first moment; or NULL
    uint32_t *group_parents; // by group
} mc_heap;

void mc_heap_deinit(mc_heap *heap);
// Frees all that linking has filled, the graph and the weak edges.
void mc_heap_unlink(mc_heap *heap);

// Returns the new kind, of no leaf, MC_NONE if memory is out. Kind 0 is of vertices that nothing is
// known of. O(1).
uint32_t mc_heap_add_kind(mc_heap *heap, mc_graph_kind kind, uint32_t leaf, uint32_t class_slot);
// Gives the kind that was added last more links: of edges that are never but weak.
void mc_heap_add_weak_links(mc_heap *heap, uint32_t count);
// The kind that has a link, and the slot. O(log kinds).
uint32_t mc_heap_find_link(const mc_heap *heap, uint32_t link, uint32_t *slot);

// False: out of memory.
bool mc_heap_weak_edges_add(mc_heap_weak_edges *edges, mc_heap_weak_edge edge);
bool mc_heap_weak_edges_merge(mc_heap_weak_edges *edges, const mc_heap_weak_edges *other);

// Finds the dominators of the graph, whose root is set, and sorts the weak edges. `progress` is in
// vertices, phase after phase.
mc_result mc_heap_link(mc_heap *heap, const mc_progress *progress, mc_error *error);
// Lists which group each object is in, by kind; mc_heap_divide() does it by object.
mc_result mc_heap_list_groups(mc_heap *heap, mc_error *error);
// Lists the parents of the groups, which may have changed. False: out of memory.
bool mc_heap_list_parents(mc_heap *heap);

// ---- asking, when linked. Groups are those of `heap->groups`; sums have an entry each.

// The number of objects that are unreachable, or reachable only by weak references.
uint64_t mc_heap_count_unreached(const mc_heap *heap);
// The region of an object that is reached, by its number in the tree. O(1).
static inline mc_heap_region mc_heap_get_region(const mc_heap *heap, uint32_t number) {
    return (mc_heap_region)mc_dominator_tree_get_region(&heap->tree, number);
}
// The number of the late root from which a region is reached, of STRONG that of the root; MC_NONE:
// the reader has added none. What its subtree holds is what is in the region.
uint32_t mc_heap_get_region_root(const mc_heap *heap, mc_heap_region region);
// All objects of a region.
mc_group_sum mc_heap_sum_region(const mc_heap *heap, mc_heap_region region);
// The leaf of a vertex; MC_NONE: in none. O(1).
uint32_t mc_heap_get_leaf(const mc_heap *heap, uint32_t position);
mc_vertex_groups mc_heap_get_groups(const mc_heap *heap);
// The minimum retained size of each group: see retained.h.
mc_result mc_heap_retain(const mc_heap *heap, mc_group_sum *retained, mc_error *error);
// What would be freed if all objects of the marked groups and the references `cuts` were removed:
// see reach.h. What a thread's stack names goes with the thread.
mc_result mc_heap_demolish(const mc_heap *heap, const bool *is_gone, const mc_group_link *cuts,
                           uint32_t cut_count, mc_group_sum *freed, mc_error *error);
// Finds the merged paths from the roots to the objects of the marked groups: see paths.h. The
// functions below name their nodes.
mc_result mc_heap_find_paths(const mc_heap *heap, const bool *is_target, mc_paths *paths,
                             mc_error *error);
// What the heap's roots are told apart by.
mc_path_roots mc_heap_get_path_roots(const mc_heap *heap);
// Append the field by which a path's node is referenced ("Shop.cache"; of what a root references
// the root's words, if it has some; of the root itself nothing), or its class
// ("java.util.HashMap").
void mc_heap_append_path_field(const mc_heap *heap, const mc_paths *paths, uint32_t node,
                               mc_text *text);
void mc_heap_append_path_class(const mc_heap *heap, const mc_paths *paths, uint32_t node,
                               mc_text *text);
