#include "app/picture/film.h"

#include "app/picture/encoder.h"
#include "engine/scene/playback.h"
#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

#define FRAMES_PER_S 30

void mc_option_list_add_film(mc_option_list *list, mc_film *film) {
    mc_option_list_add_file(list, "o", &film->output, "FILE", "MP4 file to write");
    mc_option_list_add_double(list, "step-duration", &film->step_duration_s, "S",
                              "seconds per step (0.5)");
    mc_option_list_add_flag(list, "progress", &film->progress,
                            "print each frame's number to stdout, for programs");
}

int mc_film_check(const mc_film *film) {
    if (!film->output) return mc_command_wrong_usage("video: -o FILE.mp4 is missing");
    if (!mc_command_check_output(film->output, ".mp4")) return MC_EXIT_USAGE;
    if (film->step_duration_s < MC_PLAYBACK_MIN_DURATION_S || film->step_duration_s > 60)
        return mc_command_wrong_usage("--step-duration: expected %g to 60 seconds",
                                      MC_PLAYBACK_MIN_DURATION_S);
    return MC_EXIT_OK;
}

int mc_film_check_size(uint32_t width, uint32_t height) {
    return width % 2 || height % 2
               ? mc_command_wrong_usage("--size: a video's width and height must be even")
               : MC_EXIT_OK;
}

uint64_t mc_film_get_frame_count(const mc_film *film, mc_step_range window) {
    uint32_t steps = window.last_step - window.first_step + 1;
    return (uint64_t)((steps + 1) * film->step_duration_s * FRAMES_PER_S) + 1;
}

static int interrupted_exit(void) {
    mc_message_say("interrupted; no video was written");
    return MC_EXIT_FAILED;
}

static void report(const mc_film *film, uint64_t frame, uint64_t frame_count) {
    if (film->progress) {
        printf("frame %" PRIu64 " of %" PRIu64 "\n", frame + 1, frame_count);
        fflush(stdout);
    } else if (isatty(STDERR_FILENO)) {
        fprintf(stderr, "\rframe %" PRIu64 " of %" PRIu64, frame + 1, frame_count);
    }
}

static int shoot(const mc_film *film, const mc_film_subject *subject, mc_encoder *encoder) {
    mc_step_range window = subject->window;
    uint64_t frame_count = mc_film_get_frame_count(film, window);
    mc_playback playback;
    mc_playback_init(&playback, window.first_step, window.last_step);
    mc_playback_set_duration(&playback, film->step_duration_s);
    playback.playing = true;
    mc_error error = {0};
    int code = subject->set_step(subject->user, playback.step);
    for (uint64_t frame = 0; code == MC_EXIT_OK && frame < frame_count; frame++) {
        const uint8_t *rgba = NULL;
        if (mc_command_is_interrupted()) return interrupted_exit();
        if (frame > 0 && mc_playback_advance(&playback, 1.0 / FRAMES_PER_S))
            code = subject->set_step(subject->user, playback.step);
        if (code == MC_EXIT_OK)
            code = subject->draw(subject->user, mc_playback_get_blend(&playback), &rgba);
        if (code == MC_EXIT_OK && mc_encoder_add(encoder, rgba, &error) != MC_OK)
            code = mc_command_fail(&error);
        report(film, frame, frame_count);
    }
    if (isatty(STDERR_FILENO)) fputs("\r\033[K", stderr);
    return code;
}

int mc_film_make(const mc_film *film, const mc_film_subject *subject) {
    mc_encoder encoder;
    mc_error error = {0};
    if (mc_encoder_begin(&encoder, film->output, subject->width, subject->height, FRAMES_PER_S,
                         &error) != MC_OK)
        return mc_command_fail(&error);
    int code = shoot(film, subject, &encoder);
    if (code == MC_EXIT_OK && mc_encoder_commit(&encoder, &error) != MC_OK)
        code = mc_command_fail(&error);
    mc_encoder_discard(&encoder);
    return code;
}
