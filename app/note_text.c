#include "app/note_text.h"

#include "app/format.h"
#include <inttypes.h>
#include <string.h>

void mc_notes_append_lines(const mc_trace *trace, mc_text *out) {
    bool is_first = true;
    for (uint32_t i = 0; i < mc_trace_get_step_count(trace); i++) {
        char time[MC_FORMAT_SIZE];
        const char *note = mc_trace_get_note(trace, i);
        if (!note) continue;
        mc_text_format(out, "%sstep %" PRIu32 " at %s: %s\n", is_first ? "\n" : "", i,
                       mc_format_time(time, mc_trace_get_step(trace, i)->time_ms), note);
        is_first = false;
    }
}

void mc_notes_append_json(const mc_trace *trace, mc_text *out) {
    bool is_first = true;
    for (uint32_t i = 0; i < mc_trace_get_step_count(trace); i++) {
        const char *note = mc_trace_get_note(trace, i);
        if (!note) continue;
        mc_text_format(out, "%s{\"step\":%" PRIu32 ",\"note\":", is_first ? ",\"notes\":[" : ",",
                       i);
        mc_format_append_json(out, note, strlen(note));
        mc_text_append_string(out, "}");
        is_first = false;
    }
    if (!is_first) mc_text_append_string(out, "]");
}
