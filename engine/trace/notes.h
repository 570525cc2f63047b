// notes.h - what somebody noted of steps: "deploy", "load test begins".
//
// A note is a line of printable text. Threads: any, separate objects.
#pragma once
#include "engine/trace/trace.h"

#define MC_NOTE_SIZE 400 // in bytes, with the NUL

// Into `*note`, for mc_free(): printable, its end cut off where it is too long; NULL if there is
// nothing to say. False: out of memory.
bool mc_note_copy(char **note, const char *text, size_t size);

// When: at a step by its number, or at a time, which is the first step from then on.
typedef struct mc_listed_note {
    bool is_time;
    int64_t at; // in ms, or the step
    uint32_t line, column;
    uint32_t text; // of the list's texts
} mc_listed_note;

#define MC_LISTED_NOTES_MOST 10000

// As somebody wrote them down; zero-initialise, deinit.
typedef struct mc_note_list {
    mc_listed_note *items;
    size_t capacity;
    uint32_t count;
    mc_strings texts;
    char *path; // in messages
} mc_note_list;

void mc_note_list_deinit(mc_note_list *list);

// Finds the steps of all notes; `times_ms` of steps ascend. `texts`: one a step, to be freed each;
// several notes of a step are one, parted by semicolons. MC_ERROR_BAD_DATA: a note is of no step;
// all texts are NULL then.
mc_result mc_note_list_place(const mc_note_list *list, const int64_t *times_ms, uint32_t step_count,
                             char **texts, mc_error *error);

// Steps without a note get that of the same step of the trace as it was before. False: out of
// memory.
bool mc_trace_keep_notes(mc_trace *trace, const mc_trace *before);

// Gives the steps of a trace these notes, instead of those that they have; others keep theirs. On
// failure nothing has changed.
mc_result mc_trace_take_notes(mc_trace *trace, const mc_note_list *list, mc_error *error);
