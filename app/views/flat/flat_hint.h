// flat_hint.h - what is said of what the pointer is at, where that is no node of this step.
#pragma once
#include "app/views/flat/flat_view_state.h"

// Of an Other, or of a small tree and the node in it: a title and a line. False: it is neither.
bool mc_flat_view_describe(const mc_flat_view *self, mc_text *title, mc_text *text);
