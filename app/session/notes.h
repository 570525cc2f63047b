// notes.h - what was noted of steps: by the trace, and in the settings, which counts where both do.
//
// A part of the session, used by its thread.
#pragma once
#include "app/session/session.h"
#include "engine/trace/notes.h"

// False: nothing was noted of the step.
bool mc_session_get_note(const mc_session *session, uint32_t step, char note[MC_NOTE_SIZE]);
bool mc_session_has_notes(const mc_session *session);
// Of the step that is shown; an empty text takes its note away.
void mc_session_set_note(mc_session *session, const char *text);
// To the next step with a note, or, if `way` is negative, to the one before.
void mc_session_show_note(mc_session *session, int way);
