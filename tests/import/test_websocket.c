// A WebSocket's frames, however they are cut; how it begins; and what is around an answer's data.
#include "engine/import/websocket/http_head.h"
#include "engine/import/websocket/ws_address.h"
#include "engine/import/websocket/ws_answer.h"
#include "engine/import/websocket/ws_frames.h"
#include "engine/import/websocket/ws_handshake.h"
#include "tests/test.h"

static void check_address(const char *text, const char *host, unsigned port, int tab) {
    mc_ws_address address;
    char printed[MC_WS_ADDRESS_SIZE];
    mc_error error = {0};
    CHECK(mc_ws_is_address(text));
    CHECK_MSG(mc_ws_address_parse(text, &address, &error) == MC_OK, "%s", error.message);
    CHECK_MSG(strcmp(address.host, host) == 0 && address.port == port, "%s", text);
    CHECK(address.has_tab == (tab >= 0) && (tab < 0 || address.tab == tab));
    mc_ws_address_print(&address, printed, sizeof printed);
    mc_ws_address again;
    CHECK(mc_ws_address_parse(printed, &again, NULL) == MC_OK && again.port == port);
}

static void test_addresses(void) {
    static const char *const wrong[] = {
        "ws://",        "ws:///3",      "ws://h:0",          "ws://h:65536",  "ws://h:x",
        "ws://h/x",     "ws://h/-1",    "ws://h/2147483648", "ws://h/1/2",    "ws://[::1",
        "ws://a b",     "ws://u@h",     "ws://h\r\nX: y",    "wss://h",       "ws://[::1]x",
        "ws://h:8887x", "ws://h/1?a=b", "ws://h:",           "ws://h:8887//1"};
    mc_ws_address address;
    check_address("ws://localhost", "localhost", 8887, -1);
    check_address("WS://localhost/", "localhost", 8887, -1);
    check_address("ws://a.b-c_d:80/0", "a.b-c_d", 80, 0);
    check_address("ws://[::1]:9/2147483647", "::1", 9, 2147483647);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        mc_error error = {0};
        CHECK_MSG(mc_ws_address_parse(wrong[i], &address, &error) == MC_ERROR_BAD_DATA, "%s",
                  wrong[i]);
        CHECK(error.message[0]);
    }
    CHECK(!mc_ws_is_address("trace/ws") && !mc_ws_is_address("ws:/x"));
}

static void test_handshake(void) {
    static const unsigned char random[16] = "the sample nonce";
    static const char answer[] = "HTTP/1.1 101 Web Socket\r\nupgrade: WebSocket\r\n"
                                 "SEC-websocket-accept:\ts3pPLMBiTxaQ9kYGzzhZRbK+xOo= \r\n\r\n";
    char accept[MC_WS_ACCEPT_SIZE], key[MC_WS_KEY_SIZE];
    mc_error error = {0};
    mc_ws_write_key(random, key); // as in RFC 6455, 1.3
    CHECK(strcmp(key, "dGhlIHNhbXBsZSBub25jZQ==") == 0);
    mc_ws_get_accept(key, accept);
    CHECK(strcmp(accept, "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=") == 0);
    const unsigned char *bytes = (const unsigned char *)answer;
    CHECK(mc_http_find_end(bytes, sizeof answer - 1) == sizeof answer - 1);
    CHECK(mc_http_find_end(bytes, sizeof answer - 2) == 0);
    CHECK(mc_ws_check_answer(bytes, sizeof answer - 1, key, &error) == MC_OK);
    CHECK(mc_ws_check_answer(bytes, sizeof answer - 1, "AGhlIHNhbXBsZSBub25jZQ==", &error) ==
          MC_ERROR_BAD_DATA);
    static const char refused[] = "HTTP/1.1 404 No\033[31m\r\n\r\n";
    CHECK(mc_ws_check_answer((const unsigned char *)refused, sizeof refused - 1, key, &error) ==
          MC_ERROR_BAD_DATA);
    CHECK(strstr(error.message, "404") && !strchr(error.message, '\033'));
}

