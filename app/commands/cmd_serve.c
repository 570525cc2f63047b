#include "app/command.h"
#include "app/commands/page_options.h"
#include "app/format.h"
#include "app/page/page.h"
#include "app/page/page_pack.h"
#include "app/page/page_viewer.h"
#include "engine/base/clock.h"
#include "engine/base/memory.h"
#include "engine/serve/page_server.h"
#include "engine/store/mct/mct.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define LOOK_NS 200000000
#define HOST_SIZE 256

typedef struct serving {
    mc_page_options page;
    uint32_t port;
    bool follows;
    const char *const *paths;
    uint32_t path_count;
    const char *title;
    mc_page_server *server;
    mc_text document, policy;
    mc_page_content content; // of what was published last; of one that follows
    uint32_t step_count;     // of the trace, as it is served
    bool is_live;            // there may be more of them
    struct stat look;        // at the file, the last time
} serving;

static void wait_a_while(void) {
    nanosleep(&(struct timespec){.tv_nsec = LOOK_NS}, NULL); // Ctrl-C ends it
}

// ---- a recording that grows

static bool has_changed(serving *self) {
    struct stat now;
    if (stat(self->paths[0], &now) != 0) return false;
    bool is_same = now.st_size == self->look.st_size && now.st_ino == self->look.st_ino &&
                   now.st_mtim.tv_sec == self->look.st_mtim.tv_sec &&
                   now.st_mtim.tv_nsec == self->look.st_mtim.tv_nsec;
    self->look = now;
    return !is_same;
}

// Until there is a first step. Returns an exit code.
static int wait_for_step(serving *self) {
    mc_mct_state state = {0};
    mc_error error = {0};
    bool has_told = false;
    while (!mc_command_is_interrupted()) {
        bool is_there = has_changed(self) && self->look.st_size > 0;
        if (is_there && mc_mct_peek(self->paths[0], &state, &error) != MC_OK)
            return mc_command_fail(&error);
        if (state.step_count > 0) return MC_EXIT_OK;
        if (!has_told) mc_message_say("%s: waiting for its first step", self->paths[0]);
        has_told = true;
        wait_a_while();
    }
    return MC_EXIT_OK;
}

// Whether there is something new, and whether there may be more.
static bool look(serving *self, bool *is_live) {
    mc_mct_state state;
    *is_live = self->is_live;
    if (!has_changed(self) || mc_mct_peek(self->paths[0], &state, NULL) != MC_OK) return false;
    *is_live = !state.is_finished;
    return state.step_count != self->step_count;
}

// ---- the data

static void tell(const serving *self, size_t size, const mc_page_report *report) {
    char text[MC_FORMAT_SIZE], groups[MC_FORMAT_SIZE];
    mc_message_say("%s: %s, %s, %u of %u steps", self->title, mc_format_bytes(text, size),
                   mc_format_counted(groups, report->node_count, "group"), report->step_count,
                   report->all_step_count);
    if (report->hidden_count > 0)
        mc_command_tell_hidden(report->hidden_count, report->hidden_share);
}

// What differs from what was published, if that is much less than all of it. Without memory for it
// all of it is sent.
static void make_delta(const serving *self, const mc_page_content *content, size_t size,
                       mc_text *delta) {
    mc_text bytes = {0};
    mc_error error = {0};
    bool is_there = mc_page_delta_append(&self->content, content, &bytes, &error) == MC_OK &&
                    bytes.size > 0 && mc_page_deflate(bytes.data, bytes.size, delta);
    mc_text_deinit(&bytes);
    if (!is_there || delta->size > size / 4 * 3) mc_text_deinit(delta);
}

// Makes the data of what the trace now is. Returns an exit code, after saying why not.
static int make(serving *self, mc_text *data, mc_text *delta, mc_page_report *report) {
    mc_trace *trace;
    mc_page_desc desc;
    mc_page_view view;
    mc_error error = {0};
    mc_page_content content = {0};
    mc_command_progress shown;
    int code =
        mc_page_options_open(&self->page, self->paths, self->path_count, &trace, &desc, &view);
    if (code != MC_EXIT_OK) return code;
    desc.title = self->title;
    self->step_count = mc_trace_get_step_count(trace);
    mc_progress progress = mc_command_begin_progress(&shown, "making the page");
    mc_result result =
        mc_page_pack(&desc, &progress, data, self->follows ? &content : NULL, report, &error);
    result = mc_command_end_progress(&shown, result, &error);
    mc_trace_destroy(trace);
    if (result == MC_OK && self->follows) {
        make_delta(self, &content, data->size, delta);
        mc_page_content_deinit(&self->content);
        self->content = content;
    } else {
        mc_page_content_deinit(&content);
    }
    return result == MC_OK ? MC_EXIT_OK : mc_command_fail(&error);
}

static int publish(serving *self, mc_text *data, mc_text *delta) {
    mc_error error = {0};
    if (mc_page_server_publish(self->server, data, delta, self->is_live, &error) == MC_OK)
        return MC_EXIT_OK;
    mc_page_content_deinit(&self->content); // what comes next can't differ from what nobody has
    return mc_command_fail(&error);
}

