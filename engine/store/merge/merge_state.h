// merge_state.h - the state of a merge: its parts, steps and tables; for this folder's own files
// only.
#pragma once
#include "engine/base/text.h"
#include "engine/store/merge/merge_desc.h"
#include "engine/store/merge/merge_file.h"

// What has steps of its own: a part; side by side each group below its root, and the root's own
// share, which comes last.
typedef struct mc_merge_member {
    uint32_t node;      // of the part's trace; once it is copied: of the file, or MC_NONE
    uint32_t name;      // string of mc_merge.names: its key
    uint64_t *has_step; // one bit a step of the part: it has data there. NULL: in all
} mc_merge_member;

typedef struct mc_merge_source {
    uint32_t index; // in the desc
    int64_t *times_ms;
    uint32_t step_count;
    mc_merge_member *members;
    uint32_t member_count;
} mc_merge_source;

// The steps of a member that one of the result's is made of.
typedef struct mc_merge_choice {
    uint32_t first, last; // of the part; MC_NONE: it is not there
    uint32_t count;       // of those between with data
    uint32_t chosen;
    bool is_held;
} mc_merge_choice;

// A classifier, and the level nearest to the root at which it stands.
typedef struct mc_merge_tables {
    mc_metrics metrics;
    mc_strings classifiers; // in the order of the first part
    uint32_t *levels;
    size_t level_capacity;
    bool have_other_metrics, have_other_classifiers; // not all parts the same list
    char *root_key;                                  // of all parts; NULL: they have several
    size_t root_key_size;
    bool has_roots; // one was seen
} mc_merge_tables;

// Texts of steps, of all parts.
typedef struct mc_merge_remarks {
    mc_strings texts;
    uint64_t *of; // step and text, as (step << 32 | text)
    size_t count, capacity;
} mc_merge_remarks;

typedef struct mc_merge {
    const mc_merge_desc *desc;
    mc_merge_source *sources; // by name, then by path; the bad ones are none any more
    uint32_t source_count;
    mc_merge_tables tables;
    mc_strings names;      // keys of members, of no two of the result the same
    uint32_t *name_owners; // the source of each
    size_t owner_capacity;
    mc_text outer;  // side by side: the classifier of all members
    bool has_outer; // it is known
    mc_merge_alignment alignment;
    int64_t bucket_ms, hold_ms;
    mc_merge_take take;
    int64_t *times_ms; // of the result's steps
    uint32_t step_count;
    mc_merge_file *file;
    mc_merge_step *steps;
    bool *lacks_limit;        // by step: a part that is there does not know its heap's limit
    mc_merge_remarks reasons; // what steps lack
    mc_merge_remarks notes;   // what was noted of them
    uint64_t root_max[MC_METRIC_MOST], largest[MC_METRIC_MOST];
    uint64_t *root_rests;            // by step and metric: what no group of the result explains
    uint64_t held_count, root_links; // references of the whole's own share, which are left out
} mc_merge;

// merge_tables.c: metrics, classifiers, the root's key

void mc_merge_tables_deinit(mc_merge_tables *tables);
// Adds a part's tables. MC_ERROR_BAD_DATA: they contradict those of earlier parts.
mc_result mc_merge_tables_add(mc_merge_tables *tables, const mc_trace *trace, mc_error *error);
// Puts the tables into the result's order, which does not depend on the order of the parts.
mc_result mc_merge_tables_finish(mc_merge_tables *tables, const char *under, mc_error *error);

// merge_keys.c: keys as parts of paths

// In the default form a key is a full key. Where the keys of all children of a node begin with the
// node's key, that prefix is stripped. Zero-initialise; init; deinit.
typedef struct mc_merge_keys {
    const mc_trace *trace;
    uint8_t *strips; // per node, whether that is so of its children; NULL: keys are parts already
} mc_merge_keys;
mc_result mc_merge_keys_init(mc_merge_keys *keys, const mc_trace *trace, mc_error *error);
void mc_merge_keys_deinit(mc_merge_keys *keys);
const char *mc_merge_keys_get(const mc_merge_keys *keys, uint32_t node, size_t *size);

// merge_plan.c: steps

// Chooses the alignment, if it is to be guessed, and lists the result's steps.
mc_result mc_merge_plan(mc_merge *self, mc_error *error);
// Chooses, for a member, the source steps of each of the result's steps. `choices` has room for one
// per step.
void mc_merge_choose(const mc_merge *self, const mc_merge_source *source,
                     const mc_merge_member *member, mc_merge_choice *choices);

// merge_survey.c: what parts have

// Fills the sources and tables.
mc_result mc_merge_survey(mc_merge *self, mc_error *error);

// merge_copy.c: from a part into the file

mc_result mc_merge_copy(mc_merge *self, mc_merge_source *source, const mc_trace *trace,
                        mc_error *error);
// Texts are told once each, in byte order.
mc_result mc_merge_add_remark(mc_merge *self, mc_merge_remarks *remarks, uint32_t step,
                              const mc_merge_source *source, const char *text, size_t size,
                              mc_error *error);

// merge_links.c: references, fields, roots, names, retaining paths and owners of a
// step

typedef struct mc_merge_copier mc_merge_copier;
struct mc_merge_copier {
    mc_merge *merge;
    mc_merge_source *source;
    const mc_trace *trace;
    const mc_node_columns *nodes;
    mc_merge_keys keys;
    uint32_t *member_of;      // per node of the trace; MC_NONE: none
    uint32_t *place;          // per node: its number in the range; MC_NONE: it is not copied
    uint32_t *order;          // per node of the range: the trace's
    uint32_t begin, count;    // of the range
    uint32_t *string_of;      // per string of the trace: the file's; MC_NONE: not yet
    uint32_t *role_of;        // per classifier of the trace
    mc_metric *metric_of;     // per metric of the result: the part's; MC_NONE: it has none
    mc_merge_choice *choices; // per member and step of the result
    uint64_t *values[MC_METRIC_MOST], *scratch, *sums;
    uint8_t *is_present, *is_inner, *is_own; // per node of the range
    uint8_t *is_there;                       // per node of the trace, in the step being made
    uint8_t *is_read;                        // per node of the trace, in a step that is read
    uint64_t *maxima[MC_METRIC_MOST];        // per node of the range
    uint32_t *path_of;                       // per path of the trace: the file's
    uint32_t *owner_of;                      // likewise
};

mc_result mc_merge_copy_links(mc_merge_copier *copier, uint32_t step, mc_error *error);
mc_result mc_merge_copy_paths(mc_merge_copier *copier, mc_error *error);
mc_result mc_merge_copy_owners(mc_merge_copier *copier, mc_error *error);
mc_result mc_merge_get_string(mc_merge_copier *copier, uint32_t string, uint32_t *index,
                              mc_error *error);

static inline mc_merge_choice *mc_merge_get_choices(const mc_merge_copier *copier,
                                                    uint32_t member) {
    return copier->choices + (size_t)member * copier->merge->step_count;
}

// The part's step that says what this one is as a whole; MC_NONE: the part is not there.
static inline uint32_t mc_merge_get_chosen(const mc_merge_copier *copier, uint32_t step) {
    for (uint32_t i = 0; i < copier->source->member_count; i++) {
        const mc_merge_choice *choice = &mc_merge_get_choices(copier, i)[step];
        if (choice->first != MC_NONE) return choice->chosen;
    }
    return MC_NONE;
}
