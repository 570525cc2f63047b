#include "app/record/live_session.h"

#include "app/command.h"
#include "app/record/live_recording.h"
#include "engine/base/clock.h"
#include "engine/base/memory.h"
#include "engine/base/printable.h"
#include "engine/live/agent/agent_command.h"
#include "engine/live/agent/agent_socket.h"
#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define TICK_MS 100
#define REST_NS UINT64_C(5000000000)
#define EXTENSION ".mct"
#define METHODS_EXTENSION ".methods.mct"
#define LATE_NS UINT64_C(10000000000) // an agent that was put into a program is there by then
#define NUMBER_START 1u               // of commands; one a subject
#define NUMBER_REST (NUMBER_START + MC_LIVE_SUBJECT_COUNT)

struct mc_live {
    mc_live_desc desc;
    mc_agent_socket socket;
    int fd; // of the agent; -1: none
    mc_live_state state;
    mc_agent_stream stream;
    mc_agent_names names;
    mc_live_recording recordings[MC_LIVE_SUBJECT_COUNT]; // the first `count`
    uint32_t count;
    mc_text commands;  // that were not sent yet
    uint64_t begin_ns; // of the recording: since the agent is there
    uint64_t wait_ns;  // since when an agent is waited for
    bool is_late;      // which was said
    bool was_refused;  // by an agent, which was said
    bool is_at_rest;
    uint64_t lost_count;
    mc_live_window window;
    int failure; // exit code of what ended the recording; 0: nothing has
};

// ---- the files

static const char *get_folder_name(const mc_live_recording *recording) {
    return recording->methods ? MC_RUN_METHODS : MC_RUN_RECORDING;
}

// Beside sites, methods get a name of their own: "live.mct" and "live.methods.mct".
static void append_path(const mc_live *self, const mc_live_recording *recording, mc_text *path) {
    const char *output = self->desc.options->output;
    if (!output) {
        mc_text_format(path, "%s/%s", self->socket.folder.path, get_folder_name(recording));
        return;
    }
    size_t size = strlen(output), end_size = sizeof EXTENSION - 1;
    if (recording == &self->recordings[0]) {
        mc_text_append(path, output, size);
        return;
    }
    if (size > end_size && strcmp(output + size - end_size, EXTENSION) == 0) size -= end_size;
    mc_text_append(path, output, size);
    mc_text_append_string(path, METHODS_EXTENSION);
}

static mc_result open_files(mc_live *self, mc_error *error) {
    mc_result result = MC_OK;
    mc_text path = {0};
    for (uint32_t i = 0; i < self->count && result == MC_OK; i++) {
        mc_text_clear(&path);
        append_path(self, &self->recordings[i], &path);
        result = path.failed ? mc_error_out_of_memory(error)
                             : mc_live_output_open(&self->recordings[i].output, path.data, error);
    }
    mc_text_deinit(&path);
    return result;
}

static mc_result begin_recordings(mc_live *self, mc_error *error) {
    mc_result result = MC_OK;
    for (uint32_t i = 0; i < MC_LIVE_SUBJECT_COUNT && result == MC_OK; i++) {
        mc_live_recording *recording = &self->recordings[self->count];
        if (!mc_live_options_has(self->desc.options, (mc_live_subject)i)) continue;
        recording->output.claim.lock = -1;
        self->count++;
        result = mc_live_recording_begin(recording, (mc_live_subject)i, self->desc.options,
                                         &self->names, error);
    }
    return result;
}

// ---- the beginning

// What it will cost, before it does.
static void announce(const mc_live *self) {
    const mc_live_options *options = self->desc.options;
    if (options->quiet) return;
    if (options->methods == MC_LIVE_METHODS_EXACT)
        mc_message_say("each call is timed: the program runs %s",
                       options->has_trivial ? "10 times slower or more where calls are tiny"
                                            : "usually 2 to 4 times slower");
    else if (options->methods == MC_LIVE_METHODS_COUNT)
        mc_message_say("each call is counted: the program runs up to twice as slow");
}

static mc_result open_socket(mc_live *self, mc_error *error) {
    const mc_live_desc *desc = &self->desc;
    if (!desc->options->uses_tcp) return mc_agent_socket_open(&self->socket, desc->listen, error);
    mc_result result = mc_agent_socket_open_tcp(&self->socket, desc->port, error);
    if (result == MC_OK && desc->is_public && !desc->options->quiet)
        mc_message_say("agents connect to 127.0.0.1:%u; the secret is in %s",
                       (unsigned)self->socket.tcp.port, self->socket.path);
    return result;
}

