#include "app/command.h"
#include "app/highlight.h"
#include "app/view.h"
#include <stdio.h>
#include <unistd.h>

static const char key_text[] = "\n\nKeys of the window (? shows them there, too):\n";

static void print_keys(void) {
    fputs(key_text, stdout);
    for (uint32_t i = 0; i < mc_view_get_key_count(); i++) {
        mc_view_key_info key = mc_view_get_key(i);
        // printf pads by bytes, of which some characters have several.
        int width = 26;
        for (const char *at = key.keys; *at; at++)
            width += ((unsigned char)*at & 0xc0) == 0x80;
        printf("  %-*s %s\n", width, key.keys, key.text);
    }
}

static void add_window_options(mc_option_list *list, mc_view_desc *desc, bool *paused,
                               double size[2]) {
    mc_option_list_add(list, (mc_option){.name = "step",
                                         .kind = MC_OPTION_UINT,
                                         .target = &desc->step,
                                         .argument = "K",
                                         .help = "start at this step, counted from 0 (0)"});
    mc_option_list_add(list, (mc_option){.name = "play",
                                         .kind = MC_OPTION_FLAG,
                                         .target = paused,
                                         .value = false,
                                         .help = "play at once"});
    mc_option_list_add(list, (mc_option){.name = "loop",
                                         .kind = MC_OPTION_FLAG,
                                         .target = &desc->loop,
                                         .value = true,
                                         .help = "begin again after the last step"});
    mc_option_list_add(list, (mc_option){.name = "step-duration",
                                         .kind = MC_OPTION_DOUBLE,
                                         .target = &desc->step_duration_s,
                                         .argument = "S",
                                         .help = "how long a step is shown, in seconds (0.5)"});
    mc_option_list_add(list, (mc_option){.name = "size",
                                         .kind = MC_OPTION_SIZE,
                                         .target = size,
                                         .argument = "WxH",
                                         .help = "of the window (1440x900)"});
    mc_option_list_add(list, (mc_option){.name = "state",
                                         .kind = MC_OPTION_STRING,
                                         .target = &desc->state_path,
                                         .argument = "FILE",
                                         .help = "keep the window's state in FILE, as one line of "
                                                 "JSON, for scripts"});
}

int mc_command_view(int argc, const char **argv) {
    bool paused = true;
    double size[2] = {0, 0};
    mc_view_desc desc = mc_view_desc_default();
    mc_input_options input = {0};
    mc_picture_options picture = mc_picture_options_default();
    picture.camera = NULL;
    mc_option_list list = {0};
    add_window_options(&list, &desc, &paused, size);
    mc_option_list_add_picture(&list, &picture);
    mc_option_list_add_layout(&list, &desc.layout, "ground-size");
    mc_option_list_add_input(&list, &input);
    mc_command_usage usage = {
        .synopsis = "memcity [TRACE…] [options]",
        .text = "Opens a recorded heap trace as a city in a window. TRACE is a file of steps or a "
                "folder of them.",
        .options = list.options,
        .option_count = list.count,
        .most_positional = MC_NONE};
    mc_options_result parsed = mc_options_parse(&usage, argc, argv, &desc.path_count);
    if (parsed == MC_OPTIONS_HELP) print_keys();
    if (parsed != MC_OPTIONS_OK) return parsed == MC_OPTIONS_HELP ? MC_EXIT_OK : MC_EXIT_USAGE;
    int code = mc_picture_check(&picture);
    if (code != MC_EXIT_OK) return code;
    for (uint32_t i = 0; i < desc.path_count; i++) {
        if (access(argv[i], F_OK) == 0) continue;
        fprintf(stderr, "memcity: %s: no such file or folder, nor a command (memcity --help)\n",
                argv[i]);
        return MC_EXIT_FAILED;
    }
    desc.paths = argv;
    desc.skip_bad_steps = input.skip_bad_steps;
    desc.partial = input.partial;
    desc.group_by = input.group_by;
    mc_step_times times;
    code = mc_command_read_times(&input, &times);
    if (code != MC_EXIT_OK) return code;
    desc.times = times.count > 0 ? &times : NULL;
    desc.playing = !paused;
    if (size[0] > 0) {
        desc.width = (uint32_t)size[0];
        desc.height = (uint32_t)size[1];
    }
    desc.selection_key = picture.selection_key;
    desc.camera = picture.camera;
    desc.color_by_growth = !picture.no_color;
    desc.opacity_by_growth = !picture.no_opacity;
    desc.opaque_count = picture.opaque_count;
    desc.opacity = (float)picture.opacity;
    desc.palette = picture.palette;
    desc.dark = picture.dark;
    desc.edges = !picture.no_edges;
    desc.device_name = picture.device_name;
    desc.validation = picture.validation;
    code = mc_view_run(&desc);
    mc_step_times_deinit(&times);
    return code;
}
