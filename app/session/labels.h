// labels.h - names in the picture.
//
// A part of the session, used by its thread.
#pragma once
#include "app/session/session.h"

#define MC_SESSION_LABEL_CAPACITY 48

// Returns how many of them were filled.
uint32_t mc_session_fill_labels(mc_session *session, mc_ui_label *labels);
