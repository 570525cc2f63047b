#include "app/command.h"
#include "app/commands/live_session.h"
#include "engine/live/jvm.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define USUAL_DEPTH 8u
#define DOMAIN_DEPTH 32u // the program's own frames may be far from where the JDK allocates
#define DEPTH_MOST 256u

static const char *const sites_names[] = {"off", "sampled", "fine", "all", NULL};

void mc_live_options_init(mc_live_options *options) {
    *options = (mc_live_options){.depth = MC_NONE, .every_ms = 1000, .duration_ms = -1};
}

void mc_live_options_add(mc_live_options *options, mc_option_list *list) {
    mc_option_list_add_choice(
        list, "sites", &options->sites, sites_names, "HOW",
        "where what is alive was allocated: sampled, an object each 512 KiB (--sites alone); fine, "
        "each 64 KiB; all, every one, which makes a program 10 to 100 times slower");
    mc_option_list_add_string(list, "domain", &options->domains, "PATTERNS",
                              "also the closest caller of one's own classes, as in com.acme.**");
    mc_option_list_add_uint(list, "depth", &options->depth, "N",
                            "frames of a call path (8, with --domain 32)");
    mc_option_list_add_file(list, "o", &options->output, "FILE.mct",
                            "the file to write, which does not exist; without it a window opens");
    mc_option_list_add_flag(list, "follow", &options->follow,
                            "with -o: a window that follows the recording, too");
    mc_option_list_add_string(list, "every", &options->every, "TIME",
                              "a step at each collection of garbage, and at least so often (1s)");
    mc_option_list_add_string(list, "for", &options->duration, "TIME",
                              "how long, as 10m; without it until the program ends, or Ctrl-C");
    mc_option_list_add_flag(list, "quiet", &options->quiet, "only what went wrong is said");
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

static bool take_duration(const char *name, const char *text, int64_t *duration_ms) {
    if (!text || mc_duration_parse(text, 1000, duration_ms)) return true;
    mc_command_wrong_usage("%s: expected a duration as 10s, 500ms or 1h30m, not \"%s\"", name,
                           text);
    return false;
}

int mc_live_options_check(mc_live_options *options, const char *command) {
    bool has_display = getenv("DISPLAY") || getenv("WAYLAND_DISPLAY");
    if (!take_duration("--every", options->every, &options->every_ms) ||
        !take_duration("--for", options->duration, &options->duration_ms))
        return MC_EXIT_USAGE;
    if (options->sites == MC_LIVE_SITES_OFF)
        return mc_command_wrong_usage("%s: what is to be recorded? --sites says where objects are "
                                      "allocated",
                                      command);
    if (options->depth == MC_NONE) options->depth = options->domains ? DOMAIN_DEPTH : USUAL_DEPTH;
    if (options->depth == 0 || options->depth > DEPTH_MOST)
        return mc_command_wrong_usage("--depth: expected 1 to %u", DEPTH_MOST);
    if ((!options->output || options->follow) && !has_display)
        return mc_command_wrong_usage("%s: there is no display for a window; -o FILE.mct%s",
                                      command, options->follow ? " without --follow" : " records");
    return MC_EXIT_OK;
}

void mc_live_options_append(const mc_live_options *options, mc_text *text) {
    static const uint32_t intervals[] = {[MC_LIVE_SITES_SAMPLED] = 512u << 10,
                                         [MC_LIVE_SITES_FINE] = 64u << 10,
                                         [MC_LIVE_SITES_ALL] = 0};
    mc_text_format(text, "start=alloc;interval=%" PRIu32 ";depth=%" PRIu32,
                   intervals[options->sites], options->depth);
}
