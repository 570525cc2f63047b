#include "engine/live/agent/agent_tcp.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

static void send_away(mc_agent_caller *caller) {
    if (caller->fd >= 0) close(caller->fd); // which takes it out of the poll's set, too
    caller->fd = -1;
}

static bool watch(const mc_agent_tcp *self, int fd) {
    struct epoll_event event = {.events = EPOLLIN};
    return epoll_ctl(self->fd, EPOLL_CTL_ADD, fd, &event) == 0;
}

static mc_result fail(const char *doing, uint16_t port, mc_error *error) {
    return mc_fail(error, MC_ERROR_IO, "can't %s 127.0.0.1:%u: %s", doing, (unsigned)port,
                   strerror(errno));
}

mc_result mc_agent_tcp_open(mc_agent_tcp *self, uint16_t port, const char *secret,
                            mc_error *error) {
    struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof address;
    int yes = 1;
    *self = (mc_agent_tcp){.listener = -1};
    for (uint32_t i = 0; i < MC_AGENT_TCP_CALLERS; i++)
        self->callers[i].fd = -1;
    snprintf(self->secret, sizeof self->secret, "%s", secret);
    self->fd = epoll_create1(EPOLL_CLOEXEC);
    self->listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (self->fd < 0 || self->listener < 0) return fail("make a socket for", port, error);
    // Connections of an earlier run that the system has not forgotten yet are no hindrance.
    setsockopt(self->listener, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    if (bind(self->listener, (const struct sockaddr *)&address, sizeof address) != 0 ||
        listen(self->listener, MC_AGENT_TCP_CALLERS) != 0 ||
        getsockname(self->listener, (struct sockaddr *)&address, &size) != 0 ||
        !watch(self, self->listener))
        return fail("listen at", port, error);
    self->port = ntohs(address.sin_port);
    return MC_OK;
}

void mc_agent_tcp_close(mc_agent_tcp *self) {
    for (uint32_t i = 0; i < MC_AGENT_TCP_CALLERS && self->listener >= 0; i++)
        send_away(&self->callers[i]);
    if (self->listener >= 0) close(self->listener);
    if (self->fd >= 0) close(self->fd);
    memset(self->secret, 0, sizeof self->secret);
    self->fd = self->listener = -1;
}

// Whoever waits without saying anything makes room for those who come.
static void take_callers(mc_agent_tcp *self) {
    for (int fd; (fd = accept4(self->listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK)) >= 0;) {
        mc_agent_caller *caller = &self->callers[self->next];
        self->next = (self->next + 1) % MC_AGENT_TCP_CALLERS;
        send_away(caller);
        *caller = (mc_agent_caller){.fd = fd};
        if (!watch(self, fd)) send_away(caller);
    }
}

static bool answer(const mc_agent_tcp *self, mc_agent_caller *caller) {
    unsigned char sent[MC_AGENT_NONCE_SIZE + MC_SHA256_SIZE];
    memcpy(caller->nonces, caller->received, MC_AGENT_NONCE_SIZE);
    if (getrandom(caller->nonces + MC_AGENT_NONCE_SIZE, MC_AGENT_NONCE_SIZE, 0) !=
        MC_AGENT_NONCE_SIZE)
        return false;
    memcpy(sent, caller->nonces + MC_AGENT_NONCE_SIZE, MC_AGENT_NONCE_SIZE);
    mc_agent_proof_make(self->secret, self->port, false, caller->nonces,
                        sent + MC_AGENT_NONCE_SIZE);
    caller->is_answered = true;
    caller->got = 0;
    return send(caller->fd, sent, sizeof sent, MSG_NOSIGNAL) == (ssize_t)sizeof sent;
}

static bool has_proven(const mc_agent_tcp *self, const mc_agent_caller *caller) {
    unsigned char proof[MC_SHA256_SIZE];
    mc_agent_proof_make(self->secret, self->port, true, caller->nonces, proof);
    return mc_sha256_is_equal(proof, caller->received);
}

// Takes no more than it has to say before anything else. True: that has come.
static bool hear(mc_agent_caller *caller) {
    ssize_t size =
        recv(caller->fd, caller->received + caller->got, sizeof caller->received - caller->got, 0);
    if (size > 0) caller->got += (uint32_t)size;
    if (size == 0 || (size < 0 && errno != EAGAIN && errno != EINTR)) send_away(caller);
    return caller->fd >= 0 && caller->got == sizeof caller->received;
}

// The one that has proven itself, or -1.
static int listen_to(mc_agent_tcp *self, mc_agent_caller *caller) {
    if (caller->fd < 0 || !hear(caller)) return -1;
    if (!caller->is_answered) {
        if (!answer(self, caller)) send_away(caller);
        return -1;
    }
    int fd = caller->fd, yes = 1;
    if (!has_proven(self, caller)) {
        send_away(caller);
        return -1;
    }
    epoll_ctl(self->fd, EPOLL_CTL_DEL, fd, &(struct epoll_event){.events = 0});
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    caller->fd = -1;
    return fd;
}

int mc_agent_tcp_accept(mc_agent_tcp *self) {
    take_callers(self);
    for (uint32_t i = 0; i < MC_AGENT_TCP_CALLERS; i++) {
        int fd = listen_to(self, &self->callers[i]);
        if (fd >= 0) return fd;
    }
    return -1;
}
