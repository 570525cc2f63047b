#include "app/caption_text.h"

#include "app/format.h"
#include "app/node_text.h"
#include "app/pace_text.h"
#include <inttypes.h>
#include <math.h>

#define MOST_NAMES 4

void mc_caption_append_moment(const mc_caption_moment *moment, mc_text *out) {
    char time[MC_FORMAT_SIZE];
    mc_format_append_value(out, mc_trace_get_metric(moment->trace, moment->metric), moment->total);
    mc_text_format(out, MC_CAPTION_SEPARATOR "step %" PRIu32 " of %" PRIu32 "–%" PRIu32 "%s",
                   moment->step, moment->window.first_step, moment->window.last_step,
                   moment->mapping);
    mc_text_format(out, MC_CAPTION_SEPARATOR "%s",
                   mc_format_time(time, mc_trace_get_step(moment->trace, moment->step)->time_ms));
}

void mc_caption_append_full(const mc_legend *legend, const mc_trace *trace, mc_step_range window,
                            mc_text *out) {
    double most = fmin(legend->full, 9e18);
    char value[MC_FORMAT_SIZE];
    if (!legend->metric)
        mc_text_format(out, "step %.0f", most);
    else if (legend->is_rate)
        mc_pace_append(trace, window, legend->metric, legend->full, out);
    else if (legend->is_value) // of what, the title says
        mc_text_append_string(out,
                              mc_format_brief(value, legend->metric,
                                              mc_metric_get_word(legend->metric, (uint64_t)most)));
    else
        mc_format_append_growth(out, legend->metric, (int64_t)most);
}

void mc_caption_append_selection(const mc_trace *trace, const uint32_t *nodes, uint32_t count,
                                 mc_text *out) {
    mc_text_append_string(out, "Selected: ");
    if (count == 1) mc_node_append_place_line(trace, nodes[0], out);
    for (uint32_t i = 0; count > 1 && i < count && i < MOST_NAMES; i++) {
        mc_text_append_string(out, i > 0 ? ", " : "");
        mc_node_append_name_line(trace, nodes[i], out);
    }
    if (count > MOST_NAMES) mc_text_format(out, ", %" PRIu32 " more", count - MOST_NAMES);
}

void mc_caption_append_low(const mc_legend *legend, mc_text *out) {
    if (legend->is_diverging && legend->metric)
        mc_format_append_growth(out, legend->metric, -(int64_t)fmin(legend->full, 9e18));
    else
        mc_text_append_string(out, "0");
}
