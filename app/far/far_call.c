#include "app/far/far_call.h"

#include "app/command.h"
#include "app/far/far_file.h"
#include "app/output.h"
#include "engine/base/printable.h"
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PREFIX "memcity: "
#define LINE_MOST ((size_t)1 << 16)
#define IDENTITY_MOST ((size_t)1 << 24) // bytes: some 100,000 files

typedef struct calling {
    mc_far_link *link;
    const mc_far_call *call;
    mc_text *identity;
    mc_output out;
    mc_text line; // of the standard error there
    mc_far_file file;
    mc_command_progress shown;
    mc_progress progress;
    mc_text doing;
    uint32_t interrupt_count;
    bool is_done;
    int code;
} calling;

void mc_far_call_add(mc_far_call *call, mc_far_frame_kind kind, const char *text) {
    size_t size = strlen(text);
    const char head[] = {(char)kind, (char)(size >> 24), (char)(size >> 16), (char)(size >> 8),
                         (char)size};
    if (kind == MC_FAR_OUTPUT && call->output_count < MC_FAR_OUTPUTS_MOST)
        call->outputs[call->output_count++] = text;
    else if (kind == MC_FAR_OUTPUT || size > MC_FAR_FRAME_MOST)
        call->failed = true;
    mc_text_append(&call->words, head, sizeof head);
    mc_text_append(&call->words, text, size);
}

void mc_far_call_deinit(mc_far_call *call) {
    mc_text_deinit(&call->words);
}

// ---- what it prints

static void clear_progress(calling *self) {
    if (self->shown.shown) fputs("\r\033[K", stderr);
    self->shown.shown = false;
}

// A message gets the place's name; anything else is passed on as a line.
static void say_line(calling *self, const char *line, size_t size) {
    clear_progress(self);
    size_t prefix = strlen(PREFIX);
    if (size >= prefix && memcmp(line, PREFIX, prefix) == 0) {
        mc_message_say("%s: %.*s", mc_text_get(&self->link->label), (int)(size - prefix),
                       line + prefix);
        return;
    }
    mc_text shown = {0};
    mc_printable_lines lines = {.quote = '\0'};
    mc_printable_lines_append(&lines, &shown, line, size);
    mc_printable_lines_end(&lines, &shown);
    fprintf(stderr, "%s\n", mc_text_get(&shown));
    mc_text_deinit(&shown);
}

static void take_messages(calling *self, const char *bytes, size_t size) {
    mc_text_append(&self->line, bytes, size);
    size_t begin = 0;
    for (const char *end; self->line.size > begin &&
                          (end = memchr(self->line.data + begin, '\n', self->line.size - begin));) {
        size_t length = (size_t)(end - self->line.data) - begin;
        say_line(self, self->line.data + begin, length);
        begin += length + 1;
    }
    if (begin > 0) memmove(self->line.data, self->line.data + begin, self->line.size - begin);
    self->line.size -= begin;
    if (self->line.size > LINE_MOST) {
        say_line(self, self->line.data, self->line.size);
        self->line.size = 0;
    }
}

static void end_messages(calling *self) {
    if (self->line.size > 0) say_line(self, self->line.data, self->line.size);
    self->line.size = 0;
}

// "reading\t12\t100\t1"
static void show_progress(calling *self, const char *bytes, size_t size) {
    mc_text text = {0};
    mc_text_append(&text, bytes, size);
    char *tab = text.data ? strchr(text.data, '\t') : NULL, *end = NULL;
    unsigned long long done = tab ? strtoull(tab + 1, &end, 10) : 0;
    unsigned long long total = end && *end == '\t' ? strtoull(end + 1, &end, 10) : 0;
    bool is_bytes = end && strcmp(end, "\t1") == 0;
    if (tab) {
        mc_text_clear(&self->doing);
        mc_text_format(&self->doing, "%s: ", mc_text_get(&self->link->label));
        mc_text printable = {0};
        mc_printable_lines lines = {.quote = '\0'};
        mc_printable_lines_append(&lines, &printable, text.data, (size_t)(tab - text.data));
        mc_text_append_string(&self->doing, mc_text_get(&printable));
        mc_text_deinit(&printable);
        self->shown.doing = mc_text_get(&self->doing);
        self->shown.is_bytes = is_bytes;
        (void)mc_progress_report(&self->progress, done, total);
    }
    mc_text_deinit(&text);
}

// ---- frames

