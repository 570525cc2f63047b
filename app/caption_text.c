#include "app/caption_text.h"

#include "app/format.h"
#include <inttypes.h>

void mc_caption_append_moment(const mc_caption_moment *moment, mc_text *out) {
    char time[MC_FORMAT_SIZE];
    mc_format_append_value(out, mc_trace_get_metric(moment->trace, moment->metric), moment->total);
    mc_text_format(out, MC_CAPTION_SEPARATOR "step %" PRIu32 " of %" PRIu32 "–%" PRIu32 "%s",
                   moment->step, moment->window.first_step, moment->window.last_step,
                   moment->mapping);
    mc_text_format(out, MC_CAPTION_SEPARATOR "%s",
                   mc_format_time(time, mc_trace_get_step(moment->trace, moment->step)->time_ms));
}
