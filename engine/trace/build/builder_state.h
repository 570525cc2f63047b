// builder_state.h - the state of an mc_trace_builder while steps come in; for the trace module's
// own files only.
//
// Nodes are numbered in the order in which they are first seen (parents before children); finishing
// renumbers them.
#pragma once
#include "engine/trace/trace_columns.h"
#include <inttypes.h>
#include <string.h>

typedef struct mc_trace_builder mc_trace_builder; // trace_builder.h

typedef struct mc_seen_node {
    uint32_t parent, key, name, role;
} mc_seen_node;

// Of a node: where it is in the steps' documents.
typedef struct mc_seen_place {
    uint32_t next; // the node behind this one in the order of the steps' trees, all taken together
    uint32_t first_entry;  // its place in the document of the earliest step that has it
    int64_t first_time_ms; // of that step
} mc_seen_place;
_Static_assert(sizeof(mc_seen_node) == 16 && sizeof(mc_seen_place) == 16,
               "most of what a builder holds");

// Nodes whose places in the tables are fetched from memory at once.
#define MC_BUILDER_AHEAD 32

typedef struct mc_seen_step {
    mc_step_info info;
    char *source;
    uint32_t seen_count;       // nodes known after this step: the length of its columns
    mc_packed_column *columns; // by metric, as many as there are; own ones as the input says them,
                               // plus 1; 0: not said
    uint32_t column_count;
    uint64_t column_mask, real_mask;    // one bit a metric: it has values; these are real numbers
    uint64_t *present, *inner;          // one bit a node: in this step's tree; with children in it
    mc_side_rows side[MC_SIDE_OF_STEP]; // by key
    char *note;                         // NULL: none
} mc_seen_step;

// What a group of a series has become.
typedef struct mc_seen_group {
    uint32_t node, name; // MC_NONE: it was not met yet
} mc_seen_group;

struct mc_trace_builder {
    const mc_log *log;
    const mc_progress *progress; // may be NULL
    mc_strings strings;
    mc_seen_node *nodes;
    mc_seen_place *places; // of the nodes; NULL: they appeared in the order of their numbers
    size_t node_count, node_capacity, place_capacity;
    mc_slots slots;       // of nodes by (parent, key)
    uint32_t *key_stamps; // per string: the last step attempt in which it was a full key
    size_t key_stamp_count;
    uint32_t stamp; // of the current step attempt
    int64_t latest_time_ms;
    mc_key_kind key_kind;
    mc_metrics metrics;
    uint32_t metric_steps[MC_METRIC_MOST]; // that brought them; MC_NONE: not known
    uint32_t *classifiers;                 // strings
    size_t classifier_count, classifier_capacity;
    mc_slots classifier_slots; // by string; entered when one is looked for
    mc_seen_step *steps;
    size_t step_count, step_capacity;
    mc_slots step_slots; // by time; likewise
    bool has_references, has_referrers, has_paths, has_owners;
    mc_strings paths;       // the bytes of an mc_retaining_path each
    mc_strings owners;      // the bytes of the key of an mc_owner each
    uint32_t *owner_places; // of each: its node
    size_t owner_place_capacity;
    uint64_t *unexplained; // one bit a node: its children explain less than all of it in some step
    size_t unexplained_capacity;
    uint64_t contradiction_count; // nodes of steps whose children explain more
    uint32_t contradiction_node;  // the first one
    uint64_t renamed_count;       // nodes that came again with another name or role

    // Nodes by the hash of their full key, built when the first pointer map comes: slot -> first
    // node -> next of the same slot. Full keys as strings would take memory quadratic in the depth
    // of the tree.
    uint64_t *full_key_hash;
    uint32_t *full_key_first, *full_key_next;
    uint32_t full_key_slot_count, full_key_count; // the nodes that are in it

    uint64_t series; // whose groups these are; 0: of none
    uint64_t shape;  // of the tree of `latest_step`; 0: not known
    mc_seen_group *groups;
    size_t group_count, group_capacity;

    // scratch of one step
    uint32_t *step_nodes;                  // node of each entry of the step's tree
    uint32_t key_hashes[MC_BUILDER_AHEAD]; // of these of its entries
    size_t hashed_begin, hashed_end;
    size_t step_node_capacity;
    size_t step_node_count; // entries whose nodes are known, and linked
    uint32_t latest_step;   // of which step_nodes are; MC_NONE: of none that was added
    uint64_t *met;          // one bit a node: the step's tree has it, as far as it was looked at
    size_t met_capacity;
    uint64_t *values;
    size_t value_capacity;
    uint64_t *words; // per entry of the step's tree, of a metric
    size_t word_capacity;
    mc_rename *renames;
    size_t rename_count, rename_capacity;
};

