// pseudonym_sink.h - a sink that hides or restores the names that pass through it: of groups,
// fields, GC roots and paths. Names of classifiers and metrics stay. Hiding drops free text: notes
// of steps, and the description of what an incomplete step lacks.
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
