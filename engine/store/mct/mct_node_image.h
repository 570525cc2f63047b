// mct_node_image.h - rows of the table `node` as an SQLite database in memory, from which SQLite
// takes them over as they are; for the trace module's own files only.
//
// SQLite copies a row from a table that is declared alike without looking into it, which takes a
// fraction of the time of making it of values. The database has that one table, a root page and
// leaves (https://sqlite.org/fileformat2.html). Threads: one object serves one thread at a time.
#pragma once
#include "engine/store/mct/mct_file.h"

#define MC_MCT_NODE_NUMBERS 6
#define MC_MCT_NODE_NAME_MAX 60000 // bytes: longer ones don't fit into a page

// In the order of the table's columns.
typedef struct mc_mct_node_row {
    int64_t id;
    uint32_t parent, role; // MC_NONE: NULL
    const char *name;
    size_t name_size;
    bool is_leaf;
    int64_t numbers[MC_MCT_NODE_NUMBERS];
} mc_mct_node_row;

// Zero-initialise.
typedef struct mc_mct_node_image {
    unsigned char *pages;
    uint32_t leaf_count; // pages
    uint32_t cell_count; // of the last leaf
    uint32_t content_at; // in it
    int64_t last_id;     // of the last row
    int64_t *last_ids;   // per leaf
} mc_mct_node_image;

// Once the file is closed, which may still refer to it.
void mc_mct_node_image_deinit(mc_mct_node_image *image);
bool mc_mct_node_image_init(mc_mct_node_image *image); // false: out of memory
// Adds a database for images to the file's connection, which has none. False: it can't be.
bool mc_mct_node_image_attach(mc_mct_file *file);
// Rows come by rising id. False: there is no room for it until the others were taken over.
bool mc_mct_node_image_add(mc_mct_node_image *image, const mc_mct_node_row *row);
// Inserts the rows, if there are any, into the file's table and forgets them. *is_taken false: the
// file declares its table in another way; nothing has changed.
mc_result mc_mct_node_image_take(mc_mct_node_image *image, mc_mct_file *file, bool *is_taken,
                                 mc_error *error);
