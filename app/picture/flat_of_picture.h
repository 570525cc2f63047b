// flat_of_picture.h - turns a picture's options and view into those of a sunburst or icicle, for
// `render` and `video`.
//
// Threads: the main thread.
#pragma once
#include "app/picture/flat_stage.h"
#include "app/picture/picture_options.h"

// The names of `--as`: mc_view_names, and icicle-down. Ends with NULL.
extern const char *const mc_picture_view_names[];

typedef struct mc_flat_of_picture {
    mc_flat_options options;
    char prune[48]; // which they point to
} mc_flat_of_picture;

// `picture` is checked, shows no city, and outlives what is made of it. Returns MC_EXIT_OK, or the
// exit code after saying what a flat picture can't show.
int mc_flat_of_picture_init(mc_flat_of_picture *flat, const mc_picture_options *picture,
                            const double size[2]);
