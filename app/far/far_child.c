#include "app/far/far_child.h"

#include "app/command.h"
#include "app/far/far_pipe.h"
#include "app/far_address.h"
#include "engine/base/memory.h"
#include "engine/base/program_path.h"
#include "engine/base/progress_part.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#define PREFIX "memcity: "
#define WARNING "warning: "
#define PATH_MOST ((size_t)8192)
#define SAID_MOST ((size_t)1 << 16)
#define WAIT_MS 50
#define PHASE_COUNT 4    // about: of reading there, and of the way here
#define END_WAIT_MS 6000 // that it gets to clean up
#define PROGRESS_FD (STDERR_FILENO + 1)
#define PROGRESS_TEXT "3"

extern char **environ;

enum { CHILD_OUT, CHILD_SAID, CHILD_PROGRESS, CHILD_PIPE_COUNT };

typedef struct child {
    pid_t process;
    int pipes[CHILD_PIPE_COUNT]; // -1: closed
    mc_text texts[CHILD_PIPE_COUNT];
    size_t most[CHILD_PIPE_COUNT];
    bool has_more[CHILD_PIPE_COUNT]; // than is kept
    uint64_t done, total;
} child;

// ---- options

void mc_far_options_add(mc_far_options *options, const char *name, const char *value) {
    mc_text_format(&options->words, "--%s", name);
    mc_text_append(&options->words, "", 1);
    options->count++;
    if (!value) return;
    mc_text_append(&options->words, value, strlen(value) + 1);
    options->count++;
}

void mc_far_options_deinit(mc_far_options *options) {
    mc_text_deinit(&options->words);
    options->count = 0;
}

// ---- the process

bool mc_command_begin_far_child(const char *parent) {
    mc_command_catch_interrupts();
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    setenv("MEMCITY_PROGRESS", PROGRESS_TEXT, 1);
    return strtol(parent, NULL, 10) == (long)getppid();
}

// A session of its own: it has no terminal, and a signal reaches ssh as well.
static int spawn(child *self, char *const *argv, int ends[CHILD_PIPE_COUNT]) {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t signals;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, ends[CHILD_OUT], STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, ends[CHILD_SAID], STDERR_FILENO);
    posix_spawn_file_actions_adddup2(&actions, ends[CHILD_PROGRESS], PROGRESS_FD);
    posix_spawnattr_init(&attributes);
    sigemptyset(&signals);
    posix_spawnattr_setsigmask(&attributes, &signals);
    sigaddset(&signals, SIGPIPE);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGTERM);
    posix_spawnattr_setsigdefault(&attributes, &signals);
    posix_spawnattr_setflags(
        &attributes, (short)(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSID));
    int failure = posix_spawn(&self->process, argv[0], &actions, &attributes, argv, environ);
    if (failure != 0) self->process = 0;
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return failure;
}

static mc_result start(child *self, char *const *argv, mc_error *error) {
    int pairs[CHILD_PIPE_COUNT][2], ends[CHILD_PIPE_COUNT], failure = 0;
    for (int i = 0; i < CHILD_PIPE_COUNT; i++) {
        int reason = mc_far_pipe_make(pairs[i]);
        if (reason != 0) failure = reason;
        ends[i] = pairs[i][1];
    }
    if (failure == 0) failure = spawn(self, argv, ends);
    for (int i = 0; i < CHILD_PIPE_COUNT; i++) {
        mc_far_pipe_close(&pairs[i][1]);
        self->pipes[i] = pairs[i][0];
        if (self->pipes[i] >= 0) fcntl(self->pipes[i], F_SETFL, O_NONBLOCK);
    }
    if (failure == 0) return MC_OK;
    return mc_fail(error, MC_ERROR_IO, "can't start memcity: %s", strerror(failure));
}

// The last whole line of "reading\t12\t100\t1".
static void take_progress(child *self) {
    mc_text *text = &self->texts[CHILD_PROGRESS];
    size_t end = text->size, begin;
    while (end > 0 && text->data[end - 1] != '\n')
        end--;
    if (end == 0) return;
    for (begin = end - 1; begin > 0 && text->data[begin - 1] != '\n';)
        begin--;
    text->data[end - 1] = '\0';
    const char *tab = strchr(text->data + begin, '\t');
    char *rest = NULL;
    if (tab) self->done = strtoull(tab + 1, &rest, 10);
    if (tab) self->total = *rest == '\t' ? strtoull(rest + 1, NULL, 10) : 0;
    memmove(text->data, text->data + end, text->size - end);
    text->size -= end;
}

