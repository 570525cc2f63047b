#include "app/unit_text.h"

#include "app/format.h"
#include "app/node_text.h"
#include "app/subject_text.h"
#include "engine/base/ascii.h"
#include <inttypes.h>
#include <math.h>

int64_t mc_unit_get_bytes_each(const mc_growth_unit *unit) {
    return unit->count > 0 ? llround((double)unit->bytes / (double)unit->count) : 0;
}

void mc_unit_append_number(double per_unit, mc_text *out) {
    double whole = round(per_unit);
    bool is_whole = whole >= 1 && fabs(per_unit - whole) <= 0.02 * fmax(1, per_unit / 4);
    mc_text_format(out, is_whole || per_unit >= 99.5 ? "%.0f" : "%.2g",
                   is_whole ? whole : per_unit);
}

void mc_unit_append_part(double per_unit, const mc_text *name, mc_text *out) {
    const char *text = mc_text_get(name);
    mc_unit_append_number(per_unit, out);
    mc_text_append_string(out, mc_is_digit(*text) ? " × " : " ");
    mc_text_append(out, text, name->size);
    out->failed |= name->failed;
}

void mc_unit_append_formula(const mc_trace *trace, const mc_growth_unit *unit, uint32_t most_parts,
                            mc_text *out) {
    char count[MC_FORMAT_SIZE];
    mc_text name = {0};
    if (unit->part_count == most_parts + 1) most_parts++;
    mc_text_format(out, "%s%s × { ", unit->is_sampled ? "about " : "",
                   mc_format_count(count, unit->count));
    for (uint32_t i = 0; i < unit->part_count && i < most_parts; i++) {
        if (i > 0) mc_text_append_string(out, ", ");
        mc_text_clear(&name);
        mc_subject_append_group(trace, unit->parts[i].node, &name);
        mc_unit_append_part(unit->parts[i].per_unit, &name, out);
    }
    mc_text_deinit(&name);
    if (unit->part_count > most_parts)
        mc_text_format(out, " … and %" PRIu32 " more groups", unit->part_count - most_parts);
    mc_text_append_string(out, " }");
}

void mc_unit_append(const mc_trace *trace, const mc_growth_unit *unit, uint32_t most_parts,
                    mc_text *out) {
    char each[MC_FORMAT_SIZE];
    mc_unit_append_formula(trace, unit, most_parts, out);
    if (unit->bytes > 0)
        mc_text_format(out, ", %s B each",
                       mc_format_count(each, (uint64_t)mc_unit_get_bytes_each(unit)));
}

void mc_unit_append_of_cause(const mc_trace *trace, const mc_causes *causes, const mc_cause *cause,
                             mc_text *out) {
    const mc_growth_unit *unit = mc_causes_get_unit(causes, cause);
    if (!unit) return;
    mc_text_append_string(out, "; ");
    mc_unit_append(trace, unit, MC_UNIT_TEXT_PARTS_FEW, out);
}
