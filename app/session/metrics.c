#include "app/session/metrics.h"

#include "app/estimate.h"
#include "app/format.h"
#include "app/pair.h"
#include "engine/base/printable.h"
#include "engine/scene/flat_color.h"
#include "engine/scene/style_source.h"
#include <stdio.h>
#include <string.h>

_Static_assert(MC_FACT_METRIC_MOST >= MC_METRIC_MOST, "the panels list all of a trace's metrics");

const mc_metric_info *mc_session_get_metric(const mc_session *session) {
    return mc_trace_get_metric(session->trace,
                               mc_pair_get_plain(session->trace, session->shown->metric));
}

// False: its key is too long for the settings.
static bool set_name(const mc_session *session, mc_metric metric, char name[MC_METRIC_NAME_SIZE]) {
    return mc_form_set_name(name, MC_METRIC_NAME_SIZE,
                            mc_trace_get_metric(session->trace, metric)->key);
}

void mc_session_name_metric(const mc_session *session, mc_metric metric,
                            char name[MC_METRIC_NAME_SIZE]) {
    memset(name, 0, MC_METRIC_NAME_SIZE);
    if (metric != MC_NONE) (void)set_name(session, metric, name);
}

void mc_session_tell_no_metric(mc_session *session, const char *name) {
    mc_text text = {0};
    mc_text_append_string(&text, "This trace has no metric “");
    mc_format_append_line(&text, name, strlen(name));
    mc_text_append_string(&text, "”.");
    if (!text.failed) mc_session_set_message(session, text.data);
    mc_text_deinit(&text);
}

void mc_session_settle_metrics(mc_session *session) {
    mc_settings *settings = &session->settings;
    mc_look *look = &settings->look;
    mc_style_mapping mapping;
    mc_metric shown = session->shown->metric;
    if (mc_trace_find_metric(session->trace, settings->layout.metric) == MC_NONE) {
        mc_session_tell_no_metric(session, settings->layout.metric);
        (void)set_name(session, mc_pair_get_plain(session->trace, shown), settings->layout.metric);
    }
    const char *lacking = mc_style_mapping_init(&mapping, look, session->trace, shown);
    if (!lacking) return;
    mc_session_tell_no_metric(session, lacking);
    look->color_mode = (uint32_t)mapping.color_mode;
    look->height_mode = (uint32_t)mapping.height_mode;
}

mc_result mc_session_check_metrics(const mc_session *session, const mc_settings *settings,
                                   mc_error *error) {
    mc_style_mapping mapping;
    if (!session->trace) return MC_OK;
    const char *lacking =
        mc_trace_find_metric(session->trace, settings->layout.metric) == MC_NONE
            ? settings->layout.metric
            : mc_style_mapping_init(&mapping, &settings->look, session->trace, MC_METRIC_BYTES);
    if (!lacking) return MC_OK;
    mc_text known = {0};
    for (mc_metric i = 0; i < mc_trace_get_metric_count(session->trace); i++) {
        const mc_metric_info *info = mc_trace_get_metric(session->trace, i);
        mc_text_append_string(&known, i > 0 ? ", " : "");
        mc_format_append_line(&known, info->key, info->key_size);
    }
    mc_fail(error, MC_ERROR_BAD_DATA, "expected one of %.600s, found \"%.200s\"",
            known.failed ? "…" : known.data, lacking);
    mc_text_deinit(&known);
    return MC_ERROR_BAD_DATA;
}

// Methods have neither objects nor bytes.
static bool is_shown(const mc_session *session, mc_metric metric) {
    return metric >= MC_METRIC_FIRST_OWN || !mc_session_has_methods(session);
}

void mc_session_cycle_metric(mc_session *session) {
    char *name = session->settings.layout.metric;
    uint32_t count = mc_pair_count_metrics(session->trace);
    mc_metric metric =
        mc_pair_get_plain(session->trace, mc_trace_find_metric(session->trace, name));
    // How far bytes may be off stands beside them.
    mc_metric variance = mc_estimate_find_variance(session->trace, MC_METRIC_BYTES);
    do {
        metric = metric + 1 < count ? metric + 1 : 0;
    } while (!is_shown(session, metric) || metric == variance || !set_name(session, metric, name));
}

