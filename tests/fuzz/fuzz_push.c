// fuzz_push - whatever comes by a WebSocket, as a server's answer or pushed by a tool, is taken or
// refused.
//
// The first byte: how large the pieces are, and whether clients or servers send it. Behind it lie
// frames; their messages are pushed ones, and answers. Input lies in heap blocks of its exact size.
#include "engine/import/json/json_reader.h"
#include "engine/import/websocket/http_head.h"
#include "engine/import/websocket/ws_answer.h"
#include "engine/import/websocket/ws_frames.h"
#include "engine/import/websocket/ws_handshake.h"
#include "engine/live/websocket/push_message.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size);

static mc_json_reader *reader;
static mc_step_tree tree;
static mc_reference_map map;

static void require(bool condition, const char *what) {
    if (condition) return;
    fprintf(stderr, "%s\n", what);
    abort();
}

static mc_result take(void *user, mc_source_kind kind, const unsigned char *data, size_t size,
                      uint64_t offset, uint64_t index, mc_error *error) {
    uint64_t *next = user;
    require(size > 0 && index == (*next)++, "a document out of order");
    mc_result result =
        kind == MC_SOURCE_STEP
            ? mc_json_reader_read_step(reader, data, size, offset, &tree, error)
            : mc_json_reader_read_references(reader, data, size, offset, &map, error);
    require(result != MC_ERROR_BAD_DATA || error->message[0], "an error without a message");
    return MC_OK;
}

static void read_answer(const unsigned char *bytes, size_t size) {
    mc_ws_answer answer = {0};
    mc_remote_tab tabs[3];
    uint32_t count;
    size_t data = 0;
    mc_error error = {.code = MC_OK};
    if (mc_ws_answer_add(&answer, bytes, size, &error) == MC_OK) {
        (void)mc_ws_answer_read_tabs(&answer, tabs, 3, &count, &error);
        if (mc_ws_answer_look(&answer, &data) == MC_WS_ANSWER_DATA) {
            require(bytes[data] == '[' || bytes[data] == '{', "data that is none");
            mc_ws_answer_cut(&answer, data);
        }
        mc_result result = mc_ws_answer_check(&answer, &error);
        require(result == MC_OK || error.message[0], "an error without a message");
    }
    mc_ws_answer_deinit(&answer);
}

static void read_head(const unsigned char *bytes, size_t size) {
    mc_text text = {0};
    bool is_accepted;
    const char *refusal;
    mc_error error = {.code = MC_OK};
    size_t end = mc_http_find_end(bytes, size);
    if (end == 0) return;
    mc_ws_answer_request(bytes, end, "http://a", &text, &is_accepted, &refusal);
    require(is_accepted == !refusal, "refused without a reason");
    (void)mc_ws_check_answer(bytes, end, "dGhlIHNhbXBsZSBub25jZQ==", &error);
    mc_text_deinit(&text);
}

// One piece of the input. False: that was the end.
static bool take_piece(mc_ws_frames *frames, mc_push_message *message, uint64_t *next,
                       unsigned char *bytes, size_t size) {
    for (size_t done = 0;;) {
        const mc_push_sink sink = {take, next};
        mc_ws_event event;
        mc_error error = {.code = MC_OK}, fault;
        size_t used;
        mc_result result =
            mc_ws_frames_next(frames, bytes + done, size - done, &used, &event, &error);
        require(result == MC_OK || error.message[0], "an error without a message");
        require(used <= size - done, "more than there was");
        if (result != MC_OK) return false;
        done += used;
        if (event.kind == MC_WS_NOTHING) return done == size;
        if (event.kind != MC_WS_DATA) continue;
        if (event.is_end) read_answer(event.data, event.size);
        result = mc_push_message_add(message, event.data, event.size, event.is_end, 1 << 16, &sink,
                                     &fault, &error);
        if (result != MC_OK) return false;
        if (event.is_end) *next = 0;
        require(fault.code == MC_OK || fault.message[0], "a fault without a message");
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size) {
    if (!reader) reader = mc_json_reader_create();
    if (!reader || size < 2) return 0;
    size_t piece = input[0] & 0x7fu ? input[0] & 0x7fu : size;
    mc_ws_frames frames = {.is_masked = input[0] & 0x80u};
    mc_push_message message = {0};
    uint64_t next = 0;
    bool goes_on = true;
    read_head(input + 1, size - 1);
    for (size_t at = 1; at < size && goes_on; at += piece) {
        size_t count = size - at < piece ? size - at : piece;
        unsigned char *bytes = malloc(count);
        if (!bytes) break;
        memcpy(bytes, input + at, count);
        goes_on = take_piece(&frames, &message, &next, bytes, count);
        free(bytes);
    }
    mc_push_message_deinit(&message);
    return 0;
}
