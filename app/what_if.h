// what_if.h - what goes of an open trace's heap if groups of it are demolished, by node.
//
// The answer is exact and comes from the heap dumps that the trace was opened from; a trace itself
// has counts, but no objects. The last dump stays open and linked, so that the next query is fast:
// some 16 bytes an object and 4 a reference (hprof_heap.h), until another step is asked for or the
// demolisher is destroyed. Threads: one object serves one thread at a time.
#pragma once
#include "engine/trace/trace.h"

typedef struct mc_what_if_desc {
    const mc_trace *trace;
    const char *const *paths; // paths that the trace was opened from
    uint32_t path_count;
    const char *group_by, *collections; // with which, as of mc_import_desc
} mc_what_if_desc;

// What is freed at a step: the demolished nodes, and what no GC root reaches without them.
// Zero-initialise, ask, deinit.
typedef struct mc_what_if {
    uint32_t step;
    uint64_t objects, bytes;
    uint64_t *node_objects, *node_bytes; // of each node of the trace
    uint32_t *leaves;                    // leaves that lose something, most bytes first
    uint32_t leaf_count;
    bool is_incomplete; // the dump is damaged, and what it lacks is not counted
} mc_what_if;

void mc_what_if_deinit(mc_what_if *demolition);
// Lists the leaves, by what the nodes lose.
void mc_what_if_list_leaves(mc_what_if *demolition, const mc_trace *trace);

// The times of the heap dumps among the files that a trace was opened from; steps with these times
// can be asked. Skips files that can't be read. The caller frees *times.
uint32_t mc_what_if_find_dumps(const char *const *paths, uint32_t path_count, int64_t **times_ms);
// Why a step can't be asked, with this number of open dumps.
const char *mc_what_if_get_obstacle(uint32_t dump_count);

// Appends "Without HashMap$Node: 412.3 MiB freed, 34 % of the heap, 12,345 objects."
void mc_what_if_append_summary(const mc_what_if *demolition, const mc_trace *trace,
                               const uint32_t *nodes, uint32_t node_count, mc_text *text);

typedef struct mc_what_if_asker mc_what_if_asker;

// What `desc` names must outlive the demolisher. NULL: out of memory.
mc_what_if_asker *mc_what_if_asker_create(const mc_what_if_desc *desc);
void mc_what_if_asker_destroy(mc_what_if_asker *demolisher); // NULL is fine

// Replaces the contents of `demolition`; on failure it is empty. A node that the step lacks frees
// nothing. MC_ERROR_UNSUPPORTED: the step has no dump; the message says how to come to an answer.
// Otherwise errors are those of reading a dump. `progress` in bytes, or parts of the graph.
mc_result mc_what_if_asker_ask(mc_what_if_asker *demolisher, uint32_t step, const uint32_t *nodes,
                               uint32_t node_count, const mc_progress *progress,
                               mc_what_if *demolition, mc_error *error);
