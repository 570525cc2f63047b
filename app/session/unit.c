#include "app/session/unit.h"

#include "app/format.h"
#include "app/session/metrics.h"
#include "app/session/name_cache.h"
#include "app/session/selection.h"
#include "app/unit_text.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#define ALL_SHARE 0.99 // what is left of it can't be seen

// Units of the whole trace are found with the causes; pictures, and districts as cities, have none.
static bool has_causes(const mc_session *session) {
    return session->shown && session->shown->root_node == 0 && !mc_session_is_pictured(session);
}

void mc_session_sync_units(mc_session *session) {
    bool is_wanted = session->shown && !has_causes(session) && !mc_session_has_methods(session) &&
                     !mc_trace_is_versus(session->trace) &&
                     mc_session_get_selected(session) != MC_NONE;
    mc_units_key key = {.step_count = 0};
    if (is_wanted)
        key = (mc_units_key){.recording = session->dataset->recording,
                             .numbering = session->dataset->numbering,
                             .step_count = mc_trace_get_step_count(session->trace),
                             .window = session->shown->window};
    mc_asked_request request = {.dataset = session->dataset, .waits = session->follow.is_on};
    if (mc_asked_want_so(session->asked[MC_QUERY_UNITS], &request, &key))
        mc_session_redraw(session);
}

static const mc_units *get_units(const mc_session *session) {
    const mc_causes *causes = session->suspects.why.causes;
    const mc_units_key *key = mc_asked_get_key(session->asked[MC_QUERY_UNITS]);
    if (has_causes(session)) return causes ? &causes->units : NULL;
    bool is_of_these = key->step_count > 0 && key->recording == session->dataset->recording &&
                       key->numbering == session->dataset->numbering;
    return is_of_these ? mc_session_get_units(session) : NULL;
}

const mc_growth_unit *mc_session_get_unit(const mc_session *session, uint32_t node,
                                          const mc_unit_part **part) {
    const mc_units *units = get_units(session);
    *part = NULL;
    if (!units || node == MC_NONE) return NULL;
    uint32_t index = mc_units_find_part(units, node, part);
    const mc_growth_unit *unit = index != MC_NONE ? &units->items[index] : NULL;
    return unit && unit->part_count > 1 ? unit : NULL;
}

static bool is_own(const mc_growth_unit *unit, const mc_unit_part *part) {
    return part < unit->parts + unit->own_count;
}

// In objects, or bytes at the mean size of what came. < 0: of such a metric nothing is known.
static double get_brought(const mc_session *session, const mc_growth_unit *unit,
                          const mc_unit_part *part) {
    double objects = mc_units_get_brought(get_units(session), unit, part, session->counts.step);
    if (session->shown->metric == MC_METRIC_OBJECTS) return objects;
    if (session->shown->metric != MC_METRIC_BYTES || part->objects <= 0) return -1;
    return objects * (double)part->bytes / (double)part->objects;
}

static double get_share(const mc_session *session, const mc_growth_unit *unit,
                        const mc_unit_part *part) {
    uint64_t value = session->counts.node_values[part->node];
    double brought = get_brought(session, unit, part);
    if (brought < 0 || value == 0 || value == MC_COUNT_UNKNOWN) return 0;
    double share = brought / (double)value;
    return share > ALL_SHARE ? 1 : share;
}

// Those of the most bytes stay.
static uint32_t add(mc_session_unit_part *parts, int64_t *bytes, uint32_t count,
                    mc_session_unit_part part, int64_t part_bytes) {
    uint32_t at = count < MC_UNIT_MARK_CAPACITY ? count : MC_UNIT_MARK_CAPACITY;
    for (; at > 0 && bytes[at - 1] < part_bytes; at--) {
        if (at == MC_UNIT_MARK_CAPACITY) continue;
        parts[at] = parts[at - 1];
        bytes[at] = bytes[at - 1];
    }
    if (at == MC_UNIT_MARK_CAPACITY) return count;
    parts[at] = part;
    bytes[at] = part_bytes;
    return count < MC_UNIT_MARK_CAPACITY ? count + 1 : count;
}

uint32_t mc_session_list_unit(const mc_session *session,
                              mc_session_unit_part parts[MC_UNIT_MARK_CAPACITY]) {
    int64_t bytes[MC_UNIT_MARK_CAPACITY];
    uint32_t node = mc_session_get_selected(session), count = 0;
    const mc_unit_part *selected;
    const mc_growth_unit *unit = mc_session_get_unit(session, node, &selected);
    if (!unit || !session->counts.node_values || session->walk.is_shown) return 0;
    for (uint32_t i = 0; i < unit->part_count; i++) {
        const mc_unit_part *part = &unit->parts[i];
        bool is_shown = is_own(unit, selected) ? part != selected : part == selected;
        mc_session_unit_part shown = {part->node, 0};
        if (is_shown) shown.share = get_share(session, unit, part);
        if (shown.share > 0) count = add(parts, bytes, count, shown, part->bytes);
    }
    return count;
}

uint32_t mc_session_fill_unit_row(const mc_session *session, uint32_t node, mc_fact_row *row) {
    const mc_unit_part *part;
    const mc_growth_unit *unit = mc_session_get_unit(session, node, &part);
    if (!unit) return 0;
    *row = (mc_fact_row){.label = "Unit"};
    mc_text text = {0};
    char count[MC_FORMAT_SIZE];
    const char *base = mc_session_get_name(session, unit->base);
    if (node == unit->base) {
        snprintf(row->value, sizeof row->value, "%s, each with %" PRIu32 " more group%s",
                 mc_format_count(count, unit->count), unit->part_count - 1,
                 unit->part_count == 2 ? "" : "s");
        mc_unit_append(session->trace, unit, MC_UNIT_TEXT_PARTS_FEW, &text);
        if (!text.failed) snprintf(row->exact, sizeof row->exact, "%s", mc_text_get(&text));
        mc_text_deinit(&text);
        return 1;
    }
    mc_unit_append_number(part->per_unit, &text);
    mc_text_format(&text, " per %s", base);
    if (!text.failed) snprintf(row->value, sizeof row->value, "%s", mc_text_get(&text));
    mc_text_deinit(&text);
    if (is_own(unit, part)) return 1;
    snprintf(row->exact, sizeof row->exact,
             "%s came with %s in the time window; others bring some as well.",
             mc_format_counted(count, (uint64_t)part->objects, "object"), base);
    return 1;
}

void mc_session_select_unit(mc_session *session) {
    const mc_causes *causes = session->suspects.why.causes;
    uint32_t node = mc_session_get_selected(session);
    if (node == MC_NONE && causes && causes->count > 0) node = causes->items[0].node;
    const mc_unit_part *part;
    const mc_growth_unit *unit = mc_session_get_unit(session, node, &part);
    if (!unit) {
        mc_session_set_notice(session, get_units(session)
                                           ? "Nothing is known to come together with it."
                                           : "Judging what grows…");
        return;
    }
    mc_selection parts = mc_selection_of(node);
    for (uint32_t i = 0; i < unit->part_count && parts.count < MC_SELECTION_CAPACITY; i++)
        if (unit->parts[i].node != node) mc_selection_add(&parts, unit->parts[i].node);
    mc_text formula = {0};
    mc_unit_append(session->trace, unit, MC_UNIT_TEXT_PARTS_FEW, &formula);
    if (!formula.failed) mc_session_set_notice(session, "%s", mc_text_get(&formula));
    mc_text_deinit(&formula);
    mc_session_select_all(session, &parts, true);
}
