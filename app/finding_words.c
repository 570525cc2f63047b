#include "app/finding_words.h"

#include "app/format.h"
#include <inttypes.h>

void mc_finding_append_duration(double seconds, mc_text *out) {
    static const struct {
        double seconds;
        const char *name;
    } units[] = {{1, "s"}, {60, "min"}, {3600, "h"}, {86400, "d"}, {31557600, "years"}};
    size_t i = 0;
    while (i + 1 < sizeof units / sizeof *units && seconds >= 1.5 * units[i + 1].seconds)
        i++;
    double number = seconds / units[i].seconds;
    if (number >= 1e6)
        mc_text_append_string(out, "more than a million years");
    else
        mc_text_format(out, number < 9.95 && i > 0 ? "%.1f %s" : "%.0f %s", number, units[i].name);
}

void mc_finding_append_step(const mc_trace *trace, uint32_t step, mc_text *out) {
    char time[MC_FORMAT_SIZE];
    if (step == 0)
        mc_text_append_string(out, "the recording began");
    else
        mc_text_format(out, "step %" PRIu32 " (%s)", step,
                       mc_format_time(time, mc_trace_get_step(trace, step)->time_ms));
}

void mc_finding_append_full(const mc_finding *f, mc_text *out) {
    if (f->causes->unit != MC_METRIC_BYTES || f->limit == 0) return;
    double left = mc_causes_get_seconds_left(f->causes, f->limit);
    if (left < 0) return;
    mc_text_append_string(out, left == 0 ? "; the heap is full" : "; full in ");
    if (left > 0) mc_finding_append_duration(left, out);
}

void mc_finding_append_short(const mc_suspects *suspects, mc_step_range window, mc_text *out) {
    static const char *const words[] = {"No step", "One step", "Two steps", "Three steps",
                                        "Four steps"};
    if (suspects->is_byte_clock) {
        mc_text_append_string(out, "The clock counts allocated bytes, so growth cannot be told "
                                   "from filling: record with --time-unit=ms.");
        return;
    }
    const uint32_t count = window.last_step - window.first_step + 1;
    mc_text_format(out, "%s cannot show whether it goes on.",
                   count < sizeof words / sizeof *words ? words[count] : "So few steps");
}
