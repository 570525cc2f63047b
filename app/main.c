#include "app/command.h"
#include "app/usage_text.h"
#include "app/version.h"
#include "engine/base/file.h"
#include "engine/base/memory.h"
#include "engine/base/nearest.h"
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

static const mc_subcommand commands[] = {
    {"formats", mc_command_formats, "formats that memcity reads"},
    {"agent", mc_command_agent, "script with which a Python program writes its objects"},
    {"info", mc_command_info, "contents of a trace: classifiers, steps, totals"},
    {"why", mc_command_why,
     "why the heap grows: what accumulates, since when, what keeps it alive"},
    {"top", mc_command_top, "leaves that grew the most"},
    {"find", mc_command_find, "groups whose key matches a pattern"},
    {"units", mc_command_units, "groups that grew together, and what one unit consists of"},
    {"about", mc_command_about, "number of distinct owners of each group"},
    {"refs", mc_command_refs, "references of a building: what keeps it alive, what it keeps alive"},
    {"roots", mc_command_roots, "GC roots that reference objects: static fields, threads"},
    {"paths", mc_command_paths, "paths from GC roots to objects of a heap dump, field by field"},
    {"whatif", mc_command_what_if, "what is freed if groups of objects of a heap dump are removed"},
    {"objects", mc_command_objects, "objects or references of a heap dump as rows, for a database"},
    {"query", mc_command_query, "ask in SQL: groups, steps, references, findings, single objects"},
    {"walk", mc_command_walk, "walk from what grew the most to what keeps it alive"},
    {"link", mc_command_link, "methods that allocated the live objects, and their run times"},
    {"layout", mc_command_layout, "ground plan: the plot of every node"},
    {"city", mc_command_city, "buildings at a step: footprint, height, colour, opacity"},
    {"tree", mc_command_tree, "draw the heap at a step as a sunburst or icicle"},
    {"timeline", mc_command_timeline, "draw the heap over time as a chart with small trees above"},
    {"render", mc_command_render, "draw a picture of the city at a step"},
    {"video", mc_command_video, "write a video of the city"},
    {"report", mc_command_report, "write an HTML page with pictures, suspects and numbers"},
    {"page", mc_command_page, "write an HTML page in which to walk through the city"},
    {"record", mc_command_record, "record the heap of a running Java program"},
    {"run", mc_command_run, "start a Java program and record where it allocates objects"},
    {"attach", mc_command_attach, "the same for a running Java program"},
    {"listen", mc_command_listen, "receive steps that other tools push"},
    {"diff", mc_command_diff, "differences of two traces: grown, new, gone, moved"},
    {"gate", mc_command_gate, "for CI: fail if a group grows faster than a rule allows"},
    {"import", mc_command_import, "write a trace as an .mct file, which opens at once"},
    {"merge", mc_command_merge, "merge traces into one: a fleet by host, service, package"},
    {"export", mc_command_export, "write a trace as AntTracks' JSON files, or as rows"},
    {"view", mc_command_view, "open a window (what memcity TRACE does)"},
    {"mcp", mc_command_mcp, "serve an assistant over the Model Context Protocol"},
    {"doctor", mc_command_doctor, "what this machine can draw and record, and what to install"},
    {"bench", mc_command_bench, "measure performance on this machine"},
};

enum { COMMAND_COUNT = sizeof commands / sizeof *commands };

static const char sentence[] = "shows how a program's heap evolves over time as a 3D city";
static const char text[] =
    "memcity help COMMAND lists the options of a command. TRACE is an .mct file, or files or a "
    "folder of\nheap dumps (.hprof), class histograms (jcmd PID GC.class_histogram >1.txt) or "
    "steps in AntTracks'\nJSON formats, also .gz or .zst; or a running AntTracks, "
    "ws://localhost:8887. See README.md.\n\nTo find a leak, run memcity record --pid PID "
    "--references -o FILE.mct, or take a heap dump. Then\nmemcity why FILE explains what "
    "accumulates and what keeps it alive, and memcity report FILE -o\nFILE.html writes that as a "
    "page.\n\nexit codes: 0 success, 1 failure, 2 wrong usage, 3 bad input, 4 gate: a group grows "
    "too fast\n";

