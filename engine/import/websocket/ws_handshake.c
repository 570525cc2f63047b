#include "engine/import/websocket/ws_handshake.h"

#include "engine/base/printable.h"
#include "engine/import/websocket/http_head.h"
#include <nettle/base64.h>
#include <nettle/sha1.h>
#include <stdio.h>
#include <string.h>

// ---- the key and what is made of it: SHA-1 of the key and a fixed text, in base 64 (RFC 6455,
// 4.2.2). Nothing secret depends on it.

static void write_base64(const uint8_t *bytes, size_t size, char *out) {
    base64_encode_raw(out, size, bytes);
    out[BASE64_ENCODE_RAW_LENGTH(size)] = '\0';
}

void mc_ws_get_accept(const char *key, char accept[MC_WS_ACCEPT_SIZE]) {
    _Static_assert(BASE64_ENCODE_RAW_LENGTH(SHA1_DIGEST_SIZE) < MC_WS_ACCEPT_SIZE, "it fits");
    char text[MC_WS_KEY_SIZE + 36];
    uint8_t digest[SHA1_DIGEST_SIZE];
    struct sha1_ctx hash;
    int size = snprintf(text, sizeof text, "%.24s258EAFA5-E914-47DA-95CA-C5AB0DC85B11", key);
    sha1_init(&hash);
    sha1_update(&hash, (size_t)size, (const uint8_t *)text);
    sha1_digest(&hash, sizeof digest, digest);
    write_base64(digest, sizeof digest, accept);
}

void mc_ws_write_key(const unsigned char random[16], char key[MC_WS_KEY_SIZE]) {
    write_base64(random, 16, key);
}

// ---- heads

void mc_ws_append_request(mc_text *text, const mc_ws_address *address, const char *key) {
    char authority[MC_WS_ADDRESS_SIZE];
    mc_ws_address server = *address;
    server.has_tab = false;
    mc_ws_address_print(&server, authority, sizeof authority);
    mc_text_format(text,
                   "GET %s HTTP/1.1\r\nHost: %s\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                   "Sec-WebSocket-Key: %s\r\nSec-WebSocket-Version: 13\r\n\r\n",
                   address->path ? address->path : "/", authority + strlen("ws://"), key);
}

mc_result mc_ws_check_answer(const unsigned char *head, size_t size, const char *key,
                             mc_error *error) {
    char accept[MC_WS_ACCEPT_SIZE];
    mc_excerpt said;
    const unsigned char *line_end = memmem(head, size, "\r\n", 2);
    size_t line = line_end ? (size_t)(line_end - head) : size;
    mc_ws_get_accept(key, accept);
    mc_http_field proof = mc_http_find_field(head, size, "Sec-WebSocket-Accept");
    bool is_switched = line >= 12 && memcmp(head, "HTTP/1.1 101", 12) == 0;
    bool is_proven = proof.size == strlen(accept) && memcmp(proof.value, accept, proof.size) == 0;
    if (is_switched && is_proven &&
        mc_http_has_word(mc_http_find_field(head, size, "Upgrade"), "websocket"))
        return MC_OK;
    return mc_fail(error, MC_ERROR_BAD_DATA,
                   "expected a WebSocket server, found one that answers \"%s\"%s",
                   mc_excerpt_make(&said, (const char *)head, line < 100 ? line : 100),
                   is_switched ? " without the proof that belongs to it" : "");
}

// Why a request is no WebSocket's; NULL: it is one.
static const char *find_fault(const unsigned char *head, size_t size) {
    mc_http_field key = mc_http_find_field(head, size, "Sec-WebSocket-Key");
    if (size < 4 || memcmp(head, "GET ", 4) != 0) return "no GET";
    if (!mc_http_has_word(mc_http_find_field(head, size, "Upgrade"), "websocket") ||
        !mc_http_has_word(mc_http_find_field(head, size, "Connection"), "upgrade"))
        return "no WebSocket";
    if (!mc_http_is(mc_http_find_field(head, size, "Sec-WebSocket-Version"), "13"))
        return "another version of WebSockets than 13";
    return key.size == MC_WS_KEY_SIZE - 1 ? NULL : "a wrong key";
}

void mc_ws_answer_request(const unsigned char *head, size_t size, const char *origin, mc_text *text,
                          bool *is_accepted, const char **refusal) {
    char key[MC_WS_KEY_SIZE], accept[MC_WS_ACCEPT_SIZE];
    mc_http_field from = mc_http_find_field(head, size, "Origin");
    *refusal = find_fault(head, size);
    *is_accepted = false;
    if (*refusal) {
        mc_text_append_string(text, "HTTP/1.1 426 Upgrade Required\r\nUpgrade: websocket\r\n"
                                    "Connection: close\r\nSec-WebSocket-Version: 13\r\n"
                                    "Content-Length: 0\r\n\r\n");
        return;
    }
    if (from.value && !(origin && mc_http_is(from, origin))) {
        *refusal = "a page in a browser";
        mc_text_append_string(
            text, "HTTP/1.1 403 Forbidden\r\nConnection: close\r\nContent-Length: 0\r\n\r\n");
        return;
    }
    mc_http_field sent = mc_http_find_field(head, size, "Sec-WebSocket-Key");
    memcpy(key, sent.value, MC_WS_KEY_SIZE - 1);
    key[MC_WS_KEY_SIZE - 1] = '\0';
    mc_ws_get_accept(key, accept);
    mc_text_format(text,
                   "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n"
                   "Connection: Upgrade\r\nSec-WebSocket-Accept: %s\r\n\r\n",
                   accept);
    *is_accepted = true;
}
