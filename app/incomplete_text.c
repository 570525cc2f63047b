#include "app/incomplete_text.h"

#include "app/format.h"
#include <inttypes.h>

void mc_incomplete_append_sentence(const mc_trace *trace, uint32_t first_step, uint32_t last_step,
                                   mc_text *out) {
    uint32_t first = MC_NONE, count = 0;
    for (uint32_t step = first_step; step <= last_step; step++) {
        if (!mc_trace_get_step(trace, step)->is_incomplete) continue;
        if (count++ == 0) first = step;
    }
    if (count == 0) return;
    mc_text_format(out, "step %" PRIu32 " is incomplete: ", first);
    size_t size;
    const char *reason =
        mc_trace_get_string(trace, mc_trace_get_step(trace, first)->missing, &size);
    mc_format_append_line(out, reason, size);
    if (count > 1)
        mc_text_format(out, "; so %s %" PRIu32 " more", count > 2 ? "are" : "is", count - 1);
    mc_text_append_string(out, "; only the readable part is shown");
}
