// store.h - parts of tables that were filled, kept for the queries that follow.
//
// When memory is short, parts that nobody reads are forgotten: those of the trace at any time,
// those of heap dumps before a statement begins, since values of its columns may still lie in them.
// Threads: one object serves one thread at a time.
#pragma once
#include "app/query/table.h"

typedef struct mc_query_kept {
    const mc_query_table *table;
    mc_query_part part;
    mc_query_rows rows;
    uint32_t use_count; // cursors that read it
    uint64_t used;      // when it was asked for last
    size_t size;        // as it is counted in source->memory
} mc_query_kept;

typedef struct mc_query_slot {
    mc_query_kept *kept; // it stays where it is while others come and go
} mc_query_slot;

// Zero-initialise but for the source; deinit.
typedef struct mc_query_store {
    mc_query_source *source;
    mc_query_slot *items;
    size_t count, capacity;
    uint64_t clock;
} mc_query_store;

// The rows of a part in at least the wanted columns (a bit each). To be released. A part of a
// single node is not kept.
mc_result mc_query_store_take(mc_query_store *store, const mc_query_table *table,
                              const mc_query_part *part, uint64_t wanted, mc_query_kept **kept,
                              mc_error *error);
void mc_query_store_release(mc_query_store *store, mc_query_kept *kept); // NULL is fine
// Forgets what takes too much memory, heap dumps as well. No statement is running.
void mc_query_store_tidy(mc_query_store *store);
void mc_query_store_deinit(mc_query_store *store);
