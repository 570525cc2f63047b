// fuzz_serve - whatever is asked of a server of pages is answered or refused, and answered only to
// who has the token and names loopback.
//
// The input is a request's head, in a heap block of its exact size.
#include "engine/import/websocket/http_head.h"
#include "engine/import/websocket/ws_handshake.h"
#include "engine/serve/page_gate.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size);

static const char token[MC_PAGE_TOKEN_SIZE] = "00112233445566778899aabbccddeeff";

static void require(bool condition, const char *what) {
    if (condition) return;
    fprintf(stderr, "%s\n", what);
    abort();
}

static bool is_loopback(const char *host) {
    return strncasecmp(host, "127.0.0.1", 9) == 0 || strncasecmp(host, "localhost", 9) == 0 ||
           strncmp(host, "[::1]", 5) == 0;
}

static void judge(const unsigned char *head, size_t end) {
    char host[MC_PAGE_HOST_SIZE];
    mc_text text = {0};
    bool is_accepted;
    const char *refusal;
    mc_page_gate gate = mc_page_gate_judge(head, end, token, host);
    require(strlen(host) < sizeof host, "a host without an end");
    if (gate == MC_PAGE_GATE_REFUSED) return;
    require(memmem(head, end, token, strlen(token)) != NULL, "without the token");
    require(is_loopback(host) && strspn(host + 5, "0123456789.:]alhostALHOST") == strlen(host + 5),
            "for another host");
    mc_ws_answer_request(head, end, NULL, &text, &is_accepted, &refusal);
    require(is_accepted == !refusal, "refused without a reason");
    mc_text_deinit(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size) {
    unsigned char *head = size > 0 ? malloc(size) : NULL;
    if (!head) return 0;
    memcpy(head, input, size);
    size_t end = mc_http_find_end(head, size);
    if (end > 0) judge(head, end);
    free(head);
    return 0;
}
