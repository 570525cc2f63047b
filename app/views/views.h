// views.h - all view kinds, for mc_session_desc.views.
#pragma once
#include "app/session/view.h"

extern const mc_view_kind *const mc_views[]; // in the order of mc_view_names; ends with NULL
