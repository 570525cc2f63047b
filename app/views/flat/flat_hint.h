// flat_hint.h - the tooltip for what is under the pointer, if that is no node of this step.
#pragma once
#include "app/views/flat/flat_view_state.h"

// Appends a title and a line for an Other, or for a small tree and the node in it. False: the
// pointer is at neither.
bool mc_flat_view_describe(const mc_flat_view *self, mc_text *title, mc_text *text);
