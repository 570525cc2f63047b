#include "app/command.h"
#include "app/format.h"
#include "app/record/live_file.h"
#include "engine/base/clock.h"
#include "engine/import/json/json_reader.h"
#include "engine/import/websocket/ws_address.h"
#include "engine/live/websocket/push_server.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TICK_MS 100
#define COMMIT_NS UINT64_C(100000000) // small steps take less than a transaction does
#define NODES_MOST ((size_t)20000000) // that strangers may name in one recording
#define NAMES_MOST ((size_t)2 << 30)  // bytes

typedef struct listen_options {
    const char *output, *bind, *origin, *duration;
    uint32_t port;
    bool follow, quiet;
    int64_t duration_ms; // -1: without end
} listen_options;

typedef struct listening {
    const listen_options *options;
    mc_push_server *server;
    mc_live_file file;
    mc_json_reader *reader;
    mc_step_tree tree;
    mc_reference_map map;
    uint64_t committed_ns;
    bool is_open; // something was added and not committed
    uint64_t map_count, bad_count;
} listening;

// ---- documents

static mc_result check_names(const listening *self, mc_error *error) {
    size_t nodes, names;
    mc_mct_writer_measure(self->file.output.writer, &nodes, &names);
    if (nodes < NODES_MOST && names < NAMES_MOST) return MC_OK;
    return mc_fail(error, MC_ERROR_BAD_DATA,
                   "the recording is full: %zu groups with %zu MiB of names", nodes, names >> 20);
}

static mc_result add_step(listening *self, const unsigned char *data, size_t size, uint64_t offset,
                          const char *source, mc_error *error) {
    mc_result result =
        mc_json_reader_read_step(self->reader, data, size, offset, &self->tree, error);
    if (result == MC_OK) result = check_names(self, error);
    if (result == MC_OK)
        result = mc_mct_writer_add_step(self->file.output.writer, &self->tree, source, error);
    if (result != MC_OK) return result;
    self->file.output.step_count++;
    if (self->options->quiet) return MC_OK;
    char time[MC_FORMAT_SIZE], objects[MC_FORMAT_SIZE], bytes[MC_FORMAT_SIZE];
    fprintf(stderr, "%s  %s  %s\n", mc_format_time(time, self->tree.time_ms),
            mc_format_counted(objects, self->tree.nodes[0].objects, "object"),
            mc_format_bytes(bytes, self->tree.nodes[0].bytes));
    return MC_OK;
}

static mc_result add_map(listening *self, mc_reference_direction direction,
                         const unsigned char *data, size_t size, uint64_t offset, mc_error *error) {
    mc_result result =
        mc_json_reader_read_references(self->reader, data, size, offset, &self->map, error);
    if (result == MC_OK)
        result =
            mc_mct_writer_add_references(self->file.output.writer, &self->map, direction, error);
    self->map_count += result == MC_OK;
    return result;
}

static mc_result commit(listening *self, mc_error *error) {
    if (!self->is_open) return MC_OK;
    self->is_open = false;
    self->committed_ns = mc_clock_now_ns();
    return mc_live_file_commit(&self->file, error);
}

static bool is_commit_due(const listening *self) {
    return self->is_open && mc_clock_now_ns() - self->committed_ns > COMMIT_NS;
}

// What is wrong of what a client sends is left out and said; its other documents are taken.
static mc_result take(void *user, mc_source_kind kind, const unsigned char *data, size_t size,
                      uint64_t offset, const char *source, mc_error *error) {
    listening *self = user;
    mc_result result =
        kind == MC_SOURCE_STEP
            ? add_step(self, data, size, offset, source, error)
            : add_map(self, kind == MC_SOURCE_POINTS_TO ? MC_POINTS_TO : MC_POINTED_FROM, data,
                      size, offset, error);
    if (result == MC_OK) self->is_open = true;
    if (result == MC_ERROR_BAD_DATA) {
        mc_error_prepend(error, source);
        self->bad_count++;
        mc_message_warn("left out: %s", error->message);
    }
    return result == MC_OK && is_commit_due(self) ? commit(self, error) : result;
}

static mc_result end_message(void *user, mc_error *error) {
    listening *self = user;
    return is_commit_due(self) ? commit(self, error) : MC_OK;
}

// ---- the recording

static bool is_loopback(const char *address) {
    return !address || strncmp(address, "127.", 4) == 0 || strcmp(address, "::1") == 0;
}

static void greet(const listening *self) {
    const listen_options *options = self->options;
    mc_ws_address address = {.port = mc_push_server_get_port(self->server)};
    char text[MC_WS_ADDRESS_SIZE];
    snprintf(address.host, sizeof address.host, "%.100s",
             options->bind ? options->bind : "127.0.0.1");
    mc_ws_address_print(&address, text, sizeof text);
    if (!is_loopback(options->bind))
        mc_message_warn("anyone who can reach %s can push: there is no password and no encryption",
                        text);
    mc_message_say("listening at %s; Ctrl-C ends it", text);
}

