#include "app/command.h"
#include "app/far/far_folder.h"
#include "app/far/far_frame.h"
#include "app/far/far_paths.h"
#include "app/far/far_pipe.h"
#include "app/far/far_send.h"
#include "engine/base/clock.h"
#include "engine/base/memory.h"
#include "engine/base/program_path.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define WORDS_MOST 4096u
#define WAIT_MS 200
#define END_WAIT_MS 3000 // that the program gets to clean up
#define PIECE_SIZE 65536u

extern char **environ;

enum { PIPE_OUT, PIPE_ERRORS, PIPE_PROGRESS, PIPE_COUNT };
static const mc_far_frame_kind pipe_kinds[PIPE_COUNT] = {MC_FAR_STDOUT, MC_FAR_STDERR,
                                                         MC_FAR_PROGRESS};

// What the other side asks for, and the program that does it.
typedef struct server {
    mc_far_stream stream;
    char **words; // of the command line, behind the program's name
    uint32_t word_count;
    mc_text paths; // what patterns stand for, each with its NUL
    mc_far_outputs outputs;
    char *keep; // the path of the next output; NULL: in the folder
    mc_far_folder folder;
    pid_t process;
    int pipes[PIPE_COUNT], input; // -1: closed
    mc_text lines[PIPE_COUNT];    // not whole yet
    bool is_refused;              // something is wrong with the words
} server;

static volatile sig_atomic_t ended;

static void end(int signal_number) {
    (void)signal_number;
    ended = 1;
}

static bool has_ended(void *user) {
    const mc_far_stream *stream = user;
    return ended != 0 || stream->is_ended;
}

// ---- words

static void say(server *self, const mc_error *error) {
    mc_text text = {0};
    mc_text_format(&text, "memcity: %s\n", error->message);
    if (!text.failed) (void)mc_far_stream_send_text(&self->stream, MC_FAR_STDERR, text.data);
    mc_text_deinit(&text);
}

static void refuse(server *self, const mc_error *error) {
    if (!self->is_refused) say(self, error);
    self->is_refused = true;
}

static void add_word(server *self, const char *word) {
    mc_error error = {0};
    char *copy = self->word_count < WORDS_MOST ? mc_copy_string(word) : NULL;
    if (copy) {
        self->words[self->word_count++] = copy;
        return;
    }
    (void)mc_fail(&error, MC_ERROR_USAGE, "too many files at once, or too little memory");
    refuse(self, &error);
}

static void add_paths(server *self, const char *pattern) {
    mc_error error = {0};
    uint32_t count = 0;
    size_t before = self->paths.size;
    if (mc_far_paths_expand(pattern, &self->paths, &count, &error) != MC_OK) {
        refuse(self, &error);
        return;
    }
    for (const char *at = self->paths.data + before; count > 0; count--, at += strlen(at) + 1)
        add_word(self, at);
}

static void add_output(server *self, const char *name) {
    mc_error error = {0};
    const char *path = NULL;
    mc_result result = MC_OK;
    if (!self->folder.path[0]) result = mc_far_folder_make(&self->folder, &error);
    if (result == MC_OK)
        result =
            mc_far_outputs_add(&self->outputs, self->folder.path, name, self->keep, &path, &error);
    mc_free(self->keep);
    self->keep = NULL;
    if (result != MC_OK)
        refuse(self, &error);
    else
        add_word(self, path);
}

static void take_keep(server *self, const char *text) {
    mc_text path = {0};
    bool is_home = strncmp(text, "~/", 2) == 0;
    mc_text_format(&path, "%s%s", is_home && getenv("HOME") ? getenv("HOME") : "",
                   is_home ? text + 1 : text);
    mc_free(self->keep);
    self->keep = path.failed ? NULL : mc_copy_string(path.data);
    mc_text_deinit(&path);
}

