#include "app/commands/rows_command.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define PATIENCE_MS 200 // with a command that may just be ending

extern char **environ;

static int fail(const char *doing, const char *text, int code) {
    mc_message_say("can't %s \"%s\": %s", doing, text, strerror(code));
    return MC_EXIT_FAILED;
}

// It stays in our process group, so that it may ask for a password, and an interrupt is for both.
static int spawn(mc_rows_command *self, int write_end) {
    const char *arguments[] = {"/bin/sh", "-c", self->text, NULL};
    char *argv[sizeof arguments / sizeof *arguments];
    memcpy(argv, arguments, sizeof argv);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, write_end, STDOUT_FILENO);
    int code = posix_spawn(&self->process, argv[0], &actions, NULL, argv, environ);
    posix_spawn_file_actions_destroy(&actions);
    return code == 0 ? MC_EXIT_OK : fail("start", self->text, code);
}

int mc_rows_command_begin(mc_rows_command *self, const char *text, int fd) {
    int ends[2];
    *self = (mc_rows_command){.text = text};
    if (pipe2(ends, O_CLOEXEC) != 0) return fail("make a pipe for", text, errno);
    int code = spawn(self, ends[1]);
    close(ends[1]);
    if (code == MC_EXIT_OK && dup2(ends[0], fd) < 0) code = fail("listen to", text, errno);
    close(ends[0]);
    if (self->process == 0) self->text = NULL; // nobody to wait for
    return code;
}

// Nothing is read from it any more: if it goes on writing, it learns that.
static void close_input(int fd) {
    int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (nothing >= 0) {
        dup2(nothing, fd);
        if (nothing != fd) close(nothing);
    } else {
        close(fd);
    }
}

// True: it has ended by itself, in so many ms.
static bool has_ended(const mc_rows_command *self, int *status, int wait_ms) {
    const int tick_ms = 5;
    for (;; wait_ms -= tick_ms) {
        if (waitpid(self->process, status, WNOHANG) == self->process) return true;
        if (wait_ms <= 0 || mc_command_is_interrupted()) return false;
        poll(NULL, 0, tick_ms);
    }
}

static int tell(const char *text, int status) {
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return MC_EXIT_OK;
    if (WIFSIGNALED(status))
        mc_message_say("--rows-from: \"%s\" was ended by signal %d (%s): its rows are incomplete",
                       text, WTERMSIG(status), strsignal(WTERMSIG(status)));
    else
        mc_message_say("--rows-from: \"%s\" ended with exit code %d: its rows are incomplete", text,
                       WEXITSTATUS(status));
    return MC_EXIT_FAILED;
}

int mc_rows_command_end(mc_rows_command *self, int fd, bool is_whole) {
    const char *text = self->text;
    int status = 0;
    if (!text) return MC_EXIT_OK;
    self->text = NULL;
    // What was wrong with its rows may be that it has failed.
    if (!is_whole && has_ended(self, &status, PATIENCE_MS)) return tell(text, status);
    close_input(fd);
    if (!is_whole) kill(self->process, SIGTERM);
    pid_t ended;
    do
        ended = waitpid(self->process, &status, 0);
    while (ended < 0 && errno == EINTR && !mc_command_is_interrupted());
    if (!is_whole) return MC_EXIT_OK;
    return ended < 0 ? fail("wait for", text, errno) : tell(text, status);
}
