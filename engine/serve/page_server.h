// page_server.h - a page and its data for browsers, on this machine's loopback alone.
//
// GET /?token=… answers the page, a WebSocket at /data?token=… its data (docs/reference/serve.md);
// page_gate.h says who gets them. A client asks for data newer than what it has, and is sent the
// newest once there is some; so a slow one holds up nobody, and what it holds is bounded. Untrusted
// input: the number of clients, what they send and how long they may be silent are limited.
// Threads: the server has one of its own; the object serves one thread at a time.
#pragma once
#include "engine/base/text.h"
#include "engine/serve/page_gate.h"

typedef struct mc_page_server mc_page_server;

#define MC_PAGE_CLIENT_MOST 32

typedef struct mc_page_server_desc {
    uint16_t port;       // 0: any that is free
    const mc_text *page; // both outlive the server
    const char *policy;  // Content-Security-Policy of the page, to which its connections are added
} mc_page_server_desc;

// MC_ERROR_IO: the port is in use.
mc_result mc_page_server_create(const mc_page_server_desc *desc, mc_page_server **server,
                                mc_error *error);
// Says so to clients, and waits for its thread, which does not wait. NULL is fine.
void mc_page_server_destroy(mc_page_server *server);

uint16_t mc_page_server_get_port(const mc_page_server *server);
const char *mc_page_server_get_token(const mc_page_server *server);

// From now on these are the data; takes the bytes over, and leaves `data` and `delta` empty.
// `delta`: what who has the data before, and says so, is sent instead; empty: all. `is_live`: there
// may be newer ones.
mc_result mc_page_server_publish(mc_page_server *server, mc_text *data, mc_text *delta,
                                 bool is_live, mc_error *error);
// The data are the last ones.
void mc_page_server_end_live(mc_page_server *server);
