#include "engine/import/websocket/ws_handshake.h"

#include "engine/base/printable.h"
#include <nettle/base64.h>
#include <nettle/sha1.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

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

size_t mc_ws_find_head_end(const unsigned char *bytes, size_t size) {
    const unsigned char *at = size > 0 ? memmem(bytes, size, "\r\n\r\n", 4) : NULL;
    return at ? (size_t)(at - bytes) + 4 : 0;
}

typedef struct field {
    const char *value; // NULL: the head lacks it
    size_t size;
} field;

static bool is_blank(char c) {
    return c == ' ' || c == '\t';
}

// The first field of that name, without the blanks around it. The head ends with an empty line.
static field find_field(const unsigned char *head, size_t size, const char *name) {
    const char *at = (const char *)head, *end = at + size;
    size_t name_size = strlen(name);
    while ((at = memmem(at, (size_t)(end - at), "\r\n", 2)) != NULL) {
        at += 2;
        if ((size_t)(end - at) <= name_size || strncasecmp(at, name, name_size) != 0 ||
            at[name_size] != ':')
            continue;
        const char *value = at + name_size + 1;
        const char *line_end = memmem(value, (size_t)(end - value), "\r\n", 2);
        if (!line_end) break;
        while (value < line_end && is_blank(*value))
            value++;
        while (line_end > value && is_blank(line_end[-1]))
            line_end--;
        return (field){value, (size_t)(line_end - value)};
    }
    return (field){NULL, 0};
}

static bool equals(field value, const char *text) {
    return value.value && value.size == strlen(text) &&
           strncasecmp(value.value, text, value.size) == 0;
}

// Whether a list with commas has this word.
static bool has_word(field list, const char *word) {
    size_t at = 0;
    while (list.value && at < list.size) {
        size_t begin = at, end;
        while (at < list.size && list.value[at] != ',')
            at++;
        end = at++;
        while (begin < end && is_blank(list.value[begin]))
            begin++;
        while (end > begin && is_blank(list.value[end - 1]))
            end--;
        if (equals((field){list.value + begin, end - begin}, word)) return true;
    }
    return false;
}

void mc_ws_append_request(mc_text *text, const mc_ws_address *address, const char *key) {
    char authority[MC_WS_ADDRESS_SIZE];
    mc_ws_address server = *address;
    server.has_tab = false;
    mc_ws_address_print(&server, authority, sizeof authority);
    mc_text_format(text,
                   "GET / HTTP/1.1\r\nHost: %s\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                   "Sec-WebSocket-Key: %s\r\nSec-WebSocket-Version: 13\r\n\r\n",
                   authority + strlen("ws://"), key);
}

mc_result mc_ws_check_answer(const unsigned char *head, size_t size, const char *key,
                             mc_error *error) {
    char accept[MC_WS_ACCEPT_SIZE];
    mc_excerpt said;
    const unsigned char *line_end = memmem(head, size, "\r\n", 2);
    size_t line = line_end ? (size_t)(line_end - head) : size;
    mc_ws_get_accept(key, accept);
    field proof = find_field(head, size, "Sec-WebSocket-Accept");
    bool is_switched = line >= 12 && memcmp(head, "HTTP/1.1 101", 12) == 0;
    bool is_proven = proof.size == strlen(accept) && memcmp(proof.value, accept, proof.size) == 0;
    if (is_switched && is_proven && has_word(find_field(head, size, "Upgrade"), "websocket"))
        return MC_OK;
    return mc_fail(error, MC_ERROR_BAD_DATA,
                   "expected a WebSocket server, found one that answers \"%s\"%s",
                   mc_excerpt_make(&said, (const char *)head, line < 100 ? line : 100),
                   is_switched ? " without the proof that belongs to it" : "");
}

// Why a request is no WebSocket's; NULL: it is one.
static const char *find_fault(const unsigned char *head, size_t size) {
    field key = find_field(head, size, "Sec-WebSocket-Key");
    if (size < 4 || memcmp(head, "GET ", 4) != 0) return "no GET";
    if (!has_word(find_field(head, size, "Upgrade"), "websocket") ||
        !has_word(find_field(head, size, "Connection"), "upgrade"))
        return "no WebSocket";
    if (!equals(find_field(head, size, "Sec-WebSocket-Version"), "13"))
        return "another version of WebSockets than 13";
    return key.size == MC_WS_KEY_SIZE - 1 ? NULL : "a wrong key";
}

void mc_ws_answer_request(const unsigned char *head, size_t size, const char *origin, mc_text *text,
                          bool *is_accepted, const char **refusal) {
    char key[MC_WS_KEY_SIZE], accept[MC_WS_ACCEPT_SIZE];
    field from = find_field(head, size, "Origin");
    *refusal = find_fault(head, size);
    *is_accepted = false;
    if (*refusal) {
        mc_text_append_string(text, "HTTP/1.1 426 Upgrade Required\r\nUpgrade: websocket\r\n"
                                    "Connection: close\r\nSec-WebSocket-Version: 13\r\n"
                                    "Content-Length: 0\r\n\r\n");
        return;
    }
    if (from.value && !(origin && equals(from, origin))) {
        *refusal = "a page in a browser";
        mc_text_append_string(
            text, "HTTP/1.1 403 Forbidden\r\nConnection: close\r\nContent-Length: 0\r\n\r\n");
        return;
    }
    field sent = find_field(head, size, "Sec-WebSocket-Key");
    memcpy(key, sent.value, MC_WS_KEY_SIZE - 1);
    key[MC_WS_KEY_SIZE - 1] = '\0';
    mc_ws_get_accept(key, accept);
    mc_text_format(text,
                   "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n"
                   "Connection: Upgrade\r\nSec-WebSocket-Accept: %s\r\n\r\n",
                   accept);
    *is_accepted = true;
}