static mc_result begin(listening *self, mc_error *error) {
    static mc_log log;
    const listen_options *options = self->options;
    log = mc_command_get_log();
    mc_push_desc desc = {.address = options->bind,
                         .port = (uint16_t)options->port,
                         .origin = options->origin,
                         .log = &log,
                         .take = take,
                         .end = end_message,
                         .user = self};
    mc_live_file_desc file = {
        .output = options->output, .follow = options->follow, .quiet = options->quiet};
    self->reader = mc_json_reader_create();
    if (!self->reader) return mc_error_out_of_memory(error);
    mc_result result = mc_push_server_create(&desc, &self->server, error);
    return result == MC_OK ? mc_live_file_begin(&self->file, &file, error) : result;
}

static mc_result run(listening *self, mc_error *error) {
    mc_result result = MC_OK;
    int64_t most_ms = self->options->duration_ms;
    uint64_t begin_ns = mc_clock_now_ns();
    while (result == MC_OK && !mc_command_is_interrupted() && !mc_live_file_is_over(&self->file) &&
           (most_ms < 0 || mc_clock_now_ns() - begin_ns < (uint64_t)most_ms * 1000000)) {
        result = mc_push_server_turn(self->server, TICK_MS, error);
        if (result == MC_OK && is_commit_due(self)) result = commit(self, error);
    }
    return result == MC_OK ? commit(self, error) : result;
}

static int listen_and_record(const listen_options *options) {
    listening self = {.options = options, .file = {.output = {.claim = {.lock = -1}}}};
    mc_error error = {0};
    mc_command_catch_interrupts();
    mc_result result = begin(&self, &error);
    if (result == MC_OK) {
        greet(&self);
        result = run(&self, &error);
    }
    int code = result == MC_OK ? MC_EXIT_OK : mc_command_fail(&error);
    mc_push_server_destroy(self.server);
    if (self.bad_count > 0)
        mc_message_warn("left out %" PRIu64 " bad %s", self.bad_count,
                        self.bad_count == 1 ? "document" : "documents");
    code = mc_live_file_end(&self.file, code);
    mc_json_reader_destroy(self.reader);
    mc_step_tree_deinit(&self.tree);
    mc_reference_map_deinit(&self.map);
    return code;
}

static int check(listen_options *options) {
    bool has_display = getenv("DISPLAY") || getenv("WAYLAND_DISPLAY");
    options->duration_ms = -1;
    if (options->duration && !mc_duration_parse(options->duration, 1000, &options->duration_ms))
        return mc_command_wrong_usage("--for: expected a duration as 10s, 500ms or 1h30m, not "
                                      "\"%s\"",
                                      options->duration);
    if (options->port > UINT16_MAX) return mc_command_wrong_usage("--port: expected 0 to 65535");
    if ((!options->output || options->follow) && !has_display)
        return mc_command_wrong_usage("listen: there is no display for a window; -o FILE.mct%s",
                                      options->follow ? " without --follow" : " records");
    return options->output && !mc_command_check_output(options->output, ".mct") ? MC_EXIT_USAGE
                                                                                : MC_EXIT_OK;
}

int mc_command_listen(int argc, const char **argv) {
    listen_options options = {.port = MC_WS_PORT};
    mc_option_list list = {0};
    mc_option_list_add_uint(&list, "port", &options.port, "N",
                            "port (8887); 0: any free port, which is printed");
    mc_option_list_add_file(&list, "o", &options.output, "FILE.mct",
                            "new file to write; without it a window opens with the first step");
    mc_option_list_add_flag(&list, "follow", &options.follow,
                            "with -o: also open a window that follows the recording");
    mc_option_list_add_string(&list, "for", &options.duration, "TIME",
                              "stop after this duration, such as 10m (at Ctrl-C)");
    mc_option_list_add_string(&list, "bind", &options.bind, "ADDRESS",
                              "listen at this address instead of 127.0.0.1, such as 0.0.0.0 for "
                              "all; whoever reaches it can push");
    mc_option_list_add_string(&list, "origin", &options.origin, "ORIGIN",
                              "accept pushes of browser pages from this origin, such as "
                              "http://localhost:3000; others are rejected");
    mc_option_list_add_flag(&list, "quiet", &options.quiet, "don't print a line per step");
    uint32_t count;
    int code;
    if (!mc_command_begin_counted(
            &list, "memcity listen [--port N] [-o FILE.mct]",
            "Receives steps and pointer maps that other tools push by WebSocket, in the same JSON "
            "formats as\nfiles: one step or an array of steps per message "
            "(docs/reference/websocket.md). Opens a window, or\nwith -o records to a file, which "
            "can be viewed meanwhile: memcity FILE.mct --follow. Listens only\non this machine "
            "unless --bind is given.",
            0, 0, argc, argv, &count, &code))
        return code;
    code = check(&options);
    return code == MC_EXIT_OK ? listen_and_record(&options) : code;
}
