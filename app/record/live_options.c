#include "app/record/live_options.h"

#include "app/command.h"
#include "app/program_files.h"
#include "engine/base/agent_protocol.h"
#include "engine/live/jvm.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define AGENT "libmemcity-agent.so"
#define JAVA_SIDE "memcity-agent.jar" // of the agent, beside it: what changes classes
#define USUAL_DEPTH 8u
#define DOMAIN_DEPTH 32u // the program's own frames may be far from where the JDK allocates
#define DEPTH_MOST 256u
#define PATTERNS_MOST 500u // the agent has room for this
#define SITES_EVERY_MS 1000
#define METHODS_EVERY_MS 100
#define RUN_GC_MS 30000     // of attach never: a collection stops a program that others use
#define WATCHED_EVERY_MS 50 // where a window follows

static const char *const methods_names[] = {"off", "exact", "sampled", "count", NULL};
static const char *const sites_names[] = {"off", "sampled", "fine", "all", NULL};

void mc_live_options_init(mc_live_options *options) {
    *options = (mc_live_options){.depth = MC_NONE, .every_ms = -1, .duration_ms = -1, .gc_ms = -1};
}

void mc_live_options_add(mc_live_options *options, mc_option_list *list) {
    mc_option_list_add_choice(list, "sites", &options->sites, sites_names, "HOW",
                              "record the allocation sites of live objects: sampled, one object "
                              "per 512 KiB (--sites alone); fine, one per 64 KiB; all, every "
                              "object, which slows the program down 10 to 100 times");
    mc_option_list_add_choice(list, "methods", &options->methods, methods_names, "HOW",
                              "record the run times of methods: exact, from every entry and exit, "
                              "which slows the program down 2 to 4 times; sampled, from all stacks "
                              "every 20 ms, at little cost; count, only numbers of calls");
    mc_option_list_add_flag(list, "cpu", &options->uses_cpu,
                            "with --methods sampled: measure CPU time instead of wall-clock time");
    mc_option_list_add_string(
        list, "include", &options->include, "PATTERNS",
        "with --methods: only classes that match, such as com.acme.** (all but the JDK's)");
    mc_option_list_add_string(
        list, "exclude", &options->exclude, "PATTERNS",
        "with --methods: leave out classes that match; their time counts for their callers");
    mc_option_list_add_flag(
        list, "trivial", &options->has_trivial,
        "with --methods exact or count: include methods of fewer than 30 instructions without a "
        "loop, which slows programs with many tiny calls down 10 times or more");
    mc_option_list_add_string(
        list, "domain", &options->domains, "PATTERNS",
        "record the closest caller in classes that match, your own ones, such as com.acme.**");
    mc_option_list_add_uint(list, "depth", &options->depth, "N",
                            "number of frames recorded per call path (8, with --domain 32)");
    mc_option_list_add_file(list, "o", &options->output, "FILE.mct",
                            "new file to write; without it a window opens. With both --sites and "
                            "--methods, methods go to FILE.methods.mct");
    mc_option_list_add_flag(list, "follow", &options->follow,
                            "with -o: also open a window that follows the recording");
    mc_option_list_add_string(list, "every", &options->every, "TIME",
                              "longest time between steps (sites: 1s, and at each garbage "
                              "collection; methods: 100ms, 50ms with a window)");
    mc_option_list_add_string(
        list, "gc", &options->collections, "WHEN",
        "with --sites: collect the whole heap's garbage \"every 30s\", \"every 5m\", or \"never\". "
        "Only steps right behind such a collection tell what is alive, and what grows; they take "
        "at most a twentieth of the time (run: every 30s; attach: never)");
    mc_option_list_add_string(
        list, "for", &options->duration, "TIME",
        "stop after this duration, such as 10m (when the program ends, or at Ctrl-C)");
    mc_option_list_add_flag(
        list, "tcp", &options->uses_tcp,
        "connect the agent by TCP on loopback, with a secret, instead of by a Unix socket");
    mc_option_list_add_flag(list, "quiet", &options->quiet, "print only errors and warnings");
}

static bool is_site_name(const char *text) {
    for (uint32_t i = 0; sites_names[i]; i++)
        if (strcmp(sites_names[i], text) == 0) return true;
    return false;
}

void mc_live_options_complete(int argc, const char **argv) {
    for (int i = 0; i < argc && strcmp(argv[i], "--") != 0; i++)
        if (strcmp(argv[i], "--sites") == 0 && (i + 1 == argc || !is_site_name(argv[i + 1])))
            argv[i] = "--sites=sampled";
}

