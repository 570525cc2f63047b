#include "app/command.h"
#include "app/format.h"
#include "app/picture/headless.h"
#include "app/picture/stage.h"
#include "app/picture/view_option.h"
#include "app/session/action.h"
#include "app/session/script.h"
#include "app/trace_location.h"
#include "app/usage_text.h"
#include "app/window/viewer.h"
#include "engine/import/websocket/ws_address.h"
#include <stdio.h>
#include <string.h>

// Without a window, where nothing else was said.
#define PICTURE_WIDTH 1440
#define PICTURE_HEIGHT 900

// printf pads by bytes, of which some characters have several.
static int get_width(const char *text, int width) {
    for (; *text; text++)
        width += ((unsigned char)*text & 0xc0) == 0x80;
    return width;
}

static void print_keys(void) {
    fputs("\n\nKeys of the window (? shows them there, too):\n", stdout);
    for (uint32_t i = 0; i < mc_action_count; i++) {
        const mc_action *row = &mc_actions[i];
        if (!row->shown && !row->name) printf("\n%s\n", row->help);
        if (row->shown) printf("  %-*s %s\n", get_width(row->shown, 26), row->shown, row->help);
    }
}

static void print_commands(void) {
    fputs("\n\nCommands of a script:\n", stdout);
    for (uint32_t i = 0; i < mc_action_count; i++) {
        const mc_action *row = &mc_actions[i];
        const char *argument = mc_action_get_argument_name(row);
        char text[64];
        if (!row->name) continue;
        snprintf(text, sizeof text, "%s%s%s", row->name, argument ? " " : "",
                 argument ? argument : "");
        printf("  %-26s %s\n", text, row->help);
    }
    mc_script_print_words();
}

// What only the window has.
typedef struct window_options {
    mc_viewer_desc *desc;
    bool paused, remember, headless;
    const char *script_path;
    double size[2];
    mc_preferences preferences;
    mc_error trouble;
} window_options;

static void add_window_options(mc_option_list *list, window_options *window,
                               mc_settings *settings) {
    mc_viewer_desc *desc = window->desc;
    list->group = "window";
    mc_option_list_add_uint(
        list, "step", &desc->session.step, "K",
        "first step to show, counted from 0 (the last of the time window; with --play the first)");
    mc_option_list_add(list, (mc_option){.name = "play",
                                         .kind = MC_OPTION_FLAG,
                                         .target = &window->paused,
                                         .value = false,
                                         .help = "start playing"});
    mc_option_list_add_flag(list, "follow", &desc->session.follow,
                            "follow a recording (memcity record) from its last step on");
    mc_option_list_add_size(list, "size", window->size,
                            "size of the window (the last one, or 1440x900)");
    mc_option_list_add_file(
        list, "with", &desc->session.with, "FILE",
        "trace of the opened heap's methods, or heap of the opened methods, linked to it");
    mc_option_list_add_double(list, "scale", &desc->scale, "S",
                              "scale of text, controls and lines, 0.5 to 4 (that of the screen)");
    mc_option_list_add(list, (mc_option){.name = "light",
                                         .kind = MC_OPTION_FLAG,
                                         .target = &settings->look.dark,
                                         .value = false,
                                         .help = "use the light theme, whatever was used last"});
    mc_option_list_add_fields(list, mc_settings_fields, MC_SETTINGS_FIELD_COUNT,
                              MC_USE_WINDOW_OPTION, settings);
    mc_option_list_add(list, (mc_option){.name = "no-settings",
                                         .kind = MC_OPTION_FLAG,
                                         .target = &window->remember,
                                         .value = false,
                                         .help = "neither load nor save remembered settings"});
    mc_option_list_add_string(
        list, "script", &window->script_path, "FILE",
        "run the commands in FILE, one per line; -: standard input (docs/reference/window.md)");
    mc_option_list_add_flag(list, "headless", &window->headless,
                            "run without a window and without remembered settings");
    mc_option_list_add_string(list, "state", &desc->state_path, "FILE",
                              "keep the window's state in FILE as one line of JSON, for scripts");
}

