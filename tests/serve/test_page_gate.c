// Who may have a page that is served. tests/serve/serve_client.py asks the same through sockets.
#include "engine/base/file.h"
#include "engine/import/websocket/http_head.h"
#include "engine/serve/page_gate.h"
#include "tests/test.h"

#define TOKEN "00112233445566778899aabbccddeeff"
#define ASK "GET /?token=" TOKEN " HTTP/1.1\r\n"
#define ASK_DATA "GET /data?token=" TOKEN " HTTP/1.1\r\n"

static mc_page_gate judge(const char *head, size_t size, char host[MC_PAGE_HOST_SIZE]) {
    unsigned char *copy = malloc(size + 1); // of its exact size
    memcpy(copy, head, size);
    unsigned char *exact = realloc(copy, size > 0 ? size : 1);
    mc_page_gate gate = mc_page_gate_judge(exact, size, TOKEN, host);
    free(exact);
    return gate;
}

static void test_rules(void) {
    static const struct {
        const char *head;
        mc_page_gate gate;
    } rows[] = {
        {ASK "Host: 127.0.0.1\r\n\r\n", MC_PAGE_GATE_PAGE},
        {ASK "Host: localhost:1\r\nOrigin: http://localhost:1\r\n\r\n", MC_PAGE_GATE_PAGE},
        {ASK_DATA "Host: [::1]:65535\r\n\r\n", MC_PAGE_GATE_DATA},
        {ASK_DATA "X: y\r\nHOST:LocalHost:80\t\r\n\r\n", MC_PAGE_GATE_DATA},
        {ASK "\r\n", MC_PAGE_GATE_REFUSED},
        {ASK "Host: \r\n\r\n", MC_PAGE_GATE_REFUSED},
        {ASK "Host: 127.0.0.1:65536\r\n\r\n", MC_PAGE_GATE_REFUSED},
        {ASK "Host: 127.0.0.1:4294967297\r\n\r\n", MC_PAGE_GATE_REFUSED},
        {ASK "Host: localhost.\r\n\r\n", MC_PAGE_GATE_REFUSED},
        {ASK "Host: 127.0.0.1\r\nHost: 127.0.0.1\r\n\r\n", MC_PAGE_GATE_REFUSED},
        {ASK "Host: 127.0.0.1\r\nOrigin: null\r\n\r\n", MC_PAGE_GATE_REFUSED},
        {ASK "Host: 127.0.0.1\r\nOrigin: http://localhost\r\n\r\n", MC_PAGE_GATE_REFUSED},
        {"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", MC_PAGE_GATE_REFUSED},
        {"GET /? HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", MC_PAGE_GATE_REFUSED},
        {"GET ?token=" TOKEN " HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", MC_PAGE_GATE_REFUSED},
        {"GET /x?token=" TOKEN " HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", MC_PAGE_GATE_REFUSED},
        {"POST /?token=" TOKEN " HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", MC_PAGE_GATE_REFUSED},
        {"", MC_PAGE_GATE_REFUSED},
    };
    char host[MC_PAGE_HOST_SIZE];
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        CHECK_MSG(judge(rows[i].head, strlen(rows[i].head), host) == rows[i].gate, "%s",
                  rows[i].head);
    CHECK(judge(rows[3].head, strlen(rows[3].head), host) && strcmp(host, "LocalHost:80") == 0);
}

// One letter of the token that is another one, wherever it is.
static void test_token(void) {
    static const char good[] = ASK "Host: 127.0.0.1\r\n\r\n";
    char head[sizeof good], host[MC_PAGE_HOST_SIZE];
    for (size_t i = 0; i < MC_PAGE_TOKEN_SIZE - 1; i++) {
        memcpy(head, good, sizeof good);
        char *at = strstr(head, TOKEN) + i;
        *at = (char)(*at ^ 1);
        CHECK_MSG(judge(head, sizeof good - 1, host) == MC_PAGE_GATE_REFUSED, "letter %zu", i);
    }
}

// The stored heads, whole and cut off at every byte.
static void test_cuts(void) {
    static const struct {
        const char *name;
        mc_page_gate gate;
    } files[] = {{"page", MC_PAGE_GATE_PAGE},
                 {"data", MC_PAGE_GATE_DATA},
                 {"v6", MC_PAGE_GATE_DATA},
                 {"foreign", MC_PAGE_GATE_REFUSED},
                 {"twice", MC_PAGE_GATE_REFUSED}};
    char path[512], host[MC_PAGE_HOST_SIZE];
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        mc_file_map map;
        mc_error error = {0};
        snprintf(path, sizeof path, MC_TEST_DATA "/serve/%s.head", files[i].name);
        CHECK_MSG(mc_file_map_open(&map, path, &error) == MC_OK, "%s", error.message);
        const char *head = (const char *)map.data;
        CHECK_MSG(judge(head, map.size, host) == files[i].gate, "%s", path);
        for (size_t size = 0; size < map.size; size++) {
            (void)judge(head, size, host);
            CHECK(mc_http_find_end(map.data, size) == 0);
        }
        mc_file_map_close(&map);
    }
}

static void test_heads(void) {
    static const char text[] = "GET /a?b?c HTTP/1.1\r\nA: 1\r\nab: 2\r\na:\t3 \r\n\r\n";
    const unsigned char *head = (const unsigned char *)text;
    mc_http_request request;
    CHECK(mc_http_parse_request(head, sizeof text - 1, &request));
    CHECK(mc_http_is(request.method, "GET") && mc_http_is(request.path, "/a"));
    CHECK(mc_http_is(request.query, "b?c"));
    CHECK(mc_http_count_fields(head, sizeof text - 1, "a") == 2);
    CHECK(mc_http_is(mc_http_find_field(head, sizeof text - 1, "AB"), "2"));
    CHECK(!mc_http_find_field(head, sizeof text - 1, "b").value);
}

int main(void) {
    test_rules();
    test_token();
    test_cuts();
    test_heads();
    return test_finish();
}
