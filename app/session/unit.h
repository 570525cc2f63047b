// unit.h - what comes with the selection: the unit (engine/analyze/units.h) that it belongs to.
//
// A part of the session, used by its thread.
#pragma once
#include "app/session/session.h"

// A group that comes with the selected one, or the selected one itself.
typedef struct mc_session_unit_part {
    uint32_t node;
    double share; // of what the city shows of it at this step: what came with the unit
} mc_session_unit_part;

void mc_session_sync_units(mc_session *session); // once a turn

// The unit of the node: its own or, if several share it, that which brought the most of it. NULL:
// none is known, or it has no other parts.
const mc_growth_unit *mc_session_get_unit(const mc_session *session, uint32_t node,
                                          const mc_unit_part **part);

// What of the picture belongs to the first selected node's unit: all other parts, those of the most
// bytes first, or of a node that several units share a part of itself. Needs objects or bytes as
// the city's metric. None while a walk is shown, which is of other things. Returns how many.
uint32_t mc_session_list_unit(const mc_session *session,
                              mc_session_unit_part parts[MC_UNIT_MARK_CAPACITY]);

// "4 per Document" and, of what is shared, how much of it came so; "290, each with 3 more groups".
// Returns 0 if the node has no unit, else 1.
uint32_t mc_session_fill_unit_row(const mc_session *session, uint32_t node, mc_fact_row *row);

// Selects the groups of the selection's unit, or without a selection of the first finding's: the
// selection itself first.
void mc_session_select_unit(mc_session *session);
