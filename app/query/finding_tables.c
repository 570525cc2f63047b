#include "app/owner_text.h"
#include "app/query/table.h"
#include "app/root_path_text.h"
#include "app/unit_text.h"
#include "app/walk_text.h"
#include "app/why_text.h"
#include "engine/analyze/cause_finder.h"
#include "engine/base/memory.h"
#include <math.h>
#include <string.h>

#define COUNT_OF(columns) (sizeof(columns) / sizeof *(columns))
#define S_PER_HOUR 3600.0

void mc_query_source_deinit(mc_query_source *source) {
    mc_causes_deinit(&source->causes);
    mc_free(source->dumps);
    *source = (mc_query_source){.trace = NULL};
}

// Steps after a release of most of the heap are left out, as `memcity why` does it.
static mc_step_range get_window(const mc_trace *trace, mc_metric metric) {
    mc_step_range window = mc_step_range_whole(trace);
    uint32_t release = mc_step_range_find_release(trace, metric);
    if (release != MC_NONE) window.last_step = release;
    return window;
}

mc_result mc_query_source_find_causes(mc_query_source *source, const mc_causes **causes,
                                      mc_error *error) {
    mc_result result = MC_OK;
    if (!source->has_causes) {
        mc_metric metric = mc_trace_get_usual_metric(source->trace);
        mc_causes_desc desc = {.metric = metric, .window = get_window(source->trace, metric)};
        result = mc_causes_find(source->trace, &desc, source->progress, &source->causes, error);
        source->has_causes = result == MC_OK;
    }
    *causes = &source->causes;
    return result;
}

static uint64_t intern_text(mc_query_rows *rows, mc_text *text, bool *failed) {
    if (text->failed) *failed = true;
    uint64_t word = text->size == 0
                        ? MC_QUERY_NULL
                        : mc_query_rows_intern(rows, mc_text_get(text), text->size, failed);
    mc_text_clear(text);
    return word;
}

static uint64_t pack_known(double number) {
    return isfinite(number) ? mc_query_pack_real(number) : MC_QUERY_NULL;
}

// ---- the verdict

static const mc_query_column verdict_columns[] = {
    {"verdict", MC_QUERY_TEXT, 0, "as `memcity why --json` has it"},
    {"sentence", MC_QUERY_TEXT, 0, "why the heap grows, or that nothing keeps growing"},
    {"first_step", MC_QUERY_INTEGER, 0, "of the steps that it is about"},
    {"last_step", MC_QUERY_INTEGER, 0, "likewise"},
    {"findings", MC_QUERY_INTEGER, 0, "rows of table findings"},
    {"left_out", MC_QUERY_INTEGER, 0, "groups that grow and are in none"},
};

static mc_result fill_verdict(mc_query_source *source, const mc_query_part *part,
                              mc_query_rows *rows, mc_error *error) {
    const mc_causes *causes;
    mc_text text = {0};
    bool failed = false;
    (void)part;
    mc_result result = mc_query_source_find_causes(source, &causes, error);
    if (result != MC_OK) return result;
    mc_why why = {.trace = source->trace,
                  .causes = causes,
                  .limit = mc_why_get_limit(source->trace, causes->desc.window)};
    const char *verdict = mc_heap_verdict_names[mc_suspects_get_verdict(&causes->suspects)];
    mc_why_append_headline(&why, &text);
    const uint64_t words[COUNT_OF(verdict_columns)] = {
        mc_query_rows_intern(rows, verdict, strlen(verdict), &failed),
        intern_text(rows, &text, &failed),
        causes->desc.window.first_step,
        causes->desc.window.last_step,
        causes->count,
        causes->left_out_count};
    failed = failed || !mc_query_rows_add(rows, words);
    mc_text_deinit(&text);
    return failed ? mc_error_out_of_memory(error) : MC_OK;
}

const mc_query_table mc_query_table_verdict = {
    .name = "verdict",
    .help = "one row: whether the heap grows, and why",
    .columns = verdict_columns,
    .column_count = COUNT_OF(verdict_columns),
    .fill = fill_verdict,
};

// ---- findings

static const mc_query_column finding_columns[] = {
    {"finding", MC_QUERY_INTEGER, 0, "from 0, the most important first"},
    {"node", MC_QUERY_NODE, 0, "group that accumulates"},
    {"key", MC_QUERY_KEY, 1, "its full key"},
    {"sentence", MC_QUERY_TEXT, 0, "what accumulates, where, since when, how fast"},
    {"held_by", MC_QUERY_TEXT, 0, "the way from a GC root, where it is known"},
    {"since_step", MC_QUERY_INTEGER, 0, "it grows since then,"},
    {"since_early", MC_QUERY_INTEGER, 0, "not earlier than this"},
    {"since_late", MC_QUERY_INTEGER, 0, "and not later than this"},
    {"growth_objects", MC_QUERY_INTEGER, 0, "of the group"},
    {"growth_bytes", MC_QUERY_INTEGER, 0, "of it and all that it explains"},
    {"own_growth_bytes", MC_QUERY_INTEGER, 0, "of the group alone"},
    {"bytes_per_hour", MC_QUERY_REAL, 0, "since then"},
    {"bytes_per_hour_low", MC_QUERY_REAL, 0, "with 95 % certainty not less"},
    {"bytes_per_hour_high", MC_QUERY_REAL, 0, "and not more"},
    {"retained_bytes", MC_QUERY_INTEGER, 0, "at the last step"},
    {"unit", MC_QUERY_INTEGER, 0, "what it comes with: of table units"},
    {"explains", MC_QUERY_INTEGER, 0, "further groups that grow because of it"},
};

