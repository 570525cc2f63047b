#include "app/command.h"
#include "app/record/live_session.h"
#include "engine/live/jvm.h"
#include "engine/live/process.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CODE_BUSY 2 // of the agent: another viewer has it

typedef struct attach_options {
    mc_live_options live;
    uint32_t pid;
    const char *jcmd, *listen;
    uint16_t port; // of --listen
} attach_options;

static mc_result load(const attach_options *options, const mc_jvm *jvm, const mc_live *live,
                      mc_error *error) {
    mc_text library = {0}, agent_options = {0};
    int code = 0;
    mc_live_append_address(live, &agent_options);
    mc_result result = mc_live_options_find_agent(&options->live, &library, error);
    if (result == MC_OK && agent_options.failed) result = mc_error_out_of_memory(error);
    if (result == MC_OK)
        result = mc_jvm_load_agent(jvm, library.data, agent_options.data, &code, error);
    if (result == MC_OK && code != 0)
        result =
            mc_fail(error, MC_ERROR_UNSUPPORTED,
                    code == CODE_BUSY ? "process %" PRIu32 " (%s) is being recorded already"
                                      : "process %" PRIu32 " (%s): the agent does not start in it",
                    options->pid, jvm->name);
    mc_text_deinit(&library);
    mc_text_deinit(&agent_options);
    return result;
}

// What a JVM's agent could not do: find its library, or us.
static mc_result check_reach(const mc_jvm *jvm, mc_error *error) {
    uint32_t user, group;
    bool is_ours = false;
    if (!mc_process_sees_our_files(jvm->pid))
        return mc_fail(
            error, MC_ERROR_UNSUPPORTED,
            "process %" PRIu32
            " (%s) has another file system (a container): run memcity in the container, or start "
            "the program with the agent and run `attach --listen 127.0.0.1:PORT` "
            "(docs/reference/agent.md)",
            jvm->pid, jvm->name);
    if (mc_process_get_user(jvm->pid, &user, &group, &is_ours) && user != geteuid())
        return mc_fail(error, MC_ERROR_UNSUPPORTED,
                       "process %" PRIu32
                       " (%s) belongs to another user, whose agent can't connect to memcity: run "
                       "memcity as that user (sudo -u '#%" PRIu32 "')",
                       jvm->pid, jvm->name, user);
    return MC_OK;
}

static mc_result prepare(const attach_options *options, mc_jvm *jvm, mc_live **live,
                         mc_error *error) {
    mc_live_desc desc = {.options = &options->live,
                         .listen = options->listen,
                         .port = options->port,
                         .is_public = options->pid == 0,
                         .pid = options->pid};
    mc_result result = MC_OK;
    if (options->pid) result = mc_jvm_init(jvm, options->pid, options->jcmd, error);
    if (result == MC_OK && options->pid) result = check_reach(jvm, error);
    jvm->should_stop = mc_command_is_interrupted;
    if (result == MC_OK) result = mc_live_begin(&desc, live, error);
    if (result == MC_OK && options->pid) result = load(options, jvm, *live, error);
    return result;
}

static int attach(const attach_options *options) {
    mc_error error = {0};
    mc_live *live = NULL;
    mc_jvm jvm = {0};
    mc_command_catch_interrupts();
    int code =
        prepare(options, &jvm, &live, &error) == MC_OK ? MC_EXIT_OK : mc_command_fail(&error);
    if (code == MC_EXIT_OK) {
        mc_live_state state = MC_LIVE_WAITS;
        while (state <= MC_LIVE_RECORDS && !mc_command_is_interrupted() && !mc_live_is_over(live) &&
               (state == MC_LIVE_RECORDS || !options->pid || mc_jvm_is_alive(&jvm)))
            state = mc_live_turn(live);
        if (state == MC_LIVE_ENDED && options->pid && !options->live.quiet)
            mc_message_say("process %" PRIu32 " (%s) has ended", jvm.pid, jvm.name);
        mc_live_rest(live);
    }
    code = mc_live_end(live, code);
    mc_jvm_deinit(&jvm);
    return code;
}

// "127.0.0.1:PORT" or "localhost:PORT": what has no slash and a colon. Nothing else is listened at.
static bool take_address(attach_options *options) {
    const char *listen = options->listen, *colon = listen ? strrchr(listen, ':') : NULL;
    char *end;
    if (!colon || strchr(listen, '/')) return true;
    size_t size = (size_t)(colon - listen);
    bool is_loopback = (size == strlen("127.0.0.1") && strncmp(listen, "127.0.0.1", size) == 0) ||
                       (size == strlen("localhost") && strncmp(listen, "localhost", size) == 0);
    long port = strtol(colon + 1, &end, 10);
    options->live.uses_tcp = true;
    options->port = (uint16_t)port;
    return is_loopback && colon[1] >= '0' && colon[1] <= '9' && !*end && port <= UINT16_MAX;
}

int mc_command_attach(int argc, const char **argv) {
    attach_options options = {.pid = 0};
    mc_option_list list = {0};
    mc_live_options_init(&options.live);
    mc_option_list_add_uint(&list, "pid", &options.pid, "PID",
                            "process ID of the Java program; `jcmd -l` lists those that run");
    mc_live_options_add(&options.live, &list);
    mc_option_list_add_string(&list, "jcmd", &options.jcmd, "FILE",
                              "jcmd to use (that of the program's JDK, of JAVA_HOME or in PATH)");
    mc_option_list_add_string(
        &list, "listen", &options.listen, "SOCKET",
        "instead of --pid: record any program that connects to this new socket, or to "
        "127.0.0.1:PORT, with the protocol of docs/reference/agent-protocol.md");
    uint32_t count;
    int code;
    mc_live_options_complete(argc, argv);
    if (!mc_command_begin_counted(
            &list, "memcity attach --pid PID [--sites] [--methods exact|sampled] [-o FILE.mct]",
            "Attaches an agent to a running Java program (HotSpot, JDK 11 or later) that reports "
            "where live\nobjects were allocated, and disables it again at the end. Opens a window, "
            "or with -o records to a\nfile. Objects allocated before are not known. "
            "docs/reference/agent.md "
            "lists the overhead.",
            0, 0, argc, argv, &count, &code))
        return code;
    if ((options.pid == 0) == (options.listen == NULL))
        return mc_command_wrong_usage("attach: expected --pid PID (`jcmd -l` lists running Java "
                                      "programs) or --listen SOCKET");
    if (options.listen && options.live.uses_tcp)
        return mc_command_wrong_usage(
            "attach: --tcp is for --pid; use --listen 127.0.0.1:PORT for TCP");
    if (!take_address(&options))
        return mc_command_wrong_usage(
            "attach: --listen: expected a socket's path or 127.0.0.1:PORT (loopback only)");
    if (options.listen && !options.live.output)
        return mc_command_wrong_usage("attach: --listen needs -o FILE.mct");
    code = mc_live_options_check(&options.live, "attach");
    return code == MC_EXIT_OK ? attach(&options) : code;
}
