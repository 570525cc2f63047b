// host.h - what the window does for its session: the actions of a window, and the focus of text.
//
// Used by the main thread.
#pragma once
#include "app/window/viewer_state.h"

mc_session_host mc_viewer_get_host(mc_viewer *viewer);
