// suspect_facts.h - fills in the facts of the panel of findings: suspects, findings among them, the
// verdict.
//
// A part of the session, used by its thread.
#pragma once
#include "app/session/session.h"

// What the facts point to. Zero-initialise, fill in, deinit.
typedef struct mc_suspect_facts {
    mc_fact_suspect suspects[MC_SESSION_SUSPECT_COUNT];
    mc_text paths[MC_SESSION_SUSPECT_COUNT];
    char findings_rest[64], growth_note[96];
} mc_suspect_facts;

// The metrics of `model` must be filled in. Strings live until the next call.
void mc_session_fill_suspects(mc_session *session, mc_suspect_facts *facts, mc_facts *model);
void mc_suspect_facts_deinit(mc_suspect_facts *facts);