static void append_holder(const mc_why *why, const mc_cause *cause, mc_text *out) {
    mc_finding finding = {why->trace, why->causes, cause, why->limit};
    if (cause->owner.hops)
        mc_owner_append_path(&finding, out);
    else if (cause->walk.trail.is_known)
        mc_root_path_append_way(&cause->walk.trail, why->trace, out);
}

static bool add_finding(const mc_why *why, uint32_t index, mc_text *text, mc_query_rows *rows) {
    const mc_cause *cause = &why->causes->items[index];
    bool failed = false, has_bytes = why->causes->unit == MC_METRIC_BYTES;
    mc_why_append_sentence(why, cause, text);
    uint64_t sentence = intern_text(rows, text, &failed);
    append_holder(why, cause, text);
    uint64_t held_by = intern_text(rows, text, &failed);
    double scale = has_bytes ? S_PER_HOUR : NAN;
    const uint64_t words[COUNT_OF(finding_columns)] = {
        index,
        cause->node,
        0,
        sentence,
        held_by,
        cause->since_step,
        cause->since_early,
        cause->since_late,
        (uint64_t)cause->growth_objects,
        has_bytes ? (uint64_t)cause->growth : MC_QUERY_NULL,
        has_bytes ? (uint64_t)cause->own_growth : MC_QUERY_NULL,
        pack_known(cause->growth_per_s * scale),
        pack_known(cause->growth_per_s_low * scale),
        pack_known(cause->growth_per_s_high * scale),
        mc_query_pack_count(cause->retained_bytes),
        mc_query_pack_index(cause->unit_index),
        cause->explained_count};
    return !failed && mc_query_rows_add(rows, words);
}

static mc_result fill_findings(mc_query_source *source, const mc_query_part *part,
                               mc_query_rows *rows, mc_error *error) {
    const mc_causes *causes;
    mc_text text = {0};
    bool is_whole = true;
    (void)part;
    mc_result result = mc_query_source_find_causes(source, &causes, error);
    if (result != MC_OK) return result;
    mc_why why = {.trace = source->trace,
                  .causes = causes,
                  .limit = mc_why_get_limit(source->trace, causes->desc.window)};
    for (uint32_t i = 0; i < causes->count && is_whole; i++)
        is_whole = add_finding(&why, i, &text, rows);
    mc_text_deinit(&text);
    return is_whole ? MC_OK : mc_error_out_of_memory(error);
}

const mc_query_table mc_query_table_findings = {
    .name = "findings",
    .help = "what makes the heap grow, cause by cause, as `memcity why` tells it",
    .columns = finding_columns,
    .column_count = COUNT_OF(finding_columns),
    .fill = fill_findings,
};

// ---- units

static const mc_query_column unit_columns[] = {
    {"unit", MC_QUERY_INTEGER, 0, "from 0; a row is a part of one"},
    {"units", MC_QUERY_INTEGER, 0, "how many units came"},
    {"formula", MC_QUERY_TEXT, 0, "80,001 × { 1 HttpHost, 2 LinkedList }"},
    {"node", MC_QUERY_NODE, 0, "group: the part"},
    {"key", MC_QUERY_KEY, 3, "its full key"},
    {"per_unit", MC_QUERY_REAL, 0, "objects of it that a unit brings"},
    {"objects", MC_QUERY_INTEGER, 0, "that all units brought"},
    {"bytes", MC_QUERY_INTEGER, 0, "likewise"},
    {"is_shared", MC_QUERY_INTEGER, 0, "1: other units also bring objects of the group"},
    {"state", MC_QUERY_TEXT, 0, "of the unit: grows, stopped, or NULL: neither"},
};

static bool add_unit(const mc_trace *trace, const mc_units *units, uint32_t index, mc_text *text,
                     mc_query_rows *rows) {
    const mc_growth_unit *unit = &units->items[index];
    mc_growth_kind kind = unit->trend.growth.kind;
    const char *state = kind == MC_GROWTH_GOES_ON   ? "grows"
                        : kind == MC_GROWTH_STOPPED ? "stopped"
                                                    : NULL;
    bool failed = false;
    mc_unit_append_formula(trace, unit, unit->part_count, text);
    uint64_t formula = intern_text(rows, text, &failed);
    for (uint32_t i = 0; i < unit->part_count && !failed; i++) {
        const mc_unit_part *part = &unit->parts[i];
        const uint64_t words[COUNT_OF(unit_columns)] = {
            index,
            unit->count,
            formula,
            part->node,
            0,
            mc_query_pack_real(part->per_unit),
            (uint64_t)part->objects,
            (uint64_t)part->bytes,
            part->is_shared,
            mc_query_rows_intern(rows, state, state ? strlen(state) : 0, &failed)};
        failed = failed || !mc_query_rows_add(rows, words);
    }
    return !failed;
}

static mc_result fill_units(mc_query_source *source, const mc_query_part *part, mc_query_rows *rows,
                            mc_error *error) {
    mc_metric metric = mc_trace_get_usual_metric(source->trace);
    mc_units units = {0};
    mc_text text = {0};
    bool is_whole = true;
    (void)part;
    mc_result result = mc_units_find(source->trace, get_window(source->trace, metric),
                                     source->progress, &units, error);
    for (uint32_t i = 0; i < units.count && result == MC_OK && is_whole; i++)
        is_whole = add_unit(source->trace, &units, i, &text, rows);
    mc_text_deinit(&text);
    mc_units_deinit(&units);
    return is_whole ? result : mc_error_out_of_memory(error);
}

const mc_query_table mc_query_table_units = {
    .name = "units",
    .help = "what grows together, part by part, as `memcity units` tells it",
    .columns = unit_columns,
    .column_count = COUNT_OF(unit_columns),
    .fill = fill_units,
};
