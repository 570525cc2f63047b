// object_import.h - what importers of heaps of objects share: a file is unpacked, read and made a
// step, one after another.
//
// A format of such heaps is a reader and a row in the table of formats, whose functions are those
// below. Packed files are unpacked to a file without a name, as heap dumps are (hprof_unpack.h).
// Threads: as format.h says.
#pragma once
#include "engine/import/format/format.h"
#include "engine/import/format/heap_format.h"
#include "engine/import/objects/object_heap.h"

// What a reader is to the functions of this module and of object_format.h.
typedef struct mc_object_reader {
    // Fills `heap`, which is zeroed but for its progress, that of reading: all but links. `desc` as
    // of mc_heap_format.open(). What is missing of the file, if that is not an error, is appended
    // to `damage`.
    mc_result (*read)(const unsigned char *data, uint64_t size, const mc_heap_desc *desc,
                      mc_object_heap *heap, mc_text *damage, mc_error *error);
    bool has_stable_ids; // an object keeps its id as long as its process runs, and no other gets it
} mc_object_reader;

mc_result mc_object_importer_create(const mc_import_context *context,
                                    const mc_object_reader *reader, void **importer,
                                    mc_error *error);
// As of mc_format.
mc_result mc_object_importer_read(void *importer, const mc_source_file *file, mc_file_map *mapping,
                                  mc_error *error);
void mc_object_importer_destroy(void *importer);