static void read_pipe(child *self, int index) {
    char bytes[65536];
    mc_text *text = &self->texts[index];
    ssize_t size = read(self->pipes[index], bytes, sizeof bytes);
    if (size < 0 && (errno == EAGAIN || errno == EINTR)) return;
    if (size <= 0) {
        mc_far_pipe_close(&self->pipes[index]);
        return;
    }
    if (text->size + (size_t)size <= self->most[index])
        mc_text_append(text, bytes, (size_t)size);
    else
        self->has_more[index] = true;
    if (index == CHILD_PROGRESS) take_progress(self);
}

static void read_pipes(child *self) {
    struct pollfd waited[CHILD_PIPE_COUNT];
    for (int i = 0; i < CHILD_PIPE_COUNT; i++)
        waited[i] = (struct pollfd){.fd = self->pipes[i], .events = POLLIN};
    (void)poll(waited, CHILD_PIPE_COUNT, WAIT_MS);
    for (int i = 0; i < CHILD_PIPE_COUNT; i++)
        if (waited[i].revents) read_pipe(self, i);
}

static bool has_open_pipe(const child *self) {
    return self->pipes[CHILD_OUT] >= 0 || self->pipes[CHILD_SAID] >= 0;
}

// Its signal reaches ssh, too, whose end tells the other side.
static void stop(child *self) {
    kill(-self->process, SIGTERM);
    for (int waited_ms = 0; waitpid(self->process, NULL, WNOHANG) == 0; waited_ms += 5) {
        if (waited_ms > END_WAIT_MS) kill(-self->process, SIGKILL);
        usleep(5000);
    }
}

static mc_result wait_for(child *self, const mc_progress *progress, int *code, mc_error *error) {
    int status = 0;
    bool goes_on = true;
    while (has_open_pipe(self) && goes_on) {
        read_pipes(self);
        goes_on = mc_progress_report(progress, self->done, self->total);
    }
    if (!goes_on) {
        stop(self);
        return mc_fail(error, MC_ERROR_CANCELLED, "cancelled");
    }
    while (waitpid(self->process, &status, 0) < 0 && errno == EINTR) {
    }
    *code = WIFEXITED(status) ? WEXITSTATUS(status) : MC_EXIT_FAILED;
    return MC_OK;
}

// ---- what it says

static mc_result get_result(int code) {
    return code == MC_EXIT_USAGE       ? MC_ERROR_USAGE
           : code == MC_EXIT_BAD_INPUT ? MC_ERROR_BAD_DATA
                                       : MC_ERROR_IO;
}

// The lines without the program's name. What is no warning is why it failed.
static mc_result take_said(const mc_text *from, int code, mc_text *said, mc_error *error) {
    mc_text reason = {0};
    const char *at = mc_text_get(from), *end = at + from->size;
    while (at < end) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        size_t size = (size_t)((newline ? newline : end) - at), prefix = strlen(PREFIX);
        const char *line = at;
        at = newline ? newline + 1 : end;
        if (size >= prefix && memcmp(line, PREFIX, prefix) == 0) {
            line += prefix;
            size -= prefix;
        }
        if (size == 0) continue;
        const char *warning = memmem(line, size, WARNING, strlen(WARNING));
        size_t before = warning ? (size_t)(warning - line) : size;
        if (!warning && reason.size > 0) mc_text_append_string(&reason, "; ");
        mc_text *out = warning || code == MC_EXIT_OK ? said : &reason;
        mc_text_append(out, line, before);
        if (warning)
            mc_text_append(out, warning + strlen(WARNING), size - before - strlen(WARNING));
        if (out == said) mc_text_append(out, "\n", 1);
    }
    mc_result result = MC_OK;
    if (code != MC_EXIT_OK)
        result = mc_fail(error, get_result(code), "%s",
                         reason.size > 0 ? mc_text_get(&reason) : "memcity ended without a word");
    mc_text_deinit(&reason);
    return result;
}

