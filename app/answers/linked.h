// linked.h - the question which methods allocate nodes of a heap, or what of a method's allocations
// is alive: asked of one of the two datasets, answered from the linked one.
#pragma once
#include "app/answers/question.h"
#include "app/answers/selection.h"
#include "engine/analyze/method_link.h"

#define MC_LINKED_GROUP_SIZE 256

typedef struct mc_linked_key {
    mc_selection nodes; // asked about as one; empty: nothing
    uint32_t step;
    uint64_t numbering; // of the dataset
    uint32_t version;   // changes with the linked dataset
    bool of_method;     // the nodes are methods, and the rows are groups of the heap
    double frame_ms;
    // How often a growing linked recording was due to be read again; if it is now, its grouping.
    uint32_t read_count;
    bool reads_again;
    char group_by[MC_LINKED_GROUP_SIZE];
} mc_linked_key;

typedef struct mc_linked {
    mc_dataset *dataset; // the linked one, maybe with further steps; held
    mc_method_link_found found;
    bool is_by_class;
    uint32_t step;   // of the linked dataset
    uint64_t gap_ms; // from the key's step
} mc_linked;

extern const mc_question mc_question_linked;

// The default grouping of either: a heap with call paths by type and site; "": as it is.
const char *mc_linked_get_grouping(const mc_dataset *dataset);
// MC_ERROR_UNSUPPORTED: the two are not a heap and methods.
mc_result mc_linked_check(const mc_dataset *a, const mc_dataset *b, mc_error *error);
