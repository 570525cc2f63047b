// mct_side.h - reads the tables beside a step's tree (side_table.h) from an .mct file, over the
// nodes in the file's order, and says how they are stored; for engine/store only.
//
// Untrusted input: numbers are checked against those that the step and the file declare.
#pragma once
#include "engine/store/mct/mct_codec.h"
#include "engine/store/mct/mct_file.h"
#include "engine/trace/side_table.h"

typedef struct mc_mct_side {
    mc_mct_table table;
    int first;               // the field of the first column
    int chain_count;         // columns of differences to the row before; they come first
    bool is_sorted;          // by key
    const char *begin, *end; // of the message that rows are damaged, around a number
} mc_mct_side;

extern const mc_mct_side mc_mct_sides[MC_SIDE_COUNT];

// A column as it is stored: one more where there may be none, and where 0 is an owner that several
// others share.
void mc_mct_side_get_column(mc_side_table table, const mc_side_rows *rows, int column,
                            uint64_t *values);
static inline mc_mct_base mc_mct_side_get_base(mc_side_table table, int column) {
    return column < mc_mct_sides[table].chain_count ? MC_MCT_CHAIN : MC_MCT_NO_BASE;
}

// Creates the SQL table, and those that come with it, if not all files have it and it does not
// exist yet. Within a transaction.
mc_result mc_mct_file_add_side(mc_mct_file *file, mc_side_table table, mc_error *error);

// What rows may refer to: numbers below these.
typedef struct mc_mct_limits {
    uint32_t node_count, string_count, classifier_count, path_count, owner_count;
} mc_mct_limits;

// Reads a table of a step, by key if the file has it so. `count`: so many rows must be there;
// MC_NONE: it is not known. On failure *rows is empty.
mc_result mc_mct_read_side(mc_mct_file *file, mc_mct_codec *codec, mc_side_table table,
                           int64_t step, mc_mct_limits limits, uint32_t count, mc_side_rows *rows,
                           mc_error *error);
// Reads all retaining paths, or all owners, of the file (MC_SIDE_PATHS, MC_SIDE_OWNERS);
// limits.path_count and owner_count are not read. The caller frees them, also after a failure.
mc_result mc_mct_read_places(mc_mct_file *file, mc_mct_codec *codec, mc_side_table table,
                             mc_mct_limits limits, mc_side_rows *places, mc_error *error);
