#include "app/command.h"
#include "app/output.h"
#include <errno.h>
#include <string.h>

// What runs inside of other programs to write their objects: dump_heap_py.
#include "dump_heap_py.inc"

static const struct {
    const char *name;
    const unsigned char *text;
    size_t size;
} agents[] = {{"python", dump_heap_py, sizeof dump_heap_py}};

static int print_agent(size_t index, const char *path) {
    mc_output output;
    mc_error error = {0};
    if (mc_output_begin(&output, path, false, &error) != MC_OK) return mc_command_fail(&error);
    bool is_done = mc_output_write(&output, (const char *)agents[index].text, agents[index].size);
    if (!is_done) mc_fail(&error, MC_ERROR_IO, "can't write %s: %s", path, strerror(errno));
    mc_result result = mc_output_end(&output, is_done ? MC_OK : MC_ERROR_IO, &error);
    return result == MC_OK ? MC_EXIT_OK : mc_command_fail(&error);
}

int mc_command_agent(int argc, const char **argv) {
    mc_option_list list = {0};
    const char *path = "-";
    uint32_t count;
    int code;
    mc_option_list_add_file(&list, "o", &path, "FILE", "file to write; -: standard output (-)");
    if (!mc_command_begin_counted(
            &list, "memcity agent python [-o dump_heap.py]",
            "Prints what a program of another runtime needs to write its objects as a file that "
            "memcity opens.\npython: a module of the standard library alone, whose first lines say "
            "how to use it (docs/reference/runtimes.md).",
            1, 1, argc, argv, &count, &code))
        return code;
    for (size_t i = 0; i < sizeof agents / sizeof *agents; i++)
        if (strcmp(agents[i].name, argv[0]) == 0) return print_agent(i, path);
    return mc_command_wrong_usage("agent: there is none for %s, but for python", argv[0]);
}
