#include "app/command.h"
#include "app/record/live_session.h"
#include "engine/base/memory.h"
#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define VARIABLE "JAVA_TOOL_OPTIONS"

extern char **environ;

typedef struct running {
    const char *name;
    pid_t process;
    bool has_ended;
    int status;
} running;

// ---- how the agent gets in there

// "java" takes it as an option; of what starts Java by itself (scripts, build tools) the JVM reads
// it from the environment.
static bool is_java(const char *program) {
    const char *slash = strrchr(program, '/');
    return strcmp(slash ? slash + 1 : program, "java") == 0;
}

static mc_result make_option(const mc_live_options *options, const mc_live *live, mc_text *text,
                             mc_error *error) {
    mc_text_append_string(text, "-agentpath:");
    size_t begin = text->size;
    mc_result result = mc_live_options_find_agent(options, text, error);
    if (result != MC_OK) return result;
    if (strpbrk(text->data + begin, "=\"'"))
        return mc_fail(error, MC_ERROR_UNSUPPORTED,
                       "%s: Java takes no agent from a path with such characters",
                       text->data + begin);
    mc_text_append_string(text, "=");
    mc_live_append_address(live, text);
    mc_text_append_string(text, ";");
    mc_live_options_append(options, text);
    return text->failed ? mc_error_out_of_memory(error) : MC_OK;
}

// The environment with the option behind what stands in its variable. The caller frees the array.
static const char **make_environment(const char *option, mc_text *variable) {
    size_t count = 0, size = strlen(VARIABLE "=");
    while (environ[count])
        count++;
    const char **made = mc_alloc_zero(count + 2, sizeof *made);
    if (!made) return NULL;
    const char *before = "";
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        if (strncmp(environ[i], VARIABLE "=", size) == 0)
            before = environ[i] + size;
        else
            made[kept++] = environ[i];
    }
    mc_text_format(variable, VARIABLE "=%s%s\"%s\"", before, before[0] ? " " : "", option);
    made[kept] = variable->data;
    return made;
}

static mc_result spawn(running *self, const char *const *arguments, const char *const *environment,
                       mc_error *error) {
    int code =
        posix_spawnp(&self->process, arguments[0], NULL, NULL, (char *const *)(uintptr_t)arguments,
                     (char *const *)(uintptr_t)environment);
    if (code == 0) return MC_OK;
    self->has_ended = true;
    self->process = 0;
    return mc_fail(error, MC_ERROR_IO, "can't start %s: %s", arguments[0], strerror(code));
}

static mc_result start(running *self, const mc_live_options *options, const mc_live *live,
                       const char **arguments, uint32_t count, mc_error *error) {
    mc_text option = {0}, variable = {0};
    const char **made = mc_alloc_zero((size_t)count + 2, sizeof *made), **environment = NULL;
    bool is_option = is_java(arguments[0]);
    mc_result result =
        made ? make_option(options, live, &option, error) : mc_error_out_of_memory(error);
    if (result == MC_OK && !is_option) {
        environment = make_environment(option.data, &variable);
        if (!environment || variable.failed) result = mc_error_out_of_memory(error);
    }
    if (result == MC_OK) {
        uint32_t at = 0;
        made[at++] = arguments[0];
        if (is_option) made[at++] = option.data;
        for (uint32_t i = 1; i < count; i++)
            made[at++] = arguments[i];
        result = spawn(self, made,
                       environment ? environment : (const char *const *)(uintptr_t)environ, error);
    }
    mc_free(made);
    mc_free(environment);
    mc_text_deinit(&option);
    mc_text_deinit(&variable);
    return result;
}

// ---- until it ends

static bool watch(running *self, bool waits) {
    if (self->has_ended) return false;
    pid_t ended = waitpid(self->process, &self->status, waits ? 0 : WNOHANG);
    self->has_ended = ended == self->process || (ended < 0 && errno != EINTR);
    return !self->has_ended;
}

// It has our terminal, so an interrupt is its own affair; who ends only us means both.
static void record(running *self, mc_live *live) {
    bool is_told = false;
    mc_live_state state = MC_LIVE_WAITS;
    while (state <= MC_LIVE_RECORDS && !mc_live_is_over(live)) {
        state = mc_live_turn(live);
        if (mc_command_is_interrupted() && !is_told && watch(self, false)) {
            kill(self->process, SIGTERM);
            is_told = true;
        }
        // What connected before it ended is taken still.
        if (state == MC_LIVE_WAITS && !watch(self, false) && mc_live_turn(live) == MC_LIVE_WAITS)
            break;
    }
    mc_live_rest(live);
    while (watch(self, true))
        continue;
}

static int get_code(const running *self, bool is_quiet) {
    if (self->process == 0) return MC_EXIT_FAILED;
    if (WIFEXITED(self->status) && WEXITSTATUS(self->status) == 0) return MC_EXIT_OK;
    if (!is_quiet && WIFEXITED(self->status))
        mc_message_say("%s has ended with %d", self->name, WEXITSTATUS(self->status));
    else if (!is_quiet)
        mc_message_say("%s was ended by signal %d", self->name, WTERMSIG(self->status));
    return MC_EXIT_FAILED;
}

static int run(const mc_live_options *options, const char **arguments, uint32_t count) {
    running self = {.name = arguments[0]};
    mc_error error = {0};
    mc_live *live = NULL;
    mc_live_desc desc = {.options = options, .is_started = true};
    mc_command_catch_interrupts();
    mc_result result = mc_live_begin(&desc, &live, &error);
    if (result == MC_OK) result = start(&self, options, live, arguments, count, &error);
    if (result != MC_OK) return mc_live_end(live, mc_command_fail(&error));
    record(&self, live);
    return mc_live_end(live, get_code(&self, options->quiet));
}

int mc_command_run(int argc, const char **argv) {
    mc_live_options options;
    mc_option_list list = {0};
    uint32_t count;
    int code;
    mc_live_options_init(&options);
    mc_live_options_add(&options, &list);
    mc_live_options_complete(argc, argv);
    if (!mc_command_begin_counted(
            &list,
            "memcity run [--sites] [--methods exact|sampled] [-o FILE.mct] -- java -jar app.jar",
            "Starts a Java program (HotSpot, JDK 11 or later) with an agent that reports where "
            "live objects\nwere allocated, or how long methods run; both write two files, which "
            "`memcity link` links. Opens\na window, or with -o records to a file; `memcity top "
            "FILE.mct` then names the source lines.\nScripts and tools that start Java (mvn) work "
            "as well: the first Java program is recorded. The\nexit code is 0 if the program's is, "
            "otherwise 1.",
            1, UINT32_MAX, argc, argv, &count, &code))
        return code;
    code = mc_live_options_check(&options, "run");
    return code == MC_EXIT_OK ? run(&options, argv, count) : code;
}
