// styles.h - highlights beyond growth, and what they mean.
//
// A part of the session, used by its thread.
#pragma once
#include "app/session/session.h"

mc_result mc_session_begin_styles(mc_session *session, mc_error *error);
void mc_session_sync_styles(mc_session *session);
void mc_session_forget_styles(mc_session *session); // of another city
void mc_session_end_styles(mc_session *session);
void mc_session_apply_styles(const mc_session *session, const mc_theme *theme,
                             mc_update_params *params);
void mc_session_fill_legend(mc_session *session, mc_ui_legend *model);