static void print_help(void) {
    printf("memcity %s.\n\nusage: memcity TRACE…            open a trace in a window\n       "
           "memcity                   open a window that offers running Java programs to record\n  "
           "     memcity COMMAND TRACE…    run a command without a window\n\ncommands:\n",
           sentence);
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        printf("  %-8s %s\n", commands[i].name, commands[i].help);
    printf("\n%s", text);
}

// For those who pack the program: "memcity usage man" and the shells' names. In no help, since
// whoever uses the program finds them where they belong.
static int print_usage(int argc, const char **argv) {
    mc_program_usage program = {.name = "memcity",
                                .version = mc_version,
                                .help = sentence,
                                .text = text,
                                .commands = commands,
                                .command_count = COMMAND_COUNT};
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        if (commands[i].run == mc_command_view) program.unnamed = &commands[i];
    for (uint32_t i = 0; argc == 1 && i < MC_USAGE_FORM_COUNT; i++)
        if (strcmp(argv[0], mc_usage_form_names[i]) == 0) {
            mc_usage_print(&program, (mc_usage_form)i);
            return MC_EXIT_OK;
        }
    return mc_command_wrong_usage("usage: expected one of man, bash, zsh, fish");
}

static const mc_subcommand *find_command(const char *name) {
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        if (strcmp(name, commands[i].name) == 0) return &commands[i];
    return NULL;
}

// "memcity help", and "memcity help COMMAND": what COMMAND --help says.
static int run_help(int argc, const char **argv) {
    const char *help[] = {"--help"};
    const mc_subcommand *command = argc > 0 ? find_command(argv[0]) : NULL;
    if (command) return command->run(1, help);
    if (argc > 0)
        return mc_command_wrong_usage("help: there is no command %s; memcity help lists them",
                                      argv[0]);
    print_help();
    return MC_EXIT_OK;
}

// The command that is perhaps meant by what is none and no file either; NULL: none.
static const char *find_meant(int argc, char **argv) {
    const char *names[COMMAND_COUNT];
    if (argc < 2 || argv[1][0] == '-' || access(argv[1], F_OK) == 0) return NULL;
    for (int i = 2; i < argc; i++)
        if (strcmp(argv[i], "--follow") == 0) return NULL; // of a file that is yet to come
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        names[i] = commands[i].name;
    return mc_find_nearest(argv[1], strlen(argv[1]), names, COMMAND_COUNT);
}

// Of a program that another memcity has started to answer a question (app/mcp): it ends with that.
static void stay_with_parent(void) {
    const char *parent = getenv("MEMCITY_PARENT");
    if (!parent) return;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (strtol(parent, NULL, 10) != (long)getppid()) _exit(MC_EXIT_FAILED); // it has ended already
    unsetenv("MEMCITY_PARENT");
}

int main(int argc, char **argv) {
    const char *first = argc > 1 ? argv[1] : "";
    stay_with_parent();
    mc_memory_return_large_blocks();
    mc_file_map_survive_cuts();
    // Whoever started this may ignore it; then nobody learns how ffmpeg or jcmd have ended.
    signal(SIGCHLD, SIG_DFL);
    const char **arguments = (const char **)argv;
    if (strcmp(first, "help") == 0) return mc_command_get_exit(run_help(argc - 2, arguments + 2));
    if (strcmp(first, "--help") == 0 || strcmp(first, "-h") == 0) {
        print_help();
        return mc_command_get_exit(MC_EXIT_OK);
    }
    if (strcmp(first, "--version") == 0) {
        printf("memcity %s\n", mc_version);
        return mc_command_get_exit(MC_EXIT_OK);
    }
    const mc_subcommand *command = find_command(first);
    if (command) return mc_command_get_exit(command->run(argc - 2, arguments + 2));
    if (strcmp(first, "usage") == 0)
        return mc_command_get_exit(print_usage(argc - 2, arguments + 2));
    const char *meant = find_meant(argc, argv);
    if (meant) {
        mc_message_say("%s: no such file, folder or command; did you mean %s?", first, meant);
        return MC_EXIT_FAILED;
    }
    return mc_command_get_exit(mc_command_view(argc - 1, arguments + 1));
}
