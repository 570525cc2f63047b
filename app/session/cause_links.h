#pragma once
#include "app/session/session.h"

void mc_session_sync_cause_links(mc_session *session); // once a turn
