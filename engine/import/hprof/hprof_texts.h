// hprof_texts.h - the fields of a row that all objects of one kind share, formatted once instead of
// for each object.
//
// Memory: a text for each kind (hprof_kinds.h). Threads: reading, any.
#pragma once
#include "engine/base/row_text.h"
#include "engine/import/hprof/hprof_columns.h"
#include "engine/import/hprof/hprof_dump.h"

// Texts by number, one behind the other.
typedef struct mc_hprof_texts {
    mc_text bytes;
    size_t *ends;
    size_t count, capacity, longest;
} mc_hprof_texts;

void mc_hprof_texts_deinit(mc_hprof_texts *texts);
// What was appended to `bytes` is the next text. False: out of memory.
bool mc_hprof_texts_end(mc_hprof_texts *texts);
static inline const char *mc_hprof_texts_get(const mc_hprof_texts *texts, uint32_t index,
                                             size_t *size) {
    size_t begin = index > 0 ? texts->ends[index - 1] : 0;
    *size = texts->ends[index] - begin;
    return texts->bytes.data + begin;
}

// Of each kind these columns, which are all of a class, with what parts them.
bool mc_hprof_texts_list_kinds(const mc_hprof_dump *dump, const mc_hprof_column *columns,
                               uint32_t count, mc_row_form form, mc_hprof_texts *texts);
// To each kind the number that its text in this column, which is of a class, has in `strings`.
// False: out of memory.
bool mc_hprof_texts_intern_kinds(const mc_hprof_dump *dump, const mc_hprof_column *column,
                                 mc_strings *strings, uint32_t *of_kinds);
