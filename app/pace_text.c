#include "app/pace_text.h"

#include "app/format.h"
#include <math.h>
#include <string.h>

#define LEAST_STEP_S 0.01 // steps that are nearer to each other have been numbered, not timed

static const struct {
    double seconds, most_run_s; // of the windows that it is for
    const char *name;
} periods[] = {{1, 600, "/s"}, {60, 7200, "/min"}, {3600, 172800, "/h"}, {86400, INFINITY, "/day"}};

#define PERIOD_COUNT (sizeof periods / sizeof *periods)

static void append(const mc_metric_info *info, double number, const char *name, mc_text *out) {
    bool is_objects = strcmp(info->key, "objects") == 0;
    mc_format_append_rate(out, info, number);
    mc_text_format(out, "%s%s", is_objects ? " objects" : "", name);
}

void mc_pace_append(const mc_trace *trace, mc_step_range window, const mc_metric_info *info,
                    double per_s, mc_text *out) {
    double run_s = (double)mc_step_range_get_duration_ms(trace, window) * 1e-3;
    uint32_t steps = window.last_step - window.first_step;
    double number = mc_metric_scale_back(info, per_s);
    double least = info->unit == MC_UNIT_BYTES ? 1024 : 1;
    if (run_s < LEAST_STEP_S * steps) {
        append(info, number * run_s / steps, "/step", out);
        return;
    }
    size_t i = 0;
    while (run_s >= periods[i].most_run_s)
        i++;
    while (i + 1 < PERIOD_COUNT && number != 0 && fabs(number) * periods[i].seconds < least)
        i++;
    append(info, number * periods[i].seconds, periods[i].name, out);
}
