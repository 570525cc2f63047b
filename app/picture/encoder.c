#include "app/picture/encoder.h"

#include "engine/base/text.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static mc_result start(mc_encoder *encoder, const char *output, const char *size, const char *rate,
                       int read_end, mc_error *error) {
    const char *arguments[] = {
        "ffmpeg",    "-hide_banner", "-loglevel", "error",    "-y",   "-f", "rawvideo", "-pix_fmt",
        "rgba",      "-s",           size,        "-r",       rate,   "-i", "-",        "-an",
        "-c:v",      "libx264",      "-preset",   "veryfast", "-crf", "18", "-pix_fmt", "yuv420p",
        "-movflags", "+faststart",   "-f",        "mp4",      output, NULL};
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, read_end, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, encoder->said, STDERR_FILENO);
    // Interrupting us is for us to handle: ffmpeg gets its own process group.
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    char *argv[sizeof arguments / sizeof *arguments];
    memcpy(argv, arguments, sizeof argv);
    int failure = posix_spawnp(&encoder->process, "ffmpeg", &actions, &attributes, argv, environ);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    if (failure == 0) return MC_OK;
    encoder->process = 0;
    if (failure == ENOENT)
        return mc_fail(error, MC_ERROR_UNSUPPORTED,
                       "a video needs ffmpeg, which is not installed: apt install ffmpeg");
    return mc_fail(error, MC_ERROR_IO, "can't start ffmpeg: %s", strerror(failure));
}

mc_result mc_encoder_begin(mc_encoder *encoder, const char *path, uint32_t width, uint32_t height,
                           uint32_t frames_per_s, mc_error *error) {
    *encoder = (mc_encoder){.pipe = -1, .said = -1, .frame_size_bytes = (size_t)width * height * 4};
    mc_result result = mc_file_target_begin(&encoder->target, path, error);
    if (result == MC_OK && lseek(encoder->target.fd, 0, SEEK_CUR) < 0 && errno == ESPIPE)
        result =
            mc_fail(error, MC_ERROR_UNSUPPORTED, "%s: a video can't be written to a pipe", path);
    if (result != MC_OK) {
        mc_encoder_discard(encoder);
        return result;
    }
    const mc_file_target *target = &encoder->target;
    // ffmpeg takes a name that begins with a dash for an option, one with a colon for a protocol.
    mc_text output = {0};
    mc_text_append_string(&output, "file:");
    mc_text_append_string(&output, target->temporary_path ? target->temporary_path : target->path);
    if (output.failed) {
        mc_text_deinit(&output);
        mc_encoder_discard(encoder);
        return mc_error_out_of_memory(error);
    }
    int ends[2];
    encoder->said = memfd_create("ffmpeg", MFD_CLOEXEC);
    if (encoder->said < 0 || pipe2(ends, O_CLOEXEC) != 0) {
        result = mc_fail(error, MC_ERROR_IO, "can't make a pipe: %s", strerror(errno));
        mc_text_deinit(&output);
        mc_encoder_discard(encoder);
        return result;
    }
    encoder->pipe = ends[1];
    char size[32], rate[16];
    snprintf(size, sizeof size, "%ux%u", width, height);
    snprintf(rate, sizeof rate, "%u", frames_per_s);
    // A dead ffmpeg shows as a failed write, not as a signal that ends us.
    signal(SIGPIPE, SIG_IGN);
    result = start(encoder, output.data, size, rate, ends[0], error);
    mc_text_deinit(&output);
    close(ends[0]);
    if (result != MC_OK) mc_encoder_discard(encoder);
    return result;
}

static int wait_for(mc_encoder *encoder) {
    int status = -1;
    while (waitpid(encoder->process, &status, 0) < 0 && errno == EINTR) {
    }
    encoder->process = 0;
    return status;
}

// Lets ffmpeg come to its end, and says why there is no video: a full disk in plain words, anything
// else in ffmpeg's.
static mc_result fail(mc_encoder *encoder, mc_error *error) {
    char said[600];
    if (encoder->pipe >= 0) close(encoder->pipe);
    encoder->pipe = -1;
    if (encoder->process > 0) wait_for(encoder);
    ssize_t size = pread(encoder->said, said, sizeof said - 1, 0);
    while (size > 0 && said[size - 1] == '\n') {
        size--;
    }
    said[size > 0 ? size : 0] = '\0';
    const int causes[] = {ENOSPC, EDQUOT, EFBIG};
    for (size_t i = 0; i < sizeof causes / sizeof *causes; i++) {
        if (strstr(said, strerror(causes[i])))
            return mc_fail(error, MC_ERROR_IO, "%s: can't write: %s", encoder->target.path,
                           strerror(causes[i]));
    }
    return mc_fail(error, MC_ERROR_IO, "%s: ffmpeg failed: %s", encoder->target.path,
                   size > 0 ? said : "it does not say why");
}

mc_result mc_encoder_add(mc_encoder *encoder, const uint8_t *rgba, mc_error *error) {
    for (size_t at = 0; at < encoder->frame_size_bytes;) {
        ssize_t written = write(encoder->pipe, rgba + at, encoder->frame_size_bytes - at);
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return fail(encoder, error);
        at += (size_t)written;
    }
    return MC_OK;
}

mc_result mc_encoder_commit(mc_encoder *encoder, mc_error *error) {
    close(encoder->pipe);
    encoder->pipe = -1;
    int status = wait_for(encoder);
    mc_result result = MC_OK;
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
        result = fail(encoder, error);
    } else {
        result = mc_file_target_commit(&encoder->target, MC_FILE_SYNC_NAME, error);
    }
    mc_encoder_discard(encoder);
    return result;
}

void mc_encoder_discard(mc_encoder *encoder) {
    bool is_begun = encoder->target.path != NULL;
    if (is_begun && encoder->pipe >= 0) close(encoder->pipe);
    if (encoder->process > 0) {
        kill(encoder->process, SIGKILL);
        wait_for(encoder);
    }
    if (is_begun && encoder->said >= 0) close(encoder->said);
    mc_file_target_discard(&encoder->target);
    *encoder = (mc_encoder){.pipe = -1, .said = -1};
}
