// grouping.h - a dataset, grouped by other classifiers than its own.
//
// settings.group_by says by which; another list is another layout, of another trace that is made of
// the same one (engine/trace/regroup). Nodes are numbered anew then: the settings' nodes follow by
// what stands for it. Threads: any, but for functions of a session.
#pragma once
#include "app/session/session.h"

// A dataset that is grouped as a list says, and by which map its city comes from the one before.
typedef struct mc_grouped {
    mc_dataset *dataset; // held; NULL: what there is is grouped so
    uint32_t *came_from; // per node of it, one of what there is
} mc_grouped;

void mc_grouped_deinit(mc_grouped *grouped);

// On MC_ERROR_BAD_DATA the list is wrong, and the message says which classifiers there are. `list`:
// as of settings.group_by. `frame_s`: as of settings.frame_s, of a trace of methods; of others it
// does not matter. `before`: as of mc_trace_regroup_next(); NULL: what there is.
mc_result mc_dataset_group(mc_dataset *dataset, const char *list, double frame_s,
                           const mc_trace *before, const mc_progress *progress, mc_grouped *grouped,
                           mc_error *error);
// The node of `grouped` that stands for `node` of `dataset`; MC_NONE: none does.
mc_result mc_grouped_translate(const mc_grouped *grouped, const mc_dataset *dataset, uint32_t node,
                               uint32_t *found, mc_error *error);

// What a trace was before it was grouped; of a pair, the second one.
const mc_trace *mc_session_get_base_trace(const mc_session *session);

// Whether what is open, if anything is, can be grouped so; MC_ERROR_BAD_DATA says what it has.
mc_result mc_session_check_grouping(const mc_session *session, const char *list, mc_error *error);
// Wishes for a list of classifiers, "type,package"; "": as the trace was opened. What is wrong with
// it is said.
void mc_session_want_grouping(mc_session *session, const char *list);
// Whether a list is one of heap dumps, which are open, and not of the trace that was made of them.
bool mc_session_groups_dumps(const mc_session *session, const char *list);