static int check(const mc_viewer_desc *desc, mc_picture_options *picture) {
    int code = mc_picture_check(picture);
    if (code != MC_EXIT_OK) return code;
    const mc_layout_options *layout = &picture->settings.layout;
    const char *metric = layout->metric_key ? layout->metric_key : layout->area_key;
    if (metric && strlen(metric) >= MC_METRIC_NAME_SIZE)
        return mc_command_wrong_usage("--metric: expected a name of less than %d bytes",
                                      MC_METRIC_NAME_SIZE);
    if (desc->scale != 0 && (desc->scale < 0.5 || desc->scale > 4))
        return mc_command_wrong_usage("--scale: expected a number from 0.5 to 4");
    if (desc->session.follow && desc->session.path_count != 1)
        return mc_command_wrong_usage("--follow: expected one .mct file, not %u files",
                                      desc->session.path_count);
    if (desc->session.follow && mc_ws_is_address(desc->session.paths[0]))
        return mc_command_wrong_usage("--follow: expected an .mct file; a server's trace can't be "
                                      "followed, but `memcity listen` receives steps as they come");
    for (uint32_t i = 0; i < desc->session.path_count && !desc->session.follow; i++) {
        if (mc_trace_location_is_there(desc->session.paths[i])) continue;
        mc_message_say("%s: no such file, folder or command (memcity --help)",
                       desc->session.paths[i]);
        return MC_EXIT_FAILED;
    }
    return MC_EXIT_OK;
}

static int check_with(const mc_viewer_desc *desc, const mc_pair_options *pair) {
    const char *with = desc->session.with;
    if (!with) return MC_EXIT_OK;
    if (desc->session.path_count == 0 || pair->versus)
        return mc_command_wrong_usage("--with: expected one heap to link with, as in memcity HEAP "
                                      "--with METHODS, and no pair");
    if (mc_trace_location_is_there(with)) return MC_EXIT_OK;
    mc_message_say("%s: no such file or folder", with);
    return MC_EXIT_FAILED;
}

static int check_pair(const mc_pair_options *pair, const mc_viewer_desc *desc,
                      mc_layout_options *layout) {
    if (pair->align && !mc_form_set_name(layout->align, sizeof layout->align, pair->align))
        return mc_command_wrong_usage("--align: the text is too long");
    int code = mc_command_check_pair(pair);
    if (code != MC_EXIT_OK || !pair->versus) return code;
    if (desc->session.path_count == 0 || desc->session.follow)
        return mc_command_wrong_usage("--versus: expected a trace to compare with, as in memcity A "
                                      "--versus B, and no --follow");
    if (mc_trace_location_is_there(pair->versus)) return MC_EXIT_OK;
    mc_message_say("%s: no such file or folder", pair->versus);
    return MC_EXIT_FAILED;
}

// What is remembered, unless --no-settings says otherwise.
static void set_defaults(void *user, mc_settings *settings) {
    window_options *window = user;
    if (window->remember && !window->headless)
        (void)mc_preferences_load(&window->preferences, &window->trouble);
    else
        mc_preferences_init(&window->preferences);
    *settings = window->preferences.settings;
    mc_format_use_decimal_bytes(settings->byte_units > 0);
    settings->layout = mc_layout_options_default();
}

// The window's settings, from what the options have made of it.
static void take_settings(mc_viewer_desc *desc, const mc_picture_options *picture) {
    mc_settings *settings = &desc->session.settings;
    bool shows_some = picture->references > 0; // else it is as it was remembered, or in the view
    bool incoming = settings->look.show_incoming, outgoing = settings->look.show_outgoing;
    *settings = picture->settings;
    if (!shows_some) {
        settings->look.show_incoming = incoming;
        settings->look.show_outgoing = outgoing;
    }
    if (settings->look.most_references == UINT32_MAX) settings->look.most_references = 0;
    settings->search_open = picture->search != NULL;
    snprintf(settings->search, sizeof settings->search, "%s",
             picture->search ? picture->search : "");
}

static int run_headless(const mc_viewer_desc *viewer, const mc_picture_options *picture) {
    mc_headless_desc desc = {.session = viewer->session,
                             .script = viewer->script,
                             .picture = picture,
                             .width = viewer->width > 0 ? viewer->width : PICTURE_WIDTH,
                             .height = viewer->height > 0 ? viewer->height : PICTURE_HEIGHT};
    return mc_headless_run(&desc);
}