mc_result mc_live_begin(const mc_live_desc *desc, mc_live **live, mc_error *error) {
    mc_live *self = *live = mc_alloc_zero(1, sizeof *self);
    if (!self) return mc_error_out_of_memory(error);
    self->desc = *desc;
    self->fd = -1;
    self->socket.fd = self->socket.tcp.fd = self->socket.tcp.listener = -1;
    mc_result result = begin_recordings(self, error);
    if (result == MC_OK) result = open_socket(self, error);
    if (result == MC_OK) result = open_files(self, error);
    if (result == MC_OK) announce(self);
    return result;
}

void mc_live_append_address(const mc_live *live, mc_text *text) {
    mc_agent_socket_append_options(&live->socket, text);
}

// ---- the window

// Counted calls have no times.
static bool is_linked(const mc_live *self) {
    return self->count > 1 && self->desc.options->methods != MC_LIVE_METHODS_COUNT;
}

static void open_window(mc_live *self) {
    if (self->desc.options->output && !self->desc.options->follow) return;
    // Methods have a view of their own, which is what is usual for them.
    const mc_live_recording *shown = &self->recordings[0];
    const char *arguments[8] = {shown->output.path, "--follow"};
    uint32_t count = 2;
    if (is_linked(self)) {
        arguments[count++] = "--with";
        arguments[count++] = self->recordings[1].output.path;
    }
    mc_live_window_open(&self->window, arguments);
}

// ---- what the agent says

static void start_mode(mc_live *self, mc_live_subject subject) {
    mc_text options = {0};
    mc_live_options_append_of(self->desc.options, subject, &options);
    mc_agent_command_append(&self->commands, NUMBER_START + subject, MC_AGENT_START,
                            mc_live_options_get_mode(self->desc.options, subject),
                            options.data ? options.data : "");
    self->commands.failed |= options.failed;
    mc_text_deinit(&options);
}

static void greet(mc_live *self, const mc_agent_event *event) {
    mc_excerpt program, runtime;
    if (!self->desc.options->quiet)
        mc_message_say("recording process %" PRIu32 " (%s, %s)", event->pid,
                       event->name.size
                           ? mc_excerpt_make(&program, event->name.bytes, event->name.size)
                           : "no name",
                       mc_excerpt_make(&runtime, event->runtime.bytes, event->runtime.size));
    for (uint32_t i = 0; i < MC_LIVE_SUBJECT_COUNT; i++) {
        if (self->recordings[i].sites) self->recordings[i].heap_limit = event->heap_limit;
        if (!self->desc.is_started && mc_live_options_has(self->desc.options, (mc_live_subject)i))
            start_mode(self, (mc_live_subject)i);
    }
}

static mc_result take_answer(const mc_agent_event *event, mc_error *error) {
    mc_excerpt text;
    if (event->flags) return MC_OK;
    return mc_fail(error, MC_ERROR_UNSUPPORTED, "the agent refuses: %s",
                   mc_excerpt_make(&text, event->name.bytes, event->name.size));
}

static void take_loss(mc_live *self, const mc_agent_event *event) {
    mc_excerpt reason;
    if (self->lost_count == 0)
        mc_message_warn("the agent dropped something: %s",
                        mc_excerpt_make(&reason, event->name.bytes, event->name.size));
    if (__builtin_add_overflow(self->lost_count, event->value, &self->lost_count))
        self->lost_count = UINT64_MAX;
}

// Of each subject.
static bool has_steps(const mc_live *self) {
    for (uint32_t i = 0; i < self->count; i++)
        if (self->recordings[i].output.step_count == 0) return false;
    return self->count > 0;
}

static mc_result take_into_recordings(mc_live *self, const mc_agent_event *event, mc_error *error) {
    mc_result result = MC_OK;
    for (uint32_t i = 0; i < self->count && result == MC_OK; i++)
        result = mc_live_recording_make_step(&self->recordings[i], event, error);
    if (result == MC_OK) result = mc_agent_names_take(&self->names, event, error);
    for (uint32_t i = 0; i < self->count && result == MC_OK; i++)
        result = mc_live_recording_take(&self->recordings[i], event, error);
    if (result == MC_OK && has_steps(self)) open_window(self);
    return result;
}

static mc_result take_event(mc_live *self, const mc_agent_event *event, mc_error *error) {
    mc_excerpt text;
    mc_result result = take_into_recordings(self, event, error);
    if (result != MC_OK) return result;
    switch (event->type) {
    case MC_AGENT_HELLO: greet(self, event); break;
    case MC_AGENT_ACK: return take_answer(event, error);
    case MC_AGENT_LOST: take_loss(self, event); break;
    case MC_AGENT_NOTE:
        mc_message_say("%s", mc_excerpt_make(&text, event->name.bytes, event->name.size));
        break;
    case MC_AGENT_BYE: self->state = MC_LIVE_ENDED; break;
    default: break;
    }
    return MC_OK;
}

