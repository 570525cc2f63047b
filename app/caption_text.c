#include "app/caption_text.h"

#include "app/format.h"
#include "app/pace_text.h"
#include <inttypes.h>
#include <math.h>

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
    if (!legend->metric)
        mc_text_format(out, "step %.0f", most);
    else if (legend->is_rate)
        mc_pace_append(trace, window, legend->metric, legend->full, out);
    else if (legend->is_value)
        mc_format_append_value(out, legend->metric,
                               mc_metric_get_word(legend->metric, (uint64_t)most));
    else
        mc_format_append_growth(out, legend->metric, (int64_t)most);
}
