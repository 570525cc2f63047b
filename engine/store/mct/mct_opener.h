// mct_opener.h - the state of opening an .mct file; for the reader's own files only.
#pragma once
#include "engine/store/mct/mct.h"
#include "engine/store/mct/mct_store.h"
#include "engine/trace/build/builder_nodes.h"

typedef struct mc_mct_opened_step {
    mc_step_info info;
    uint32_t rename_count;
    int64_t key;
    char *note; // owned; NULL: none
} mc_mct_opened_step;

typedef struct mc_mct_opener {
    const mc_mct_open_desc *desc;
    mc_error *error;
    mc_trace *trace;
    mc_mct_store *store;
    mc_trace_builder *builder; // holds the nodes until they are in the trace's order
    mc_node_order order;
    mc_mct_field header[MC_MCT_FIELD_COUNT_MAX];
    uint64_t *values; // scratch, as many as a row may have entries
    size_t value_capacity;
    mc_mct_opened_step *steps;
    uint32_t step_count, file_step_count, node_count, string_count;
    uint32_t skipped_count;
} mc_mct_opener;

mc_result mc_mct_opener_damaged(const mc_mct_opener *self, const char *what);
// Explains the result of a function that sets no message itself.
mc_result mc_mct_opener_explain(const mc_mct_opener *self, mc_result result, const char *what);
mc_result mc_mct_opener_get(mc_mct_opener *self, mc_mct_table table, int64_t key,
                            mc_mct_field *row);
mc_result mc_mct_opener_reserve_values(mc_mct_opener *self, size_t count);

// Reads everything that defines the nodes: strings, classifiers, nodes, their order.
mc_result mc_mct_opener_read_nodes(mc_mct_opener *self);
// Reads the metrics of the file, or makes those of a version 1 file. The latter needs the steps,
// which tell whether they have sizes, and so must run after them.
mc_result mc_mct_opener_read_metrics(mc_mct_opener *self);
mc_result mc_mct_opener_make_metrics(mc_mct_opener *self);
