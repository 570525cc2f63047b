// flat_view.h - sunburst and icicle as views of a session (app/session/view.h).
#pragma once
#include "app/session/view.h"

extern const mc_view_kind mc_sunburst_view_kind, mc_icicle_view_kind;