static bool is_accepted(const char *fields, const char *origin, const char **refusal) {
    char head[1024];
    mc_text text = {0};
    bool accepted;
    int size = snprintf(head, sizeof head, "%s\r\n\r\n", fields);
    mc_ws_answer_request((const unsigned char *)head, (size_t)size, origin, &text, &accepted,
                         refusal);
    CHECK(text.size > 0 && accepted == (strstr(text.data, " 101 ") != NULL));
    mc_text_deinit(&text);
    return accepted;
}

#define REQUEST                                                                              \
    "GET / HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: keep-alive, Upgrade\r\n" \
    "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="

static void test_requests(void) {
    const char *why;
    mc_text text = {0};
    mc_ws_address address = {.host = "h", .port = 1};
    CHECK(is_accepted(REQUEST, NULL, &why) && !why);
    CHECK(!is_accepted(REQUEST "\r\nOrigin: http://localhost:8887", NULL, &why) && why);
    CHECK(!is_accepted(REQUEST "\r\norigin: null", NULL, &why));
    CHECK(!is_accepted(REQUEST "\r\nORIGIN:", NULL, &why));
    CHECK(is_accepted(REQUEST "\r\nOrigin: http://a", "http://a", &why));
    CHECK(!is_accepted(REQUEST "\r\nOrigin: http://ab", "http://a", &why));
    CHECK(!is_accepted("POST / HTTP/1.1", NULL, &why));
    CHECK(!is_accepted("GET / HTTP/1.1", NULL, &why));
    CHECK(!is_accepted("", NULL, &why));
    mc_ws_append_request(&text, &address, "dGhlIHNhbXBsZSBub25jZQ==");
    bool accepted;
    mc_text answer = {0};
    mc_ws_answer_request((const unsigned char *)text.data, text.size, NULL, &answer, &accepted,
                         &why);
    CHECK_MSG(accepted, "%s", why ? why : "");
    mc_text_deinit(&text);
    mc_text_deinit(&answer);
}

// ---- frames

typedef struct stream {
    unsigned char bytes[70000 + 200];
    size_t size;
} stream;

static void add_frame(stream *to, unsigned first, const char *payload, size_t size,
                      const unsigned char *mask) {
    unsigned char head[MC_WS_HEAD_SIZE];
    size_t head_size = mc_ws_write_head(head, MC_WS_OPCODE_TEXT, size, mask);
    head[0] = (unsigned char)first;
    memcpy(to->bytes + to->size, head, head_size);
    to->size += head_size;
    memcpy(to->bytes + to->size, payload, size);
    if (mask) mc_ws_mask(to->bytes + to->size, size, mask, 0);
    to->size += size;
}

// Two messages, in pieces of at most `piece` bytes: what came, "|" behind each message.
static void take_all(const stream *from, bool is_masked, size_t piece, char *out, size_t *pings) {
    mc_ws_frames frames = {.is_masked = is_masked};
    *pings = 0;
    for (size_t at = 0; at < from->size; at += piece) {
        size_t size = from->size - at < piece ? from->size - at : piece, used = 0, done = 0;
        unsigned char *bytes = malloc(size); // of its exact size
        REQUIRE(bytes);
        memcpy(bytes, from->bytes + at, size);
        for (;;) {
            mc_ws_event event;
            mc_error error = {0};
            REQUIRE(mc_ws_frames_next(&frames, bytes + done, size - done, &used, &event, &error) ==
                    MC_OK);
            done += used;
            if (event.kind == MC_WS_NOTHING) break;
            if (event.kind == MC_WS_PING) *pings += event.size == 5;
            if (event.kind == MC_WS_DATA) {
                memcpy(out, event.data, event.size);
                out += event.size;
                if (event.is_end) *out++ = '|';
            }
        }
        CHECK(done == size);
        free(bytes);
    }
    *out = '\0';
}

