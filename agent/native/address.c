#include "agent/native/address.h"

#include "agent/native/options.h"
#include "engine/base/agent_proof.h"
#include "engine/base/peer.h"
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#define PROOF_MS 500

// ---- the options

static bool read_secret(mc_address *self, const char *path) {
    struct stat its;
    ssize_t size = -1;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd >= 0 && fstat(fd, &its) == 0 && S_ISREG(its.st_mode))
        size = read(fd, self->secret, sizeof self->secret - 1);
    if (fd >= 0) close(fd);
    if (size < 0) return false;
    self->secret[size] = '\0';
    self->secret[strcspn(self->secret, "\r\n")] = '\0';
    return true;
}

bool mc_address_read(mc_address *self, const char *options) {
    char path[1024];
    memset(self, 0, sizeof *self);
    uint64_t user = mc_options_get_number(options, "user", MC_PEER_NOBODY);
    self->user = user < MC_PEER_NOBODY ? (uint32_t)user : MC_PEER_NOBODY;
    if (mc_options_get(options, "socket", self->socket, sizeof self->socket))
        return self->socket[0] == '/';
    uint64_t port = mc_options_get_number(options, "tcp", 0);
    if (port == 0 || port > UINT16_MAX) return false;
    self->port = (uint16_t)port;
    const char *given = getenv(MC_AGENT_SECRET_VARIABLE);
    if (mc_options_get(options, "secret-file", path, sizeof path)) {
        if (!read_secret(self, path)) return false;
    } else if (given && strlen(given) < sizeof self->secret) {
        memcpy(self->secret, given, strlen(given) + 1);
    }
    return strlen(self->secret) >= MC_AGENT_SECRET_LEAST;
}

// ---- proofs

static uint64_t get_ms(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

static bool wait_for(int fd, short events, uint64_t end_ms) {
    uint64_t now_ms = get_ms();
    struct pollfd polled = {.fd = fd, .events = events};
    return now_ms < end_ms && poll(&polled, 1, (int)(end_ms - now_ms)) > 0;
}

static bool hear(int fd, unsigned char *bytes, size_t size, uint64_t end_ms) {
    for (size_t got = 0; got < size;) {
        if (!wait_for(fd, POLLIN, end_ms)) return false;
        ssize_t part = recv(fd, bytes + got, size - got, 0);
        if (part == 0 || (part < 0 && errno != EAGAIN && errno != EINTR)) return false;
        if (part > 0) got += (size_t)part;
    }
    return true;
}

// A fresh connection has room for so little.
static bool say(int fd, const unsigned char *bytes, size_t size) {
    return send(fd, bytes, size, MSG_NOSIGNAL) == (ssize_t)size;
}

static bool exchange_proofs(const mc_address *self, int fd) {
    unsigned char nonces[2 * MC_AGENT_NONCE_SIZE], theirs[MC_SHA256_SIZE], proof[MC_SHA256_SIZE];
    uint64_t end_ms = get_ms() + PROOF_MS;
    if (getrandom(nonces, MC_AGENT_NONCE_SIZE, 0) != MC_AGENT_NONCE_SIZE ||
        !wait_for(fd, POLLOUT, end_ms) || !say(fd, nonces, MC_AGENT_NONCE_SIZE) ||
        !hear(fd, nonces + MC_AGENT_NONCE_SIZE, MC_AGENT_NONCE_SIZE, end_ms) ||
        !hear(fd, theirs, sizeof theirs, end_ms))
        return false;
    mc_agent_proof_make(self->secret, self->port, false, nonces, proof);
    if (!mc_sha256_is_equal(proof, theirs)) return false;
    mc_agent_proof_make(self->secret, self->port, true, nonces, proof);
    return say(fd, proof, sizeof proof);
}

// ---- connecting

static int connect_to(int family, const struct sockaddr *address, socklen_t size) {
    int fd = socket(family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0 || connect(fd, address, size) == 0 || errno == EINPROGRESS) return fd;
    close(fd);
    return -1;
}

static int connect_tcp(const mc_address *self) {
    struct sockaddr_in address = {.sin_family = AF_INET,
                                  .sin_port = htons(self->port),
                                  .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int yes = 1;
    int fd = connect_to(AF_INET, (const struct sockaddr *)&address, sizeof address);
    if (fd < 0) return -1;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    if (exchange_proofs(self, fd)) return fd;
    close(fd);
    return -1;
}

// The name outlives who made it, and where folders are shared anybody may make it anew: so who
// listens there is asked of the kernel.
static int connect_unix(const mc_address *self) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    memcpy(address.sun_path, self->socket, sizeof self->socket);
    int fd = connect_to(AF_UNIX, (const struct sockaddr *)&address, sizeof address);
    if (fd < 0 || mc_peer_is_trusted(fd, self->user, NULL)) return fd;
    close(fd);
    return -1;
}

int mc_address_connect(const mc_address *self) {
    return self->socket[0] ? connect_unix(self) : connect_tcp(self);
}