static mc_result take_frame(calling *self, char kind, const char *bytes, size_t size,
                            mc_error *error) {
    const char *place = mc_text_get(&self->link->label);
    switch (kind) {
    case MC_FAR_ALIVE: return MC_OK;
    case MC_FAR_STDOUT:
        clear_progress(self);
        if (!mc_output_write(&self->out, bytes, size) && !self->out.is_closed)
            return mc_fail(error, MC_ERROR_IO, "can't write the output: %s", strerror(errno));
        // As the program itself would end.
        return self->out.is_closed ? mc_fail(error, MC_ERROR_CANCELLED, "nobody reads") : MC_OK;
    case MC_FAR_STDERR: take_messages(self, bytes, size); return MC_OK;
    case MC_FAR_PROGRESS: show_progress(self, bytes, size); return MC_OK;
    case MC_FAR_IDENTITY_IS:
        if (!self->identity) return MC_OK;
        if (self->identity->size > IDENTITY_MOST)
            return mc_fail(error, MC_ERROR_UNSUPPORTED, "%s: the pattern stands for too many files",
                           place);
        mc_text_append(self->identity, bytes, size);
        return MC_OK;
    case MC_FAR_FILE:
        return mc_far_file_begin(&self->file, self->call->outputs, self->call->output_count, bytes,
                                 size, error);
    case MC_FAR_BYTES: return mc_far_file_write(&self->file, bytes, size, error);
    case MC_FAR_WHOLE: return mc_far_file_commit(&self->file, error);
    case MC_FAR_EXIT:
        self->is_done = true;
        self->code = size == 1 ? (unsigned char)bytes[0] : MC_EXIT_FAILED;
        return MC_OK;
    default: return mc_fail(error, MC_ERROR_BAD_DATA, "%s: what came is not memcity's", place);
    }
}

static mc_result take_frames(calling *self, mc_error *error) {
    char kind;
    const char *bytes;
    size_t size;
    mc_result result = MC_OK;
    while (result == MC_OK && !self->is_done &&
           mc_far_stream_take(&self->link->stream, &kind, &bytes, &size))
        result = take_frame(self, kind, bytes, size, error);
    return result;
}

static bool pass_input(calling *self) {
    char bytes[65536];
    ssize_t size = read(STDIN_FILENO, bytes, sizeof bytes);
    if (size < 0 && errno == EINTR) return true;
    (void)mc_far_stream_send(&self->link->stream, MC_FAR_INPUT, bytes, size > 0 ? (size_t)size : 0);
    return size > 0;
}

// The first Ctrl-C goes on to the other side, whose program may still finish its file; the second
// ends the connection.
static mc_result pass_interrupt(calling *self, mc_error *error) {
    if (!mc_command_is_interrupted()) return MC_OK;
    mc_command_forget_interrupt();
    if (self->interrupt_count++ > 0) return mc_fail(error, MC_ERROR_CANCELLED, "interrupted");
    (void)mc_far_stream_send(&self->link->stream, MC_FAR_INTERRUPT, "", 0);
    return MC_OK;
}

static mc_result exchange(calling *self, mc_error *error) {
    bool passes_input = self->call->passes_input && !self->identity, goes_on = true;
    mc_result result = MC_OK;
    while (result == MC_OK && !self->is_done && goes_on) {
        bool has_input = false;
        goes_on = mc_far_link_wait(self->link, passes_input ? STDIN_FILENO : -1, &has_input);
        if (has_input) passes_input = pass_input(self);
        result = take_frames(self, error);
        if (result == MC_OK) result = pass_interrupt(self, error);
    }
    if (result == MC_OK && !self->is_done) result = mc_far_link_fail(self->link, error);
    return result;
}

static mc_result call_there(mc_far_link *link, const mc_far_call *call, mc_far_frame_kind kind,
                            mc_text *identity, int *code, mc_error *error) {
    calling self = {.link = link, .call = call, .identity = identity};
    if (call->failed || call->words.failed) return mc_error_out_of_memory(error);
    mc_result result = mc_output_begin(&self.out, NULL, false, error);
    if (result != MC_OK) return result;
    self.progress = mc_command_begin_progress(&self.shown, "");
    link->stream.should_stop = NULL;
    if (mc_far_stream_write(&link->stream, call->words.data, call->words.size) &&
        mc_far_stream_send(&link->stream, kind, "", 0))
        result = exchange(&self, error);
    else
        result = mc_far_link_fail(link, error);
    mc_command_stop_progress(&self.shown);
    end_messages(&self);
    bool is_closed = self.out.is_closed;
    result = mc_output_end(&self.out, result, error);
    if (is_closed) self.code = MC_EXIT_OK;
    mc_far_file_discard(&self.file);
    mc_text_deinit(&self.line);
    mc_text_deinit(&self.doing);
    *code = self.code;
    return result;
}

mc_result mc_far_call_identify(mc_far_link *link, const mc_far_call *call, mc_text *identity,
                               int *code, mc_error *error) {
    return call_there(link, call, MC_FAR_IDENTITY, identity, code, error);
}

mc_result mc_far_call_run(mc_far_link *link, const mc_far_call *call, int *code, mc_error *error) {
    return call_there(link, call, MC_FAR_RUN, NULL, code, error);
}