int mc_command_view(int argc, const char **argv) {
    mc_viewer_desc desc = mc_viewer_desc_default();
    window_options window = {.desc = &desc, .paused = true, .remember = true};
    mc_input_options input = {0};
    mc_picture_options picture = mc_picture_options_default();
    picture.camera = NULL;
    picture.samples = MC_NONE; // what is preferred
    mc_view_option view = {.picture = &picture,
                           .step = &desc.session.step,
                           .pair = &input.pair,
                           .with = &desc.session.with};
    mc_option_list list = {0};
    list.examples =
        "memcity open shop.mct\nmemcity open shop.mct --follow        # while it is being recorded";
    add_window_options(&list, &window, &picture.settings);
    mc_option_list_add_view(&list, &view);
    mc_option_list_add_picture(&list, &picture);
    mc_option_list_add_ground_size(&list, &picture.settings.layout, "ground-size");
    mc_option_list_add_pair(&list, &input.pair, &picture.settings.layout);
    mc_option_list_add_input(&list, &input);
    mc_option_list_hide(&list, "legend"); // a window always has it
    mc_option_list_hide(&list, "no-legend");
    int code;
    mc_step_times times = {0};
    mc_note_list notes = {.items = NULL};
    mc_view_option_usage usage = {.list = &list,
                                  .synopsis = "memcity [TRACE…] [options]",
                                  .text = "Opens a recorded heap trace as a city in a window. "
                                          "TRACE is a file of steps, or a folder of such files.",
                                  .set_defaults = set_defaults,
                                  .user = &window};
    if (!mc_view_option_begin(&view, &usage, argc, argv, &desc.session.paths,
                              &desc.session.path_count, &code)) {
        // Other forms of the help are a part of something.
        if (code == MC_EXIT_OK && mc_usage_get_form(argc, argv) == MC_USAGE_FORM_COUNT) {
            print_commands();
            print_keys();
        }
        goto end;
    }
    if (picture.samples != MC_NONE)
        desc.samples = picture.samples;
    else
        picture.samples = MC_RENDERER_STILL_SAMPLES;
    mc_look said = picture.settings.look;
    code = check(&desc, &picture);
    if (code == MC_EXIT_OK) code = check_pair(&input.pair, &desc, &picture.settings.layout);
    if (code == MC_EXIT_OK) code = check_with(&desc, &input.pair);
    if (code == MC_EXIT_OK && window.headless && (!window.script_path || desc.state_path))
        code = mc_command_wrong_usage(
            "--headless: --script FILE is missing; its command \"print\" writes fields of --state");
    if (code == MC_EXIT_OK && window.headless && window.size[0] > 0)
        code = mc_stage_check_size(window.size, &desc.width, &desc.height);
    if (code != MC_EXIT_OK) goto end;
    desc.session.settings.look = said;
    take_settings(&desc, &picture);
    desc.session.skip_bad_steps = input.skip_bad_steps;
    desc.session.partial = input.partial;
    desc.session.no_references = input.no_references;
    desc.session.deep = input.deep;
    desc.session.stacks = input.stacks;
    desc.session.sample_interval_ms = input.sample_interval_ms;
    desc.session.profiles = input.profiles;
    desc.session.tab = input.tab;
    desc.session.group_by = input.group_by;
    desc.session.pair = input.pair;
    double frame_ms;
    code = mc_command_read_frame(&input, &frame_ms);
    if (code == MC_EXIT_OK && !(frame_ms > 0))
        code = mc_command_wrong_usage("--frame: expected 0.1s to 60s in the window");
    if (code != MC_EXIT_OK) goto end;
    if (input.frame) desc.session.settings.frame_s = frame_ms / 1000;
    desc.session.is_frame_said = input.frame != NULL;
    desc.times_option = input.times;
    code = mc_command_read_times(&input, &times);
    if (code != MC_EXIT_OK) goto end;
    desc.session.times = times.count > 0 ? &times : NULL;
    code = mc_command_read_notes(&input, &notes);
    if (code != MC_EXIT_OK) goto end;
    desc.session.notes = notes.count > 0 ? &notes : NULL;
    mc_error error = {0};
    if (window.script_path && mc_script_read(window.script_path, &desc.script, &error) != MC_OK) {
        code = mc_command_fail(&error);
        goto end;
    }
    desc.session.playing = !window.paused;
    if (window.size[0] > 0) {
        desc.width = (uint32_t)window.size[0];
        desc.height = (uint32_t)window.size[1];
    }
    desc.session.selection_keys = picture.selected.items;
    desc.session.selection_key_count = picture.selected.count;
    desc.session.opened = picture.view ? &picture.view->opened : NULL;
    desc.session.demolished = &picture.demolished;
    desc.session.camera = picture.camera;
    desc.session.walks = picture.walk;
    desc.device_name = picture.device_name;
    desc.rasterizer = picture.rasterizer;
    desc.validation = picture.validation;
    desc.session.is_lenient = picture.is_lenient;
    desc.session.allows_network = view.allows_network;
    desc.session.preferences = &window.preferences;
    desc.session.trouble = window.trouble.code != MC_OK ? window.trouble.message : NULL;
    code = window.headless ? run_headless(&desc, &picture) : mc_viewer_run(&desc);
end:
    mc_script_destroy(desc.script);
    mc_preferences_deinit(&window.preferences);
    mc_view_option_deinit(&view);
    mc_step_times_deinit(&times);
    mc_note_list_deinit(&notes);
    return code;
}