static mc_result take_events(mc_live *self, mc_error *error) {
    mc_agent_event event;
    bool is_there = true;
    while (self->state == MC_LIVE_RECORDS) {
        mc_result result = mc_agent_stream_next(&self->stream, &event, &is_there, error);
        if (result == MC_OK && is_there) result = take_event(self, &event, error);
        if (result != MC_OK && error->byte_offset != MC_ERROR_NO_OFFSET)
            mc_error_prepend(error, "what the agent sends");
        if (result != MC_OK || !is_there) return result;
    }
    return MC_OK;
}

static mc_result take_waiting(mc_live *self, mc_error *error) {
    mc_result result = MC_OK;
    for (uint32_t i = 0; i < self->count && result == MC_OK; i++)
        result = mc_live_recording_take_waiting(&self->recordings[i], error);
    if (result == MC_OK && has_steps(self)) open_window(self);
    return result;
}

// An agent looks at who listens before it says anything, and comes again.
static void take_refusal(mc_live *self) {
    close(self->fd);
    self->fd = -1;
    self->state = MC_LIVE_WAITS;
    if (!self->was_refused && !self->desc.options->uses_tcp && geteuid() != 0)
        mc_message_warn("an agent has connected but sends nothing: an agent of root needs ;user=%u "
                        "in its options",
                        (unsigned)geteuid());
    self->was_refused = true;
}

static mc_result receive(mc_live *self, mc_error *error) {
    for (;;) {
        size_t room;
        unsigned char *bytes = mc_agent_stream_get_room(&self->stream, &room);
        if (!bytes) return mc_error_out_of_memory(error);
        ssize_t size = recv(self->fd, bytes, room, 0);
        if (size < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR))
            return take_waiting(self, error);
        if (size <= 0) { // it is gone; what it had not sent whole is lost, and no error
            self->state = MC_LIVE_ENDED;
            if (!self->stream.has_hello && self->stream.size == 0) take_refusal(self);
            return MC_OK;
        }
        mc_agent_stream_add(&self->stream, (size_t)size);
        mc_result result = take_events(self, error);
        if (result != MC_OK || self->state != MC_LIVE_RECORDS) return result;
    }
}

// ---- the connection

// The first agent of the right program is taken, others are sent away, so that they rest.
static void accept_agents(mc_live *self) {
    uint32_t pid = 0;
    int fd = mc_agent_socket_accept(&self->socket, &pid);
    if (fd < 0) return;
    bool is_wanted =
        self->state == MC_LIVE_WAITS && (!self->desc.pid || !pid || pid == self->desc.pid);
    if (is_wanted) {
        self->fd = fd;
        self->state = MC_LIVE_RECORDS;
        self->begin_ns = mc_clock_now_ns();
    } else {
        close(fd);
    }
}

// False: it is gone, which is noticed where it is read, too.
static bool send_commands(mc_live *self) {
    if (self->fd < 0 || self->commands.size == 0) return self->fd >= 0;
    ssize_t size = send(self->fd, self->commands.data, self->commands.size, MSG_NOSIGNAL);
    if (size <= 0) return errno == EAGAIN || errno == EINTR;
    self->commands.size -= (size_t)size;
    memmove(self->commands.data, self->commands.data + size, self->commands.size);
    return true;
}

static void watch_agent(mc_live *self) {
    if (self->state != MC_LIVE_WAITS || !self->desc.pid || self->is_late) return;
    uint64_t now_ns = mc_clock_now_ns();
    if (self->wait_ns == 0) self->wait_ns = now_ns;
    self->is_late = now_ns - self->wait_ns > LATE_NS;
    if (self->is_late)
        mc_message_warn("the agent is in process %" PRIu32 ", but has not connected yet",
                        self->desc.pid);
}

mc_live_state mc_live_turn(mc_live *live) {
    mc_error error = {0};
    watch_agent(live);
    mc_live_window_watch(&live->window);
    if (live->state == MC_LIVE_ENDED || live->state == MC_LIVE_FAILED) return live->state;
    send_commands(live);
    struct pollfd polled[2] = {{.fd = live->socket.fd, .events = POLLIN},
                               {.fd = live->fd, .events = POLLIN}};
    if (poll(polled, 2, TICK_MS) <= 0) return live->state;
    if (polled[0].revents) accept_agents(live);
    if (live->fd < 0 || live->state != MC_LIVE_RECORDS || receive(live, &error) == MC_OK)
        return live->state;
    live->failure = mc_command_fail(&error);
    return live->state = MC_LIVE_FAILED;
}

