// nodejs_inspector.h - speaks with the inspector of a program of Node (V8's debugger, Chrome
// DevTools protocol): finds it at a port, lets it write a heap snapshot, closes it.
//
// Only 127.0.0.1 is spoken with, whatever an answer names. Answers are untrusted. Threads: one at a
// time.
#pragma once
#include "engine/import/websocket/ws_client.h"

#define MC_NODEJS_ID_SIZE 96

typedef struct mc_nodejs_inspector {
    uint16_t port;
    char id[MC_NODEJS_ID_SIZE]; // of what it debugs, as it calls that
} mc_nodejs_inspector;

// Asks what listens at the port what it debugs. False: that is no inspector.
bool mc_nodejs_inspector_find(mc_nodejs_inspector *inspector, uint16_t port);

// Puts a snapshot into the file, from its beginning on. The program stands still while its heap is
// looked through. MC_ERROR_IO: the connection is lost, or the file can't be written;
// MC_ERROR_BAD_DATA: what it says is no answer; MC_ERROR_CANCELLED: `patience` ended it.
mc_result mc_nodejs_inspector_write_snapshot(const mc_nodejs_inspector *inspector,
                                             const mc_ws_patience *patience, int file,
                                             mc_error *error);
// Lets the program end its inspector. Whether it does shows at its port.
void mc_nodejs_inspector_close(const mc_nodejs_inspector *inspector,
                               const mc_ws_patience *patience);