#define MC_WARNING_RENAMED \
    "%" PRIu64 " times a node has another name or role than before; the first one is shown"
#define MC_WARNING_CONTRADICTIONS                                                         \
    "%" PRIu64 " times a count is smaller than the sum of its children's, first that of " \
    "\"%s\"; totals are the input's own, buildings show the leaves"

void mc_seen_step_deinit(mc_seen_step *step);
void mc_seen_step_forget_columns(mc_seen_step *step);

// The most threads that a builder uses, and the number that pays off for this many nodes.
#define MC_BUILDER_THREADS_MAX 4
uint32_t mc_builder_choose_thread_count(uint32_t node_count);

#define MC_BUILDER_ASK_COUNT 65536u // nodes between two questions whether to go on

static inline mc_result mc_builder_ask(const mc_trace_builder *builder, uint64_t done,
                                       uint64_t total, mc_error *error) {
    if (mc_progress_report(builder->progress, done, total)) return MC_OK;
    return mc_fail(error, MC_ERROR_CANCELLED, "cancelled");
}

void mc_builder_forget_full_keys(mc_trace_builder *builder);

// builder_metrics.c: metrics and their columns

// Adds the metrics of the step to the builder's table. `map` receives the table index of each of
// the tree's metrics and has room for MC_METRIC_MOST. MC_ERROR_BAD_DATA: the step contradicts an
// earlier one; the table is then unusable.
mc_result mc_builder_merge_metrics(mc_trace_builder *builder, const mc_step_tree *tree,
                                   mc_metric *map, mc_error *error);
// Packs the step's columns. The nodes of its tree must be known already.
mc_result mc_builder_fill_columns(mc_trace_builder *builder, const mc_step_tree *tree,
                                  const mc_metric *map, mc_seen_step *step, mc_error *error);
// Records the nodes whose children explain less than the node's own value, and counts those whose
// children explain more.
void mc_builder_note_unexplained(mc_trace_builder *builder, const mc_step_tree *tree,
                                 const mc_metric *map, const mc_seen_step *step);

// builder_references.c

// Maps an entry of the tree that was added last to its leaf of the step. MC_ERROR_BAD_DATA if the
// entry is no leaf, or if the tree is that of another step.
mc_result mc_builder_get_leaf(const mc_trace_builder *builder, const mc_seen_step *step,
                              uint64_t entry, uint32_t *leaf, mc_error *error);

// builder_side.c

// All of an owner, by its number.
void mc_builder_get_owner(const mc_trace_builder *builder, uint32_t index, mc_owner *owner);
// The number of an owner, which may be new; its place becomes the nearest node around both.
// MC_NONE if memory is out.
uint32_t mc_builder_find_or_add_owner(mc_trace_builder *builder, const mc_owner *owner);

// builder_lookup.c: nodes by (parent, key), steps, classifiers

// Returns the node of an entry of the step's tree, and adds it if it is new; `parent` is the node
// of the entry's parent. MC_NONE if memory is out. O(1), amortised for new nodes.
uint32_t mc_builder_find_or_add_node(mc_trace_builder *builder, const mc_step_tree *tree,
                                     size_t entry, uint32_t parent);
// Makes room for so many nodes in all. False: out of memory.
bool mc_builder_reserve_nodes(mc_trace_builder *builder, size_t count);
// Removes the nodes from `node_count` on, all of which the current step attempt has added. Cost:
// O(removed nodes + the step's entries), amortised, since many steps may be bad.
void mc_builder_forget_nodes(mc_trace_builder *builder, size_t node_count);

// MC_ERROR_BAD_DATA if the time is outside the range allowed for steps.
mc_result mc_builder_check_time(int64_t time_ms, mc_error *error);

// Finds a step by its time, a classifier by its string; *found is MC_NONE if there is none. Returns
// false if memory is out. O(1), amortised.
bool mc_builder_find_step(mc_trace_builder *builder, int64_t time_ms, uint32_t *found);
bool mc_builder_find_classifier(mc_trace_builder *builder, uint32_t string, uint32_t *found);

static inline bool mc_builder_is_string(const mc_trace_builder *builder, uint32_t string,
                                        const char *bytes, uint32_t size) {
    size_t known_size;
    const char *known = mc_strings_get(&builder->strings, string, &known_size);
    return known_size == size && memcmp(known, bytes, size) == 0;
}
