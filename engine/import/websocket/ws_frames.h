// ws_frames.h - parses the frames of a WebSocket (RFC 6455) in place, and makes their headers.
//
// Pure: no sockets, no allocation. Untrusted input: every error is MC_ERROR_BAD_DATA. Lengths up to
// 2^63-1 are accepted: payload is passed on as it comes and never collected, except the 125 bytes
// of control frames. No extensions. Threads: one object, one thread.
#pragma once
#include "engine/base/text.h"

#define MC_WS_HEAD_SIZE 14     // of the longest head
#define MC_WS_CONTROL_SIZE 125 // payload of a control frame, at most

typedef enum mc_ws_kind {
    MC_WS_NOTHING, // more bytes are needed
    MC_WS_DATA,    // payload of a message
    MC_WS_PING,
    MC_WS_PONG,
    MC_WS_CLOSE
} mc_ws_kind;

// Codes with which a connection is closed (RFC 6455, 7.4; 1013: IANA's register).
#define MC_WS_CLOSE_DONE 1000u
#define MC_WS_CLOSE_LEAVING 1001u
#define MC_WS_CLOSE_WRONG 1002u    // a frame is none
#define MC_WS_CLOSE_BAD_TEXT 1007u // what has to be UTF-8 is not
#define MC_WS_CLOSE_IDLE 1008u     // it broke a rule of ours
#define MC_WS_CLOSE_LATER 1013u    // there is no place now

typedef struct mc_ws_event {
    mc_ws_kind kind;
    unsigned char *data; // unmasked; of MC_WS_DATA in the given bytes, else in the object
    size_t size;
    bool is_end; // of MC_WS_DATA: the message ends behind it, which may have no bytes itself
    unsigned close_code; // of MC_WS_CLOSE, whose data is the reason, UTF-8; 0: it says none
} mc_ws_event;

// Zero is the beginning of a connection, from a server to us.
typedef struct mc_ws_frames {
    bool is_masked; // frames have to be masked, as those of clients are; or must not be
    unsigned char head[MC_WS_HEAD_SIZE];
    size_t head_size;   // bytes of the head so far
    bool in_frame;      // its head is read
    uint64_t left;      // payload of the frame that is still to come
    uint64_t masked_at; // bytes of its payload so far
    bool in_message;    // a message goes on
    bool is_whole;      // that message is one frame
    unsigned char control[MC_WS_CONTROL_SIZE];
    size_t control_size;
    unsigned fault_code; // behind an error: with what to close the connection
} mc_ws_frames;

// Takes the next event off `bytes`, which it changes: `*used` of them are done. To be called until
// there is nothing, or an error, behind which nothing can be read.
mc_result mc_ws_frames_next(mc_ws_frames *frames, unsigned char *bytes, size_t size, size_t *used,
                            mc_ws_event *event, mc_error *error);

// Bytes that may be read to where they are wanted, past this: payload of an unmasked data frame.
// The frame's last byte is not among them.
uint64_t mc_ws_frames_get_direct(const mc_ws_frames *frames);
void mc_ws_frames_pass(mc_ws_frames *frames, uint64_t size);

// How long the message is, if its first frame is all of it; 0: not known.
uint64_t mc_ws_frames_get_message_size(const mc_ws_frames *frames);

typedef enum mc_ws_opcode {
    MC_WS_OPCODE_MORE = 0,
    MC_WS_OPCODE_TEXT = 1,
    MC_WS_OPCODE_BINARY = 2,
    MC_WS_OPCODE_CLOSE = 8,
    MC_WS_OPCODE_PING = 9,
    MC_WS_OPCODE_PONG = 10
} mc_ws_opcode;

// The head of a frame that is a whole message; `mask` NULL: it is not masked. Returns its size.
size_t mc_ws_write_head(unsigned char head[MC_WS_HEAD_SIZE], mc_ws_opcode opcode, uint64_t size,
                        const unsigned char mask[4]);
// Appends a whole message that is not masked, as servers send them.
void mc_ws_append_frame(mc_text *out, mc_ws_opcode opcode, const void *bytes, size_t size);
// The payload of a frame that closes; what of `reason` is too long is cut off. Returns its size.
size_t mc_ws_write_close(unsigned char payload[MC_WS_CONTROL_SIZE], unsigned code,
                         const char *reason);
void mc_ws_mask(unsigned char *bytes, size_t size, const unsigned char mask[4], uint64_t at);