static void test_frames(bool is_masked) {
    static char long_text[70000], wanted[70100], came[70200];
    static stream sent;
    const unsigned char mask[4] = {1, 200, 3, 77};
    const unsigned char *own = is_masked ? mask : NULL;
    size_t pings;
    memset(long_text, 'x', sizeof long_text);
    for (size_t i = 0; i < sizeof long_text; i += 7)
        long_text[i] = (char)('a' + i % 23);
    sent.size = 0;
    add_frame(&sent, 0x01, "hel", 3, own);
    add_frame(&sent, 0x89, "hello", 5, own);
    add_frame(&sent, 0x00, "", 0, own);
    add_frame(&sent, 0x00, "lo", 2, own);
    add_frame(&sent, 0x80, "", 0, own);
    add_frame(&sent, 0x82, long_text, 300, own);
    add_frame(&sent, 0x81, long_text, sizeof long_text - 400, own);
    snprintf(wanted, sizeof wanted, "hello|%.300s|%.*s|", long_text, (int)sizeof long_text - 400,
             long_text);
    for (size_t piece = 1; piece < sent.size + 1; piece = piece < 40 ? piece + 1 : piece * 3) {
        take_all(&sent, is_masked, piece, came, &pings);
        CHECK_MSG(strcmp(came, wanted) == 0 && pings == 1, "in pieces of %zu", piece);
    }
}

static void check_wrong(const char *bytes, size_t size, bool is_masked, unsigned code) {
    mc_ws_frames frames = {.is_masked = is_masked};
    unsigned char copy[32];
    mc_result result = MC_OK;
    mc_error error = {0};
    size_t done = 0, used;
    mc_ws_event event = {.kind = MC_WS_DATA};
    memcpy(copy, bytes, size);
    while (result == MC_OK && event.kind != MC_WS_NOTHING) {
        result = mc_ws_frames_next(&frames, copy + done, size - done, &used, &event, &error);
        done += used;
    }
    CHECK_MSG(result == MC_ERROR_BAD_DATA && error.message[0], "%02x %02x", copy[0], copy[1]);
    CHECK_MSG(frames.fault_code == code, "%u: %s", frames.fault_code, error.message);
}

// RFC 6455, 5.5.1 and 7.4.
static void test_closing(void) {
    static const unsigned fine[] = {1000, 1001, 1002, 1003, 1007, 1011, 1013, 1014, 3000, 4999};
    static const unsigned wrong[] = {0, 999, 1004, 1005, 1006, 1015, 1016, 2999, 5000, 65535};
    unsigned char frame[] = {0x88, 4, 0, 0, 'o', 'k'}, none[] = {0x88, 0};
    mc_ws_event event;
    size_t used;
    for (size_t i = 0; i < sizeof fine / sizeof *fine; i++) {
        mc_ws_frames frames = {0};
        frame[2] = (unsigned char)(fine[i] >> 8), frame[3] = (unsigned char)fine[i];
        REQUIRE(mc_ws_frames_next(&frames, frame, sizeof frame, &used, &event, NULL) == MC_OK);
        CHECK(event.kind == MC_WS_CLOSE && event.close_code == fine[i]);
        CHECK(event.size == 2 && memcmp(event.data, "ok", 2) == 0);
    }
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        frame[2] = (unsigned char)(wrong[i] >> 8), frame[3] = (unsigned char)wrong[i];
        check_wrong((const char *)frame, sizeof frame, false, MC_WS_CLOSE_WRONG);
    }
    mc_ws_frames frames = {0};
    REQUIRE(mc_ws_frames_next(&frames, none, sizeof none, &used, &event, NULL) == MC_OK);
    CHECK(event.kind == MC_WS_CLOSE && event.close_code == 0 && event.size == 0);
    check_wrong("\x88\x01\x03", 3, false, MC_WS_CLOSE_WRONG);
    check_wrong("\x88\x04\x03\xe8\xc3(", 6, false, MC_WS_CLOSE_BAD_TEXT);
    check_wrong("\x88\x03\x03\xe8\xff", 5, false, MC_WS_CLOSE_BAD_TEXT);

    unsigned char payload[MC_WS_CONTROL_SIZE];
    char reason[200];
    memset(reason, 'x', sizeof reason - 1);
    reason[sizeof reason - 1] = '\0';
    CHECK(mc_ws_write_close(payload, 1002, "no") == 4 && memcmp(payload, "\x03\xeano", 4) == 0);
    CHECK(mc_ws_write_close(payload, 1002, reason) <= sizeof payload);
}

