// The settings have a line for each note: the step's number, a space, the text; without a text it
// takes the trace's note away.
#include "app/session/notes.h"

#include "app/session/status_text.h"
#include "engine/base/printable.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct line {
    const char *begin, *text, *end; // with the newline, if it has one, behind the end
    uint32_t step;
} line;

// The line at `at`; false: there are no more.
static bool read_line(const char *at, line *found) {
    if (!*at) return false;
    char *number_end;
    unsigned long step = strtoul(at, &number_end, 10);
    const char *end = strchr(at, '\n');
    if (!end) end = at + strlen(at);
    const char *text = number_end < end ? number_end : end;
    while (text < end && *text == ' ')
        text++;
    bool is_step = *at >= '0' && *at <= '9' && number_end <= end && step < MC_NONE;
    *found = (line){at, text, end, is_step ? (uint32_t)step : MC_NONE};
    return true;
}

static const char *get_next(const line *at) {
    return *at->end ? at->end + 1 : at->end;
}

static bool find_line(const char *lines, uint32_t step, line *found) {
    for (const char *at = lines; read_line(at, found); at = get_next(found))
        if (found->step == step) return true;
    return false;
}

bool mc_session_get_note(const mc_session *session, uint32_t step, char note[MC_NOTE_SIZE]) {
    line found;
    const char *own = mc_trace_get_note(session->trace, step);
    if (find_line(session->settings.notes, step, &found))
        return mc_printable_copy(note, MC_NOTE_SIZE, found.text, (size_t)(found.end - found.text)) >
               0;
    if (own) snprintf(note, MC_NOTE_SIZE, "%s", own);
    return own != NULL;
}

bool mc_session_has_notes(const mc_session *session) {
    char note[MC_NOTE_SIZE];
    for (uint32_t i = 0; i < mc_trace_get_step_count(session->trace); i++)
        if (mc_session_get_note(session, i, note)) return true;
    return false;
}

void mc_session_set_note(mc_session *session, const char *text) {
    uint32_t step = session->playback.step;
    char note[MC_NOTE_SIZE], lines[MC_SETTINGS_NOTES_SIZE] = "";
    mc_printable_copy(note, sizeof note, text, strlen(text));
    size_t size = 0;
    line each;
    bool is_said = note[0] || mc_trace_get_note(session->trace, step), fits = true;
    for (const char *at = session->settings.notes; read_line(at, &each); at = get_next(&each)) {
        if (each.step == step || each.step == MC_NONE) continue;
        size += (size_t)snprintf(lines + size, sizeof lines - size, "%s%.*s", size > 0 ? "\n" : "",
                                 (int)(each.end - each.begin), each.begin);
    }
    if (is_said) {
        int added = snprintf(lines + size, sizeof lines - size, "%s%" PRIu32 " %s",
                             size > 0 ? "\n" : "", step, note);
        fits = added >= 0 && size + (size_t)added < sizeof lines;
    }
    if (!fits) {
        mc_session_set_status(session,
                              "There is no room for more notes. Those of a file have more: "
                              "memcity import --notes.");
        return;
    }
    // What is compared and saved is all of it.
    memset(session->settings.notes, 0, sizeof session->settings.notes);
    memcpy(session->settings.notes, lines, strlen(lines));
    mc_session_set_status(
        session, note[0] ? "Step %" PRIu32 ": %s" : "Step %" PRIu32 " has no note.%s", step, note);
}

void mc_session_show_note(mc_session *session, int way) {
    char note[MC_NOTE_SIZE];
    uint32_t count = mc_trace_get_step_count(session->trace);
    for (int64_t step = (int64_t)session->playback.step + way; step >= 0 && step < count;
         step += way) {
        if (!mc_session_get_note(session, (uint32_t)step, note)) continue;
        mc_playback_set_step(&session->playback, (uint32_t)step);
        mc_session_set_status(session, "Step %" PRIu32 ": %s", (uint32_t)step, note);
        return;
    }
    mc_session_set_status(session, way > 0 ? "No step after this one has a note."
                                           : "No step before this one has a note.");
}
