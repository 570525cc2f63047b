#include "agent/native/link.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

bool mc_link_connect(mc_link *link, const mc_address *address) {
    int fd = mc_address_connect(address);
    if (fd < 0) return false;
    link->fd = fd;
    link->received_size = 0;
    return true;
}

void mc_link_close(mc_link *link) {
    if (link->fd >= 0) close(link->fd);
    link->fd = -1;
}

void mc_link_wait(const mc_link *link, bool has_unsent, int wake_fd, int timeout_ms) {
    struct pollfd polled[2] = {
        {.fd = link->fd, .events = (short)(POLLIN | (has_unsent ? POLLOUT : 0))},
        {.fd = wake_fd, .events = POLLIN}};
    poll(polled, 2, timeout_ms);
}

bool mc_link_send(mc_link *link, mc_frames *frames) {
    size_t sent = 0;
    bool is_there = true;
    while (sent < frames->size && is_there) {
        ssize_t size = send(link->fd, frames->data + sent, frames->size - sent, MSG_NOSIGNAL);
        if (size > 0) sent += (size_t)size;
        if (size >= 0 || errno == EINTR) continue;
        if (errno == EAGAIN || errno == EWOULDBLOCK) break;
        is_there = false;
    }
    if (sent > 0) mc_frames_consume(frames, sent);
    return is_there;
}

static uint32_t get_u32(const unsigned char *at) {
    return at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

bool mc_link_receive(mc_link *link) {
    for (;;) {
        size_t room = sizeof link->received - link->received_size;
        if (room == 0) return true; // commands are taken first
        ssize_t size = recv(link->fd, link->received + link->received_size, room, 0);
        if (size == 0) return false;
        if (size < 0) return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR;
        link->received_size += (size_t)size;
        if (link->received_size >= 4 && get_u32(link->received) > MC_AGENT_COMMAND_MAX)
            return false;
    }
}

// A string of the payload; false: it does not fit in there, or in `to`.
static bool take_string(const unsigned char **at, const unsigned char *end, char *to, size_t size) {
    if (end - *at < 2) return false;
    size_t length = (size_t)((*at)[0] | (*at)[1] << 8);
    *at += 2;
    if ((size_t)(end - *at) < length || length >= size) return false;
    memcpy(to, *at, length);
    to[length] = '\0';
    *at += length;
    return true;
}

static bool read_command(const unsigned char *at, const unsigned char *end,
                         mc_link_command *command) {
    if (end - at < 6 || *at++ != MC_AGENT_COMMAND) return false;
    command->number = get_u32(at);
    command->verb = at[4];
    at += 5;
    return take_string(&at, end, command->mode, sizeof command->mode) &&
           take_string(&at, end, command->options, sizeof command->options);
}

bool mc_link_take_command(mc_link *link, mc_link_command *command) {
    while (link->received_size >= 4) {
        size_t size = get_u32(link->received);
        if (size > MC_AGENT_COMMAND_MAX || link->received_size < size + 4) return false;
        bool is_command = read_command(link->received + 4, link->received + 4 + size, command);
        link->received_size -= size + 4;
        memmove(link->received, link->received + size + 4, link->received_size);
        if (is_command) return true;
    }
    return false;
}
