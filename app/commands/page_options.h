// page_options.h - options of what shows a city in a browser: `memcity page` and `memcity serve`.
//
// Threads: the main thread.
#pragma once
#include "app/commands/pseudonyms.h"
#include "app/page/page_desc.h"
#include "app/picture/view_option.h"

typedef struct mc_page_options {
    const char *title, *most_size;
    uint32_t step_count; // 0: all
    uint64_t most_bytes;
    uint32_t first_step; // at which the page opens
    mc_picture_options picture;
    mc_view_option view; // points into this object
    mc_input_options input;
    mc_pseudonyms names;
} mc_page_options;

void mc_page_options_init(mc_page_options *options);
void mc_option_list_add_page(mc_option_list *list, mc_page_options *options);

// Checks and completes the options of `command`. Returns MC_EXIT_OK, or the exit code after saying
// what is wrong.
int mc_page_options_check(mc_page_options *options, const char *command);

// Opens a trace, as a page shows it; from mc_page_options_begin() to …_end() as often as one likes.
// `desc` and `view`, to which it points, are filled in but for the title. Unless it returns
// MC_EXIT_OK, there is no trace to close.
int mc_page_options_begin(mc_page_options *options);
int mc_page_options_open(mc_page_options *options, const char *const *paths, uint32_t path_count,
                         mc_trace **trace, mc_page_desc *desc, mc_page_view *view);
int mc_page_options_end(mc_page_options *options, int code); // returns the exit code
