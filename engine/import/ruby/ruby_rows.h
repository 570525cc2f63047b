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
    uint64_t generation;     // the collection at which it was made; 0: not said
    mc_ruby_span references; // what stands between the brackets
} mc_ruby_row;

// False: it is no such line, or only the beginning of one.
bool mc_ruby_row_read(const char *line, size_t size, mc_ruby_row *row);
// Takes the first reference off; 0: there is none.
uint64_t mc_ruby_row_take_reference(mc_ruby_span *references);
