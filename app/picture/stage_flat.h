// stage_flat.h - the part of a stage (stage.h) that is for sunbursts and icicles: its sheets, which
// can be SVG documents, too.
//
// Functions return MC_EXIT_OK, or the exit code after saying why not.
#pragma once
#include "app/picture/stage_state.h"

// Of an open trace, before there is a session: settles what it is to show.
int mc_stage_settle_flat(mc_stage *stage, mc_settings *settings);
// Before it begins.
void mc_stage_place_flat(mc_stage *stage);
// Once the tree is laid out.
int mc_stage_begin_flat(mc_stage *stage);

// Draws a sheet, as large as the picture, into stage->pixels.
int mc_stage_draw_sheet(mc_stage *stage, mc_flat_sheet *sheet);
// Writes it to a .png or .svg file.
int mc_stage_write_sheet(mc_stage *stage, mc_flat_sheet *sheet, const char *path);
bool mc_stage_is_vector(const char *path);
