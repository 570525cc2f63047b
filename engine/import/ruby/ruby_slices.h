// ruby_slices.h - reads the lines of a Ruby dump in several threads: slices that end with a line.
//
// While some slices are taken apart, those before them are taken, one after another. Memory: some
// slices of 256 KB as rows, or one of a longer line. Untrusted input. Threads: as many as
// requested.
#pragma once
#include "engine/import/ruby/ruby_rows.h"

typedef struct mc_ruby_slice {
    const char *begin, *end;
    mc_ruby_row *rows;
    size_t row_count, row_capacity;
    mc_ruby_addresses addresses; // what they refer to
    uint64_t wrong_count;        // lines that are no JSON
    bool is_cut;                 // it ends the data with such a line
    bool failed;                 // memory is out
} mc_ruby_slice;

typedef struct mc_ruby_slices_desc {
    const char *begin, *end;
    uint32_t thread_count;
    // Called for each slice in its order, never twice at a time, but in any thread.
    mc_result (*take)(void *user, const mc_ruby_slice *slice);
    // Called in the thread that reads, now and then: what lies before `at` was taken.
    mc_result (*report)(void *user, const char *at);
    void *user;
} mc_ruby_slices_desc;

// MC_ERROR_OUT_OF_MEMORY without a message, or what the functions above return.
mc_result mc_ruby_slices_read(const mc_ruby_slices_desc *desc);
