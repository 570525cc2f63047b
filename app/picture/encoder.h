// encoder.h - a video file, frame by frame, through the ffmpeg program.
//
// The file gets its name only once it is complete (file_target.h). Threads: one thread at a time.
#pragma once
#include "engine/base/file_target.h"
#include <sys/types.h>

typedef struct mc_encoder {
    pid_t process; // 0: none
    int pipe;      // its standard input, -1: none
    int said;      // its standard error, a file in memory
    mc_file_target target;
    size_t frame_size_bytes;
} mc_encoder;

// `width` and `height` are even. MC_ERROR_UNSUPPORTED if ffmpeg is not installed, or `path` is a
// pipe: the beginning of an MP4 file is written last.
mc_result mc_encoder_begin(mc_encoder *encoder, const char *path, uint32_t width, uint32_t height,
                           uint32_t frames_per_s, mc_error *error);
mc_result mc_encoder_add(mc_encoder *encoder, const uint8_t *rgba, mc_error *error);
mc_result mc_encoder_commit(mc_encoder *encoder, mc_error *error);
void mc_encoder_discard(mc_encoder *encoder); // safe on a zeroed or finished one
