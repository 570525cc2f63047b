#include "engine/import/websocket/ws_frames.h"

#include "engine/base/printable.h"
#include "engine/base/utf8.h"
#include <string.h>

#define FINAL 0x80u
#define MASKED 0x80u

static mc_ws_opcode get_opcode(const mc_ws_frames *frames) {
    return (mc_ws_opcode)(frames->head[0] & 0x0fu);
}

static bool is_control(const mc_ws_frames *frames) {
    return (frames->head[0] & 0x08u) != 0;
}

// How long the head is that begins so; 2 until that is known.
static size_t get_head_size(const mc_ws_frames *frames) {
    if (frames->head_size < 2) return 2;
    unsigned length = frames->head[1] & 0x7fu;
    return 2 +
           (length == 126   ? 2u
            : length == 127 ? 8u
                            : 0u) +
           (frames->head[1] & MASKED ? 4u : 0u);
}

static uint64_t get_length(const mc_ws_frames *frames) {
    uint64_t length = frames->head[1] & 0x7fu;
    size_t size = length == 126 ? 2 : length == 127 ? 8 : 0;
    if (size > 0) length = 0;
    for (size_t i = 0; i < size; i++)
        length = length << 8 | frames->head[2 + i];
    return length;
}

static mc_result fail(const char *expected, mc_error *error) {
    return mc_fail(error, MC_ERROR_BAD_DATA, "a wrong WebSocket frame: expected %s", expected);
}

static mc_result check_head(const mc_ws_frames *frames, mc_error *error) {
    mc_ws_opcode opcode = get_opcode(frames);
    bool is_final = (frames->head[0] & FINAL) != 0;
    uint64_t length = get_length(frames);
    if (frames->head[0] & 0x70u) return fail("no extension's bits", error);
    if (((frames->head[1] & MASKED) != 0) != frames->is_masked)
        return fail(frames->is_masked ? "a masked one from a client" : "an unmasked one", error);
    if (length > INT64_MAX) return fail("a length below 2^63", error);
    if (is_control(frames)) {
        if (opcode > MC_WS_OPCODE_PONG) return fail("a known kind", error);
        if (!is_final || length > MC_WS_CONTROL_SIZE)
            return fail("a control frame in one piece of at most 125 bytes", error);
        return MC_OK;
    }
    if (opcode > MC_WS_OPCODE_BINARY) return fail("a known kind", error);
    if ((opcode == MC_WS_OPCODE_MORE) != frames->in_message)
        return fail(frames->in_message ? "the message to go on" : "the beginning of a message",
                    error);
    return MC_OK;
}

// Takes bytes of the head; returns how many. `in_frame` is set behind its last.
static mc_result take_head(mc_ws_frames *frames, const unsigned char *bytes, size_t size,
                           size_t *used, mc_error *error) {
    *used = 0;
    while (frames->head_size < get_head_size(frames)) {
        if (*used == size) return MC_OK;
        frames->head[frames->head_size++] = bytes[(*used)++];
    }
    mc_result result = check_head(frames, error);
    if (result != MC_OK) return result;
    frames->in_frame = true;
    frames->left = get_length(frames);
    frames->masked_at = 0;
    if (is_control(frames)) {
        frames->control_size = 0;
    } else {
        if (!frames->in_message) frames->is_whole = (frames->head[0] & FINAL) != 0;
        frames->in_message = true;
    }
    return MC_OK;
}

void mc_ws_mask(unsigned char *bytes, size_t size, const unsigned char mask[4], uint64_t at) {
    unsigned char turned[8];
    uint64_t word, key;
    for (size_t i = 0; i < sizeof turned; i++)
        turned[i] = mask[(at + i) & 3u];
    memcpy(&key, turned, sizeof key);
    size_t i = 0;
    for (; i + sizeof word <= size; i += sizeof word) {
        memcpy(&word, bytes + i, sizeof word);
        word ^= key;
        memcpy(bytes + i, &word, sizeof word);
    }
    for (; i < size; i++)
        bytes[i] ^= turned[i & 7u];
}

static void end_frame(mc_ws_frames *frames) {
    frames->in_frame = false;
    frames->head_size = 0;
    if (!is_control(frames) && (frames->head[0] & FINAL)) frames->in_message = false;
}

static mc_ws_kind get_kind(const mc_ws_frames *frames) {
    switch (get_opcode(frames)) {
    case MC_WS_OPCODE_CLOSE: return MC_WS_CLOSE;
    case MC_WS_OPCODE_PING: return MC_WS_PING;
    case MC_WS_OPCODE_PONG: return MC_WS_PONG;
    default: return MC_WS_DATA;
    }
}

// Which codes may be sent: those of the protocol's register, of libraries and of programs. 1005,
// 1006 and 1015 stand for what was not sent.
static bool is_close_code(unsigned code) {
    bool is_registered =
        code >= 1000 && code <= 1014 && code != 1004 && code != 1005 && code != 1006;
    return is_registered || (code >= 3000 && code <= 4999);
}

