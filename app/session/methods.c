#include "app/session/methods.h"

#include "app/csv.h"
#include "app/format.h"
#include "app/node_text.h"
#include "app/pair.h"
#include "app/session/metrics.h"
#include "app/session/name_cache.h"
#include "app/session/series.h"
#include "engine/base/printable.h"
#include "engine/scene/theme.h"
#include <stdio.h>

// ---- once a turn

// What is on its way is awaited, or, where steps come faster than it does, nothing would ever be
// seen.
void mc_session_sync_methods(mc_session *session) {
    if (!session->shown || !mc_session_has_methods(session)) return;
    mc_methods_key key = {.step = session->counts.step,
                          .root = session->shown->root_node,
                          .metric = session->shown->metric,
                          .recording = session->dataset->recording,
                          .numbering = session->dataset->numbering,
                          .step_count = mc_trace_get_step_count(session->trace)};
    mc_asked_want_so(session->asked[MC_QUERY_METHODS],
                     &(mc_asked_request){.dataset = session->dataset, .waits = true}, &key);
}

void mc_session_take_methods(mc_session *session, const mc_error *error) {
    mc_session_methods *methods = &session->methods;
    const mc_asked *asked = session->asked[MC_QUERY_METHODS];
    const mc_methods_key *key = mc_asked_get_key(asked);
    const mc_methods *found = mc_asked_get_answer(asked);
    bool is_current = !error && key->metric == session->shown->metric &&
                      key->numbering == session->dataset->numbering;
    if (is_current) {
        methods->is_known = true;
        methods->step = key->step;
        session->suspects.count = found->count;
        for (uint32_t i = 0; i < found->count; i++) {
            methods->items[i] = found->items[i];
            session->suspects.items[i] = (mc_session_suspect){
                .node = found->items[i].node,
                .because = MC_NONE,
                .row = i,
                .values = mc_session_set_suspect_values(
                    session, i, found->values + (size_t)i * found->step_count, found->step_count)};
        }
    }
    mc_session_redraw_found(session);
}

void mc_session_renumber_methods(mc_session *session, const uint32_t *map, uint32_t count) {
    mc_session_methods *methods = &session->methods;
    uint32_t kept = 0;
    mc_asked_reset(session->asked[MC_QUERY_METHODS]); // what is on its way has the old numbers
    for (uint32_t i = 0; i < session->suspects.count; i++) {
        uint32_t node = methods->items[i].node;
        node = node < count ? map[node] : MC_NONE;
        if (node == MC_NONE) continue;
        methods->items[kept] = methods->items[i];
        methods->items[kept++].node = node;
    }
}

// ---- in words

static void describe(const mc_method_facts *method, char *out, size_t size) {
    mc_text text = {0};
    mc_method_facts_append(method, &text);
    snprintf(out, size, "%s", mc_text_get(&text));
    mc_text_deinit(&text);
}

void mc_session_fill_methods(mc_session *session, mc_facts *model, mc_fact_suspect *rows,
                             mc_text *paths) {
    const mc_session_methods *methods = &session->methods;
    const mc_metric_info *info = mc_session_get_metric(session);
    mc_theme theme =
        mc_theme_get(session->settings.look.dark, (mc_palette)session->settings.look.palette);
    for (uint32_t i = 0; i < session->suspects.count; i++) {
        const mc_method_facts *from = &methods->items[i];
        mc_fact_suspect *to = &rows[i];
        char exact[MC_FORMAT_SIZE];
        mc_text_clear(&paths[i]);
        mc_node_append_path_line(session->trace, from->node, &paths[i]);
        *to = (mc_fact_suspect){
            .name = mc_session_get_name(session, from->node),
            .path = paths[i].data && !paths[i].failed ? paths[i].data : "",
            .values = session->suspects.items[i].values,
            .node = from->node,
            .color = mc_theme_pack_growth(
                &theme,
                info->unit == MC_UNIT_RATIO ? (float)mc_metric_get_number(info, from->value) : 1),
            .selected = mc_selection_has(&session->settings.selection, from->node)};
        mc_format_value(to->growth, info, from->value);
        describe(from, to->detail, sizeof to->detail);
        snprintf(to->exact, sizeof to->exact, "%s %s · %s",
                 mc_format_value(exact, info, from->value), info->title, to->detail);
    }
    model->has_methods = true;
    model->suspects = rows;
    model->suspect_count = model->finding_count = session->suspects.count;
    model->open_finding = MC_NONE;
    if (!methods->is_known)
        model->verdict = "Looking for the highest…";
    else if (session->suspects.count == 0)
        model->verdict = "No method ran in this frame.";
}

// What else is known of methods than what the city shows: in how many threads they were, for how
// long. MC_NONE: nothing more.
static mc_metric find_next(const mc_session *session, mc_metric before) {
    mc_metric metric = before < MC_METRIC_FIRST_OWN ? MC_METRIC_FIRST_OWN : before + 1;
    if (metric == session->shown->metric) metric++;
    bool is_there =
        mc_session_has_methods(session) && metric < mc_pair_count_metrics(session->trace);
    return is_there ? metric : MC_NONE;
}