static mc_result run(const char *const *words, size_t most, const mc_progress *progress,
                     mc_text *out, mc_text *said, mc_error *error) {
    child self = {.pipes = {-1, -1, -1}, .most = {most, SAID_MOST, SAID_MOST}};
    size_t count = 0;
    char parent[32];
    mc_text program = {0};
    int code = MC_EXIT_FAILED;
    if (mc_command_stays_here())
        return mc_fail(error, MC_ERROR_UNSUPPORTED,
                       "a program that was started to answer a question connects to nothing");
    while (words[count])
        count++;
    const char **argv = mc_alloc_zero(count + 4, sizeof *argv);
    mc_result result =
        argv && mc_program_find_own(&program) ? MC_OK : mc_error_out_of_memory(error);
    if (result == MC_OK) {
        snprintf(parent, sizeof parent, "%ld", (long)getpid());
        argv[0] = program.data;
        argv[1] = "far-child";
        argv[2] = parent;
        memcpy(argv + 3, words, count * sizeof *argv);
        result = start(&self, (char *const *)(uintptr_t)argv, error);
    }
    if (result == MC_OK) result = wait_for(&self, progress, &code, error);
    if (result == MC_OK) result = take_said(&self.texts[CHILD_SAID], code, said, error);
    if (result == MC_OK && self.has_more[CHILD_OUT])
        result = mc_fail(error, MC_ERROR_UNSUPPORTED, "the answer has more than %zu bytes", most);
    if (result == MC_OK)
        mc_text_append(out, mc_text_get(&self.texts[CHILD_OUT]), self.texts[CHILD_OUT].size);
    for (int i = 0; i < CHILD_PIPE_COUNT; i++) {
        mc_far_pipe_close(&self.pipes[i]);
        mc_text_deinit(&self.texts[i]);
    }
    mc_free((void *)argv);
    mc_text_deinit(&program);
    return result;
}

mc_result mc_far_child_ask(const char *const *words, size_t most, const mc_progress *progress,
                           mc_text *out, mc_text *said, mc_error *error) {
    return run(words, most, progress, out, said, error);
}

static mc_result fetch(const char *const *addresses, uint32_t count, const mc_far_options *options,
                       const mc_progress *progress, mc_form_texts *files, mc_text *said,
                       mc_error *error) {
    mc_text path = {0};
    size_t word_count = 0;
    const char **words = mc_alloc_zero((size_t)options->count + count + 2, sizeof *words);
    if (!words || options->words.failed) {
        mc_free((void *)words);
        return mc_error_out_of_memory(error);
    }
    words[word_count++] = "far-fetch";
    const char *at = mc_text_get(&options->words);
    for (uint32_t i = 0; i < options->count; i++, at += strlen(at) + 1)
        words[word_count++] = at;
    for (uint32_t i = 0; i < count; i++)
        words[word_count++] = addresses[i];
    mc_result result = run(words, PATH_MOST, progress, &path, said, error);
    if (result == MC_OK &&
        (path.failed || !mc_form_texts_add(files, mc_text_get(&path), path.size)))
        result = mc_error_out_of_memory(error);
    mc_text_deinit(&path);
    mc_free((void *)words);
    return result;
}

bool mc_far_has_address(const char *const *paths, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        if (mc_far_is_address(paths[i])) return true;
    return false;
}

mc_result mc_far_child_fetch(const char *const *paths, uint32_t count,
                             const mc_far_options *options, const mc_progress *progress,
                             mc_form_texts *files, mc_text *said, mc_error *error) {
    mc_result result = MC_OK;
    for (uint32_t i = 0, end; i < count && result == MC_OK; i = end) {
        mc_far_place place, other;
        const char *path;
        end = i + 1;
        if (!mc_far_is_address(paths[i])) {
            if (!mc_form_texts_add(files, paths[i], strlen(paths[i])))
                result = mc_error_out_of_memory(error);
            continue;
        }
        result = mc_far_address_parse(paths[i], &place, &path, error);
        while (end < count && mc_far_is_address(paths[end]) &&
               mc_far_address_parse(paths[end], &other, &path, NULL) == MC_OK &&
               mc_far_place_is_same(&place, &other))
            end++;
        mc_progress_part part = {progress, (double)i / count, (double)(end - i) / count};
        const mc_progress whole = mc_progress_part_get(&part);
        mc_progress_phases phases = {.whole = &whole, .count = PHASE_COUNT};
        const mc_progress fetching = mc_progress_phases_get(&phases);
        if (result == MC_OK)
            result = fetch(paths + i, end - i, options, &fetching, files, said, error);
    }
    return result;
}
