// view_option.h - --view FILE: takes options from a view saved in the window.
//
// Threads: the main thread.
#pragma once

#include "app/pair.h"
#include "app/picture/picture_options.h"
#include "app/session/view_file.h"

// What a view sets. The command fills in the pointers; NULL: it has no such option.
typedef struct mc_view_option {
    mc_picture_options *picture;
    uint32_t *step;
    double *step_duration_s;
    double *size; // of the picture
    mc_pair_options *pair;
    char pair_windows[2][MC_PAIR_WINDOW_SIZE]; // as its options say them
    const char **with;                         // what is linked
    const char *path;                          // --view; NULL: not given
    bool allows_network;                       // --allow-network
    mc_view_file file;                         // what the options then point into
} mc_view_option;

void mc_option_list_add_view(mc_option_list *list, mc_view_option *view);
void mc_view_option_deinit(mc_view_option *view);

// Like mc_command_begin_counted(); options given beside --view win. `*paths` is argv, or the view's
// paths if none is given; then `least_path_count` does not apply. What the picture asks for beside
// both comes from set_defaults(), which is called when the options are known.
typedef struct mc_view_option_usage {
    const mc_option_list *list;
    const char *synopsis, *text;
    uint32_t least_path_count;
    void (*set_defaults)(void *user, mc_settings *settings); // NULL: it is as it was before
    void *user;
} mc_view_option_usage;

bool mc_view_option_begin(mc_view_option *view, const mc_view_option_usage *usage, int argc,
                          const char **argv, const char *const **paths, uint32_t *path_count,
                          int *code);

// Replaces a view's step that the trace lacks by its last one, and reports that.
void mc_view_option_fit_step(const mc_view_option *view, const mc_trace *trace, uint32_t *step);