// What is told of a node, read when what it depends on changes.
static const mc_session_method_facts *get_facts(mc_session *session, mc_session_method_facts *known,
                                                uint32_t node) {
    bool is_same = known->layout_version == session->layout_version && known->node == node &&
                   known->step == session->playback.step;
    if (is_same) return known;
    *known = (mc_session_method_facts){
        .node = node, .step = session->playback.step, .layout_version = session->layout_version};
    for (mc_metric metric = 0; (metric = find_next(session, metric)) != MC_NONE;)
        known->values[metric] = mc_session_read_value(session, known->step, metric, node);
    uint32_t name;
    size_t size;
    mc_error error = {0};
    if (mc_trace_read_longest_threads(session->trace, known->step, &node, 1, &name, &error) ==
            MC_OK &&
        name != MC_NONE) {
        const char *bytes = mc_trace_get_string(mc_trace_get_base(session->trace), name, &size);
        mc_printable_copy(known->thread, sizeof known->thread, bytes, size);
    }
    return known;
}

void mc_session_fill_method_rows(mc_session *session, mc_facts *model, uint32_t node) {
    const mc_session_method_facts *facts =
        get_facts(session, &session->methods.selected_facts, node);
    for (mc_metric metric = 0; (metric = find_next(session, metric)) != MC_NONE;) {
        if (model->row_count + 4 >= MC_FACT_ROW_COUNT) break;
        mc_fact_row *row = &model->rows[model->row_count++];
        *row = (mc_fact_row){.label = model->metrics[metric].title};
        mc_format_value(row->value, mc_trace_get_metric(session->trace, metric),
                        facts->values[metric]);
    }
    if (!facts->thread[0]) return;
    mc_fact_row *row = &model->rows[model->row_count++];
    *row = (mc_fact_row){.label = "longest thread"};
    snprintf(row->value, sizeof row->value, "%.47s", facts->thread);
    snprintf(row->exact, sizeof row->exact, "%s", facts->thread);
}

void mc_session_append_method(mc_session *session, uint32_t node, mc_text *text) {
    const mc_session_method_facts *facts = get_facts(session, &session->methods.hover_facts, node);
    char figure[MC_FORMAT_SIZE];
    for (mc_metric metric = 0; (metric = find_next(session, metric)) != MC_NONE;)
        mc_text_format(text, " · %s %s",
                       mc_format_value(figure, mc_trace_get_metric(session->trace, metric),
                                       facts->values[metric]),
                       mc_trace_get_metric(session->trace, metric)->title);
    if (facts->thread[0]) mc_text_format(text, " · longest in %s", facts->thread);
}

// ---- for programs

void mc_session_append_methods_csv(mc_session *session, mc_text *out) {
    const mc_session_methods *methods = &session->methods;
    const mc_metric_info *info = mc_session_get_metric(session);
    const char *const columns[] = {"step",           info->key, "threads",
                                   "longest thread", "calls",   "steady"};
    mc_csv_append_string(out, "method");
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
        mc_csv_append_string(out, columns[i]);
    mc_csv_end_row(out);
    for (uint32_t i = 0; i < session->suspects.count; i++) {
        const mc_method_facts *method = &methods->items[i];
        char number[MC_FORMAT_SIZE];
        mc_text key = {0};
        mc_trace_append_full_key(session->trace, method->node, &key);
        mc_csv_append_text(out, key.data ? key.data : "", key.size);
        out->failed = out->failed || key.failed;
        mc_text_deinit(&key);
        mc_csv_append_number(out, methods->step);
        mc_csv_append_written(out, mc_format_exact(number, info, method->value));
        mc_csv_append_number(out, method->threads);
        mc_csv_append_string(out, method->thread);
        if (method->calls == MC_COUNT_UNKNOWN)
            mc_csv_append_written(out, NULL);
        else
            mc_csv_append_number(out, method->calls);
        mc_csv_append_real(out, method->steady);
        mc_csv_end_row(out);
    }
}

void mc_session_put_methods_state(const mc_session *session, mc_print *print) {
    const mc_session_methods *methods = &session->methods;
    mc_print_put(print, "frame", mc_cell_real(mc_trace_get_frame_ms(session->trace) / 1000, 4));
    mc_print_begin_list(print, "highest");
    for (uint32_t i = 0; i < session->suspects.count; i++) {
        const mc_method_facts *method = &methods->items[i];
        bool has_calls = method->calls != MC_COUNT_UNKNOWN;
        mc_print_put(
            print, NULL,
            MC_OBJECT({"method", mc_cell_node(session->trace, method->node)},
                      {"value", mc_cell_value(mc_session_get_metric(session), method->value)},
                      {"threads", mc_cell_count(method->threads)},
                      {"steady", mc_cell_real(method->steady, 4)},
                      {"longest", mc_cell_text(method->thread)},
                      {"calls", mc_cell_if(has_calls, mc_cell_count(method->calls))}));
    }
    mc_print_end_list(print);
}
