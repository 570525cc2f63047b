#pragma once
#include "app/session/session.h"

void mc_session_sync_chain(mc_session *session); // once a turn
void mc_session_take_chain(mc_session *session, const mc_error *error);
