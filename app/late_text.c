#include "app/late_text.h"

#include "app/node_text.h"
#include "engine/base/memory.h"
#include "engine/store/mct/mct.h"
#include <inttypes.h>

#define MOST_NAMES 5 // in a line

typedef void (*append_step)(const mc_trace *trace, uint32_t step, const uint32_t *parts,
                            uint32_t count, bool is_first, mc_text *out);

static mc_result append_each(const mc_trace *trace, append_step append, mc_text *out, bool *has_any,
                             mc_error *error) {
    *has_any = false;
    for (uint32_t step = 0; step < mc_trace_get_step_count(trace); step++) {
        uint32_t count, *parts;
        bool is_merged;
        mc_result result = mc_mct_read_held(trace, step, &is_merged, &parts, &count, error);
        if (result != MC_OK) return result;
        if (count > 0) append(trace, step, parts, count, !*has_any, out);
        *has_any |= count > 0;
        mc_free(parts);
    }
    return MC_OK;
}

static void append_line(const mc_trace *trace, uint32_t step, const uint32_t *parts, uint32_t count,
                        bool is_first, mc_text *out) {
    mc_text_format(out, "%sstep %" PRIu32 " has from before: ", is_first ? "\n" : "", step);
    for (uint32_t i = 0; i < count && i < MOST_NAMES; i++) {
        if (i > 0) mc_text_append_string(out, ", ");
        mc_node_append_place_line(trace, parts[i], out);
    }
    if (count > MOST_NAMES) mc_text_format(out, " and %" PRIu32 " more", count - MOST_NAMES);
    mc_text_append_string(out, "\n");
}

mc_result mc_late_append_lines(const mc_trace *trace, mc_text *out, mc_error *error) {
    bool has_any;
    return append_each(trace, append_line, out, &has_any, error);
}

static void append_object(const mc_trace *trace, uint32_t step, const uint32_t *parts,
                          uint32_t count, bool is_first, mc_text *out) {
    mc_text_format(out, "%s{\"step\":%" PRIu32 ",\"parts\":[", is_first ? ",\"late\":[" : ",",
                   step);
    for (uint32_t i = 0; i < count; i++) {
        if (i > 0) mc_text_append_string(out, ",");
        mc_node_append_key_json(trace, parts[i], out);
    }
    mc_text_append_string(out, "]}");
}

mc_result mc_late_append_json(const mc_trace *trace, mc_text *out, mc_error *error) {
    bool has_any;
    mc_result result = append_each(trace, append_object, out, &has_any, error);
    if (has_any) mc_text_append_string(out, "]");
    return result;
}
