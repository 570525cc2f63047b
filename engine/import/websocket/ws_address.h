// ws_address.h - parses the address of a server of traces: ws://HOST[:PORT][/TAB].
//
// Threads: any.
#pragma once
#include "engine/base/base.h"

#define MC_WS_PORT 8887 // AntTracks'
#define MC_WS_HOST_SIZE 256

typedef struct mc_ws_address {
    char host[MC_WS_HOST_SIZE]; // a name or a number, without brackets
    uint16_t port;
    bool has_tab;
    int32_t tab;
    const char *path; // that is asked for, without spaces; NULL: "/"
} mc_ws_address;

// Whether a path is meant to be such an address; it may be a wrong one.
bool mc_ws_is_address(const char *path);

// MC_ERROR_BAD_DATA says what is expected.
mc_result mc_ws_address_parse(const char *text, mc_ws_address *address, mc_error *error);

// A tab's number: 0 to 2^31-1 in digits. False: it is none.
bool mc_ws_parse_tab(const char *text, int32_t *tab);

// "ws://HOST:PORT" or, with a tab, "ws://HOST:PORT/TAB", cut off where there is no room.
#define MC_WS_ADDRESS_SIZE (MC_WS_HOST_SIZE + 32)
void mc_ws_address_print(const mc_ws_address *address, char *out, size_t size);
