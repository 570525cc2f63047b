// ws_handshake.h - the opening handshake of a WebSocket (RFC 6455), an HTTP request and its answer;
// both sides.
//
// Pure: no sockets. Untrusted input. Threads: any.
#pragma once
#include "engine/base/text.h"
#include "engine/import/websocket/ws_address.h"

#define MC_WS_KEY_SIZE 25    // 24 characters and NUL
#define MC_WS_ACCEPT_SIZE 29 // 28 characters and NUL

// What proves that the other side has understood the key.
void mc_ws_get_accept(const char *key, char accept[MC_WS_ACCEPT_SIZE]);
void mc_ws_write_key(const unsigned char random[16], char key[MC_WS_KEY_SIZE]);

void mc_ws_append_request(mc_text *text, const mc_ws_address *address, const char *key);
// MC_ERROR_BAD_DATA: it is not the answer of a WebSocket server to that key.
mc_result mc_ws_check_answer(const unsigned char *head, size_t size, const char *key,
                             mc_error *error);

// The answer to a request: `*is_accepted` says whether it is one that begins a WebSocket. Pages in
// a browser say where they come from (Origin): they are refused, but for those of `origin`, which
// may be NULL. `refusal` says in a few words why a request is refused.
void mc_ws_answer_request(const unsigned char *head, size_t size, const char *origin, mc_text *text,
                          bool *is_accepted, const char **refusal);
