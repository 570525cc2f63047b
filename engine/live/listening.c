#include "engine/live/listening.h"

#include <arpa/inet.h>
#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

#define LISTEN 0x0a // as /proc/net/tcp has it

bool mc_listening_has(const mc_listening *listening, uint16_t port) {
    for (uint32_t i = 0; i < listening->count; i++)
        if (listening->ports[i] == port) return true;
    return false;
}

// Whether one of the process's descriptors is this socket.
static bool has_socket(uint32_t pid, uint64_t socket) {
    char path[64], link[64];
    bool is_found = false;
    snprintf(path, sizeof path, "/proc/%" PRIu32 "/fd", pid);
    DIR *stream = opendir(path);
    struct dirent *file;
    while (stream && !is_found && (file = readdir(stream))) {
        uint64_t number;
        const ssize_t size = readlinkat(dirfd(stream), file->d_name, link, sizeof link - 1);
        if (size <= 0) continue;
        link[size] = '\0';
        is_found = sscanf(link, "socket:[%" SCNu64 "]", &number) == 1 && number == socket;
    }
    if (stream) closedir(stream);
    return is_found;
}

void mc_listening_read(uint32_t pid, mc_listening *found) {
    char path[64], line[512];
    *found = (mc_listening){.count = 0};
    snprintf(path, sizeof path, "/proc/%" PRIu32 "/net/tcp", pid);
    FILE *file = fopen(path, "re");
    while (file && found->count < MC_LISTENING_MOST && fgets(line, sizeof line, file)) {
        uint32_t address, port, state;
        uint64_t socket;
        // number: local address, the other's, state, queues, timer, retransmits, user, timeout,
        // inode
        if (sscanf(line,
                   " %*u: %" SCNx32 ":%" SCNx32 " %*x:%*x %" SCNx32
                   " %*x:%*x %*x:%*x %*x %*u %*u %" SCNu64,
                   &address, &port, &state, &socket) != 4 ||
            state != LISTEN || port == 0 || port > UINT16_MAX)
            continue;
        const bool is_local = address == htonl(INADDR_LOOPBACK);
        if ((!is_local && address != htonl(INADDR_ANY)) || !has_socket(pid, socket)) continue;
        found->ports[found->count] = (uint16_t)port;
        found->are_local[found->count++] = is_local;
    }
    if (file) fclose(file);
}
