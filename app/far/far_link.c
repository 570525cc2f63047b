#include "app/far/far_link.h"

#include "app/command.h"
#include "app/far/far_pack.h"
#include "engine/base/clock.h"
#include "engine/base/file.h"
#include "engine/base/printable.h"
#include "engine/base/program_path.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#define WAIT_MS 200
#define END_WAIT_MS 5000 // that the other side gets to clean up
#define CALL_WAIT_MS 200 // that it gets to end where no other side has answered
#define GREETING "memcity-far 1 "
#define GREETING_MOST ((size_t)1 << 20) // what a shell's start may print before
#define PIECE_SIZE ((size_t)1 << 18)

extern char **environ;

// What runs there first. It is one line, without quotes of its own kind, backslashes and "!", so
// that any user's shell passes it on to sh as it is. The archive is unpacked beside its name, and
// gets the name when it is whole. In a place where nothing can be kept it is unpacked for this
// once.
static const char script[] =
    "umask 077; t=; clean() { [ -z \"$t\" ] || rm -rf \"$t\"; }; trap clean EXIT; "
    "trap \"exit 1\" HUP INT TERM PIPE; fail() { echo \"$1\"; exit 1; }; "
    "echo \"" GREETING "$(uname -s) $(uname -m)\"; "
    "d=${XDG_CACHE_HOME:-${HOME:-/nonexistent}/.cache}/memcity/far; "
    "if [ ! -x \"$d/$h/bin/memcity\" ]; then echo need; read -r a; [ \"$a\" = send ] || exit 1; "
    "if mkdir -p \"$d\" 2>/dev/null && [ -w \"$d\" ]; "
    "then k=1; t=$d/part.$$.$h; mkdir \"$t\" || fail full; "
    "else k=; t=$(mktemp -d \"${TMPDIR:-/tmp}/memcity-far.XXXXXX\") || fail full; fi; "
    "head -c $n >\"$t/pack\" || fail full; "
    "s=$( (sha256sum \"$t/pack\" || shasum -a 256 \"$t/pack\" || openssl dgst -sha256 -r "
    "\"$t/pack\") 2>/dev/null); [ \"${s%% *}\" = $h ] || fail damaged; "
    "mkdir \"$t/$h\" && tar -xzf \"$t/pack\" -C \"$t/$h\" || fail full; rm -f \"$t/pack\"; "
    "if [ -n \"$k\" ]; then [ -x \"$d/$h/bin/memcity\" ] || mv \"$t/$h\" \"$d/$h\" || fail full; "
    "rm -rf \"$t\"; t=; find \"$d\" -mindepth 1 -maxdepth 1 -mtime +30 -exec rm -rf {} + "
    "2>/dev/null; else d=$t; fi; fi; echo have; touch \"$d/$h\" 2>/dev/null; "
    "if [ -z \"$t\" ]; then exec \"$d/$h/bin/memcity\" far-serve; fi; "
    "\"$d/$h/bin/memcity\" far-serve";

static bool is_interrupted(void *user) {
    (void)user;
    return mc_command_is_interrupted();
}

// ---- the program that goes there

static void close_pair(int ends[2]) {
    for (int i = 0; i < 2; i++)
        if (ends[i] >= 0) close(ends[i]);
}

// Ctrl-C is for this program alone, which tells the other side: ssh is started so that it ignores
// it, as it also asks for passwords on the terminal; the others get a process group of their own.
static int spawn(mc_far_link *link, const char *const *words, bool is_ssh, int in, int out,
                 int errors) {
    const char *argv[MC_FAR_WORDS_MOST + 5] = {"sh", "-c", "trap \"\" INT; exec \"$@\"", "sh"};
    for (size_t i = 0; words[i]; i++)
        argv[4 + i] = words[i];
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t defaults;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, in, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO);
    posix_spawnattr_init(&attributes);
    sigemptyset(&defaults);
    sigaddset(&defaults, SIGPIPE);
    posix_spawnattr_setsigdefault(&attributes, &defaults);
    posix_spawnattr_setflags(&attributes,
                             (short)(POSIX_SPAWN_SETSIGDEF | (is_ssh ? 0 : POSIX_SPAWN_SETPGROUP)));
    int failure = posix_spawnp(&link->process, "sh", &actions, &attributes,
                               (char *const *)(uintptr_t)argv, environ);
    if (failure != 0) link->process = 0;
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return failure;
}

