// picture_options.h - the options of a picture of a city.
//
// Threads: the main thread.
#pragma once

#include "app/command.h"
#include "app/session/view_file.h"
#include "engine/render/renderer.h"
#include "engine/scene/style_source.h"

typedef struct mc_picture_options {
    mc_settings settings;               // its layout has the options given; MC_NONE: not given
    const char *color_key, *height_key; // --color and --height; NULL: not said
    mc_option_texts selected;           // full keys: of --select, or else of the view
    const mc_view_file *view;           // NULL: none
    mc_option_texts demolished;         // full keys
    uint32_t references;                // --refs: 0 none, 1 both, 2 incoming, 3 outgoing
    bool walk;          // from what grew the most to its cause, instead of references
    const char *search; // NULL: no search
    bool legend;        // over the picture
    const char *camera; // NULL: as the settings say
    bool is_lenient;    // a selection that the trace lacks is only reported
    const char *device_name;
    bool validation;
    uint32_t rasterizer; // mc_rasterizer
    uint32_t samples;    // of a pixel
} mc_picture_options;

mc_picture_options mc_picture_options_default(void);

// Groups and sliding windows as the picture's settings say, where `input` does not. It points into
// `picture` then.
void mc_picture_apply_to_input(const mc_picture_options *picture, mc_input_options *input);

// Adds only the options of layout and highlights, for `memcity city`.
void mc_option_list_add_highlights(mc_option_list *list, mc_picture_options *picture);

// Adds all options except the ground plan's size.
void mc_option_list_add_picture(mc_option_list *list, mc_picture_options *picture);

// `rasterizer` is an mc_rasterizer.
void mc_option_list_add_rasterizer(mc_option_list *list, uint32_t *rasterizer);

void mc_option_list_add_device(mc_option_list *list, mc_picture_options *picture);

// Resolves options that interact, such as --color and --height, into `settings.look`. Metrics named
// there are not checked yet, as the trace is not open. Returns MC_EXIT_OK, or the exit code after
// saying what is wrong.
int mc_picture_check(mc_picture_options *picture);

// Whether the trace has the pinned step: wrong usage if not, a remark if a view pins it. Returns an
// exit code likewise.
int mc_picture_check_pin(const mc_picture_options *picture, const mc_trace *trace);

// What colours and heights show in a trace. Wrong usage if an option names a metric or step that
// the trace lacks, a remark if a view does. Returns an exit code likewise.
int mc_picture_find_mapping(const mc_picture_options *picture, const mc_trace *trace,
                            mc_metric shown, mc_style_mapping *mapping);

// A device without a window; from any thread. Messages of the validation layers go to stderr.
mc_result mc_picture_create_gpu(const mc_picture_options *picture, mc_gpu **gpu, mc_error *error);