// The next of the trace's own metrics after the one that `name` is of, if its value is shown, or
// else the first. False: that was the last.
static bool take_next_own(const mc_session *session, bool is_value,
                          char name[MC_METRIC_NAME_SIZE]) {
    uint32_t count = mc_trace_get_metric_count(session->trace);
    mc_metric metric = is_value ? mc_trace_find_metric(session->trace, name) : MC_NONE;
    bool is_own = metric != MC_NONE && metric >= MC_METRIC_FIRST_OWN;
    metric = is_own ? metric + 1 : MC_METRIC_FIRST_OWN;
    for (; metric < count; metric++)
        if (set_name(session, metric, name)) return true;
    return false;
}

void mc_session_cycle_tree_color(mc_session *session) {
    mc_settings *settings = &session->settings;
    bool has_owners = mc_trace_has_owners(session->trace);
    if (settings->tree_color < (has_owners ? MC_FLAT_COLOR_OWNER : MC_FLAT_COLOR_FIRST)) {
        settings->tree_color++;
        return;
    }
    bool is_value = settings->tree_color == MC_FLAT_COLOR_VALUE;
    settings->tree_color = take_next_own(session, is_value, settings->look.color_metric)
                               ? MC_FLAT_COLOR_VALUE
                               : MC_FLAT_COLOR_BRANCH;
}

void mc_session_cycle_color_mode(mc_session *session) {
    mc_look *look = &session->settings.look;
    bool has_owners = mc_trace_has_owners(session->trace);
    uint32_t first = has_owners ? MC_COLOR_MODE_OWNER : MC_COLOR_MODE_GROWTH;
    if (look->color_mode == MC_COLOR_MODE_OWNER && !has_owners)
        look->color_mode = MC_COLOR_MODE_GROWTH; // as it is shown
    if (!look->color_by_growth) {
        look->color_by_growth = true;
        look->color_mode = first;
    } else if (look->color_mode == MC_COLOR_MODE_OWNER) {
        look->color_mode = MC_COLOR_MODE_GROWTH;
    } else if (look->color_mode < MC_COLOR_MODE_ROLE) {
        look->color_mode++;
    } else if (look->color_mode == MC_COLOR_MODE_ROLE) {
        look->color_mode = MC_COLOR_MODE_PACKAGE;
    } else {
        bool is_value = look->color_mode == MC_COLOR_MODE_VALUE;
        look->color_mode =
            take_next_own(session, is_value, look->color_metric) ? MC_COLOR_MODE_VALUE : first;
    }
}

void mc_session_cycle_height_mode(mc_session *session) {
    mc_look *look = &session->settings.look;
    bool has_retained = mc_trace_find_metric(session->trace, mc_metric_retained) != MC_NONE;
    uint32_t last = has_retained ? MC_HEIGHT_MODE_RETAINED : MC_HEIGHT_MODE_OBJECT_SIZE;
    if (look->height_mode < last) {
        look->height_mode++;
        return;
    }
    bool is_value = look->height_mode == MC_HEIGHT_MODE_VALUE;
    bool is_found = take_next_own(session, is_value, look->height_metric);
    if (is_found && strcmp(look->height_metric, mc_metric_retained) == 0) // it has a mode
        is_found = take_next_own(session, true, look->height_metric);
    look->height_mode = is_found ? MC_HEIGHT_MODE_VALUE : MC_HEIGHT_MODE_METRIC;
}

uint32_t mc_session_fill_metrics(const mc_session *session, mc_fact_metric *metrics,
                                 char (*titles)[MC_FACT_METRIC_TITLE_SIZE]) {
    static const char *const usual[] = {"Objects", "Bytes"}; // as headings have them
    uint32_t count = mc_pair_count_metrics(session->trace);
    for (mc_metric i = 0; i < count; i++) {
        const mc_metric_info *info = mc_trace_get_metric(session->trace, i);
        bool is_nameable = info->key_size < MC_METRIC_NAME_SIZE && is_shown(session, i);
        if (i < MC_METRIC_FIRST_OWN)
            snprintf(titles[i], MC_FACT_METRIC_TITLE_SIZE, "%s", usual[i]);
        else
            mc_printable_copy(titles[i], MC_FACT_METRIC_TITLE_SIZE, info->title, info->title_size);
        metrics[i] = (mc_fact_metric){is_nameable ? info->key : "", titles[i]};
    }
    return count;
}