static mc_result start(mc_far_link *link, const char *const *words, bool is_ssh, mc_error *error) {
    int in[2] = {-1, -1}, out[2] = {-1, -1}, errors[2] = {-1, -1};
    mc_text program = {0};
    bool is_there = mc_program_find(words[0], &program);
    mc_text_deinit(&program);
    if (!is_there)
        return mc_fail(error, MC_ERROR_UNSUPPORTED, "%s is not installed here%s", words[0],
                       strcmp(words[0], "ssh") == 0 ? " (Debian: apt install openssh-client)" : "");
    int failure =
        pipe2(in, O_CLOEXEC) != 0 || pipe2(out, O_CLOEXEC) != 0 || pipe2(errors, O_CLOEXEC) != 0
            ? errno
            : spawn(link, words, is_ssh, in[0], out[1], errors[1]);
    if (failure != 0) {
        close_pair(in);
        close_pair(out);
        close_pair(errors);
        return mc_fail(error, MC_ERROR_IO, "can't start %s: %s", words[0], strerror(failure));
    }
    close(in[0]);
    close(out[1]);
    close(errors[1]);
    link->errors = errors[0];
    fcntl(link->errors, F_SETFL, O_NONBLOCK);
    mc_far_stream_init(&link->stream, out[0], in[1]);
    link->stream.should_stop = is_interrupted;
    return MC_OK;
}

static void say_lines(mc_far_link *link, bool is_all) {
    char *at = link->said.data, *end;
    size_t left = link->said.size;
    while (left > 0 && ((end = memchr(at, '\n', left)) || is_all)) {
        size_t size = end ? (size_t)(end - at) : left;
        size_t shown = size > 0 && at[size - 1] == '\r' ? size - 1 : size;
        if (shown > 0) mc_message_say("%s: %.*s", mc_text_get(&link->label), (int)shown, at);
        link->has_said = link->has_said || shown > 0;
        at += size + (end ? 1 : 0);
        left -= size + (end ? 1 : 0);
    }
    if (left > 0) memmove(link->said.data, at, left);
    link->said.size = left;
}

static void read_errors(mc_far_link *link) {
    char bytes[4096];
    ssize_t size;
    while (link->errors >= 0 && (size = read(link->errors, bytes, sizeof bytes)) != 0) {
        if (size < 0 && errno == EINTR) continue;
        if (size < 0) break;
        mc_text_append(&link->said, bytes, (size_t)size);
        say_lines(link, link->said.size > MC_ERROR_MESSAGE_SIZE / 2);
    }
    if (link->errors < 0 || size != 0) return;
    close(link->errors);
    link->errors = -1;
}

bool mc_far_link_wait(mc_far_link *link, int input, bool *has_input) {
    struct pollfd waited[] = {{.fd = link->stream.in, .events = POLLIN},
                              {.fd = link->errors, .events = POLLIN},
                              {.fd = input, .events = POLLIN}};
    (void)poll(waited, 3, WAIT_MS);
    if (has_input) *has_input = waited[2].revents != 0;
    if (waited[1].revents) read_errors(link);
    mc_far_stream_say_alive(&link->stream);
    return mc_far_stream_fill(&link->stream);
}

mc_result mc_far_link_fail(const mc_far_link *link, mc_error *error) {
    return mc_fail(error, MC_ERROR_IO, "%s: the connection ended%s", mc_text_get(&link->label),
                   link->has_said ? "" : " without a word");
}

// ---- the first words

// Takes lines until one begins as wanted, or, without `wanted`, one.
static mc_result take_line(mc_far_link *link, const char *wanted, mc_text *line, mc_error *error) {
    bool goes_on = true;
    for (size_t seen = 0;; seen += line->size) {
        while (!mc_far_stream_take_line(&link->stream, line)) {
            if (mc_command_is_interrupted())
                return mc_fail(error, MC_ERROR_CANCELLED, "interrupted");
            if (!goes_on || seen > GREETING_MOST) {
                read_errors(link);
                return mc_far_link_fail(link, error);
            }
            goes_on = mc_far_link_wait(link, -1, NULL);
        }
        if (!wanted || strncmp(line->data, wanted, strlen(wanted)) == 0) return MC_OK;
    }
}

static mc_result check_machine(const mc_far_link *link, const char *machine, mc_error *error) {
    struct utsname here;
    char own[sizeof here.sysname + sizeof here.machine + 1] = "";
    if (uname(&here) == 0) snprintf(own, sizeof own, "%s %s", here.sysname, here.machine);
    if (strcmp(own, machine) == 0) return MC_OK;
    mc_excerpt shown;
    return mc_fail(error, MC_ERROR_UNSUPPORTED,
                   "%s: that is %s, this memcity is for %s. Put a memcity for it there and run it "
                   "there, or copy the heap dumps here",
                   mc_text_get(&link->label), mc_excerpt_make(&shown, machine, strlen(machine)),
                   own);
}

static mc_result send_pack(mc_far_link *link, const mc_far_pack *pack, mc_error *error) {
    mc_file_map map;
    mc_text doing = {0};
    mc_command_progress shown;
    mc_result result = mc_file_map_open(&map, pack->path, error);
    if (result != MC_OK) return result;
    mc_text_format(&doing, "copying memcity to %s", mc_text_get(&link->label));
    mc_progress progress = mc_command_begin_progress(&shown, mc_text_get(&doing));
    shown.is_bytes = true;
    bool goes_on = mc_far_stream_write(&link->stream, "send\n", 5);
    for (size_t at = 0; at < map.size && goes_on; at += PIECE_SIZE) {
        size_t size = map.size - at < PIECE_SIZE ? map.size - at : PIECE_SIZE;
        goes_on = mc_progress_report(&progress, at, map.size) &&
                  mc_far_stream_write(&link->stream, map.data + at, size);
    }
    link->stream.is_broken = false; // what is said about that is read below
    result = mc_command_end_progress(&shown, MC_OK, error);
    mc_file_map_close(&map);
    mc_text_deinit(&doing);
    return result;
}

