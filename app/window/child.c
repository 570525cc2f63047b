#include "app/window/child.h"

#include "engine/base/memory.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define END_WAIT_MS 500 // that it gets to clean up when the window closes

extern char **environ;

static mc_result start(mc_window_child *child, const char *program, const char *const *arguments,
                       bool takes_errors, mc_error *error) {
    size_t count = 0;
    while (arguments[count])
        count++;
    char **argv = mc_alloc_zero(count + 1, sizeof *argv);
    if (!argv) return mc_error_out_of_memory(error);
    memcpy(argv, arguments, count * sizeof *argv);
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) {
        mc_free(argv);
        return mc_fail(error, MC_ERROR_IO, "can't make a pipe: %s", strerror(errno));
    }
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    if (takes_errors)
        posix_spawn_file_actions_adddup2(&actions, ends[1], STDERR_FILENO);
    else
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    int failure = posix_spawnp(&child->process, program, &actions, NULL, argv, environ);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    mc_free(argv);
    if (failure != 0) {
        child->process = 0;
        close(ends[0]);
        return mc_fail(error, MC_ERROR_IO, "can't start a process: %s", strerror(failure));
    }
    child->pipe = ends[0];
    fcntl(child->pipe, F_SETFL, O_NONBLOCK);
    return MC_OK;
}

mc_result mc_window_child_start(mc_window_child *child, const char *const *arguments,
                                mc_error *error) {
    return start(child, "/proc/self/exe", arguments, true, error);
}

mc_result mc_window_child_start_program(mc_window_child *child, const char *program,
                                        const char *const *arguments, mc_error *error) {
    return start(child, program, arguments, false, error);
}

static void read_pipe(mc_window_child *child) {
    char bytes[4096];
    ssize_t size;
    while ((size = read(child->pipe, bytes, sizeof bytes)) > 0) {
        if (child->said.size < MC_CHILD_SAID_MAX) mc_text_append(&child->said, bytes, (size_t)size);
    }
}

static void forget(mc_window_child *child) {
    if (child->pipe > 0) close(child->pipe);
    child->process = 0;
    child->pipe = 0;
}

bool mc_window_child_poll(mc_window_child *child, int *status) {
    read_pipe(child);
    if (waitpid(child->process, status, WNOHANG) != child->process) return false;
    read_pipe(child); // what it said last
    forget(child);
    return true;
}

void mc_window_child_end(mc_window_child *child, int signal) {
    if (child->process > 0) {
        kill(child->process, signal);
        bool gone = false;
        for (int i = 0; i < END_WAIT_MS / 10 && !gone; i++) {
            gone = waitpid(child->process, NULL, WNOHANG) == child->process;
            if (!gone) usleep(10000);
        }
    }
    forget(child);
    mc_text_deinit(&child->said);
}
