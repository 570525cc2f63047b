#include "app/incomplete_text.h"

#include "app/format.h"
#include <inttypes.h>

static void append_reason(const mc_trace *trace, uint32_t step, mc_text *out,
                          void (*append)(mc_text *, const char *, size_t)) {
    size_t size;
    const char *reason = mc_trace_get_string(trace, mc_trace_get_step(trace, step)->missing, &size);
    append(out, reason, size);
}

void mc_incomplete_append_sentence(const mc_trace *trace, uint32_t first_step, uint32_t last_step,
                                   mc_text *out) {
    uint32_t first = MC_NONE, count = 0;
    for (uint32_t step = first_step; step <= last_step; step++) {
        if (!mc_trace_get_step(trace, step)->is_incomplete) continue;
        if (count++ == 0) first = step;
    }
    if (count == 0) return;
    mc_text_format(out, "step %" PRIu32 " is incomplete: ", first);
    append_reason(trace, first, out, mc_format_append_line);
    if (count > 1)
        mc_text_format(out, "; so %s %" PRIu32 " more", count > 2 ? "are" : "is", count - 1);
    mc_text_append_string(out, "; what is told of it is what was there");
}

void mc_incomplete_append_line(const mc_trace *trace, uint32_t first_step, uint32_t last_step,
                               mc_text *out) {
    size_t begin = out->size;
    mc_text_append_string(out, "\n");
    size_t size = out->size;
    mc_incomplete_append_sentence(trace, first_step, last_step, out);
    if (out->size > size)
        mc_text_append_string(out, "\n");
    else if (!out->failed)
        out->size = begin;
}

void mc_incomplete_append_json(const mc_trace *trace, uint32_t first_step, uint32_t last_step,
                               mc_text *out) {
    bool is_first = true;
    for (uint32_t step = first_step; step <= last_step; step++) {
        if (!mc_trace_get_step(trace, step)->is_incomplete) continue;
        mc_text_format(
            out, "%s{\"step\":%" PRIu32 ",\"reason\":", is_first ? ",\"incomplete\":[" : ",", step);
        append_reason(trace, step, out, mc_format_append_json);
        mc_text_append_string(out, "}");
        is_first = false;
    }
    if (!is_first) mc_text_append_string(out, "]");
}