static void test_wrong_frames(void) {
    const unsigned wrong = MC_WS_CLOSE_WRONG;
    check_wrong("\xc1\x00", 2, false, wrong);         // an extension's bit
    check_wrong("\x81\x80....", 6, false, wrong);     // masked by a server
    check_wrong("\x81\x00", 2, true, wrong);          // not masked by a client
    check_wrong("\x83\x00", 2, false, wrong);         // an unknown kind
    check_wrong("\x8b\x00", 2, false, wrong);         // likewise, of control
    check_wrong("\x09\x00", 2, false, wrong);         // a ping in pieces
    check_wrong("\x89\x7e\x00\x7e", 4, false, wrong); // a long ping
    check_wrong("\x80\x00", 2, false, wrong);         // goes on with nothing
    check_wrong("\x01\x00\x81\x00", 4, false, wrong); // begins anew too early
    check_wrong("\x81\x7f\x80\x00\x00\x00\x00\x00\x00\x00", 10, false, wrong); // 2^63
}

static void test_direct(void) {
    mc_ws_frames frames = {0};
    mc_ws_event event;
    size_t used;
    unsigned char head[] = {0x81, 126, 1, 0, 'a'}, rest[] = {'z'};
    REQUIRE(mc_ws_frames_next(&frames, head, sizeof head, &used, &event, NULL) == MC_OK);
    CHECK(event.kind == MC_WS_DATA && event.size == 1 && used == 5 && !event.is_end);
    CHECK(mc_ws_frames_get_message_size(&frames) == 256);
    CHECK(mc_ws_frames_get_direct(&frames) == 254);
    mc_ws_frames_pass(&frames, 254);
    CHECK(mc_ws_frames_get_direct(&frames) == 0);
    REQUIRE(mc_ws_frames_next(&frames, rest, 1, &used, &event, NULL) == MC_OK);
    CHECK(event.size == 1 && event.is_end && event.data[0] == 'z');
}

// ---- answers

static mc_ws_answer_state look(const char *text, size_t size, size_t *data) {
    mc_ws_answer answer = {0};
    mc_error error = {0};
    REQUIRE(mc_ws_answer_add(&answer, (const unsigned char *)text, size, &error) == MC_OK);
    mc_ws_answer_state state = mc_ws_answer_look(&answer, data);
    mc_ws_answer_deinit(&answer);
    return state;
}

static mc_result check_cut(const char *head, const char *rest, mc_error *error) {
    mc_ws_answer answer = {0};
    size_t data;
    REQUIRE(mc_ws_answer_add(&answer, (const unsigned char *)head, strlen(head), error) == MC_OK);
    REQUIRE(mc_ws_answer_look(&answer, &data) == MC_WS_ANSWER_DATA);
    mc_ws_answer_cut(&answer, data);
    REQUIRE(mc_ws_answer_add(&answer, (const unsigned char *)rest, strlen(rest), error) == MC_OK);
    mc_result result = mc_ws_answer_check(&answer, error);
    mc_ws_answer_deinit(&answer);
    return result;
}

