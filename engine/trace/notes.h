// notes.h - notes that users attach to steps: "deploy", "load test begins".
//
// A note is a line of printable text. Threads: any, separate objects.
#pragma once
#include "engine/trace/trace.h"

#define MC_NOTE_SIZE 400 // in bytes, with the NUL
// How the note of a dump begins that an OutOfMemoryError left: what an importer of dumps writes.
#define MC_NOTE_OUT_OF_MEMORY "OutOfMemoryError in thread "
#define MC_NOTE_PEAK "the most bytes are alive" // of recordings

// Copies a note into `*note`, made printable and truncated if too long; NULL if it is empty. The
// caller frees it with mc_free(). False: out of memory.
bool mc_note_copy(char **note, const char *text, size_t size);

// A note and its position: a step by its number, or a time, which means the first step from then
// on.
typedef struct mc_listed_note {
    bool is_time;
    int64_t at; // in ms, or the step
    uint32_t line, column;
    uint32_t text; // of the list's texts
} mc_listed_note;

#define MC_LISTED_NOTES_MOST 10000

// Notes as the user wrote them; zero-initialise, deinit.
typedef struct mc_note_list {
    mc_listed_note *items;
    size_t capacity;
    uint32_t count;
    mc_strings texts;
    char *path; // in messages
} mc_note_list;

void mc_note_list_deinit(mc_note_list *list);

// Assigns all notes to steps; `times_ms` of the steps ascend. `texts` has one entry per step, each
// to be freed; several notes of one step are joined by semicolons. MC_ERROR_BAD_DATA: a note fits
// no step; all texts are then NULL.
mc_result mc_note_list_place(const mc_note_list *list, const int64_t *times_ms, uint32_t step_count,
                             char **texts, mc_error *error);

// Gives each step without a note the note of the same step in `before`, an earlier state of the
// trace. False: out of memory.
bool mc_trace_keep_notes(mc_trace *trace, const mc_trace *before);

// Sets these notes, replacing any that the steps already have; other steps keep theirs. On failure
// nothing has changed.
mc_result mc_trace_take_notes(mc_trace *trace, const mc_note_list *list, mc_error *error);
