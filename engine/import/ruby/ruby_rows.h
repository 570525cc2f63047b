// ruby_rows.h - takes the lines of Ruby's ObjectSpace.dump_all apart: JSON, an object or a root
// each.
//
// Lenient, as Ruby is: texts need not be UTF-8, unknown members are skipped. Spans point into the
// data, escapes as they are. Untrusted input. Threads: separate objects may be used in parallel.
#pragma once
#include "engine/base/base.h"

typedef struct mc_ruby_span {
    const char *text;
    size_t size;
} mc_ruby_span;

typedef struct mc_ruby_row {
    // Empty: not said.
    mc_ruby_span type, name, real_class_name, file, imemo_type, structure, root;
    uint64_t address, class_address; // 0: not said
    uint64_t line, size;
    uint64_t generation; // the collection at which it was made; 0: not said
    size_t references;   // where they begin among the addresses of all rows
    size_t reference_count;
} mc_ruby_row;

// What rows refer to. Zero-initialise; mc_free(items) frees.
typedef struct mc_ruby_addresses {
    uint64_t *items;
    size_t count, capacity;
    bool failed; // memory is out
} mc_ruby_addresses;

// Adds the row's references to `addresses`. False: it is no such line, or only the beginning of
// one.
bool mc_ruby_row_read(const char *line, size_t size, mc_ruby_row *row,
                      mc_ruby_addresses *addresses);
