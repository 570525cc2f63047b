// page_gate.h - who may have a page that is served, and its data: by the head of a request.
//
// A request has the token in its address; it names this machine's loopback as its host, on any
// port, as that of a tunnel may be another one; and if it comes from a page, that page is from the
// same host. All others are refused alike. Pure: no sockets. Untrusted input. Threads: any.
#pragma once
#include "engine/base/base.h"

#define MC_PAGE_TOKEN_BYTES 16
#define MC_PAGE_TOKEN_SIZE (2 * MC_PAGE_TOKEN_BYTES + 1) // hexadecimal and NUL
#define MC_PAGE_HOST_SIZE 32                             // "localhost:65535" and NUL

typedef enum mc_page_gate {
    MC_PAGE_GATE_REFUSED,
    MC_PAGE_GATE_PAGE, // GET /?token=…
    MC_PAGE_GATE_DATA  // GET /data?token=…, which is to become a WebSocket
} mc_page_gate;

// `host` becomes what the browser calls this server: of what is not refused a loopback name,
// perhaps with a port. The token is compared in constant time.
mc_page_gate mc_page_gate_judge(const unsigned char *head, size_t size,
                                const char token[MC_PAGE_TOKEN_SIZE], char host[MC_PAGE_HOST_SIZE]);
