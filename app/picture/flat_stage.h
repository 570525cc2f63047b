// flat_stage.h - draws a trace as sunburst or icicle without a window: opens, sorts and prunes it,
// then puts it on a sheet step by step.
//
// Shared by `memcity tree`, `memcity timeline` and flat videos. Threads: the main thread.
#pragma once
#include "app/command.h"
#include "app/flat/flat_figure.h"
#include "app/session/settings.h"
#include "app/ui/ui.h"
#include "engine/render/renderer.h"
#include "engine/scene/flat_column.h"

typedef struct mc_flat_options {
    mc_layout_options layout; // its metric, window and root
    uint32_t form;            // MC_FLAT_*
    uint32_t sort;            // mc_tree_sort
    uint32_t color_mode;      // mc_flat_color_mode, up to MC_FLAT_COLOR_TREND
    const char *color_key;    // one of those, "first" or a metric; NULL: as color_mode says
    mc_form_steps pinned;     // one or none
    uint32_t level_count;     // 0: all
    const char *prune;        // "90%,9", "off"; NULL: not said
    bool is_scaled;
    bool has_global; // draws the whole beside the part shown
    bool has_names, has_title;
    bool is_dark;
    uint32_t palette;         // mc_palette
    mc_option_texts selected; // full keys
    const char *search;
    const mc_form_texts *opened; // full keys of nodes that are not pruned; NULL: none
    bool is_lenient;             // keys that the trace lacks are only reported
    bool search_is_regex;
    const char *device_name;
    bool validation;
    double size[2]; // of the picture
} mc_flat_options;

mc_flat_options mc_flat_options_default(void);
// `form_name`: of the option for the form.
void mc_option_list_add_flat(mc_option_list *list, const char *form_name, mc_flat_options *options);
// Adds the options for a picture of a single tree.
void mc_option_list_add_flat_picture(mc_option_list *list, mc_flat_options *options);

typedef struct mc_flat_stage {
    const mc_flat_options *options;
    char *name; // of the trace
    const mc_trace *trace;
    mc_trace *opened; // the same trace, if the stage owns it
    mc_tree *tree;
    mc_flat_pane pane;
    mc_flat_pane overview; // the whole, if it is wanted and the pane shows only a part
    mc_theme theme;
    mc_city_desc desc; // metric, window and root; nothing else of it counts
    const mc_metric_info *metric;
    uint8_t *hits; // per node, MC_FLAT_HIT …; NULL: no search
    uint32_t hit_count;
    mc_flat_color_mode color_mode;
    mc_flat_column column;              // from MC_FLAT_COLOR_STEP on; else zeroed
    mc_selection selected;              // nodes
    uint64_t *node_values, *base, *end; // a step's; entries at the window's ends
    uint64_t *totals;                   // the root's, a step of the trace each
    uint64_t most_total;                // in the window
    uint32_t step, step_before;         // shown, and shown before it
    double blend; // 1: at rest, 0: still at the step before; set_step() sets 1
    uint32_t width, height;
    mc_flat_sheet sheet;
    mc_gpu *gpu;
    mc_renderer *renderer;
    mc_ui *ui;
    uint8_t *pixels;
    uint64_t version; // of what was drawn last
} mc_flat_stage;

// Returns MC_EXIT_OK, or the exit code after saying why not. Deinit in either case.
int mc_flat_stage_init(mc_flat_stage *stage, const mc_flat_options *options,
                       const char *const *paths, uint32_t path_count,
                       const mc_input_options *input);
// The same for an open trace, which the caller keeps. `name`: the trace's name.
int mc_flat_stage_init_open(mc_flat_stage *stage, const mc_flat_options *options,
                            const mc_trace *trace, const char *name);
void mc_flat_stage_deinit(mc_flat_stage *stage);

// The pane shows `step`. `keeps_before` as in mc_flat_pane_show(). Returns an exit code likewise.
int mc_flat_stage_set_step(mc_flat_stage *stage, uint32_t step, bool keeps_before);
// A figure of what the pane shows. `selected` is filled with entries.
mc_flat_figure mc_flat_stage_get_figure(const mc_flat_stage *stage, mc_flat_rect rect,
                                        uint32_t selected[MC_SELECTION_CAPACITY]);

// Forgets what was on the sheet.
void mc_flat_stage_begin_sheet(mc_flat_stage *stage, bool is_vector);
// Puts the title: the trace's name, the part shown, its value at the pane's step and the step's
// time; 44 units of the sheet's scale high. With a step of a pair whose ends differ, 19 units more
// for a remark on them.
void mc_flat_stage_put_title(mc_flat_stage *stage, float x, float y, bool has_step);
// Fills a sheet with title, tree, and the whole beside it if wanted.
void mc_flat_stage_put_picture(mc_flat_stage *stage, bool is_vector);

// Renders into stage->pixels; the first call creates a device.
int mc_flat_stage_render(mc_flat_stage *stage);
// Writes the sheet to a .png or .svg file.
int mc_flat_stage_write(mc_flat_stage *stage, const char *path);
bool mc_flat_stage_is_vector(const char *path);
