#include "app/command.h"
#include "app/picture/highlight.h"
#include "app/picture/view_option.h"
#include "app/usage_text.h"
#include "app/view/view.h"
#include "engine/city/style.h"
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char key_text[] = "\n\nKeys of the window (? shows them there, too):\n";

static void print_keys(void) {
    fputs(key_text, stdout);
    for (uint32_t i = 0; i < mc_view_get_key_count(); i++) {
        mc_view_key_info key = mc_view_get_key(i);
        if (!key.keys) {
            printf("\n%s\n", key.text);
            continue;
        }
        // printf pads by bytes, of which some characters have several.
        int width = 26;
        for (const char *at = key.keys; *at; at++)
            width += ((unsigned char)*at & 0xc0) == 0x80;
        printf("  %-*s %s\n", width, key.keys, key.text);
    }
}

static void add_window_options(mc_option_list *list, mc_view_desc *desc, bool *paused,
                               double size[2]) {
    mc_option_list_add_uint(list, "step", &desc->step, "K",
                            "start at this step, counted from 0 (the last of the time window; "
                            "with --play the first)");
    mc_option_list_add(list, (mc_option){.name = "play",
                                         .kind = MC_OPTION_FLAG,
                                         .target = paused,
                                         .value = false,
                                         .help = "play at once"});
    mc_option_list_add_flag(list, "loop", &desc->loop, "begin again after the last step");
    mc_option_list_add_flag(
        list, "follow", &desc->follow,
        "show the steps of a recording as they come (memcity record), from the last one on");
    mc_option_list_add_double(list, "step-duration", &desc->step_duration_s, "S",
                              "how long a step is shown, in seconds (0.5)");
    mc_option_list_add_size(list, "size", size, "of the window (as it was last, or 1440x900)");
    mc_option_list_add_double(list, "scale", &desc->scale, "S",
                              "of text and controls, 0.5 to 4 (what the screen asks for)");
    mc_option_list_add_flag(list, "light", &desc->light, "the light theme, whatever was used last");
    mc_option_list_add(
        list, (mc_option){.name = "no-settings",
                          .kind = MC_OPTION_FLAG,
                          .target = &desc->remember,
                          .value = false,
                          .help = "neither use nor change what is remembered of other runs"});
    mc_option_list_add_string(list, "state", &desc->state_path, "FILE",
                              "keep the window's state in FILE, as one line of JSON, for scripts");
}

static int check(const mc_view_desc *desc, mc_picture_options *picture) {
    int code = mc_picture_check(picture);
    if (code != MC_EXIT_OK) return code;
    if (desc->scale != 0 && (desc->scale < 0.5 || desc->scale > 4))
        return mc_command_wrong_usage("--scale: expected a number from 0.5 to 4");
    if (desc->follow && desc->path_count != 1)
        return mc_command_wrong_usage("--follow: expected one .mct file, not %u files",
                                      desc->path_count);
    for (uint32_t i = 0; i < desc->path_count && !desc->follow; i++) {
        if (access(desc->paths[i], F_OK) == 0) continue;
        mc_message_say("%s: no such file or folder, nor a command (memcity --help)",
                       desc->paths[i]);
        return MC_EXIT_FAILED;
    }
    return MC_EXIT_OK;
}

// The window switches between the metrics that every trace has.
static int take_metric(mc_layout_options *layout) {
    if (!layout->metric_key) layout->metric_key = layout->area_key;
    layout->area_key = NULL;
    for (uint32_t i = 0; layout->metric_key && mc_metric_names[i]; i++) {
        if (strcmp(layout->metric_key, mc_metric_names[i]) != 0) continue;
        layout->metric = i;
        layout->metric_key = NULL;
    }
    if (!layout->metric_key) return MC_EXIT_OK;
    return mc_command_wrong_usage(
        "--metric: the window shows objects or bytes, not \"%s\"; memcity "
        "top, render, video, report and gate show every metric",
        layout->metric_key);
}

// Likewise what colours and heights show.
static int take_mapping(const char *option, const char *key, const char *const *names,
                        uint32_t *mode) {
    if (!key) return MC_EXIT_OK;
    for (uint32_t i = 0; names[i]; i++) {
        if (strcmp(key, names[i]) != 0) continue;
        *mode = i;
        return MC_EXIT_OK;
    }
    return mc_command_wrong_usage("%s: the window does not show \"%s\"; memcity render, video and "
                                  "city do",
                                  option, key);
}

int mc_command_view(int argc, const char **argv) {
    bool paused = true;
    double size[2] = {0, 0};
    mc_view_desc desc = mc_view_desc_default();
    mc_input_options input = {0};
    mc_picture_options picture = mc_picture_options_default();
    picture.camera = NULL;
    picture.palette = MC_NONE;
    mc_view_option view = {.picture = &picture,
                           .layout = &desc.layout,
                           .step = &desc.step,
                           .step_duration_s = &desc.step_duration_s,
                           .loop = &desc.loop};
    mc_option_list list = {0};
    add_window_options(&list, &desc, &paused, size);
    mc_option_list_add_view(&list, &view);
    mc_option_list_add_picture(&list, &picture);
    mc_option_list_add_layout(&list, &desc.layout, "ground-size");
    mc_option_list_add_input(&list, &input);
    int code;
    mc_step_times times = {0};
    if (!mc_view_option_begin(
            &view, &list, "memcity [TRACE…] [options]",
            "Opens a recorded heap trace as a city in a window. TRACE is a file of steps or a "
            "folder of them.",
            0, argc, argv, &desc.paths, &desc.path_count, &code)) {
        // Other forms of the help are a part of something.
        if (code == MC_EXIT_OK && mc_usage_get_form(argc, argv) == MC_USAGE_FORM_COUNT)
            print_keys();
        goto end;
    }
    code = check(&desc, &picture);
    if (code == MC_EXIT_OK) code = take_metric(&desc.layout);
    if (code == MC_EXIT_OK)
        code = take_mapping("--color", picture.color_key, mc_color_mode_names, &picture.color_mode);
    if (code == MC_EXIT_OK && picture.height_key)
        code = take_mapping("--height",
                            strcmp(picture.height_key, "auto") == 0 ? "metric" : picture.height_key,
                            mc_height_mode_names, &picture.height_mode);
    if (code != MC_EXIT_OK) goto end;
    desc.skip_bad_steps = input.skip_bad_steps;
    desc.partial = input.partial;
    desc.no_references = input.no_references;
    desc.group_by = input.group_by;
    desc.times_option = input.times;
    code = mc_command_read_times(&input, &times);
    if (code != MC_EXIT_OK) goto end;
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
    desc.rasterizer = picture.rasterizer;
    desc.validation = picture.validation;
    desc.color_mode = picture.color_mode;
    desc.height_mode = picture.height_mode;
    desc.references = picture.references;
    desc.snapshot = view.path ? &view.snapshot : NULL;
    desc.pose = picture.pose;
    desc.is_lenient = picture.is_lenient;
    code = mc_view_run(&desc);
end:
    mc_view_option_deinit(&view);
    mc_step_times_deinit(&times);
    return code;
}