bool mc_live_is_over(const mc_live *live) {
    int64_t duration_ms = live->desc.options->duration_ms;
    if (live->window.is_gone && !live->desc.options->output) return true;
    return duration_ms >= 0 && live->fd >= 0 &&
           mc_clock_now_ns() - live->begin_ns >= (uint64_t)duration_ms * 1000000;
}

static bool wait_for(const mc_live *self, short events, uint64_t end_ns) {
    uint64_t now_ns = mc_clock_now_ns();
    struct pollfd polled = {.fd = self->fd, .events = events};
    return now_ns < end_ns && poll(&polled, 1, (int)((end_ns - now_ns) / 1000000) + 1) > 0;
}

// A recording that has failed takes nothing any more, so what still comes is thrown away.
static void dismiss(mc_live *self, uint64_t end_ns) {
    char unread[4096];
    while (send_commands(self) && self->commands.size > 0)
        if (!wait_for(self, POLLOUT, end_ns)) break;
    shutdown(self->fd, SHUT_WR);
    while (wait_for(self, POLLIN, end_ns)) {
        ssize_t size = recv(self->fd, unread, sizeof unread, 0);
        if (size == 0 || (size < 0 && errno != EAGAIN && errno != EINTR)) break;
    }
}

void mc_live_rest(mc_live *live) {
    uint64_t end_ns = mc_clock_now_ns() + REST_NS;
    if (live->is_at_rest) return;
    live->is_at_rest = true;
    if (live->fd >= 0) {
        mc_agent_command_append(&live->commands, NUMBER_REST, MC_AGENT_REST, "", "");
        while (live->state == MC_LIVE_RECORDS && mc_clock_now_ns() < end_ns)
            mc_live_turn(live);
        if (live->state == MC_LIVE_FAILED) dismiss(live, end_ns);
    }
    mc_agent_socket_stop(&live->socket);
}

// ---- the end

static bool finish_files(mc_live *self) {
    bool is_fine = true;
    for (uint32_t i = 0; i < self->count; i++) {
        mc_error error = {0};
        if (mc_live_recording_finish(&self->recordings[i], !self->failure, &error) == MC_OK)
            continue;
        mc_command_fail(&error);
        is_fine = false;
    }
    return is_fine;
}

static void tell_recording(const mc_live *self, const mc_live_recording *recording) {
    if (recording->output.step_count == 0 && self->count > 1)
        mc_message_say("no step of %s was recorded", recording->methods ? "methods" : "sites");
    else if (recording->output.step_count == 0)
        mc_message_say("no step was recorded");
    else
        mc_message_say("%s: %" PRIu32 " %s %srecorded; `memcity %s` shows them",
                       recording->output.path, recording->output.step_count,
                       recording->output.step_count == 1 ? "step" : "steps",
                       self->count == 1     ? ""
                       : recording->methods ? "of methods "
                                            : "of sites ",
                       recording->output.path);
}

static void tell_end(const mc_live *self) {
    const mc_live_recording *recordings = self->recordings;
    if (self->lost_count > 0)
        mc_message_warn("%" PRIu64 " items that the agent dropped are missing", self->lost_count);
    if (!self->desc.options->output || self->desc.options->quiet) return;
    if (self->fd < 0) {
        mc_message_say("no step was recorded: no agent has connected, which needs a Java program "
                       "(HotSpot, JDK 11 or later) of the same user");
        return;
    }
    for (uint32_t i = 0; i < self->count; i++)
        tell_recording(self, &recordings[i]);
    if (is_linked(self) && has_steps(self))
        mc_message_say("`memcity %s --with %s` shows both, linked", recordings[0].output.path,
                       recordings[1].output.path);
}

int mc_live_end(mc_live *live, int code) {
    if (!live) return code;
    mc_live_rest(live);
    bool was_begun = live->count > 0 && live->recordings[live->count - 1].output.writer != NULL;
    bool is_fine = finish_files(live);
    int failure = live->failure;
    if (was_begun && (code == MC_EXIT_OK || live->fd >= 0)) tell_end(live);
    if (live->fd >= 0) close(live->fd);
    mc_live_window_wait(&live->window);
    for (uint32_t i = 0; i < live->count; i++) {
        is_fine = is_fine && live->recordings[i].output.step_count > 0;
        mc_live_recording_end(&live->recordings[i]);
    }
    mc_agent_socket_close(&live->socket);
    mc_agent_names_deinit(&live->names);
    mc_agent_stream_deinit(&live->stream);
    mc_text_deinit(&live->commands);
    mc_free(live);
    if (code != MC_EXIT_OK || failure) return code != MC_EXIT_OK ? code : failure;
    return is_fine ? MC_EXIT_OK : MC_EXIT_FAILED;
}
