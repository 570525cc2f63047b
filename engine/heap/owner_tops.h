// owner_tops.h - finds by what the dominators reference what they dominate, and where objects at
// the top are attached (owner_facts.h).
#pragma once
#include "engine/heap/owner_facts.h"

// Fills links and attachments. One pass over the graph.
mc_result mc_owner_tops_attach(mc_owner_facts *facts, mc_error *error);
