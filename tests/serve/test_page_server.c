// The server of a page: data that is replaced while clients take it, each at its own pace.
// tests/serve/serve_client.py has who gets in, and who does not.
#include "engine/base/memory.h"
#include "engine/import/websocket/http_head.h"
#include "engine/import/websocket/ws_frames.h"
#include "engine/serve/page_server.h"
#include "tests/test.h"
#include <netinet/in.h>
#include <pthread.h>
#include <sys/socket.h>
#include <unistd.h>

#define DATA_SIZE ((size_t)16 << 20) // more than the system keeps for who does not read
#define READERS 4
#define VERSIONS 6

// Whose every byte tells its version.
static mc_text make_data(uint64_t version, size_t size) {
    mc_text data = {0};
    char *bytes = mc_alloc(size, 1);
    memset(bytes, (int)version, size);
    mc_text_append(&data, bytes, size);
    mc_free(bytes);
    return data;
}

static size_t get_size(uint64_t version) {
    return version % 2 == 0 ? 5 : DATA_SIZE;
}

static void publish(mc_page_server *server, uint64_t version, bool is_live) {
    mc_text data = make_data(version, get_size(version)), delta = {0};
    mc_error error = {0};
    CHECK_MSG(mc_page_server_publish(server, &data, &delta, is_live, &error) == MC_OK, "%s",
              error.message);
    CHECK(!data.data);
}

// ---- a client

typedef struct client {
    int fd;
    mc_ws_frames frames;
    unsigned char buffer[1 << 16];
    size_t begin, end; // of what is not read of it
} client;

static void send_text(client *it, const char *text) {
    static const unsigned char mask[4] = {1, 2, 3, 4};
    unsigned char frame[MC_WS_HEAD_SIZE + 32];
    size_t size = strlen(text);
    size_t head = mc_ws_write_head(frame, MC_WS_OPCODE_TEXT, size, mask);
    memcpy(frame + head, text, size);
    mc_ws_mask(frame + head, size, mask, 0);
    CHECK(send(it->fd, frame, head + size, MSG_NOSIGNAL) == (ssize_t)(head + size));
}

static bool begin_client(client *it, const mc_page_server *server) {
    struct sockaddr_in at = {.sin_family = AF_INET,
                             .sin_port = htons(mc_page_server_get_port(server)),
                             .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    char head[512];
    *it = (client){.fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)};
    if (connect(it->fd, (struct sockaddr *)&at, sizeof at) != 0) return false;
    int size = snprintf(head, sizeof head,
                        "GET /data?token=%s HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\n"
                        "Connection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
                        "Sec-WebSocket-Version: 13\r\n\r\n",
                        mc_page_server_get_token(server));
    CHECK(send(it->fd, head, (size_t)size, MSG_NOSIGNAL) == size);
    while ((it->begin = mc_http_find_end(it->buffer, it->end)) == 0) {
        ssize_t got = recv(it->fd, it->buffer + it->end, sizeof it->buffer - it->end, 0);
        if (got <= 0) return false;
        it->end += (size_t)got;
    }
    return memcmp(it->buffer, "HTTP/1.1 101", 12) == 0;
}

// The next event that is one; false: the connection has ended.
static bool take(client *it, mc_ws_event *event) {
    for (;;) {
        size_t used;
        mc_error error;
        if (mc_ws_frames_next(&it->frames, it->buffer + it->begin, it->end - it->begin, &used,
                              event, &error) != MC_OK)
            return false;
        it->begin += used;
        if (event->kind != MC_WS_NOTHING) return true;
        ssize_t got = recv(it->fd, it->buffer, sizeof it->buffer, 0);
        if (got <= 0) return false;
        it->begin = 0;
        it->end = (size_t)got;
    }
}

typedef struct news {
    uint64_t version;
    size_t size;
    bool is_live;
} news;