// What can't be read now is shown as it was, until the file changes again.
static void follow(serving *self) {
    mc_text data = {0}, delta = {0};
    mc_page_report report;
    bool is_live;
    bool is_new = look(self, &is_live);
    bool has_ended = self->is_live && !is_live;
    self->is_live = is_live;
    if (is_new) {
        uint64_t begin_ns = mc_clock_now_ns();
        if (make(self, &data, &delta, &report) == MC_EXIT_OK &&
            publish(self, &data, &delta) == MC_EXIT_OK)
            has_ended = false; // which was said with it
        mc_text_deinit(&data);
        mc_text_deinit(&delta);
        // Of a large trace each step would keep a core busy.
        uint64_t until_ns = 2 * mc_clock_now_ns() - begin_ns;
        while (!mc_command_is_interrupted() && mc_clock_now_ns() < until_ns)
            wait_a_while();
    }
    if (has_ended) mc_page_server_end_live(self->server);
}

// ---- the server

// The address goes to stdout: whoever starts this reads it there.
static void greet(const serving *self) {
    char host[HOST_SIZE] = "HOST";
    uint16_t port = mc_page_server_get_port(self->server);
    if (gethostname(host, sizeof host) != 0) memcpy(host, "HOST", sizeof "HOST");
    host[sizeof host - 1] = '\0';
    printf("http://127.0.0.1:%u/?token=%s\n", port, mc_page_server_get_token(self->server));
    fflush(stdout);
    mc_message_say("from another machine, first: ssh -N -L %u:127.0.0.1:%u %s", port, port, host);
    mc_message_say("whoever has the address sees the trace; Ctrl-C ends it");
}

static int begin(serving *self) {
    mc_error error = {0};
    mc_page_append_served(self->title, &self->document);
    mc_page_append_served_policy(&self->policy);
    mc_page_server_desc desc = {.port = (uint16_t)self->port,
                                .page = &self->document,
                                .policy = mc_text_get(&self->policy)};
    mc_result result = self->document.failed || self->policy.failed
                           ? mc_error_out_of_memory(&error)
                           : mc_page_server_create(&desc, &self->server, &error);
    return result == MC_OK ? MC_EXIT_OK : mc_command_fail(&error);
}

static int serve(serving *self) {
    mc_text data = {0}, delta = {0};
    mc_page_report report;
    bool is_live = false;
    int code = self->follows ? wait_for_step(self) : MC_EXIT_OK;
    if (code != MC_EXIT_OK || mc_command_is_interrupted()) return code;
    code = make(self, &data, &delta, &report);
    if (code == MC_EXIT_OK) code = begin(self);
    if (code == MC_EXIT_OK) {
        tell(self, data.size, &report);
        self->look = (struct stat){0}; // what came meanwhile is seen
        if (self->follows) look(self, &is_live);
        self->is_live = is_live;
        code = publish(self, &data, &delta);
    }
    mc_text_deinit(&data);
    mc_text_deinit(&delta);
    if (code != MC_EXIT_OK) return code;
    greet(self);
    // Later openings say nothing that the first one has not said.
    self->page.picture.settings.layout.is_silent = true;
    self->look = (struct stat){0};
    while (!mc_command_is_interrupted()) {
        if (self->is_live) follow(self);
        wait_a_while();
    }
    return MC_EXIT_OK;
}

static int check(serving *self) {
    const mc_page_options *page = &self->page;
    if (self->port > UINT16_MAX) return mc_command_wrong_usage("--port: expected 0 to 65535");
    if (self->follows && (self->path_count != 1 || page->input.pair.versus))
        return mc_command_wrong_usage("serve: --follow: expected one .mct file");
    return mc_page_options_check(&self->page, "serve");
}

static int run(serving *self) {
    int code = check(self);
    if (code != MC_EXIT_OK) return code;
    char *name = mc_command_get_title(self->paths, self->path_count, &self->page.input);
    if (!name) {
        mc_error error = {0};
        mc_error_out_of_memory(&error);
        return mc_command_fail(&error);
    }
    self->title = self->page.title ? self->page.title : name;
    self->page.input.is_live = self->follows;
    // What was freed last is what one who follows sees.
    if (self->follows) self->page.picture.settings.layout.is_whole = true;
    mc_command_catch_interrupts();
    code = mc_page_options_begin(&self->page);
    if (code == MC_EXIT_OK) code = serve(self);
    mc_page_server_destroy(self->server);
    mc_text_deinit(&self->document);
    mc_text_deinit(&self->policy);
    mc_page_content_deinit(&self->content);
    mc_free(name);
    return mc_page_options_end(&self->page, code);
}

int mc_command_serve(int argc, const char **argv) {
    serving self = {.port = 0};
    mc_option_list list = {0};
    mc_page_options_init(&self.page);
    mc_option_list_add_uint(&list, "port", &self.port, "N",
                            "port on 127.0.0.1 and ::1 (any free one, which is printed)");
    mc_option_list_add_flag(&list, "follow", &self.follows,
                            "of a recording: show new steps as they come");
    mc_option_list_add_page(&list, &self.page);
    mc_view_option_usage usage = {
        .list = &list,
        .synopsis = "memcity serve TRACE… [--port N] [--follow] [--steps N] [--max-size SIZE] "
                    "[--window A:B] [--metric NAME] [--versus TRACE] [options]\n"
                    "       memcity serve --view FILE [TRACE…] [options]",
        .text = "Shows the city in a browser: prints the address of a page like that of `memcity "
                "page`, and sends the\ndata of a trace that stays where it is. Listens only on "
                "this machine; from another one the browser\ncomes through a tunnel of ssh, which "
                "is printed, too. Ctrl-C ends it.",
        .least_path_count = 1};
    int code;
    if (mc_view_option_begin(&self.page.view, &usage, argc, argv, &self.paths, &self.path_count,
                             &code))
        code = run(&self);
    mc_view_option_deinit(&self.page.view);
    return code;
}
