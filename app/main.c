#include "app/command.h"
#include "app/usage_text.h"
#include "app/version.h"
#include "engine/base/beside.h"
#include "engine/base/block_reuse.h"
#include "engine/base/file.h"
#include "engine/base/memory.h"
#include "engine/base/nearest.h"
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

static const char first_commands[] = "commands", evidence[] = "evidence of why",
                  lists[] = "lists and questions", pictures[] = "pictures",
                  recordings[] = "more ways to record", files[] = "files",
                  numbers[] = "numbers behind the picture", this_program[] = "this program";

// In the order of the help.
static const mc_subcommand commands[] = {
    {"open", mc_command_view, "open a window (what memcity TRACE does)", first_commands},
    {"record", mc_command_record, "record the heap of a running program of Java or Node",
     first_commands},
    {"why", mc_command_why, "why the heap grows: what accumulates, since when, what keeps it alive",
     first_commands},
    {"report", mc_command_report, "write an HTML page with pictures, suspects and numbers",
     first_commands},
    {"diff", mc_command_diff, "differences of two traces: grown, new, gone, moved", first_commands},
    {"gate", mc_command_gate, "for CI: fail if a group grows faster than a rule allows",
     first_commands},
    {"walk", mc_command_walk, "from what grew the most to what keeps it alive, stop by stop",
     evidence},
    {"roots", mc_command_roots, "GC roots that hold a group: static fields, threads", evidence},
    {"paths", mc_command_paths, "paths from GC roots to objects of a heap dump, field by field",
     evidence},
    {"refs", mc_command_refs, "what keeps a group alive, and what it keeps alive", evidence},
    {"whatif", mc_command_what_if, "what is freed if groups of objects of a heap dump are removed",
     evidence},
    {"about", mc_command_about, "how many distinct owners a group has", evidence},
    {"units", mc_command_units, "what grew together, and what one unit consists of", evidence},
    {"info", mc_command_info, "contents of a trace: classifiers, steps, totals", lists},
    {"top", mc_command_top, "leaves that grew the most", lists},
    {"find", mc_command_find, "groups whose key matches a pattern", lists},
    {"query", mc_command_query, "ask in SQL: groups, steps, references, findings, single objects",
     lists},
    {"objects", mc_command_objects, "objects or references of a heap dump as rows, for a database",
     lists},
    {"link", mc_command_link, "methods that allocated the live objects, and their run times",
     lists},
    {"formats", mc_command_formats, "formats that memcity reads", lists},
    {"render", mc_command_render, "draw a picture of the city at a step", pictures},
    {"video", mc_command_video, "write a video of the city", pictures},
    {"tree", mc_command_tree, "draw the heap at a step as a sunburst or icicle", pictures},
    {"timeline", mc_command_timeline, "draw the heap over time as a chart with small trees above",
     pictures},
    {"page", mc_command_page, "write an HTML page in which to walk through the city", pictures},
    {"serve", mc_command_serve, "show the city in a browser, also of a far machine", pictures},
    {"run", mc_command_run, "start a Java program and record its allocation sites or methods",
     recordings},
    {"attach", mc_command_attach, "the same for a running Java program", recordings},
    {"rss", mc_command_rss, "what a process has in memory, by kinds that add up to its RSS",
     recordings},
    {"listen", mc_command_listen, "receive steps that other tools push", recordings},
    {"agent", mc_command_agent, "script with which a Python program writes its objects",
     recordings},
    {"import", mc_command_import, "write a trace as an .mct file, which opens at once", files},
    {"merge", mc_command_merge, "merge traces into one: a fleet by host, service, package", files},
    {"export", mc_command_export, "write a trace as AntTracks' JSON files, or as rows", files},
    {"layout", mc_command_layout, "ground plan: the plot of every node", numbers},
    {"city", mc_command_city, "buildings at a step: footprint, height, colour, opacity", numbers},
    {"doctor", mc_command_doctor, "what this machine can draw and record, and what to install",
     this_program},
    {"mcp", mc_command_mcp, "serve an assistant over the Model Context Protocol", this_program},
    {"bench", mc_command_bench, "measure performance on this machine", this_program},
    {"view", mc_command_view, "open a window (memcity open)", NULL}, // its older name
};

enum { COMMAND_COUNT = sizeof commands / sizeof *commands };

// What the city of a million groups, its plan and its order take.
#define MOST_KEPT_MEMORY ((size_t)256 << 20)

static const char sentence[] = "shows how a program's heap evolves over time as a 3D city";
static const char text[] =
    "TRACE is an .mct file, or files or a folder of heap dumps (.hprof), class histograms\n(jcmd "
    "PID GC.class_histogram >1.txt), allocation profiles or steps in AntTracks' JSON "
    "formats,\nalso "
    ".gz or .zst; or a running AntTracks, ws://localhost:8887; or any of these\nelsewhere, as "
    "ssh://HOST/PATH, docker://ID/PATH, kubectl://POD/CONTAINER/PATH. memcity formats lists "
    "all.\n\n"
    "To find "
    "a leak, run memcity record --pid PID --references -o FILE.mct, or take a heap dump. Then\n"
    "memcity why FILE explains what accumulates and what keeps it alive, and memcity report FILE "
    "-o\nFILE.html writes that as a page.\n\nexit codes: 0 success, 1 failure, 2 wrong usage, 3 "
    "bad "
    "input, 4 gate: a group grows too fast\n";

