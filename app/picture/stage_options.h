// stage_options.h - the options of commands that draw on a stage (stage.h): shared by `memcity
// render`, `video`, `tree` and `timeline`.
//
// Threads: the main thread.
#pragma once
#include "app/picture/stage.h"
#include "app/picture/view_option.h"

typedef struct mc_stage_options {
    const char *output; // NULL: not said
    double size[2];     // of the picture
    mc_input_options input;
    mc_picture_options picture; // its view: an index into mc_picture_view_names
    mc_view_option view;        // which refers to `picture`: the options stay where they are
    mc_flat_picture flat;
    bool is_flat;      // an option of its own says the form, in place of the view
    const char *prune; // "90%,9", "off"; NULL: not said
} mc_stage_options;

// mc_view_names, and icicle-down: of `--as`. Ends with NULL.
extern const char *const mc_picture_view_names[];

void mc_stage_options_init(mc_stage_options *options, double width, double height);
void mc_stage_options_deinit(mc_stage_options *options);
// For commands that only draw sunbursts and icicles: with names and a title, without the whole
// beside a part. `form`: MC_FLAT_*.
void mc_stage_options_init_flat(mc_stage_options *options, uint32_t form);

// All but the output and the size, whose help differs.
void mc_option_list_add_stage(mc_option_list *list, mc_stage_options *options);
// The same for those; `form_name`: of the option for the form.
void mc_option_list_add_flat(mc_option_list *list, const char *form_name,
                             mc_stage_options *options);
// Adds the options for a picture of a single tree.
void mc_option_list_add_flat_picture(mc_option_list *list, mc_stage_options *options);

// Checks the picture. Returns MC_EXIT_OK, or the exit code after saying what is wrong.
int mc_stage_options_check(mc_stage_options *options, uint32_t *width, uint32_t *height);
// Opens a stage with checked options. Deinit the stage in either case.
int mc_stage_open(mc_stage *stage, const mc_stage_options *options, const char *const *paths,
                  uint32_t path_count, uint32_t width, uint32_t height);