static mc_result take_installed(mc_far_link *link, mc_error *error) {
    mc_text line = {0};
    mc_result result = take_line(link, NULL, &line, error);
    if (result == MC_OK && strcmp(line.data, "have") != 0) {
        while (mc_far_link_wait(link, -1, NULL)) {
        }
        read_errors(link);
        const char *name = mc_text_get(&link->label);
        result =
            strcmp(line.data, "damaged") == 0
                ? mc_fail(error, MC_ERROR_IO,
                          "%s: the copy of memcity did not arrive whole, or none of sha256sum, "
                          "shasum and openssl is there to see that",
                          name)
                : mc_fail(error, MC_ERROR_IO,
                          "%s: memcity can't be kept there: is the disk full, or its cache "
                          "(~/.cache/memcity/far) not writable? It needs head, tar and gzip",
                          name);
    }
    mc_text_deinit(&line);
    return result;
}

static mc_result greet(mc_far_link *link, const mc_far_pack *pack, mc_error *error) {
    mc_text line = {0};
    mc_result machine = MC_OK, result = take_line(link, GREETING, &line, error);
    link->is_there = result == MC_OK;
    if (result == MC_OK) machine = check_machine(link, line.data + strlen(GREETING), error);
    if (result == MC_OK && machine == MC_OK) result = take_line(link, NULL, &line, error);
    if (machine != MC_OK) result = machine;
    if (result == MC_OK && strcmp(line.data, "need") == 0) {
        result = send_pack(link, pack, error);
        if (result == MC_OK) result = take_installed(link, error);
    }
    if (result == MC_OK) result = take_line(link, "memcity-far-ready", &line, error);
    mc_text_deinit(&line);
    return result;
}

static void append_label(const mc_far_place *place, mc_text *out) {
    mc_text_append_string(out, place->host);
    if (place->container[0]) mc_text_format(out, "/%s", place->container);
}

mc_result mc_far_link_begin(mc_far_link *link, const mc_far_place *place, mc_error *error) {
    mc_far_pack pack;
    mc_text whole = {0};
    mc_far_words words;
    *link = (mc_far_link){.errors = -1, .stream = {.in = -1, .out = -1}};
    append_label(place, &link->label);
    mc_result result = mc_far_pack_find(&pack, error);
    if (result != MC_OK) return result;
    mc_text_format(&whole, "h=%s; n=%llu; %s", pack.hash, (unsigned long long)pack.size, script);
    mc_far_words_make(place, mc_text_get(&whole), &words);
    if (whole.failed || words.script.failed || link->label.failed)
        result = mc_error_out_of_memory(error);
    if (result == MC_OK) {
        result = start(link, words.items, place->kind == MC_FAR_SSH, error);
        if (result != MC_OK) mc_error_prepend(error, mc_text_get(&link->label));
    }
    if (result == MC_OK) result = greet(link, &pack, error);
    mc_far_words_deinit(&words);
    mc_text_deinit(&whole);
    mc_far_pack_deinit(&pack);
    return result;
}

// The end of its input tells the other side to end, too.
void mc_far_link_end(mc_far_link *link) {
    if (link->stream.out >= 0) close(link->stream.out);
    uint64_t begin_ns = mc_clock_now_ns();
    uint64_t wait_ms = link->is_there ? END_WAIT_MS : CALL_WAIT_MS;
    bool is_running = link->process > 0;
    while (is_running) {
        read_errors(link);
        char rest[4096];
        while (link->stream.in >= 0 && read(link->stream.in, rest, sizeof rest) > 0) {
        }
        is_running = waitpid(link->process, NULL, WNOHANG) == 0;
        if (!is_running) break;
        if (mc_clock_now_ns() - begin_ns > wait_ms * 1000000u) {
            kill(link->process, SIGTERM);
            (void)waitpid(link->process, NULL, 0);
            break;
        }
        struct pollfd waited = {.fd = link->errors, .events = POLLIN};
        (void)poll(&waited, 1, link->errors >= 0 ? 20 : 5);
    }
    read_errors(link);
    say_lines(link, true);
    if (link->errors >= 0) close(link->errors);
    if (link->stream.in >= 0) close(link->stream.in);
    mc_far_stream_deinit(&link->stream);
    mc_text_deinit(&link->said);
    mc_text_deinit(&link->label);
    *link = (mc_far_link){.errors = -1, .stream = {.in = -1, .out = -1}};
}
