// view_model.h - from the window's state to the panels and back, and to the state file.
//
// Used by the main thread.
#pragma once
#include "app/ui/ui.h"

typedef struct mc_view mc_view;

#define MC_VIEW_LABEL_CAPACITY 48

// view_model.c: from the state to the panels and back.
void mc_view_fill_model(mc_view *view, mc_ui_model *model);
void mc_view_free_model(void);
// A node's name without control characters; stays valid for the frame.
const char *mc_view_get_name(const mc_view *view, uint32_t node);
void mc_view_apply_answer(mc_view *view);

// view_labels.c: names in the picture. Returns how many of MC_VIEW_LABEL_CAPACITY were filled.
uint32_t mc_view_fill_labels(mc_view *view, mc_ui_label *labels);

// view_report.c: the state file.
void mc_view_report_key(mc_text *out, const mc_view *view, const char *field, uint32_t node);
void mc_view_append_state(const mc_view *view, mc_text *out); // one object
void mc_view_write_report(mc_view *view);
