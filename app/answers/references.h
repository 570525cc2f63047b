// references.h - query: incoming and outgoing references of one or several structures.
#pragma once
#include "app/answers/question.h"
#include "app/answers/selection.h"
#include "engine/analyze/links.h"
#include "engine/scene/joins.h"

typedef enum mc_reference_column {
    MC_REFERENCE_PARTNER,
    MC_REFERENCE_HERE,  // objects of the selection involved
    MC_REFERENCE_THERE, // of the partner
    MC_REFERENCE_SHARE, // of all objects of the selection
    MC_REFERENCE_COLUMN_COUNT
} mc_reference_column;

typedef struct mc_references_key {
    uint32_t node, step;    // node MC_NONE: nothing
    mc_selection selection; // `node` is the first of these
    bool incoming, outgoing, ascending;
    uint32_t most, sort_column; // most 0: all
} mc_references_key;

typedef struct mc_references {
    mc_links links;          // strongest first; of several nodes, links among them come first
    mc_joins joins;          // for several nodes: how the picture joins them; its stops are links
    uint32_t *order;         // the table's rows: indices into them
    uint32_t total_count;    // of both directions, before the filter
    uint32_t filtered_count; // links that pass the filter, regardless of `most`
} mc_references;

extern const mc_question mc_question_references;
