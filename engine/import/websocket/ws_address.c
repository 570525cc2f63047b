#include "engine/import/websocket/ws_address.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

static const char scheme[] = "ws://";

bool mc_ws_is_address(const char *path) {
    return strncasecmp(path, scheme, sizeof scheme - 1) == 0 || strncasecmp(path, "wss://", 6) == 0;
}

static bool parse_number(const char *text, size_t size, uint32_t most, uint32_t *number) {
    uint64_t value = 0;
    if (size == 0 || size > 10) return false;
    for (size_t i = 0; i < size; i++) {
        if (text[i] < '0' || text[i] > '9') return false;
        value = value * 10 + (uint64_t)(text[i] - '0');
    }
    *number = (uint32_t)value;
    return value <= most;
}

bool mc_ws_parse_tab(const char *text, int32_t *tab) {
    uint32_t number;
    if (!parse_number(text, strlen(text), INT32_MAX, &number)) return false;
    *tab = (int32_t)number;
    return true;
}

static mc_result fail(const char *text, mc_error *error) {
    return mc_fail(error, MC_ERROR_BAD_DATA,
                   "%.300s: expected ws://HOST:PORT or ws://HOST:PORT/TAB, the tab a number", text);
}

// Names and numbers of hosts, and nothing that could end a line of a request.
static bool take_host(const char *begin, size_t size, bool is_bracketed, mc_ws_address *address) {
    static const char allowed[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_";
    if (size == 0 || size >= sizeof address->host) return false;
    for (size_t i = 0; i < size; i++)
        if (!memchr(allowed, begin[i], sizeof allowed - 1) &&
            !(is_bracketed && (begin[i] == ':' || begin[i] == '%')))
            return false;
    memcpy(address->host, begin, size);
    address->host[size] = '\0';
    return true;
}

mc_result mc_ws_address_parse(const char *text, mc_ws_address *address, mc_error *error) {
    *address = (mc_ws_address){.port = MC_WS_PORT};
    if (strncasecmp(text, "wss://", 6) == 0)
        return mc_fail(error, MC_ERROR_BAD_DATA,
                       "%.300s: expected ws://, not wss://: encrypted connections are not "
                       "spoken; a tunnel (ssh -L) does it",
                       text);
    if (!mc_ws_is_address(text)) return fail(text, error);
    const char *host = text + sizeof scheme - 1;
    bool is_bracketed = host[0] == '[';
    if (is_bracketed) host++;
    size_t size = strcspn(host, is_bracketed ? "]" : ":/");
    if (!take_host(host, size, is_bracketed, address)) return fail(text, error);
    const char *at = host + size;
    if (is_bracketed && *at++ != ']') return fail(text, error);
    if (*at == ':') {
        uint32_t port;
        size = strcspn(++at, "/");
        if (!parse_number(at, size, UINT16_MAX, &port) || port == 0) return fail(text, error);
        address->port = (uint16_t)port;
        at += size;
    }
    if (*at == '\0' || strcmp(at, "/") == 0) return MC_OK;
    if (*at != '/' || !mc_ws_parse_tab(at + 1, &address->tab)) return fail(text, error);
    address->has_tab = true;
    return MC_OK;
}

void mc_ws_address_print(const mc_ws_address *address, char *out, size_t size) {
    bool is_number = strchr(address->host, ':') != NULL; // of version 6
    char tab[16] = "";
    if (address->has_tab) snprintf(tab, sizeof tab, "/%" PRId32, address->tab);
    snprintf(out, size, "%s%s%s%s:%u%s", scheme, is_number ? "[" : "", address->host,
             is_number ? "]" : "", address->port, tab);
}
