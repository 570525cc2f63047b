#include "engine/base/progress_part.h"

static bool report(void *user, uint64_t done, uint64_t total) {
    const mc_progress_part *part = user;
    double at = total > 0 ? (double)done / (double)total : 0;
    return mc_progress_report(part->whole, (uint64_t)((part->before + part->share * at) * 1e6),
                              1000000);
}

mc_progress mc_progress_part_get(mc_progress_part *part) {
    return (mc_progress){report, part};
}
