#include "engine/live/jvm.h"

#include "engine/base/memory.h"
#include "engine/live/other_runtime.h"
#include "engine/live/process.h"
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static mc_result fail(mc_error *error, const char *format, ...) MC_PRINTF(2, 3);

static mc_result fail(mc_error *error, const char *format, ...) {
    char message[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    return mc_fail(error, MC_ERROR_UNSUPPORTED, "%s", message);
}

// ---- the process

bool mc_jvm_is_alive(const mc_jvm *jvm) {
    uint64_t start_ticks;
    return mc_process_read(jvm->pid, &start_ticks, NULL, 0) && start_ticks == jvm->start_ticks;
}

// Where the JVM's library lies. A process is asked by SIGQUIT, which ends all that don't expect it:
// only those that have the library are asked.
static mc_result find_library(const mc_jvm *jvm, char *library, size_t size, mc_error *error) {
    char path[64], line[PATH_MAX + 256];
    snprintf(path, sizeof path, "/proc/%" PRIu32 "/maps", jvm->pid);
    FILE *file = fopen(path, "re");
    if (!file)
        return fail(error, "process %" PRIu32 " (%s): %s; only its owner can ask it", jvm->pid,
                    jvm->name, strerror(errno));
    const char *found = NULL;
    while (!found && fgets(line, sizeof line, file))
        found = strstr(line, "/libjvm.so") ? strchr(line, '/') : NULL;
    fclose(file);
    if (!found)
        return fail(error, "process %" PRIu32 " (%s) is no Java program: it has no libjvm.so%s",
                    jvm->pid, jvm->name, mc_other_runtime_find(jvm->pid));
    // An update replaces the file that the process has.
    const char *end = strstr(found, " (deleted)\n");
    snprintf(library, size, "%.*s", (int)(end ? (size_t)(end - found) : strcspn(found, "\n")),
             found);
    return MC_OK;
}

bool mc_jvm_has_library(uint32_t pid) {
    char library[PATH_MAX + 1];
    mc_error error = {0};
    mc_jvm jvm = {.pid = pid};
    return find_library(&jvm, library, sizeof library, &error) == MC_OK;
}

mc_result mc_jvm_init(mc_jvm *jvm, uint32_t pid, const char *jcmd, mc_error *error) {
    char library[PATH_MAX + 1];
    *jvm = (mc_jvm){.pid = pid, .timeout_ms = 60000};
    if (!mc_process_read(pid, &jvm->start_ticks, jvm->name, sizeof jvm->name))
        return fail(error, "there is no process %" PRIu32 "; `jcmd -l` lists those of Java", pid);
    mc_result result = find_library(jvm, library, sizeof library, error);
    if (result != MC_OK) return result;
    if (!jcmd) return mc_jcmd_find(pid, library, &jvm->jcmd, jvm->jcmd_reason, error);
    if (strchr(jcmd, '/') && access(jcmd, X_OK) != 0)
        return fail(error, "%s: %s", jcmd, strerror(errno));
    jvm->jcmd = mc_copy_string(jcmd);
    return jvm->jcmd ? MC_OK : mc_error_out_of_memory(error);
}

void mc_jvm_deinit(mc_jvm *jvm) {
    mc_free(jvm->jcmd);
    *jvm = (mc_jvm){.pid = 0};
}

// ---- asking

// What jcmd said: the first line of its messages, behind which a stack trace may come, else the
// last of its output.
static void find_reason(const mc_child_outcome *outcome, char *reason, size_t size) {
    const mc_text *texts[] = {&outcome->messages, &outcome->output};
    bool is_found = false;
    snprintf(reason, size, "it says nothing");
    for (int i = 0; i < 2 && !is_found; i++) {
        for (const char *at = texts[i]->data; at && *at && !(is_found && i == 0);) {
            size_t length = strcspn(at, "\n");
            bool is_reason = length > 0 && at[0] != '\t' && at[0] != ' ' && at[length - 1] != ':' &&
                             strncmp(at, "Picked up ", 10) != 0;
            if (is_reason) snprintf(reason, size, "%.*s", length < 300 ? (int)length : 300, at);
            is_found = is_found || is_reason;
            at += length + (at[length] == '\n');
        }
    }
}

typedef struct question {
    const mc_jvm *jvm;
    const char *const *arguments;
    mc_dump *dump; // that the JVM writes meanwhile; NULL: none
} question;

static bool look(void *user) {
    const question *self = user;
    if (self->dump) mc_dump_take(self->dump);
    return self->jvm->should_stop && self->jvm->should_stop();
}

static mc_result ask(question *self, mc_child_outcome *outcome, mc_error *error) {
    const mc_jvm *jvm = self->jvm;
    mc_child_desc desc = {.arguments = self->arguments,
                          .timeout_ms = jvm->timeout_ms,
                          .should_stop = look,
                          .user = self};
    mc_result result = mc_child_run(&desc, outcome, error);
    if (result != MC_OK) return result;
    if (outcome->is_stopped) return mc_fail(error, MC_ERROR_CANCELLED, "stopped");
    if (outcome->is_timed_out)
        return mc_fail(error, MC_ERROR_IO, "%s did not answer within %" PRIu64 " s (--timeout)",
                       jvm->jcmd, (jvm->timeout_ms + 999) / 1000);
    if (outcome->exit_code == 0) return MC_OK;
    char reason[320];
    find_reason(outcome, reason, sizeof reason);
    bool is_closed = strstr(reason, "does not support the attach mechanism") != NULL;
    return mc_fail(error, MC_ERROR_IO, "%s failed: %s%s", jvm->jcmd, reason,
                   is_closed ? "; started with -XX:+DisableAttachMechanism, it can't be asked"
                             : "");
}

mc_result mc_jvm_read_histogram(const mc_jvm *jvm, bool all, mc_text *text, mc_error *error) {
    mc_result result = mc_jvm_ask(jvm, "GC.class_histogram", all ? "-all" : NULL, text, error);
    if (result != MC_ERROR_UNSUPPORTED) return result;
    if (error) error->code = MC_ERROR_IO;
    return MC_ERROR_IO;
}

mc_result mc_jvm_ask(const mc_jvm *jvm, const char *command, const char *argument, mc_text *text,
                     mc_error *error) {
    char pid[16];
    snprintf(pid, sizeof pid, "%" PRIu32, jvm->pid);
    const char *arguments[] = {jvm->jcmd, pid, command, argument, NULL};
    question asked = {.jvm = jvm, .arguments = arguments};
    mc_child_outcome outcome;
    mc_result result = ask(&asked, &outcome, error);
    // jcmd says so and fails in some JDKs, and only says so in others.
    const char *texts[] = {mc_text_get(&outcome.output), mc_text_get(&outcome.messages)};
    for (int i = 0; i < 2 && result != MC_ERROR_CANCELLED; i++)
        if (strstr(texts[i], "Unknown diagnostic command"))
            result = fail(error, "%s: the JVM does not know the command %s", jvm->jcmd, command);
    mc_text_deinit(text);
    if (result == MC_OK) {
        *text = outcome.output;
        outcome.output = (mc_text){0};
    }
    mc_child_outcome_deinit(&outcome);
    return result;
}

mc_result mc_jvm_read_heap_limit(const mc_jvm *jvm, uint64_t *limit, mc_error *error) {
    static const char flag[] = "-XX:MaxHeapSize=";
    char pid[16];
    snprintf(pid, sizeof pid, "%" PRIu32, jvm->pid);
    const char *arguments[] = {jvm->jcmd, pid, "VM.flags", NULL};
    question asked = {.jvm = jvm, .arguments = arguments};
    mc_child_outcome outcome;
    mc_result result = ask(&asked, &outcome, error);
    const char *said = result == MC_OK && outcome.output.data ? outcome.output.data : "";
    const char *at = strstr(said, flag);
    uint64_t number = at ? strtoull(at + sizeof flag - 1, NULL, 10) : 0;
    *limit = number <= INT64_MAX ? number : 0;
    mc_child_outcome_deinit(&outcome);
    return result;
}

mc_result mc_jvm_write_dump(const mc_jvm *jvm, bool all, mc_dump *dump, mc_error *error) {
    const char *path = dump->path;
    char pid[16];
    snprintf(pid, sizeof pid, "%" PRIu32, jvm->pid);
    const char *arguments[] = {jvm->jcmd,         pid, "GC.heap_dump", all ? "-all" : path,
                               all ? path : NULL, NULL};
    question asked = {.jvm = jvm, .arguments = arguments, .dump = dump};
    mc_child_outcome outcome;
    mc_result result = ask(&asked, &outcome, error);
    // jcmd counts as success that the JVM has answered, whatever the answer. Of a full disk, some
    // JVMs say so and leave what fits.
    bool is_done = outcome.output.data && strstr(outcome.output.data, "Heap dump file created");
    if (result == MC_OK && (!is_done || !mc_dump_take(dump))) {
        char reason[320];
        find_reason(&outcome, reason, sizeof reason);
        result = mc_fail(error, MC_ERROR_IO,
                         "no heap dump came in %s (--temporary FOLDER names another): %s",
                         dump->place->path, reason);
    }
    mc_child_outcome_deinit(&outcome);
    return result;
}

mc_result mc_jvm_load_agent(const mc_jvm *jvm, const char *library, const char *options, int *code,
                            mc_error *error) {
    static const char answer[] = "return code: ";
    char pid[16];
    mc_text quoted[2] = {{0}, {0}};
    snprintf(pid, sizeof pid, "%" PRIu32, jvm->pid);
    mc_text_format(&quoted[0], "\"%s\"", library);
    mc_text_format(&quoted[1], "\"%s\"", options);
    if (quoted[0].failed || quoted[1].failed) {
        mc_text_deinit(&quoted[0]);
        mc_text_deinit(&quoted[1]);
        return mc_error_out_of_memory(error);
    }
    const char *arguments[] = {jvm->jcmd,      pid, "JVMTI.agent_load", quoted[0].data,
                               quoted[1].data, NULL};
    question asked = {.jvm = jvm, .arguments = arguments};
    mc_child_outcome outcome;
    mc_result result = ask(&asked, &outcome, error);
    // jcmd counts as success that the JVM has answered, whatever the answer.
    const char *found = outcome.output.data ? strstr(outcome.output.data, answer) : NULL;
    if (result == MC_OK && found) *code = atoi(found + sizeof answer - 1);
    if (result == MC_OK && !found) {
        char reason[320];
        find_reason(&outcome, reason, sizeof reason);
        result = fail(error,
                      "process %" PRIu32 " (%s) takes no agent: %s; JDK 11 or later is needed, "
                      "started without -XX:-EnableDynamicAgentLoading",
                      jvm->pid, jvm->name, reason);
    }
    mc_child_outcome_deinit(&outcome);
    mc_text_deinit(&quoted[0]);
    mc_text_deinit(&quoted[1]);
    return result;
}