static void forget_words(server *self) {
    for (uint32_t i = 0; self->words && i < self->word_count; i++)
        mc_free(self->words[i]);
    self->word_count = 0;
    mc_text_clear(&self->paths);
    mc_far_outputs_deinit(&self->outputs);
    self->is_refused = false;
}

static void send_exit(server *self, int code) {
    const char byte = (char)code;
    forget_words(self);
    (void)mc_far_stream_send(&self->stream, MC_FAR_EXIT, &byte, 1);
}

static void send_identity(server *self) {
    mc_text text = {0};
    for (size_t at = 0; at < self->paths.size; at += strlen(self->paths.data + at) + 1)
        mc_far_paths_identify(self->paths.data + at, &text);
    for (size_t at = 0; at < text.size && !text.failed; at += PIECE_SIZE)
        (void)mc_far_stream_send(&self->stream, MC_FAR_IDENTITY_IS, text.data + at,
                                 text.size - at < PIECE_SIZE ? text.size - at : PIECE_SIZE);
    mc_text_deinit(&text);
    send_exit(self, self->is_refused ? MC_EXIT_FAILED : MC_EXIT_OK);
}

// ---- the program

static int spawn(server *self, char *const *argv, const int ends[PIPE_COUNT], int input) {
    char parent[64], progress[64];
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t defaults;
    // It ends with this one, and says its progress apart from its messages.
    snprintf(parent, sizeof parent, "%ld", (long)getpid());
    snprintf(progress, sizeof progress, "%d", STDERR_FILENO + 1);
    setenv("MEMCITY_PARENT", parent, 1);
    setenv("MEMCITY_PROGRESS", progress, 1);
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, ends[PIPE_OUT], STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, ends[PIPE_ERRORS], STDERR_FILENO);
    posix_spawn_file_actions_adddup2(&actions, ends[PIPE_PROGRESS], STDERR_FILENO + 1);
    posix_spawnattr_init(&attributes);
    sigemptyset(&defaults);
    const int signals[] = {SIGPIPE, SIGHUP, SIGINT, SIGTERM};
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        sigaddset(&defaults, signals[i]);
    posix_spawnattr_setsigdefault(&attributes, &defaults);
    posix_spawnattr_setflags(&attributes, (short)(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP));
    int failure = posix_spawn(&self->process, argv[0], &actions, &attributes, argv, environ);
    if (failure != 0) self->process = 0;
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return failure;
}

static mc_result start(server *self, mc_error *error) {
    int pairs[PIPE_COUNT + 1][2], ends[PIPE_COUNT], failure = 0;
    mc_text program = {0};
    char **argv = mc_alloc_zero(self->word_count + 2, sizeof *argv);
    for (int i = 0; i <= PIPE_COUNT; i++) {
        int reason = mc_far_pipe_make(pairs[i]);
        if (reason != 0) failure = reason;
    }
    if (!argv || !mc_program_find_own(&program)) failure = ENOMEM;
    if (failure == 0) {
        argv[0] = program.data;
        memcpy(argv + 1, self->words, self->word_count * sizeof *argv);
        for (int i = 0; i < PIPE_COUNT; i++)
            ends[i] = pairs[i][1];
        failure = spawn(self, argv, ends, pairs[PIPE_COUNT][0]);
    }
    for (int i = 0; i < PIPE_COUNT; i++) {
        mc_far_pipe_close(&pairs[i][1]);
        self->pipes[i] = pairs[i][0];
        if (self->pipes[i] >= 0) fcntl(self->pipes[i], F_SETFL, O_NONBLOCK);
    }
    mc_far_pipe_close(&pairs[PIPE_COUNT][0]);
    self->input = pairs[PIPE_COUNT][1];
    mc_free(argv);
    mc_text_deinit(&program);
    if (failure == 0) return MC_OK;
    return mc_fail(error, MC_ERROR_IO, "can't start memcity: %s", strerror(failure));
}

