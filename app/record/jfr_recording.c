#include "app/record/jfr_recording.h"

#include "app/command.h"
#include "app/format.h"
#include "engine/base/clock.h"
#include "engine/base/file.h"
#include "engine/base/memory.h"
#include "engine/import/jfr/jfr_chunk.h"
#include "engine/live/jvm.h"
#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#define TICK_MS 100
#define PIECE_SIZE ((size_t)1 << 20)

typedef struct recording {
    const mc_jfr_recording_desc *desc;
    mc_jvm jvm;
    mc_dump_place place;
    mc_dump dump;
    bool has_dump;
    char name[48]; // of the recording in the JVM
    mc_text text, answer;
} recording;

// What jcmd says where it fails, it mostly says as an answer.
static mc_result ask(recording *self, const char *command, const char *done, mc_error *error) {
    mc_result result = mc_jvm_ask(&self->jvm, command, self->text.data, &self->answer, error);
    const char *said = mc_text_get(&self->answer);
    if (result != MC_OK || strstr(said, done)) return result;
    const char *line = strchr(said, '\n'); // behind "4711:"
    line = line ? line + 1 : said;
    return mc_fail(error, MC_ERROR_IO, "%s: the JVM says: %.300s", command, line);
}

static mc_result start(recording *self, mc_error *error) {
    mc_text_clear(&self->text);
    mc_text_format(&self->text, "name=%s settings=profile", self->name);
    return self->text.failed ? mc_error_out_of_memory(error)
                             : ask(self, "JFR.start", "Started recording", error);
}

static mc_result stop(recording *self, mc_error *error) {
    mc_text_clear(&self->text);
    mc_text_format(&self->text, "name=%s", self->name);
    return self->text.failed ? mc_error_out_of_memory(error)
                             : ask(self, "JFR.stop", "Stopped recording", error);
}

// The JVM opens the file by its name several times: it goes only when it is done.
static mc_result dump(recording *self, mc_error *error) {
    mc_result result = mc_dump_begin(&self->dump, &self->place, error);
    if (result != MC_OK) return result;
    self->has_dump = true;
    mc_text_clear(&self->text);
    mc_text_format(&self->text, "name=%s filename=\"%s\" path-to-gc-roots=true", self->name,
                   self->dump.path);
    if (self->text.failed) return mc_error_out_of_memory(error);
    result = ask(self, "JFR.dump", "Dumped recording", error);
    if (result == MC_OK && !mc_dump_take(&self->dump))
        result =
            mc_fail(error, MC_ERROR_IO,
                    "no recording came in %s (--temporary FOLDER names another)", self->place.path);
    return result;
}

// Until the time is up or the user has had enough. False: the program has ended.
static bool wait_for_end(const recording *self) {
    const uint64_t begin_ns = mc_clock_now_ns();
    for (;;) {
        if (!mc_jvm_is_alive(&self->jvm)) return false;
        uint64_t passed_ms = (mc_clock_now_ns() - begin_ns) / 1000000;
        if (mc_command_is_interrupted() ||
            (self->desc->duration_ms >= 0 && passed_ms >= (uint64_t)self->desc->duration_ms))
            return true;
        poll(NULL, 0, TICK_MS);
    }
}

static mc_result copy(const recording *self, uint64_t *size, mc_error *error) {
    mc_file_writer writer;
    unsigned char *piece = mc_alloc(PIECE_SIZE, 1);
    ssize_t count = 0;
    if (!piece) return mc_error_out_of_memory(error);
    mc_result result = mc_file_writer_begin(&writer, self->desc->output, error);
    *size = 0;
    while (result == MC_OK &&
           (count = pread(self->dump.file, piece, PIECE_SIZE, (off_t)*size)) > 0) {
        if (*size == 0 && !mc_jfr_detect(piece, (size_t)count))
            result = mc_fail(error, MC_ERROR_IO, "what the JVM wrote is no recording");
        else if (fwrite(piece, 1, (size_t)count, writer.stream) != (size_t)count)
            result = mc_fail(error, MC_ERROR_IO, "%s: %s", self->desc->output, strerror(errno));
        *size += (uint64_t)count;
    }
    if (result == MC_OK && (count < 0 || *size == 0))
        result = mc_fail(error, MC_ERROR_IO, "what the JVM wrote can't be read: %s",
                         count < 0 ? strerror(errno) : "it is empty");
    if (result == MC_OK) result = mc_file_writer_commit(&writer, error);
    mc_file_writer_discard(&writer);
    mc_free(piece);
    return result;
}

static mc_result record(recording *self, uint64_t *size, mc_error *error) {
    mc_error ignored = {0};
    mc_result result = start(self, error);
    if (result != MC_OK) return result;
    if (!self->desc->is_quiet)
        mc_message_say("recording process %" PRIu32 " (%s)%s", self->jvm.pid, self->jvm.name,
                       self->desc->duration_ms < 0 ? "; Ctrl-C ends it" : "");
    if (!wait_for_end(self))
        return mc_fail(error, MC_ERROR_IO,
                       "process %" PRIu32 " (%s) has ended, and its recording with it",
                       self->jvm.pid, self->jvm.name);
    self->jvm.should_stop = NULL; // what the user ended is to be dumped
    result = dump(self, error);
    mc_result stopped = stop(self, &ignored);
    if (stopped != MC_OK)
        mc_message_warn("the JVM goes on recording (jcmd %" PRIu32 " JFR.stop name=%s): %s",
                        self->jvm.pid, self->name, ignored.message);
    return result == MC_OK ? copy(self, size, error) : result;
}

int mc_jfr_recording_run(const mc_jfr_recording_desc *desc) {
    recording self = {.desc = desc, .place = {.parent = -1}};
    mc_log log = mc_command_get_log();
    mc_error error = {0};
    uint64_t size = 0;
    char text[MC_FORMAT_SIZE];
    snprintf(self.name, sizeof self.name, "memcity-%ld", (long)getpid());
    mc_command_catch_interrupts();
    mc_result result = mc_jvm_init(&self.jvm, desc->pid, desc->jcmd, &error);
    self.jvm.timeout_ms = desc->timeout_ms;
    self.jvm.should_stop = mc_command_is_interrupted;
    if (result == MC_OK && self.jvm.jcmd_reason[0] && !desc->is_quiet)
        mc_message_say("asking by %s: %s", self.jvm.jcmd, self.jvm.jcmd_reason);
    if (result == MC_OK)
        result = mc_dump_place_init(&self.place, desc->pid, desc->temporary, &log, &error);
    if (result == MC_OK) result = record(&self, &size, &error);
    if (self.has_dump) mc_dump_end(&self.dump);
    mc_dump_place_deinit(&self.place);
    mc_jvm_deinit(&self.jvm);
    mc_text_deinit(&self.text);
    mc_text_deinit(&self.answer);
    if (result != MC_OK) return mc_command_fail(&error);
    mc_message_say("%s: %s; `memcity why %s` tells what it says of the heap", desc->output,
                   mc_format_bytes(text, size), desc->output);
    return MC_EXIT_OK;
}
