// far_frame.h - messages between this program here and the same program there, over two pipes.
//
// A frame is a byte that says what it is, four bytes of size (big-endian), and as many bytes. Each
// side says every ten seconds that it is alive; a side that hears nothing for half an hour gives
// up, so that a connection that nobody closed ends, too. Untrusted input. Threads: one.
#pragma once
#include "engine/base/text.h"

#define MC_FAR_READY "memcity-far-ready\n" // what the program there writes before its first frame
#define MC_FAR_FRAME_MOST ((size_t)1 << 20)
#define MC_FAR_ALIVE_MS 10000
#define MC_FAR_SILENCE_MS 1800000

typedef enum mc_far_frame_kind {
    // from here
    MC_FAR_WORD = 'A',      // a word of the command line, as it is
    MC_FAR_PATTERN = 'p',   // one that is a path there, or a pattern of paths
    MC_FAR_OUTPUT = 'o',    // one that is a file to write: its name here
    MC_FAR_KEEP = 'K',      // the path there that the next output gets, and keeps
    MC_FAR_IDENTITY = 'Q',  // asks what the paths are
    MC_FAR_RUN = 'G',       // runs the words
    MC_FAR_INPUT = 'D',     // standard input; empty: its end
    MC_FAR_INTERRUPT = 'I', // Ctrl-C
    // from there
    MC_FAR_STDOUT = 'O',
    MC_FAR_STDERR = 'E',
    MC_FAR_PROGRESS = 'P',
    MC_FAR_FILE = 'F',  // begins a file: a byte, the output's number, and the path below its name
    MC_FAR_BYTES = 'B', // of the file
    MC_FAR_WHOLE = 'C', // the file is whole
    MC_FAR_IDENTITY_IS = 'S',
    MC_FAR_EXIT = 'X', // a byte
    // from both
    MC_FAR_ALIVE = 'H'
} mc_far_frame_kind;

typedef struct mc_far_stream {
    int in, out; // not blocking
    mc_text received;
    size_t taken;                // of what was received
    uint64_t heard_ns, said_ns;  // when
    bool is_ended;               // nothing more comes
    bool is_broken;              // or can be written
    bool (*should_stop)(void *); // asked while it waits; NULL: never
    void *user;
} mc_far_stream;

void mc_far_stream_init(mc_far_stream *stream, int in, int out);
void mc_far_stream_deinit(mc_far_stream *stream); // the descriptors stay open

// Reads what has come. False: nothing more will, or the other side has been silent too long.
bool mc_far_stream_fill(mc_far_stream *stream);
// Says that this side is alive, if it is time.
void mc_far_stream_say_alive(mc_far_stream *stream);
// The next whole frame among what was received; `bytes` is valid until the next fill or write.
// False: there is none yet. A frame that is too large ends the stream.
bool mc_far_stream_take(mc_far_stream *stream, char *kind, const char **bytes, size_t *size);
// The next line among what was received, without its end; likewise.
bool mc_far_stream_take_line(mc_far_stream *stream, mc_text *line);

// Waits until it can be written. False: the other side has gone, or should_stop().
bool mc_far_stream_write(mc_far_stream *stream, const void *bytes, size_t size);
bool mc_far_stream_send(mc_far_stream *stream, mc_far_frame_kind kind, const void *bytes,
                        size_t size);
bool mc_far_stream_send_text(mc_far_stream *stream, mc_far_frame_kind kind, const char *text);
