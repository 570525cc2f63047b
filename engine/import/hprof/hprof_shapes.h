// hprof_shapes.h - the fields of a row that all objects of one class share, formatted once instead
// of for each object.
//
// A shape is a class, and whether its object is an instance or an array. All class objects have one
// shape, and so have the arrays of a primitive type. Memory: a text each. Threads: reading, any.
#pragma once
#include "engine/base/row_text.h"
#include "engine/import/hprof/hprof_columns.h"
#include "engine/import/hprof/hprof_dump.h"

#define MC_HPROF_SHAPE_UNKNOWN 0
#define MC_HPROF_SHAPE_CLASS MC_HPROF_TYPE_COUNT // below are the primitive types

static inline uint32_t mc_hprof_get_shape(uint32_t class, bool is_array) {
    return class == MC_NONE ? MC_HPROF_SHAPE_UNKNOWN
                            : MC_HPROF_SHAPE_CLASS + 1 + 2 * class + is_array;
}
static inline uint32_t mc_hprof_count_shapes(const mc_hprof_classes *classes) {
    return MC_HPROF_SHAPE_CLASS + 1 + 2 * classes->count;
}

// The shape of an object's record, and the class's index: that of a class object its own, that of
// an array of a primitive type MC_NONE. False: it is not counted, as a class that is described once
// more.
bool mc_hprof_find_shape(const mc_hprof_dump *dump, mc_hprof_recent *recent, mc_hprof_kind kind,
                         const mc_hprof_item *item, uint32_t *class, uint32_t *shape);

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

// Of each shape these columns, which are all of a class, with what parts them.
bool mc_hprof_shapes_list(const mc_hprof_dump *dump, const mc_hprof_column *columns, uint32_t count,
                          mc_row_form form, mc_hprof_texts *texts);
