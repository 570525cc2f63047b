// rss_table.h - a trace of a process's memory as a table: kinds and their largest mappings, at the
// last step.
//
// Threads: any.
#pragma once
#include "app/print/print.h"

typedef struct mc_rss_table_desc {
    bool json, tsv;
    uint32_t most; // mappings of a kind in text
} mc_rss_table_desc;

// Whether a trace is one of a process's memory.
bool mc_rss_table_fits(const mc_trace *trace);

// Kinds and mappings by size, each with what it grew since the first step.
mc_result mc_rss_table_append(const mc_trace *trace, const mc_rss_table_desc *desc, mc_text *out,
                              mc_error *error);
