// encoder.h - a video file, frame by frame, through the ffmpeg program.
//
// The file is written beside its name and renamed when it is whole. Threads: one thread at a time.
#pragma once
#include "engine/base/base.h"
#include <sys/types.h>

typedef struct mc_encoder {
    pid_t process; // 0: none
    int pipe;      // its standard input, -1: none
    int said;      // its standard error, a file in memory
    char *path, *temporary_path;
    size_t frame_size_bytes;
} mc_encoder;

// `width` and `height` are even. MC_ERROR_UNSUPPORTED if ffmpeg is not installed.
mc_result mc_encoder_begin(mc_encoder *encoder, const char *path, uint32_t width, uint32_t height,
                           uint32_t frames_per_s, mc_error *error);
mc_result mc_encoder_add(mc_encoder *encoder, const uint8_t *rgba, mc_error *error);
mc_result mc_encoder_commit(mc_encoder *encoder, mc_error *error);
void mc_encoder_discard(mc_encoder *encoder); // safe on a zeroed or finished one
