#include "engine/live/agent/agent_socket.h"

#include "engine/base/peer.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#define SECRET_BYTES 32

static mc_result fail(const char *doing, const char *path, mc_error *error) {
    return mc_fail(error, MC_ERROR_IO, "can't %s %s: %s", doing, path, strerror(errno));
}

static mc_result make_socket_path(mc_agent_socket *self, mc_error *error) {
    mc_result result = mc_run_folder_make(&self->folder, error);
    if (result == MC_OK)
        snprintf(self->path, sizeof self->path, "%.90s/" MC_RUN_SOCKET, self->folder.path);
    return result;
}

static mc_result take_path(mc_agent_socket *self, const char *path, mc_error *error) {
    size_t size = strlen(path) + 1;
    if (size > sizeof self->path)
        return mc_fail(error, MC_ERROR_IO, "%s: a socket's path has at most %zu bytes", path,
                       sizeof self->path - 1);
    memcpy(self->path, path, size);
    return MC_OK;
}

mc_result mc_agent_socket_open(mc_agent_socket *self, const char *path, mc_error *error) {
    *self = (mc_agent_socket){.fd = -1, .tcp = {.fd = -1, .listener = -1}};
    mc_result result = path ? take_path(self, path, error) : make_socket_path(self, error);
    if (result != MC_OK) return result;
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    memcpy(address.sun_path, self->path, sizeof self->path);
    self->fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    mode_t before = umask(0177); // from the moment it is there
    bool is_bound =
        self->fd >= 0 && bind(self->fd, (const struct sockaddr *)&address, sizeof address) == 0;
    umask(before);
    if (!is_bound) {
        result = fail("make the socket", self->path, error);
        self->path[0] = '\0'; // what has this name is not ours
        return result;
    }
    if (listen(self->fd, 4) == 0) return MC_OK;
    return fail("listen at", self->path, error);
}

// ---- TCP

static mc_result make_secret(char secret[MC_AGENT_SECRET_MOST + 1], mc_error *error) {
    unsigned char bytes[SECRET_BYTES];
    const char *given = getenv(MC_AGENT_SECRET_VARIABLE);
    size_t size = given ? strlen(given) : 0;
    if (given && (size < MC_AGENT_SECRET_LEAST || size > MC_AGENT_SECRET_MOST))
        return mc_fail(error, MC_ERROR_UNSUPPORTED,
                       MC_AGENT_SECRET_VARIABLE " has %zu characters; expected %u to %u", size,
                       MC_AGENT_SECRET_LEAST, MC_AGENT_SECRET_MOST);
    if (given) {
        memcpy(secret, given, size + 1);
        return MC_OK;
    }
    if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes)
        return fail("make", "a secret", error);
    for (size_t i = 0; i < sizeof bytes; i++)
        snprintf(secret + 2 * i, 3, "%02x", bytes[i]);
    return MC_OK;
}

static mc_result write_secret(mc_agent_socket *self, const char *secret, mc_error *error) {
    size_t size = strlen(secret);
    snprintf(self->path, sizeof self->path, "%.90s/" MC_RUN_SECRET, self->folder.path);
    int fd = open(self->path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    bool is_written = fd >= 0 && write(fd, secret, size) == (ssize_t)size;
    mc_result result = is_written ? MC_OK : fail("write", self->path, error);
    if (fd >= 0) close(fd);
    return result;
}

mc_result mc_agent_socket_open_tcp(mc_agent_socket *self, uint16_t port, mc_error *error) {
    char secret[MC_AGENT_SECRET_MOST + 1] = "";
    *self = (mc_agent_socket){.fd = -1, .uses_tcp = true, .tcp = {.fd = -1, .listener = -1}};
    mc_result result = make_secret(secret, error);
    if (result == MC_OK) result = mc_run_folder_make(&self->folder, error);
    if (result == MC_OK) result = write_secret(self, secret, error);
    if (result == MC_OK) result = mc_agent_tcp_open(&self->tcp, port, secret, error);
    self->fd = self->tcp.fd;
    return result;
}

void mc_agent_socket_append_options(const mc_agent_socket *self, mc_text *text) {
    if (self->uses_tcp)
        mc_text_format(text, "tcp=%u;secret-file=%s", (unsigned)self->tcp.port, self->path);
    else
        mc_text_format(text, "socket=%s", self->path);
    // A program of root does not speak to other users but where it is told to.
    if (!self->uses_tcp && geteuid() != 0) mc_text_format(text, ";user=%u", (unsigned)geteuid());
}

// ---- both

void mc_agent_socket_stop(mc_agent_socket *self) {
    if (self->uses_tcp)
        mc_agent_tcp_close(&self->tcp);
    else if (self->fd >= 0)
        close(self->fd);
    if (self->path[0]) unlink(self->path);
    self->fd = -1;
    self->path[0] = '\0';
}

void mc_agent_socket_close(mc_agent_socket *self) {
    mc_agent_socket_stop(self);
    mc_run_folder_remove(&self->folder);
    *self = (mc_agent_socket){.fd = -1, .tcp = {.fd = -1, .listener = -1}};
}

int mc_agent_socket_accept(mc_agent_socket *self, uint32_t *pid) {
    *pid = 0;
    if (self->uses_tcp) return mc_agent_tcp_accept(&self->tcp);
    int fd = accept4(self->fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (fd < 0 || mc_peer_is_trusted(fd, MC_PEER_NOBODY, pid)) return fd;
    close(fd);
    return -1;
}
