// pseudonym_sink.h - what passes through has its names hidden, or restored: of groups, fields, GC
// roots and paths. Names of classifiers and metrics stay. Free text is left out where names are
// hidden: notes of steps, and what an incomplete step lacks.
//
// Threads: as the sink that it passes on to.
#pragma once
#include "engine/import/format/format.h"
#include "engine/import/pseudonyms/name_cipher.h"

typedef struct mc_pseudonym_sink mc_pseudonym_sink;

// Both must outlive it.
mc_result mc_pseudonym_sink_create(mc_name_cipher *cipher, const mc_import_sink *to,
                                   mc_pseudonym_sink **hidden, mc_error *error);
void mc_pseudonym_sink_destroy(mc_pseudonym_sink *hidden); // NULL is fine
mc_import_sink mc_pseudonym_sink_get(mc_pseudonym_sink *hidden);

// Of how many steps the notes were left out.
uint32_t mc_pseudonym_sink_get_note_count(const mc_pseudonym_sink *hidden);