static void test_answers(void) {
    static const char whole[] = "{ \"request\" : {\"data\":[1,\"]}\"]}, \"status\":\"success\","
                                "\"data\" : [{\"time\":1}],\"sender\":4}";
    size_t data, begin = (size_t)(strstr(whole, "[{") - whole);
    mc_error error = {0};
    for (size_t size = 1; size < sizeof whole; size++) {
        mc_ws_answer_state state = look(whole, size, &data);
        CHECK_MSG(state == (size > begin ? MC_WS_ANSWER_DATA : MC_WS_ANSWER_UNCLEAR), "%zu", size);
        CHECK(state != MC_WS_ANSWER_DATA || data == begin);
    }
    CHECK(look("{\"data\":null", 12, &data) == MC_WS_ANSWER_SMALL);
    CHECK(look("{\"status\":1}", 12, &data) == MC_WS_ANSWER_SMALL);
    CHECK(look("[1]", 3, &data) == MC_WS_ANSWER_SMALL);
    CHECK(check_cut("{\"status\":\"success\",\"data\":[1", "}", &error) == MC_OK);
    CHECK(check_cut("{\"data\":[1", ",\"status\":\"success\",\"request\":{}}", &error) == MC_OK);
    CHECK(check_cut("{\"data\":[", ",\"status\":\"failed\",\"error\":\"no\\u001b[1m\"}", &error) ==
          MC_ERROR_UNSUPPORTED);
    CHECK(strstr(error.message, "no") && !strchr(error.message, '\033'));
    CHECK(check_cut("{\"data\":[", "}", &error) == MC_ERROR_BAD_DATA);
    CHECK(check_cut("{\"data\":[", ",\"status\":\"success\"", &error) == MC_ERROR_BAD_DATA);
    CHECK(check_cut("{\"data\":[", ",\"status\":\"success\"}}", &error) == MC_ERROR_BAD_DATA);
    CHECK(check_cut("{\"data\":[", ",\"status\":\"success\",\"data\":1}", &error) ==
          MC_ERROR_BAD_DATA);
}

static mc_result read_tabs(const char *text, mc_remote_tab *tabs, uint32_t *count) {
    mc_ws_answer answer = {0};
    mc_error error = {0};
    REQUIRE(mc_ws_answer_add(&answer, (const unsigned char *)text, strlen(text), &error) == MC_OK);
    mc_result result = mc_ws_answer_read_tabs(&answer, tabs, 2, count, &error);
    CHECK((result == MC_OK) == (error.message[0] == '\0'));
    mc_ws_answer_deinit(&answer);
    return result;
}

static void test_tabs(void) {
    mc_remote_tab tabs[2];
    uint32_t count;
    CHECK(
        read_tabs("{\"status\":\"success\",\"data\":[{\"name\":\"A\\u001b\",\"x\":[],\"tabId\":7},"
                  "{\"tabId\":0,\"name\":null},{\"tabId\":9}]}",
                  tabs, &count) == MC_OK);
    CHECK(count == 3 && tabs[0].id == 7 && tabs[1].id == 0 && tabs[1].name[0] == '\0');
    CHECK(tabs[0].name[0] == 'A' && tabs[0].name[1] != '\033');
    CHECK(read_tabs("{\"status\":\"success\",\"data\":[]}", tabs, &count) == MC_OK && count == 0);
    CHECK(read_tabs("{\"status\":\"success\",\"data\":null}", tabs, &count) == MC_OK && count == 0);
    CHECK(read_tabs("{\"status\":\"success\",\"data\":[{}]}", tabs, &count) == MC_ERROR_BAD_DATA);
    CHECK(read_tabs("{\"status\":\"success\",\"data\":[{\"tabId\":-1}]}", tabs, &count) ==
          MC_ERROR_BAD_DATA);
    CHECK(read_tabs("{\"status\":\"success\",\"data\":[1]}", tabs, &count) == MC_ERROR_BAD_DATA);
    CHECK(read_tabs("Welcome!", tabs, &count) == MC_ERROR_BAD_DATA);
}

int main(void) {
    test_addresses();
    test_handshake();
    test_requests();
    test_frames(false);
    test_frames(true);
    test_wrong_frames();
    test_closing();
    test_direct();
    test_answers();
    test_tabs();
    return test_finish();
}
