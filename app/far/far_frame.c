#include "app/far/far_frame.h"

#include "engine/base/clock.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#define HEAD_SIZE 5u
#define READ_SIZE 65536u
#define TICK_MS 1000
#define UNREAD_MOST (8 * MC_FAR_FRAME_MOST)

void mc_far_stream_init(mc_far_stream *stream, int in, int out) {
    *stream = (mc_far_stream){.in = in, .out = out};
    stream->heard_ns = stream->said_ns = mc_clock_now_ns();
    fcntl(in, F_SETFL, fcntl(in, F_GETFL) | O_NONBLOCK);
    fcntl(out, F_SETFL, fcntl(out, F_GETFL) | O_NONBLOCK);
}

void mc_far_stream_deinit(mc_far_stream *stream) {
    mc_text_deinit(&stream->received);
}

static bool is_silent(const mc_far_stream *stream) {
    return mc_clock_now_ns() - stream->heard_ns > (uint64_t)MC_FAR_SILENCE_MS * 1000000u;
}

bool mc_far_stream_fill(mc_far_stream *stream) {
    char bytes[READ_SIZE];
    if (stream->taken > 0) {
        stream->received.size -= stream->taken;
        memmove(stream->received.data, stream->received.data + stream->taken,
                stream->received.size + 1);
        stream->taken = 0;
    }
    ssize_t size = stream->is_ended ? 0 : read(stream->in, bytes, sizeof bytes);
    if (size > 0) {
        stream->heard_ns = mc_clock_now_ns();
        mc_text_append(&stream->received, bytes, (size_t)size);
    }
    bool waits = size < 0 && (errno == EAGAIN || errno == EINTR);
    if ((size <= 0 && !waits) || stream->received.failed || is_silent(stream))
        stream->is_ended = true;
    return !stream->is_ended;
}

void mc_far_stream_say_alive(mc_far_stream *stream) {
    if (mc_clock_now_ns() - stream->said_ns < (uint64_t)MC_FAR_ALIVE_MS * 1000000u) return;
    (void)mc_far_stream_send(stream, MC_FAR_ALIVE, "", 0);
}

bool mc_far_stream_take(mc_far_stream *stream, char *kind, const char **bytes, size_t *size) {
    size_t left = stream->received.size - stream->taken;
    if (left < HEAD_SIZE) return false;
    const unsigned char *head = (const unsigned char *)stream->received.data + stream->taken;
    *size = (size_t)head[1] << 24 | (size_t)head[2] << 16 | (size_t)head[3] << 8 | head[4];
    if (*size > MC_FAR_FRAME_MOST) stream->is_ended = true;
    if (*size > MC_FAR_FRAME_MOST || left - HEAD_SIZE < *size) return false;
    *kind = (char)head[0];
    *bytes = (const char *)head + HEAD_SIZE;
    stream->taken += HEAD_SIZE + *size;
    return true;
}

bool mc_far_stream_take_line(mc_far_stream *stream, mc_text *line) {
    if (stream->received.size == stream->taken) return false;
    const char *begin = stream->received.data + stream->taken;
    const char *end = memchr(begin, '\n', stream->received.size - stream->taken);
    if (!end) return false;
    mc_text_clear(line);
    mc_text_append(line, begin, (size_t)(end - begin));
    stream->taken += (size_t)(end - begin) + 1;
    return !line->failed;
}

// Reads meanwhile, so that two sides that both write can't wait for each other. A side writes one
// frame at a time: who sends more without reading is none of ours.
static bool wait_for_room(mc_far_stream *stream) {
    bool reads = !stream->is_ended && stream->received.size - stream->taken < UNREAD_MOST;
    struct pollfd waited[] = {{.fd = stream->out, .events = POLLOUT},
                              {.fd = reads ? stream->in : -1, .events = POLLIN}};
    (void)poll(waited, 2, TICK_MS);
    if (waited[1].revents) (void)mc_far_stream_fill(stream);
    return !is_silent(stream) && !(stream->should_stop && stream->should_stop(stream->user));
}

bool mc_far_stream_write(mc_far_stream *stream, const void *bytes, size_t size) {
    const char *at = bytes;
    while (size > 0 && !stream->is_broken) {
        ssize_t written = write(stream->out, at, size);
        if (written > 0) {
            at += written;
            size -= (size_t)written;
            stream->said_ns = mc_clock_now_ns();
        } else {
            bool waits = written == 0 || errno == EAGAIN || errno == EINTR;
            stream->is_broken = !waits || !wait_for_room(stream);
        }
    }
    return !stream->is_broken;
}

bool mc_far_stream_send(mc_far_stream *stream, mc_far_frame_kind kind, const void *bytes,
                        size_t size) {
    const unsigned char head[HEAD_SIZE] = {(unsigned char)kind, (unsigned char)(size >> 24),
                                           (unsigned char)(size >> 16), (unsigned char)(size >> 8),
                                           (unsigned char)size};
    assert(size <= MC_FAR_FRAME_MOST);
    return mc_far_stream_write(stream, head, sizeof head) &&
           mc_far_stream_write(stream, bytes, size);
}

bool mc_far_stream_send_text(mc_far_stream *stream, mc_far_frame_kind kind, const char *text) {
    return mc_far_stream_send(stream, kind, text, strlen(text));
}
