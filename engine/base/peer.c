#include "engine/base/peer.h"

#include <signal.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

#define OVERFLOW_USER 65534u // what a user namespace shows of every user that it has no number for

static bool has_all_users(void) {
    unsigned inside = 1, outside = 1, count = 0;
    FILE *map = fopen("/proc/self/uid_map", "re");
    bool is_read = map && fscanf(map, "%u %u %u", &inside, &outside, &count) == 3;
    if (map) fclose(map);
    return is_read && inside == 0 && outside == 0 && count == UINT32_MAX;
}

// Of two that have no number of their own, the kernel knows whether they are the same: a signal may
// only be sent to one's own processes.
static bool is_own(const struct ucred *peer) {
    if (peer->uid != geteuid()) return false;
    return peer->uid != OVERFLOW_USER || has_all_users() ||
           (peer->pid > 0 && kill(peer->pid, 0) == 0);
}

bool mc_peer_is_trusted(int fd, uint32_t also, uint32_t *pid) {
    struct ucred peer = {.pid = 0};
    socklen_t size = sizeof peer;
    if (pid) *pid = 0;
    if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0) return false;
    if (pid) *pid = (uint32_t)peer.pid;
    bool is_also = also != MC_PEER_NOBODY && peer.uid == also;
    return peer.uid == 0 || is_also || is_own(&peer);
}
