// film_import.h - what importers of films (film.h) share: a recording, packed or not, is read in
// pieces and becomes steps.
//
// A format of films is a reader and a row in the table of formats, whose functions are those below.
// Threads: as format.h says.
#pragma once
#include "engine/import/format/format.h"

typedef struct mc_film_source {
    const mc_profile_options *options;
    uint64_t memory_most; // that a recording's tables may take, in bytes
    const char *path;     // of the recording; NULL: it has none
    const mc_log *log;    // may be NULL
} mc_film_source;

typedef struct mc_film_reader {
    const char *cut_off; // what a step says where the recording ends early
    mc_result (*create)(const mc_film_source *source, void **recording, mc_error *error);
    void (*destroy)(void *recording); // NULL is fine
    mc_result (*feed)(void *recording, const unsigned char *data, size_t size, mc_error *error);
    // After all data; *is_cut: it ends early.
    mc_result (*finish)(void *recording, bool *is_cut, mc_error *error);
    // The steps in the order of their times. `end_missing`: what the last one lacks; or NULL.
    mc_result (*next_step)(void *recording, const char *end_missing, mc_step_tree *tree,
                           bool *is_there, mc_error *error);
} mc_film_reader;

mc_result mc_film_importer_create(const mc_import_context *context, const mc_film_reader *kind,
                                  void **reader, mc_error *error);
// As of mc_format.
mc_result mc_film_importer_read(void *reader, const mc_source_file *file, mc_file_map *mapping,
                                mc_error *error);
void mc_film_importer_destroy(void *reader);
