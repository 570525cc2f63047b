// push_server.h - the port to which other tools push data for memcity to record
// (docs/reference/websocket.md).
//
// WebSockets, several clients at a time; each message is answered. Untrusted input: the number of
// clients, the data held for each and for all, and the time that they may be silent are limited;
// connections from web pages are rejected. Threads: one object, one thread.
#pragma once
#include "engine/live/websocket/push_message.h"

typedef struct mc_push_server mc_push_server;

typedef struct mc_push_desc {
    const char *address; // of an interface; NULL: loopback
    uint16_t port;       // 0: any that is free
    const char *origin;  // of pages that may push all the same, "http://localhost:3000"; NULL: none
    const mc_log *log;   // who came and was sent away; may be NULL

    // Takes a document, of `source` ("127.0.0.1:4711, message 3"). MC_ERROR_BAD_DATA is told to the
    // client, and its other documents go on; any other error ends the server's turn.
    mc_result (*take)(void *user, mc_source_kind kind, const unsigned char *data, size_t size,
                      uint64_t offset, const char *source, mc_error *error);
    // A message is over, and is answered next. May be NULL.
    mc_result (*end)(void *user, mc_error *error);
    void *user;
} mc_push_desc;

#define MC_PUSH_CLIENT_MOST 16
#define MC_PUSH_DOCUMENT_MOST ((size_t)256 << 20) // bytes of a step, or of a pointer map
#define MC_PUSH_HELD_MOST ((size_t)1 << 30)       // of all clients

// MC_ERROR_IO: the port is in use, or the address none of ours.
mc_result mc_push_server_create(const mc_push_desc *desc, mc_push_server **server, mc_error *error);
void mc_push_server_destroy(mc_push_server *server); // NULL is fine
uint16_t mc_push_server_get_port(const mc_push_server *server);

// Waits for at most `timeout_ms`, and takes what came.
mc_result mc_push_server_turn(mc_push_server *server, int timeout_ms, mc_error *error);
