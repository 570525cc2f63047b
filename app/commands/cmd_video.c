#include "app/picture/encoder.h"
#include "app/picture/stage_options.h"
#include "engine/scene/playback.h"
#include <stdio.h>
#include <unistd.h>

#define FRAMES_PER_S 30
#define PI 3.14159265358979323846

typedef struct mc_film {
    double step_duration_s;
    bool progress;   // each frame as a line on stdout
    double turn_deg; // of the camera around the city, over the whole film
} mc_film;

static int interrupted_exit(void) {
    mc_message_say("interrupted; no video was written");
    return MC_EXIT_FAILED;
}

// Plays the window's steps as the program's window does, one frame after another, and holds the
// last one.
static int shoot(mc_stage *stage, const mc_film *film, mc_encoder *encoder) {
    mc_step_range window = stage->city->desc.window;
    uint32_t steps = window.last_step - window.first_step + 1;
    uint64_t frame_count = (uint64_t)((steps + 1) * film->step_duration_s * FRAMES_PER_S) + 1;
    mc_playback playback;
    mc_playback_init(&playback, window.first_step, window.last_step);
    mc_playback_set_duration(&playback, film->step_duration_s);
    playback.playing = true;
    mc_error error = {0};
    int code = mc_stage_set_step(stage, playback.step);
    for (uint64_t frame = 0; code == MC_EXIT_OK && frame < frame_count; frame++) {
        if (mc_command_is_interrupted()) return interrupted_exit();
        if (frame > 0 && mc_playback_advance(&playback, 1.0 / FRAMES_PER_S))
            code = mc_stage_set_step(stage, playback.step);
        if (code == MC_EXIT_OK)
            code = mc_stage_draw(stage, (float)mc_playback_get_blend(&playback));
        if (code == MC_EXIT_OK && mc_encoder_add(encoder, stage->pixels, &error) != MC_OK)
            code = mc_command_fail(&error);
        mc_camera_pose pose = stage->camera.pose;
        pose.azimuth_rad += film->turn_deg * PI / 180.0 / (double)frame_count;
        mc_camera_set_pose(&stage->camera, &pose);
        if (film->progress) {
            printf("frame %llu of %llu\n", (unsigned long long)frame + 1,
                   (unsigned long long)frame_count);
            fflush(stdout);
        } else if (isatty(STDERR_FILENO))
            fprintf(stderr, "\rframe %llu of %llu", (unsigned long long)frame + 1,
                    (unsigned long long)frame_count);
    }
    if (isatty(STDERR_FILENO)) fputs("\r\033[K", stderr);
    return code;
}

static int make_video(mc_stage *stage, const mc_film *film, const char *output) {
    mc_encoder encoder;
    mc_error error = {0};
    if (mc_encoder_begin(&encoder, output, stage->width, stage->height, FRAMES_PER_S, &error) !=
        MC_OK)
        return mc_command_fail(&error);
    int code = shoot(stage, film, &encoder);
    if (code == MC_EXIT_OK && mc_encoder_commit(&encoder, &error) != MC_OK)
        code = mc_command_fail(&error);
    mc_encoder_discard(&encoder);
    return code;
}

static int check(const mc_film *film, const char *output) {
    if (!output) return mc_command_wrong_usage("video: say where to with -o FILE.mp4");
    if (!mc_command_check_output(output, ".mp4")) return MC_EXIT_USAGE;
    if (film->step_duration_s < MC_PLAYBACK_MIN_DURATION_S || film->step_duration_s > 60)
        return mc_command_wrong_usage("--step-duration: expected %g to 60 seconds",
                                      MC_PLAYBACK_MIN_DURATION_S);
    return MC_EXIT_OK;
}

int mc_command_video(int argc, const char **argv) {
    uint32_t width = 0, height = 0;
    mc_film film = {.step_duration_s = 0.5};
    mc_stage_options options;
    mc_stage_options_init(&options, 1280, 720);
    options.view.step_duration_s = &film.step_duration_s;
    mc_option_list list = {0};
    mc_option_list_add_file(&list, "o", &options.output, "FILE", "the MP4 file to write");
    mc_option_list_add_size(&list, "size", options.size, "of the picture, even numbers (1280x720)");
    mc_option_list_add_double(&list, "step-duration", &film.step_duration_s, "S",
                              "how long a step is shown, in seconds (0.5)");
    mc_option_list_add_double(&list, "turn", &film.turn_deg, "DEG",
                              "the camera turns around the city by this (0)");
    mc_option_list_add_flag(&list, "progress", &film.progress,
                            "say each frame on stdout, for programs");
    mc_option_list_add_stage(&list, &options);
    uint32_t path_count;
    const char *const *paths;
    int code;
    mc_stage stage = {0};
    mc_view_option_usage usage = {
        .list = &list,
        .synopsis = "memcity video TRACE… -o FILE.mp4 [--size WxH] [--step-duration S] [options]\n"
                    "       memcity video --view FILE -o FILE.mp4 [TRACE…] [options]",
        .text = "Plays the city into a video file; needs no display, but the ffmpeg program.",
        .least_path_count = 1};
    if (!mc_view_option_begin(&options.view, &usage, argc, argv, &paths, &path_count, &code))
        goto end;
    code = check(&film, options.output);
    if (code == MC_EXIT_OK) code = mc_stage_options_check(&options, &width, &height);
    if (code == MC_EXIT_OK && (width % 2 || height % 2))
        code = mc_command_wrong_usage("--size: a video's width and height must be even");
    if (code != MC_EXIT_OK) goto end;

    mc_command_catch_interrupts(); // no encoder and nothing half-written stays
    code = mc_stage_open(&stage, &options, paths, path_count, width, height);
    if (code == MC_EXIT_OK) code = make_video(&stage, &film, options.output);
end:
    mc_stage_deinit(&stage);
    mc_stage_options_deinit(&options);
    return code;
}
