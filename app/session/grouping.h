// grouping.h - regroups a dataset by other classifiers than its own.
//
// settings.group_by lists the classifiers. Another list makes a new trace from the same base
// (engine/trace/regroup), with a new layout. Its nodes have new indices, to which the settings'
// nodes are translated. Threads: any, except functions of a session.
#pragma once
#include "app/session/session.h"

// A regrouped dataset, and the node map for the transition from the one before.
typedef struct mc_grouped {
    mc_dataset *dataset; // held; NULL: the present dataset has this grouping already
    uint32_t *came_from; // for each of its nodes a node of the present dataset
} mc_grouped;

void mc_grouped_deinit(mc_grouped *grouped);

// Groups by `list` (see settings.group_by). `frame_s`: see settings.frame_s; used only for a trace
// of methods. `before`: as of mc_trace_regroup_next(); NULL: the present trace. MC_ERROR_BAD_DATA:
// the list is wrong; the message names the classifiers that exist.
mc_result mc_dataset_group(mc_dataset *dataset, const char *list, double frame_s,
                           const mc_trace *before, const mc_progress *progress, mc_grouped *grouped,
                           mc_error *error);
// Finds the node of `grouped` that corresponds to `node` of `dataset`; MC_NONE: there is none.
mc_result mc_grouped_translate(const mc_grouped *grouped, const mc_dataset *dataset, uint32_t node,
                               uint32_t *found, mc_error *error);

// The trace before any regrouping; of a pair, that of the second trace.
const mc_trace *mc_session_get_base_trace(const mc_session *session);

// Checks whether the open trace, if any, can be grouped so. MC_ERROR_BAD_DATA: the message names
// the classifiers that it has.
mc_result mc_session_check_grouping(const mc_session *session, const char *list, mc_error *error);
// Sets the classifiers to group by, "type,package"; "": as the trace was opened. Reports what is
// wrong with the list.
void mc_session_want_grouping(mc_session *session, const char *list);
// Whether the list needs the open heap dumps themselves, as the trace made from them lacks its
// classifiers.
bool mc_session_groups_dumps(const mc_session *session, const char *list);
