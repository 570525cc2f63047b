// metrics.h - resolves the metrics that settings name by key to those of the open trace.
//
// A part of the session, used by its thread.
#pragma once
#include "app/session/session.h"

// The key of one of the trace's metrics; empty: MC_NONE, or too long for the settings.
void mc_session_name_metric(const mc_session *session, mc_metric metric,
                            char name[MC_METRIC_NAME_SIZE]);
// The metric that is laid out.
const mc_metric_info *mc_session_get_metric(const mc_session *session);

// Reports metrics of the settings that the trace lacks, and replaces them by the one shown or the
// default.
void mc_session_settle_metrics(mc_session *session);
// Reports that the trace just opened lacks the metric `name`.
void mc_session_tell_no_metric(mc_session *session, const char *name);

void mc_session_cycle_metric(mc_session *session);
// Goes to the next colour or height mode that the trace supports, after the last to the first.
void mc_session_cycle_color_mode(mc_session *session);
void mc_session_cycle_tree_color(mc_session *session); // of sunburst and icicle
void mc_session_cycle_height_mode(mc_session *session);

// MC_ERROR_BAD_DATA: the trace lacks a metric of the settings. Without a trace any is fine.
mc_result mc_session_check_metrics(const mc_session *session, const mc_settings *settings,
                                   mc_error *error);

// The trace's metrics for the panels. Strings live as long as the trace and `titles`.
uint32_t mc_session_fill_metrics(const mc_session *session, mc_fact_metric *metrics,
                                 char (*titles)[MC_FACT_METRIC_TITLE_SIZE]);
