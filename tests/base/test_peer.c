// Whom a process takes for its own at the other end of a Unix socket. What needs other users is
// only asked as root, what needs a user namespace where there may be one.
#include "engine/base/peer.h"
#include "tests/test.h"
#include <sched.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

enum { REFUSED, TRUSTED, NOT_POSSIBLE };

static char folder[] = "/tmp/memcity-peer-XXXXXX";
static struct sockaddr_un address = {.sun_family = AF_UNIX};

static void become(uid_t user) {
    if (user != geteuid() && (setgid(user) != 0 || setuid(user) != 0)) _exit(NOT_POSSIBLE);
}

// The process that calls listen(), until it is killed.
static pid_t start_listener(int listener, uid_t user) {
    int ready[2];
    char byte = 0;
    REQUIRE(pipe(ready) == 0);
    pid_t process = fork();
    REQUIRE(process >= 0);
    if (process == 0) {
        become(user);
        if (listen(listener, 1) != 0 || write(ready[1], &byte, 1) != 1) _exit(1);
        for (;;)
            pause();
    }
    close(ready[1]);
    CHECK(read(ready[0], &byte, 1) == 1);
    close(ready[0]);
    return process;
}

static int connect_and_judge(pid_t listener, uint32_t also) {
    uint32_t pid = 1;
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (connect(fd, (const struct sockaddr *)&address, sizeof address) != 0) return NOT_POSSIBLE;
    bool is_trusted = mc_peer_is_trusted(fd, also, &pid);
    return pid != (uint32_t)listener ? NOT_POSSIBLE : is_trusted ? TRUSTED : REFUSED;
}

// What `user` thinks of a socket at which `owner` listens.
static int judge(uid_t user, uid_t owner, uint32_t also, bool in_namespace) {
    int listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0), status = 0;
    unlink(address.sun_path);
    REQUIRE(bind(listener, (const struct sockaddr *)&address, sizeof address) == 0);
    REQUIRE(chmod(address.sun_path, 0777) == 0);
    pid_t process = start_listener(listener, owner), judging = fork();
    REQUIRE(judging >= 0);
    if (judging == 0) {
        become(user);
        if (in_namespace && unshare(CLONE_NEWUSER) != 0) _exit(NOT_POSSIBLE);
        _exit(connect_and_judge(process, also));
    }
    waitpid(judging, &status, 0);
    kill(process, SIGKILL);
    waitpid(process, NULL, 0);
    close(listener);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void test_users(void) {
    CHECK(judge(0, 33, MC_PEER_NOBODY, false) == REFUSED);
    CHECK(judge(33, 34, MC_PEER_NOBODY, false) == REFUSED);
    CHECK(judge(33, 33, MC_PEER_NOBODY, false) == TRUSTED);
    CHECK(judge(33, 0, MC_PEER_NOBODY, false) == TRUSTED);
    CHECK(judge(0, 33, 33, false) == TRUSTED);
    CHECK(judge(33, 34, 33, false) == REFUSED);
    CHECK(judge(65534, 65534, MC_PEER_NOBODY, false) == TRUSTED);
    CHECK(judge(65534, 33, MC_PEER_NOBODY, false) == REFUSED);
}

// In there both have the number of nobody.
static void test_namespace(void) {
    int own = judge(65534, 65534, MC_PEER_NOBODY, true);
    CHECK(own == TRUSTED || own == NOT_POSSIBLE);
    int other = judge(65534, 33, MC_PEER_NOBODY, true);
    CHECK(other == REFUSED || other == NOT_POSSIBLE);
}

int main(void) {
    REQUIRE(mkdtemp(folder) && chmod(folder, 0755) == 0);
    snprintf(address.sun_path, sizeof address.sun_path, "%s/socket", folder);
    CHECK(judge(geteuid(), geteuid(), MC_PEER_NOBODY, false) == TRUSTED);
    CHECK(!mc_peer_is_trusted(-1, 0, NULL));
    if (geteuid() == 0) {
        test_users();
        test_namespace();
    }
    unlink(address.sun_path);
    rmdir(folder);
    return test_finish();
}
