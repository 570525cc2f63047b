// city_view.h - the city as a view of a session (app/session/view.h).
#pragma once
#include "app/session/view.h"

extern const mc_view_kind mc_city_view_kind;
