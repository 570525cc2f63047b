// ws_client.h - a connection to a WebSocket server: messages are sent whole and received piece by
// piece.
//
// Nothing is read ahead but what the system buffers for the socket, so a caller that does not read
// makes the server wait. The server's pings are answered during waits. Threads: one object, one
// thread.
#pragma once
#include "engine/import/websocket/ws_address.h"

typedef struct mc_ws_client mc_ws_client;

// Asked about ten times a second while a server is waited for: false ends the waiting with
// MC_ERROR_CANCELLED.
typedef struct mc_ws_patience {
    bool (*go_on)(void *user);
    void *user;
} mc_ws_patience;

// Errors of all functions: MC_ERROR_IO: there is no server, or the connection is lost (what to do:
// begin anew); MC_ERROR_BAD_DATA: it speaks something else. `patience` must outlive the client.
mc_result mc_ws_client_connect(const mc_ws_address *address, const mc_ws_patience *patience,
                               mc_ws_client **client, mc_error *error);
void mc_ws_client_destroy(mc_ws_client *client); // NULL is fine

mc_result mc_ws_client_send(mc_ws_client *client, const char *text, size_t size, mc_error *error);

// Waits for bytes of the message that comes next, and gives at most `out_size` of them. `*is_end`:
// the message ends behind them, of which there may be none then.
mc_result mc_ws_client_read(mc_ws_client *client, unsigned char *out, size_t out_size,
                            size_t *produced, bool *is_end, mc_error *error);

// How long the message is that is being read, if the server has said so; 0: it has not.
uint64_t mc_ws_client_get_message_size(const mc_ws_client *client);
