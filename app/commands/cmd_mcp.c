#include "app/command.h"
#include "app/mcp/mcp_server.h"
#include "engine/base/memory.h"
#include "engine/base/program_path.h"
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

// Whether nobody reads the answers any more, or the user has asked to stop.
static bool has_gone(void *user) {
    struct pollfd output = {.fd = STDOUT_FILENO};
    (void)user;
    return mc_command_is_interrupted() ||
           (poll(&output, 1, 0) > 0 && (output.revents & (POLLERR | POLLHUP)));
}

// The real paths of the folders; the working directory without any. False: said what is wrong.
static bool find_roots(const mc_option_texts *texts, char **roots, uint32_t *count) {
    uint32_t all = texts->count > 0 ? texts->count : 1;
    for (uint32_t i = 0; i < all; i++) {
        const char *path = texts->count > 0 ? texts->items[i] : ".";
        char real[PATH_MAX];
        struct stat status;
        if (!realpath(path, real) || stat(real, &status) != 0 || !S_ISDIR(status.st_mode)) {
            mc_command_wrong_usage("--root: %s is no folder", path);
            return false;
        }
        roots[i] = mc_copy_string(real);
        if (!roots[i]) return false;
        *count = i + 1;
    }
    return true;
}

static int serve(const mc_mcp_tools *tools) {
    char parent[16];
    mc_error error = {0};
    // What is started here ends with this process, however that ends (main.c).
    snprintf(parent, sizeof parent, "%ld", (long)getpid());
    setenv("MEMCITY_PARENT", parent, 1);
    setenv("MEMCITY_NO_LINKS", "1", 1); // a link beside a file may lead out of the folders
    signal(SIGPIPE, SIG_IGN);
    mc_command_catch_interrupts(); // has_gone() looks
    return mc_mcp_serve(tools, STDIN_FILENO, STDOUT_FILENO, &error) == MC_OK
               ? MC_EXIT_OK
               : mc_command_fail(&error);
}

int mc_command_mcp(int argc, const char **argv) {
    mc_option_texts texts = {.count = 0};
    const char *time = NULL;
    char *roots[MC_OPTION_TEXT_CAPACITY] = {NULL};
    uint32_t count;
    int64_t time_ms = 120000;
    int code;
    mc_option_list list = {0};
    mc_option_list_add(&list, (mc_option){.name = "root",
                                          .kind = MC_OPTION_LIST,
                                          .target = &texts,
                                          .argument = "FOLDER",
                                          .help = "folder whose files may be read; repeatable (the "
                                                  "working directory)"});
    mc_option_list_add_string(&list, "time", &time, "DURATION",
                              "end an answer that takes longer (2m)");
    if (!mc_command_begin_counted(
            &list, "memcity mcp [--root FOLDER]…",
            "Serves an assistant over the Model Context Protocol, by its standard input and "
            "output: "
            "ten tools\nthat only read, and only files in the folders given by --root. "
            "docs/reference/mcp.md "
            "says how to add it.",
            0, 0, argc, argv, &count, &code))
        return code;
    if (!mc_command_take_duration("--time", time, &time_ms)) return MC_EXIT_USAGE;
    mc_text program = {0};
    if (!mc_program_find_own(&program)) {
        mc_message_say("can't find the program itself");
        mc_text_deinit(&program);
        return MC_EXIT_FAILED;
    }
    mc_mcp_tools tools = {.roots = roots,
                          .program = program.data,
                          .timeout_ms = (uint64_t)time_ms,
                          .should_stop = has_gone};
    code = find_roots(&texts, roots, &tools.root_count) ? serve(&tools) : MC_EXIT_USAGE;
    for (uint32_t i = 0; i < tools.root_count; i++)
        mc_free(roots[i]);
    mc_text_deinit(&program);
    return code;
}