// The first commands, or all.
static void print_help(bool is_whole) {
    printf("memcity %s.\n\nusage: memcity TRACE…            open a trace in a window\n       "
           "memcity                   open a window that offers running programs to record\n  "
           "     memcity COMMAND TRACE…    run a command without a window\n",
           sentence);
    const char *last = NULL;
    for (size_t i = 0; i < COMMAND_COUNT && (is_whole || commands[i].part == first_commands); i++) {
        if (!commands[i].part) continue;
        if (commands[i].part != last) printf("\n%s:\n", commands[i].part);
        last = commands[i].part;
        printf("  %-8s %s\n", commands[i].name, commands[i].help);
    }
    printf("\n%sOne command:     memcity help COMMAND\nShared options:  memcity help options\n\n%s",
           is_whole ? "" : "All commands:    memcity help --all\n", text);
}

static const mc_subcommand *find_command(const char *name) {
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        if (strcmp(name, commands[i].name) == 0) return &commands[i];
    return NULL;
}

// For those who pack the program: "memcity usage man" and the shells' names. In no help, since
// whoever uses the program finds them where they belong.
static int print_usage(int argc, const char **argv) {
    mc_program_usage program = {.name = "memcity",
                                .version = mc_version,
                                .help = sentence,
                                .text = text,
                                .commands = commands,
                                .command_count = COMMAND_COUNT,
                                .shared = mc_command_get_shared_options()};
    program.unnamed = find_command("open");
    for (uint32_t i = 0; argc == 1 && i < MC_USAGE_FORM_COUNT; i++)
        if (strcmp(argv[0], mc_usage_form_names[i]) == 0) {
            mc_usage_print(&program, (mc_usage_form)i);
            return MC_EXIT_OK;
        }
    return mc_command_wrong_usage("usage: expected one of man, bash, zsh, fish, markdown");
}

// "memcity help COMMAND" prints what COMMAND --help does.
static int run_help(int argc, const char **argv) {
    const char *help[] = {"--help"};
    if (argc > 0 && strcmp(argv[0], "options") == 0) {
        mc_options_print_list(mc_command_get_shared_options());
        return MC_EXIT_OK;
    }
    bool is_whole = argc > 0 && strcmp(argv[0], "--all") == 0;
    const mc_subcommand *command = argc > 0 ? find_command(argv[0]) : NULL;
    if (command) return command->run(1, help);
    if (argc > 0 && !is_whole)
        return mc_command_wrong_usage("help: there is no command %s; memcity help --all lists them",
                                      argv[0]);
    print_help(is_whole);
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
    mc_command_stay_here();
    if (getenv("MEMCITY_NO_LINKS")) mc_beside_follow_no_links();
}

// Of a program that a window has started to connect to another place: it ends with that.
static void end_with_window(int *argc, char ***argv) {
    if (*argc < 4 || strcmp((*argv)[1], "far-child") != 0) return;
    if (!mc_command_begin_far_child((*argv)[2])) _exit(MC_EXIT_FAILED);
    *argc -= 2;
    *argv += 2;
}

// Whether it runs for hours beside other programs: then it gives all memory back at once.
static bool stays_beside_others(const mc_subcommand *command) {
    return command->part == recordings || command->run == mc_command_record ||
           command->run == mc_command_serve || command->run == mc_command_mcp;
}

int main(int argc, char **argv) {
    stay_with_parent();
    end_with_window(&argc, &argv);
    const char *first = argc > 1 ? argv[1] : "";
    mc_memory_return_large_blocks();
    mc_file_map_survive_cuts();
    // Whoever started this may ignore it; then nobody learns how ffmpeg or jcmd have ended.
    signal(SIGCHLD, SIG_DFL);
    const char **arguments = (const char **)argv;
    if (strcmp(first, "help") == 0) return mc_command_get_exit(run_help(argc - 2, arguments + 2));
    if (strcmp(first, "--help") == 0 || strcmp(first, "-h") == 0) {
        print_help(argc > 2 && strcmp(argv[2], "--all") == 0);
        return mc_command_get_exit(MC_EXIT_OK);
    }
    if (strcmp(first, "--version") == 0) {
        printf("memcity %s\n", mc_version);
        return mc_command_get_exit(MC_EXIT_OK);
    }
    const mc_subcommand *command = find_command(first);
    if (command && !stays_beside_others(command)) mc_block_reuse_set_limit(MOST_KEPT_MEMORY);
    if (command) return mc_command_get_exit(command->run(argc - 2, arguments + 2));
    if (strcmp(first, "usage") == 0)
        return mc_command_get_exit(print_usage(argc - 2, arguments + 2));
    if (strcmp(first, "far-serve") == 0) return mc_command_far_serve();
    if (strcmp(first, "far-fetch") == 0)
        return mc_command_get_exit(mc_command_far_fetch(argc - 2, arguments + 2));
    const char *meant = find_meant(argc, argv);
    if (meant) {
        mc_message_say("%s: no such file, folder or command; did you mean %s?", first, meant);
        return MC_EXIT_FAILED;
    }
    mc_block_reuse_set_limit(MOST_KEPT_MEMORY);
    return mc_command_get_exit(mc_command_view(argc - 1, arguments + 1));
}
