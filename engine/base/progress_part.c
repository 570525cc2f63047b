#include "engine/base/progress_part.h"

static bool report(void *user, uint64_t done, uint64_t total) {
    const mc_progress_part *part = user;
    double at = total > 0 ? (double)done / (double)total : 0;
    return mc_progress_report(part->whole, (uint64_t)((part->before + part->share * at) * 1e6),
                              1000000);
}

static bool report_phase(void *user, uint64_t done, uint64_t total) {
    mc_progress_phases *self = user;
    const double at = total > 0 && done < total ? (double)done / (double)total : total > 0;
    if (at < self->last && self->phase + 1 < self->count) self->phase++;
    self->last = at;
    return mc_progress_report(self->whole, (uint64_t)((self->phase + at) * 1e6),
                              self->count * UINT64_C(1000000));
}

mc_progress mc_progress_phases_get(mc_progress_phases *phases) {
    return (mc_progress){report_phase, phases};
}

mc_progress mc_progress_part_get(mc_progress_part *part) {
    return (mc_progress){report, part};
}
