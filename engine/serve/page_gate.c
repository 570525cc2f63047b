#include "engine/serve/page_gate.h"

#include "engine/import/websocket/http_head.h"
#include <nettle/memops.h>
#include <stdio.h>
#include <string.h>

static const char *const loopback_names[] = {"127.0.0.1", "localhost", "[::1]"};

static bool has_token(mc_http_field query, const char *token) {
    static const char name[] = "token=";
    const size_t name_size = sizeof name - 1, token_size = MC_PAGE_TOKEN_SIZE - 1;
    return query.size == name_size + token_size && memcmp(query.value, name, name_size) == 0 &&
           memeql_sec(query.value + name_size, token, token_size);
}

// Nothing, or a colon and 1 to 65535.
static bool is_port(mc_http_field text) {
    uint32_t port = 0;
    if (text.size == 0) return true;
    if (text.value[0] != ':' || text.size < 2 || text.size > 6) return false;
    for (size_t i = 1; i < text.size; i++) {
        if (text.value[i] < '0' || text.value[i] > '9') return false;
        port = 10 * port + (uint32_t)(text.value[i] - '0');
    }
    return port > 0 && port <= UINT16_MAX;
}

// A name that a browser resolves to this machine whatever a name server says: what another name
// resolves to, whoever owns that name decides, also for pages of his own.
static bool is_loopback(mc_http_field host) {
    for (size_t i = 0; i < sizeof loopback_names / sizeof *loopback_names; i++) {
        size_t size = strlen(loopback_names[i]);
        if (host.size < size || !mc_http_is((mc_http_field){host.value, size}, loopback_names[i]))
            continue;
        return is_port((mc_http_field){host.value + size, host.size - size});
    }
    return false;
}

// Navigation in a browser has no origin, nor has a program that is no browser.
static bool is_own_origin(mc_http_field origin, const char *host) {
    char own[MC_PAGE_HOST_SIZE + 8];
    if (!origin.value) return true;
    snprintf(own, sizeof own, "http://%s", host);
    return mc_http_is(origin, own);
}

mc_page_gate mc_page_gate_judge(const unsigned char *head, size_t size,
                                const char token[MC_PAGE_TOKEN_SIZE],
                                char host[MC_PAGE_HOST_SIZE]) {
    mc_http_request request;
    host[0] = '\0';
    if (!mc_http_parse_request(head, size, &request)) return MC_PAGE_GATE_REFUSED;
    mc_http_field named = mc_http_find_field(head, size, "Host");
    bool is_right = has_token(request.query, token) && mc_http_is(request.method, "GET") &&
                    mc_http_count_fields(head, size, "Host") == 1 &&
                    mc_http_count_fields(head, size, "Origin") <= 1 && is_loopback(named);
    if (!is_right) return MC_PAGE_GATE_REFUSED;
    memcpy(host, named.value, named.size);
    host[named.size] = '\0';
    if (!is_own_origin(mc_http_find_field(head, size, "Origin"), host)) return MC_PAGE_GATE_REFUSED;
    if (mc_http_is(request.path, "/")) return MC_PAGE_GATE_PAGE;
    return mc_http_is(request.path, "/data") ? MC_PAGE_GATE_DATA : MC_PAGE_GATE_REFUSED;
}
