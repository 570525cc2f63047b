// host.h - the window as host of its session: actions of the window, and the text focus.
//
// Used by the main thread.
#pragma once
#include "app/window/viewer_state.h"

mc_session_host mc_viewer_get_host(mc_viewer *viewer);
