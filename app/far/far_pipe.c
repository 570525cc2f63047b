#include "app/far/far_pipe.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#define LEAST_NUMBER 10

int mc_far_pipe_make(int pair[2]) {
    int made[2];
    pair[0] = pair[1] = -1;
    if (pipe2(made, O_CLOEXEC) != 0) return errno;
    for (int i = 0; i < 2; i++) {
        pair[i] = fcntl(made[i], F_DUPFD_CLOEXEC, LEAST_NUMBER);
        close(made[i]);
    }
    return pair[0] >= 0 && pair[1] >= 0 ? 0 : EMFILE;
}

void mc_far_pipe_close(int *fd) {
    if (*fd >= 0) close(*fd);
    *fd = -1;
}
