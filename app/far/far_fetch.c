#include "app/command.h"
#include "app/far/far_trace.h"
#include "engine/base/memory.h"
#include <signal.h>
#include <stdio.h>

#define ADDRESSES_MOST 64u

// What far_child.h starts: the words are options and addresses of one place.
int mc_command_far_fetch(int argc, const char **argv) {
    const mc_option_list *list = mc_command_get_shared_options();
    mc_far_line line;
    mc_error error = {0};
    char *path = NULL;
    int code = MC_EXIT_OK;
    uint32_t count = 0;
    mc_result result = mc_far_line_read(&line, list->options, list->count, argc, argv, &error);
    const mc_far_word *addresses[ADDRESSES_MOST];
    for (uint32_t i = 0; i < line.count && result == MC_OK; i++) {
        if (!line.words[i].is_address) continue;
        if (!line.words[i].path)
            result = mc_fail(&error, MC_ERROR_USAGE, "%s: a path is missing behind it",
                             line.words[i].text);
        else if (count == ADDRESSES_MOST)
            result = mc_fail(&error, MC_ERROR_USAGE,
                             "%u files at once are too many; a pattern "
                             "such as *.hprof is one",
                             ADDRESSES_MOST + 1);
        else
            addresses[count++] = &line.words[i];
    }
    if (result == MC_OK && count == 0)
        result = mc_fail(&error, MC_ERROR_USAGE, "far-fetch: an address is missing");
    signal(SIGPIPE, SIG_IGN);
    if (result == MC_OK)
        code = mc_far_trace_fetch(addresses, count, &line, &path);
    else
        code = mc_command_fail(&error);
    if (path) fputs(path, stdout);
    mc_free(path);
    mc_far_line_deinit(&line);
    return code;
}