// What becomes a part of the agent's options must not end them.
static bool take_patterns(const char *name, const char *patterns) {
    static const char allowed[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                  "_$.*,-";
    size_t size = patterns ? strlen(patterns) : 0;
    if (size <= PATTERNS_MOST && (!patterns || strspn(patterns, allowed) == size)) return true;
    mc_command_wrong_usage("%s: expected names of classes with commas between, with * and **, at "
                           "most %u bytes",
                           name, PATTERNS_MOST);
    return false;
}

static int check_methods(const mc_live_options *options) {
    uint32_t methods = options->methods;
    if (methods == MC_LIVE_METHODS_OFF && (options->include || options->exclude))
        return mc_command_wrong_usage("--include and --exclude are for --methods");
    if (options->uses_cpu && methods != MC_LIVE_METHODS_SAMPLED)
        return mc_command_wrong_usage("--cpu is for --methods sampled");
    if (options->has_trivial && methods != MC_LIVE_METHODS_EXACT &&
        methods != MC_LIVE_METHODS_COUNT)
        return mc_command_wrong_usage("--trivial is for --methods exact or count");
    if (!options->sites && options->collections)
        return mc_command_wrong_usage("--gc is for --sites");
    if (!options->sites && options->domains)
        return mc_command_wrong_usage("--domain is for --sites");
    return take_patterns("--include", options->include) &&
                   take_patterns("--exclude", options->exclude)
               ? MC_EXIT_OK
               : MC_EXIT_USAGE;
}

// "every 30s", "30s" or "never".
static bool take_collections(mc_live_options *options, const char *command) {
    static const char every[] = "every ";
    const char *when = options->collections;
    options->gc_ms = strcmp(command, "run") == 0 ? RUN_GC_MS : 0;
    if (!when) return true;
    if (strcmp(when, "never") == 0) {
        options->gc_ms = 0;
        return true;
    }
    if (strncmp(when, every, strlen(every)) == 0) when += strlen(every);
    return mc_command_take_duration("--gc", when, &options->gc_ms);
}

int mc_live_options_check(mc_live_options *options, const char *command) {
    bool has_display = getenv("DISPLAY") || getenv("WAYLAND_DISPLAY");
    if (!mc_command_take_duration("--every", options->every, &options->every_ms) ||
        !mc_command_take_duration("--for", options->duration, &options->duration_ms))
        return MC_EXIT_USAGE;
    if (!take_collections(options, command)) return MC_EXIT_USAGE;
    if (!options->sites && !options->methods)
        return mc_command_wrong_usage("%s: --sites (where objects are allocated), --methods (how "
                                      "long methods run) or both are missing",
                                      command);
    int code = check_methods(options);
    if (code != MC_EXIT_OK) return code;
    if (options->depth == MC_NONE) options->depth = options->domains ? DOMAIN_DEPTH : USUAL_DEPTH;
    if (options->depth == 0 || options->depth > DEPTH_MOST)
        return mc_command_wrong_usage("--depth: expected 1 to %u", DEPTH_MOST);
    if ((!options->output || options->follow) && !has_display)
        return mc_command_wrong_usage("%s: there is no display for a window; -o FILE.mct%s",
                                      command, options->follow ? " without --follow" : " records");
    return MC_EXIT_OK;
}

bool mc_live_options_has(const mc_live_options *options, mc_live_subject subject) {
    return subject == MC_LIVE_OF_SITES ? options->sites != MC_LIVE_SITES_OFF
                                       : options->methods != MC_LIVE_METHODS_OFF;
}

int64_t mc_live_options_get_every_ms(const mc_live_options *options, mc_live_subject subject) {
    if (options->every_ms >= 0) return options->every_ms;
    if (subject == MC_LIVE_OF_SITES) return SITES_EVERY_MS;
    return !options->output || options->follow ? WATCHED_EVERY_MS : METHODS_EVERY_MS;
}

const char *mc_live_options_get_mode(const mc_live_options *options, mc_live_subject subject) {
    if (subject == MC_LIVE_OF_SITES) return MC_AGENT_MODE_ALLOC;
    switch (options->methods) {
    case MC_LIVE_METHODS_EXACT: return MC_AGENT_MODE_EXACT;
    case MC_LIVE_METHODS_SAMPLED: return options->uses_cpu ? MC_AGENT_MODE_CPU : MC_AGENT_MODE_WALL;
    default: return MC_AGENT_MODE_COUNT;
    }
}

static void append_methods(const mc_live_options *options, mc_text *text) {
    if (options->include) mc_text_format(text, ";include=%s", options->include);
    if (options->exclude) mc_text_format(text, ";exclude=%s", options->exclude);
    if (options->has_trivial) mc_text_append_string(text, ";trivial=1");
    if (options->quiet) mc_text_append_string(text, ";quiet=1");
}

void mc_live_options_append_of(const mc_live_options *options, mc_live_subject subject,
                               mc_text *text) {
    static const uint32_t intervals[] = {[MC_LIVE_SITES_SAMPLED] = 512u << 10,
                                         [MC_LIVE_SITES_FINE] = 64u << 10,
                                         [MC_LIVE_SITES_ALL] = 0};
    mc_text_format(text, "start=%s", mc_live_options_get_mode(options, subject));
    if (subject == MC_LIVE_OF_METHODS)
        append_methods(options, text);
    else
        mc_text_format(text, ";interval=%" PRIu32 ";depth=%" PRIu32, intervals[options->sites],
                       options->depth);
    if (subject == MC_LIVE_OF_SITES && options->gc_ms > 0)
        mc_text_format(text, ";gc=%" PRId64, options->gc_ms);
}

void mc_live_options_append(const mc_live_options *options, mc_text *text) {
    bool has_both = options->sites && options->methods;
    if (options->sites) mc_live_options_append_of(options, MC_LIVE_OF_SITES, text);
    if (has_both) mc_text_append_string(text, ";");
    if (options->methods) mc_live_options_append_of(options, MC_LIVE_OF_METHODS, text);
}

mc_result mc_live_options_find_agent(const mc_live_options *options, mc_text *text,
                                     mc_error *error) {
    bool has_java_side =
        options->methods == MC_LIVE_METHODS_EXACT || options->methods == MC_LIVE_METHODS_COUNT;
    mc_text java_side = {0};
    bool is_there = !has_java_side || mc_program_append_library(&java_side, JAVA_SIDE);
    mc_text_deinit(&java_side);
    if (!mc_program_append_library(text, AGENT))
        return mc_fail(error, MC_ERROR_UNSUPPORTED,
                       AGENT " is missing: it belongs beside the program, and is built if a JDK's "
                             "headers are installed");
    if (!is_there)
        return mc_fail(error, MC_ERROR_UNSUPPORTED,
                       JAVA_SIDE " is missing: it belongs beside " AGENT
                                 ", and is built if javac and asm.jar are installed; --methods "
                                 "sampled does not need it");
    return MC_OK;
}
