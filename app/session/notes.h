// notes.h - notes on steps, from the trace and from the settings; those of the settings win.
//
// A part of the session, used by its thread.
#pragma once
#include "app/session/session.h"
#include "engine/trace/notes.h"

// False: the step has no note.
bool mc_session_get_note(const mc_session *session, uint32_t step, char note[MC_NOTE_SIZE]);
bool mc_session_has_notes(const mc_session *session);
// Sets the note of the step shown; an empty text removes it.
void mc_session_set_note(mc_session *session, const char *text);
// Goes to the next step with a note, or, if `way` is negative, to the previous one.
void mc_session_show_note(mc_session *session, int way);