// What comes next, all of it, and of one version.
static bool take_news(client *it, news *out) {
    char text[128], live[8];
    size_t size = 0;
    mc_ws_event event = {.kind = MC_WS_NOTHING};
    for (bool is_end = false; !is_end;) {
        if (!take(it, &event) || event.kind != MC_WS_DATA || event.size >= sizeof text - size)
            return false;
        memcpy(text + size, event.data, event.size);
        size += event.size;
        is_end = event.is_end;
    }
    text[size] = '\0';
    unsigned long version = 0;
    if (sscanf(text, "{\"version\":%lu,\"data\":%zu,\"live\":%7[a-z]}", &version, &out->size,
               live) != 3)
        return false;
    out->version = version;
    out->is_live = strcmp(live, "true") == 0;
    for (size = 0; size < out->size; size += event.size) {
        if (!take(it, &event) || event.kind != MC_WS_DATA) return false;
        for (size_t i = 0; i < event.size; i++)
            if (event.data[i] != (unsigned char)version) return false;
    }
    return size == out->size;
}

// Takes versions until there is no more.
typedef struct reader {
    const mc_page_server *server;
    pthread_t thread;
    bool is_fine;
    uint64_t last;
} reader;

static void *read_all(void *user) {
    reader *self = user;
    client *it = mc_alloc_zero(1, sizeof *it);
    news now = {.is_live = true};
    char ask[24];
    self->is_fine = it && begin_client(it, self->server);
    while (self->is_fine && now.is_live) {
        uint64_t before = now.version;
        snprintf(ask, sizeof ask, "%lu", (unsigned long)before);
        send_text(it, ask);
        self->is_fine =
            take_news(it, &now) && (now.version > before ? now.size == get_size(now.version)
                                                         : now.size == 0 && !now.is_live);
    }
    self->last = now.version;
    if (it) close(it->fd);
    mc_free(it);
    return NULL;
}

static void test_paces(void) {
    static client slow, quick;
    mc_text page = {.data = (char[]){"page"}, .size = 4};
    mc_page_server_desc desc = {.page = &page, .policy = "default-src 'none'"};
    mc_page_server *server;
    mc_error error = {0};
    reader readers[READERS];
    news now;
    CHECK_MSG(mc_page_server_create(&desc, &server, &error) == MC_OK, "%s", error.message);
    CHECK(begin_client(&slow, server) && begin_client(&quick, server));
    send_text(&slow, "0"); // before there is anything
    send_text(&quick, "0");
    publish(server, 1, true);
    CHECK(take_news(&quick, &now) && now.version == 1 && now.size == DATA_SIZE);
    // The slow one has read nothing: the others don't notice.
    for (size_t i = 0; i < READERS; i++) {
        readers[i] = (reader){.server = server};
        CHECK(pthread_create(&readers[i].thread, NULL, read_all, &readers[i]) == 0);
    }
    for (uint64_t version = 2; version <= VERSIONS; version++) {
        char ask[2] = {(char)('0' + (int)version - 1), '\0'};
        publish(server, version, true);
        send_text(&quick, ask);
        CHECK(take_news(&quick, &now) && now.version == version && now.is_live);
    }
    mc_page_server_end_live(server);
    for (size_t i = 0; i < READERS; i++) {
        pthread_join(readers[i].thread, NULL);
        CHECK_MSG(readers[i].is_fine && readers[i].last == VERSIONS, "reader %zu: version %u", i,
                  (unsigned)readers[i].last);
    }
    // Now it reads: what it was being sent, and then the newest, none in between.
    CHECK(take_news(&slow, &now) && now.version == 1 && now.size == DATA_SIZE);
    send_text(&slow, "1");
    CHECK(take_news(&slow, &now) && now.version == VERSIONS && !now.is_live);
    // It ends at once, whoever is in the middle of something.
    send_text(&slow, "0");
    publish(server, VERSIONS + 1, true);
    send_text(&quick, "0");
    mc_page_server_destroy(server);
    close(slow.fd);
    close(quick.fd);
}

int main(void) {
    test_paces();
    return test_finish();
}
