// view_option.h - --view FILE: options from a view that somebody saved in the window.
//
// Threads: the main thread.
#pragma once
#include "app/picture/highlight.h"
#include "app/view/view_snapshot.h"

// What a view stands for. The pointers are filled in by the command; NULL: it has no such option.
typedef struct mc_view_option {
    mc_picture_options *picture;
    mc_layout_options *layout;
    uint32_t *step;
    double *step_duration_s;
    bool *loop;
    double *size; // of the picture

    const char *path;          // --view; NULL: not given
    mc_view_snapshot snapshot; // what the options then point into
} mc_view_option;

void mc_option_list_add_view(mc_option_list *list, mc_view_option *view);
void mc_view_option_deinit(mc_view_option *view);

// As mc_command_begin_counted(), where the options given beside --view win. `*paths` is argv, or
// what the view says if no path is given; `least_path_count` need not be given then.
bool mc_view_option_begin(mc_view_option *view, const mc_option_list *list, const char *synopsis,
                          const char *text, uint32_t least_path_count, int argc, const char **argv,
                          const char *const **paths, uint32_t *path_count, int *code);

// A step of a view that the trace lacks becomes its last one, and that is said.
void mc_view_option_fit_step(const mc_view_option *view, const mc_trace *trace, uint32_t *step);
