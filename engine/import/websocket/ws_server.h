// ws_server.h - the client side of a server of traces such as AntTracks
// (docs/reference/websocket.md): lists the tabs that have trees, and reads what a tab has.
//
// If the connection breaks while an answer is read, it is reopened, for a minute at most, and the
// request is repeated; data that was already read is skipped if it is the same. The caller does not
// notice. Errors: MC_ERROR_IO: there is no server, or it did not come back; MC_ERROR_BAD_DATA: its
// answers are wrong; MC_ERROR_UNSUPPORTED: it reports that it can't. Threads: one object, one
// thread.
#pragma once
#include "engine/import/bytes/byte_stream.h"
#include "engine/import/websocket/ws_answer.h"
#include "engine/import/websocket/ws_client.h"

typedef struct mc_ws_server mc_ws_server;

typedef struct mc_ws_server_desc {
    mc_ws_address address;
    mc_ws_patience patience; // asked while the server is waited for
    const mc_log *log;       // that the connection broke, and that it is there again; may be NULL
} mc_ws_server_desc;

mc_result mc_ws_server_connect(const mc_ws_server_desc *desc, mc_ws_server **server,
                               mc_error *error);
void mc_ws_server_destroy(mc_ws_server *server); // NULL is fine

typedef enum mc_ws_capability {
    MC_WS_ALL_TREES,
    MC_WS_SINGLE_TREE,
    MC_WS_POINTS_TO_MAPS,
    MC_WS_POINTED_FROM_MAPS
} mc_ws_capability;

// The tabs that have it, at most `most` of them; `*count` is how many there are.
mc_result mc_ws_server_list_tabs(mc_ws_server *server, mc_ws_capability capability,
                                 mc_remote_tab *tabs, uint32_t most, uint32_t *count,
                                 mc_error *error);

// Asks a tab for what it has. `*is_there` false: it has sent nothing instead of an array; else
// `stream` gives its data, an array or an object, until the next request.
mc_result mc_ws_server_request(mc_ws_server *server, int32_t tab, mc_ws_capability capability,
                               bool *is_there, mc_byte_stream *stream, mc_error *error);

// Of the current answer, as far as the server has said it: 0: not known.
uint64_t mc_ws_server_get_size(const mc_ws_server *server);