// A frame that closes: a code and a reason, or neither.
static mc_result take_close(mc_ws_frames *frames, mc_ws_event *event, mc_error *error) {
    const unsigned char *bytes = frames->control;
    size_t size = frames->control_size;
    *event = (mc_ws_event){.kind = MC_WS_CLOSE, .data = frames->control};
    if (size == 0) return MC_OK;
    if (size == 1) return fail("two bytes of a code where it closes, found one", error);
    unsigned code = (unsigned)bytes[0] << 8 | bytes[1];
    if (!is_close_code(code))
        return mc_fail(error, MC_ERROR_BAD_DATA,
                       "a wrong WebSocket frame: expected a code that may close, found %u", code);
    if (!mc_utf8_is_valid((const char *)bytes + 2, size - 2)) {
        frames->fault_code = MC_WS_CLOSE_BAD_TEXT;
        return fail("UTF-8 as the reason why it closes", error);
    }
    event->close_code = code;
    event->data += 2;
    event->size = size - 2;
    return MC_OK;
}

static mc_result take_control(mc_ws_frames *frames, mc_ws_event *event, mc_error *error) {
    mc_ws_kind kind = get_kind(frames);
    if (kind == MC_WS_CLOSE) return take_close(frames, event, error);
    *event = (mc_ws_event){.kind = kind, .data = frames->control, .size = frames->control_size};
    return MC_OK;
}

// Takes payload. Of a control frame there is an event once it is whole.
static mc_result take_payload(mc_ws_frames *frames, unsigned char *bytes, size_t size, size_t *used,
                              mc_ws_event *event, mc_error *error) {
    mc_result result = MC_OK;
    size_t taken = frames->left < size ? (size_t)frames->left : size;
    if (frames->is_masked)
        mc_ws_mask(bytes, taken, frames->head + get_head_size(frames) - 4, frames->masked_at);
    frames->left -= taken;
    frames->masked_at += taken;
    *used += taken;
    bool is_whole = frames->left == 0;
    if (is_control(frames)) {
        memcpy(frames->control + frames->control_size, bytes, taken);
        frames->control_size += taken;
        if (is_whole) result = take_control(frames, event, error);
    } else if (taken > 0 || is_whole) {
        *event = (mc_ws_event){.kind = MC_WS_DATA,
                               .data = bytes,
                               .size = taken,
                               .is_end = is_whole && (frames->head[0] & FINAL) != 0};
    }
    if (is_whole) end_frame(frames);
    return result;
}

mc_result mc_ws_frames_next(mc_ws_frames *frames, unsigned char *bytes, size_t size, size_t *used,
                            mc_ws_event *event, mc_error *error) {
    *event = (mc_ws_event){.kind = MC_WS_NOTHING};
    *used = 0;
    frames->fault_code = MC_WS_CLOSE_WRONG;
    while (event->kind == MC_WS_NOTHING) {
        if (!frames->in_frame) {
            size_t taken;
            mc_result result = take_head(frames, bytes + *used, size - *used, &taken, error);
            *used += taken;
            if (result != MC_OK) return result;
            if (!frames->in_frame) return MC_OK;
        }
        if (*used == size && frames->left > 0) return MC_OK;
        mc_result result = take_payload(frames, bytes + *used, size - *used, used, event, error);
        if (result != MC_OK) return result;
    }
    return MC_OK;
}

uint64_t mc_ws_frames_get_direct(const mc_ws_frames *frames) {
    bool is_data = frames->in_frame && !is_control(frames) && !frames->is_masked;
    return is_data && frames->left > 0 ? frames->left - 1 : 0;
}

void mc_ws_frames_pass(mc_ws_frames *frames, uint64_t size) {
    assert(size <= mc_ws_frames_get_direct(frames));
    frames->left -= size;
    frames->masked_at += size;
}

uint64_t mc_ws_frames_get_message_size(const mc_ws_frames *frames) {
    bool is_known =
        frames->in_message && frames->in_frame && frames->is_whole && !is_control(frames);
    return is_known ? frames->left + frames->masked_at : 0;
}

size_t mc_ws_write_head(unsigned char head[MC_WS_HEAD_SIZE], mc_ws_opcode opcode, uint64_t size,
                        const unsigned char mask[4]) {
    size_t at = 2, bytes = size < 126 ? 0 : size <= UINT16_MAX ? 2 : 8;
    head[0] = (unsigned char)(FINAL | opcode);
    head[1] = (unsigned char)(bytes == 0 ? size : bytes == 2 ? 126 : 127);
    for (size_t i = bytes; i > 0; i--)
        head[at++] = (unsigned char)(size >> (8 * (i - 1)));
    if (!mask) return at;
    head[1] |= MASKED;
    memcpy(head + at, mask, 4);
    return at + 4;
}

void mc_ws_append_frame(mc_text *out, mc_ws_opcode opcode, const void *bytes, size_t size) {
    unsigned char head[MC_WS_HEAD_SIZE];
    size_t head_size = mc_ws_write_head(head, opcode, size, NULL);
    mc_text_append(out, (const char *)head, head_size);
    if (size > 0) mc_text_append(out, bytes, size);
}

size_t mc_ws_write_close(unsigned char payload[MC_WS_CONTROL_SIZE], unsigned code,
                         const char *reason) {
    payload[0] = (unsigned char)(code >> 8);
    payload[1] = (unsigned char)code;
    return 2 +
           mc_printable_copy((char *)payload + 2, MC_WS_CONTROL_SIZE - 2, reason, strlen(reason));
}