// Messages and progress go line by line, and name files as the other side does.
static void pass_lines(server *self, int pipe, bool is_all) {
    mc_text *lines = &self->lines[pipe], shown = {0};
    size_t size = lines->size;
    while (size > 0 && !is_all && lines->data[size - 1] != '\n')
        size--;
    if (size == 0) return;
    for (size_t at = 0; at < size;) {
        const char *newline = memchr(lines->data + at, '\n', size - at);
        size_t length = newline ? (size_t)(newline - lines->data) + 1 - at : size - at;
        size_t content = length - (pipe == PIPE_PROGRESS && newline ? 1 : 0);
        mc_text_clear(&shown);
        mc_far_outputs_rename(&self->outputs, lines->data + at, content, &shown);
        if (!shown.failed && shown.size <= MC_FAR_FRAME_MOST)
            (void)mc_far_stream_send(&self->stream, pipe_kinds[pipe], shown.data, shown.size);
        at += length;
    }
    memmove(lines->data, lines->data + size, lines->size - size);
    lines->size -= size;
    mc_text_deinit(&shown);
}

// False: the program has closed it.
static bool pass_output(server *self, int pipe) {
    char bytes[PIECE_SIZE];
    ssize_t size = read(self->pipes[pipe], bytes, sizeof bytes);
    if (size < 0 && (errno == EAGAIN || errno == EINTR)) return true;
    if (size > 0 && pipe == PIPE_OUT) {
        (void)mc_far_stream_send(&self->stream, MC_FAR_STDOUT, bytes, (size_t)size);
    } else {
        if (size > 0) mc_text_append(&self->lines[pipe], bytes, (size_t)size);
        pass_lines(self, pipe, size <= 0 || self->lines[pipe].size > PIECE_SIZE);
    }
    if (size > 0) return true;
    mc_far_pipe_close(&self->pipes[pipe]);
    return false;
}

static void write_input(server *self, const char *bytes, size_t size) {
    if (size == 0) mc_far_pipe_close(&self->input);
    while (self->input >= 0 && size > 0) {
        ssize_t written = write(self->input, bytes, size);
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) mc_far_pipe_close(&self->input);
        if (written < 0) return;
        bytes += written;
        size -= (size_t)written;
    }
}

static void take_frame(server *self, char kind, const char *bytes, size_t size) {
    mc_text text = {0};
    mc_text_append(&text, bytes, size); // with a NUL behind it
    const char *word = mc_text_get(&text);
    switch (kind) {
    case MC_FAR_WORD: add_word(self, word); break;
    case MC_FAR_PATTERN: add_paths(self, word); break;
    case MC_FAR_OUTPUT: add_output(self, word); break;
    case MC_FAR_KEEP: take_keep(self, word); break;
    case MC_FAR_INPUT: write_input(self, bytes, size); break;
    case MC_FAR_INTERRUPT:
        if (self->process > 0) kill(self->process, SIGINT);
        break;
    default: break;
    }
    mc_text_deinit(&text);
}

static bool goes_on(const server *self) {
    return !ended && !self->stream.is_ended && !self->stream.is_broken;
}

// Its group goes with it: whoever it has started. While the other side is there it takes what time
// it takes.
static int wait_for_end(server *self) {
    int status = 0;
    uint64_t begin_ns = mc_clock_now_ns();
    bool is_killed = false;
    if (!goes_on(self)) kill(-self->process, SIGTERM);
    for (; waitpid(self->process, &status, WNOHANG) == 0; usleep(5000)) {
        if (goes_on(self)) continue;
        uint64_t waited_ns = mc_clock_now_ns() - begin_ns;
        if (!is_killed && waited_ns > (uint64_t)END_WAIT_MS * 1000000u) {
            kill(-self->process, SIGKILL);
            is_killed = true;
        }
    }
    kill(-self->process, SIGKILL);
    self->process = 0;
    if (WIFEXITED(status)) return WEXITSTATUS(status);
    mc_error error = {0};
    (void)mc_fail(&error, MC_ERROR_IO, "memcity was ended there by signal %d%s", WTERMSIG(status),
                  WTERMSIG(status) == SIGKILL ? "; perhaps there was too little memory" : "");
    if (goes_on(self)) say(self, &error);
    return MC_EXIT_FAILED;
}

static void take_frames(server *self) {
    char kind;
    const char *bytes;
    size_t size;
    while (mc_far_stream_take(&self->stream, &kind, &bytes, &size))
        take_frame(self, kind, bytes, size);
}

static int pass_on(server *self) {
    uint32_t open_count = PIPE_COUNT;
    while (open_count > 0 && goes_on(self)) {
        struct pollfd waited[PIPE_COUNT + 1];
        for (int i = 0; i < PIPE_COUNT; i++)
            waited[i] = (struct pollfd){.fd = self->pipes[i], .events = POLLIN};
        waited[PIPE_COUNT] = (struct pollfd){.fd = self->stream.in, .events = POLLIN};
        (void)poll(waited, PIPE_COUNT + 1, WAIT_MS);
        for (int i = 0; i < PIPE_COUNT && goes_on(self); i++)
            if (waited[i].revents && !pass_output(self, i)) open_count--;
        (void)mc_far_stream_fill(&self->stream);
        take_frames(self);
        mc_far_stream_say_alive(&self->stream);
    }
    for (int i = 0; i < PIPE_COUNT; i++)
        mc_far_pipe_close(&self->pipes[i]);
    mc_far_pipe_close(&self->input);
    return wait_for_end(self);
}

static void run(server *self) {
    mc_error error = {0};
    int code = MC_EXIT_FAILED;
    if (!self->is_refused && start(self, &error) != MC_OK) refuse(self, &error);
    if (!self->is_refused) {
        code = pass_on(self);
        if (goes_on(self) && mc_far_outputs_send(&self->outputs, &self->stream, &error) != MC_OK) {
            say(self, &error);
            code = MC_EXIT_FAILED;
        }
    }
    send_exit(self, code);
}

static void serve(server *self) {
    char kind;
    const char *bytes;
    size_t size;
    (void)mc_far_stream_write(&self->stream, MC_FAR_READY, strlen(MC_FAR_READY));
    while (goes_on(self)) {
        struct pollfd waited = {.fd = self->stream.in, .events = POLLIN};
        (void)poll(&waited, 1, WAIT_MS);
        (void)mc_far_stream_fill(&self->stream);
        while (mc_far_stream_take(&self->stream, &kind, &bytes, &size)) {
            if (kind == MC_FAR_RUN)
                run(self);
            else if (kind == MC_FAR_IDENTITY)
                send_identity(self);
            else
                take_frame(self, kind, bytes, size);
        }
        mc_far_stream_say_alive(&self->stream);
    }
}

int mc_command_far_serve(void) {
    server self = {.folder = {.fd = -1}, .input = -1, .pipes = {-1, -1, -1}};
    const int signals[] = {SIGHUP, SIGINT, SIGTERM};
    struct sigaction action = {.sa_handler = end};
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        sigaction(signals[i], &action, NULL);
    signal(SIGPIPE, SIG_IGN);
    mc_far_stream_init(&self.stream, STDIN_FILENO, STDOUT_FILENO);
    self.stream.should_stop = has_ended;
    self.stream.user = &self.stream;
    self.words = mc_alloc_zero(WORDS_MOST, sizeof *self.words);
    if (self.words) serve(&self);
    forget_words(&self);
    mc_far_folder_remove(&self.folder);
    mc_free(self.words);
    mc_free(self.keep);
    mc_text_deinit(&self.paths);
    for (int i = 0; i < PIPE_COUNT; i++)
        mc_text_deinit(&self.lines[i]);
    mc_far_stream_deinit(&self.stream);
    return MC_EXIT_OK;
}
