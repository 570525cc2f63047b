#include "engine/import/remote.h"

#include "engine/base/memory.h"
#include "engine/import/json/json_import.h"
#include "engine/import/websocket/ws_server.h"
#include <inttypes.h>
#include <string.h>

struct mc_remote {
    mc_import_context *context;
    uint32_t group; // of the path
    mc_ws_server *server;
    int32_t tab;
    mc_ws_capability trees; // which of both it has
    mc_byte_stream stream;  // the server's
    uint64_t others_size;   // of all input before the answer that is read
    uint64_t received;      // of that answer's data
};

// ---- what is read

static bool go_on(void *user) {
    mc_error error = {.code = MC_OK};
    return mc_import_report_progress(((mc_remote *)user)->context, &error) == MC_OK;
}

// What the server says of the answer's length is of one without pieces; else nobody knows.
static mc_result read_counted(void *user, unsigned char *out, size_t out_size, size_t *produced,
                              mc_error *error) {
    mc_remote *self = user;
    mc_result result = self->stream.read(self->stream.user, out, out_size, produced, error);
    if (result != MC_OK) return result;
    self->received += *produced;
    mc_import_watch_add(self->context->watch, *produced);
    uint64_t size = mc_ws_server_get_size(self->server);
    self->context->input_size = size > 0 ? self->others_size + size : 0;
    self->context->report->input_bytes = self->others_size + self->received;
    return mc_import_report_progress(self->context, error);
}

static mc_result finish(void *user, const unsigned char *rest, size_t size, mc_error *error) {
    mc_remote *self = user;
    return self->stream.finish(self->stream.user, rest, size, error);
}

// ---- which tab

static void tell_tabs(const mc_remote_tab *tabs, uint32_t count, mc_import_report *report) {
    uint32_t kept = count < MC_IMPORT_TAB_MOST ? count : MC_IMPORT_TAB_MOST;
    memcpy(report->tabs, tabs, kept * sizeof *tabs);
    report->tab_count = count;
}

static mc_result fail_choice(mc_remote *self, const mc_remote_tab *tabs, uint32_t count,
                             bool has_tab, mc_error *error) {
    if (count == 0)
        return mc_fail(error, MC_ERROR_BAD_DATA,
                       "no tab of the server can give trees: in AntTracks, open the trend of "
                       "object groups");
    tell_tabs(tabs, count, self->context->report);
    if (has_tab)
        return mc_fail(error, MC_ERROR_BAD_DATA, "no tab %" PRId32 " of the server can give trees",
                       self->tab);
    return mc_fail(error, MC_ERROR_BAD_DATA,
                   "several tabs can give trees, so one has to be named, as "
                   "ws://HOST:PORT/%" PRId32 " or --tab %" PRId32,
                   tabs[0].id, tabs[0].id);
}

// A tab may be able to give both, and is listed once.
static void add_tab(mc_remote_tab *tabs, uint32_t *count, const mc_remote_tab *tab) {
    uint32_t kept = *count < MC_IMPORT_TAB_MOST ? *count : MC_IMPORT_TAB_MOST;
    for (uint32_t i = 0; i < kept; i++)
        if (tabs[i].id == tab->id) return;
    if (*count < MC_IMPORT_TAB_MOST) tabs[*count] = *tab;
    ++*count;
}

// Those with all trees are asked for first; one with a single tree is a trace of one step.
static mc_result choose_tab(mc_remote *self, const mc_ws_address *address, mc_error *error) {
    mc_remote_tab tabs[MC_IMPORT_TAB_MOST];
    uint32_t count = 0, shown;
    const char *named = self->context->desc->tab;
    bool has_tab = address->has_tab || named, is_there = false;
    self->tab = address->tab;
    if (!address->has_tab && named && !mc_ws_parse_tab(named, &self->tab))
        return mc_fail(error, MC_ERROR_BAD_DATA, "expected a tab's number, found \"%.100s\"",
                       named);
    mc_result result = MC_OK;
    for (int i = 0; i < 2 && result == MC_OK && (count == 0 || (has_tab && !is_there)); i++) {
        mc_remote_tab found[MC_IMPORT_TAB_MOST];
        uint32_t found_count;
        self->trees = i == 0 ? MC_WS_ALL_TREES : MC_WS_SINGLE_TREE;
        result = mc_ws_server_list_tabs(self->server, self->trees, found, MC_IMPORT_TAB_MOST,
                                        &found_count, error);
        shown = found_count < MC_IMPORT_TAB_MOST ? found_count : MC_IMPORT_TAB_MOST;
        for (uint32_t k = 0; k < shown; k++) {
            is_there |= has_tab && found[k].id == self->tab;
            add_tab(tabs, &count, &found[k]);
        }
        count += found_count - shown;
        // One that is not listed may be behind those that are.
        is_there |= has_tab && i == 0 && found_count > shown;
    }
    if (result != MC_OK) return result;
    if (has_tab ? !is_there : count != 1) return fail_choice(self, tabs, count, has_tab, error);
    if (!has_tab) self->tab = tabs[0].id;
    return MC_OK;
}

// ---- the server

static mc_result connect(mc_remote *self, const char *path, mc_error *error) {
    mc_ws_server_desc desc = {.patience = {go_on, self}, .log = self->context->desc->log};
    mc_result result = mc_ws_address_parse(path, &desc.address, error);
    if (result != MC_OK) return result; // it names the address
    result = mc_ws_server_connect(&desc, &self->server, error);
    if (result == MC_OK) result = choose_tab(self, &desc.address, error);
    return result == MC_OK || result == MC_ERROR_CANCELLED ? result : mc_error_prepend(error, path);
}

static mc_result find_server(mc_remote **remote, mc_import_context *context,
                             const mc_source_file *file, mc_error *error) {
    if (*remote && (*remote)->group == file->group) return MC_OK;
    mc_remote_destroy(*remote);
    *remote = mc_alloc_zero(1, sizeof **remote);
    if (!*remote) return mc_error_out_of_memory(error);
    (*remote)->context = context;
    (*remote)->group = file->group;
    return connect(*remote, file->path, error);
}

void mc_remote_destroy(mc_remote *remote) {
    if (!remote) return;
    mc_ws_server_destroy(remote->server);
    mc_free(remote);
}

static mc_ws_capability get_capability(const mc_remote *self, const mc_source_file *file) {
    switch (file->kind) {
    case MC_SOURCE_POINTS_TO: return MC_WS_POINTS_TO_MAPS;
    case MC_SOURCE_POINTED_FROM: return MC_WS_POINTED_FROM_MAPS;
    default: return self->trees;
    }
}

// A tab that can't give maps has none.
static mc_result take_nothing(const mc_remote *self, const mc_source_file *file, mc_result result,
                              mc_error *error) {
    if (result == MC_ERROR_UNSUPPORTED && file->kind != MC_SOURCE_STEP) {
        mc_log_write(self->context->desc->log, MC_LOG_INFO, "%s: no pointer maps: %s", file->path,
                     error->message);
        *error = (mc_error){.code = MC_OK};
        return MC_OK;
    }
    if (result == MC_ERROR_CANCELLED) return result;
    if (result != MC_OK) return mc_error_prepend(error, file->path);
    if (file->kind != MC_SOURCE_STEP) return MC_OK;
    return mc_fail(error, MC_ERROR_BAD_DATA,
                   "%s: expected trees as data of the server's answer, found none", file->path);
}

mc_result mc_remote_read(mc_remote **remote, mc_import_context *context, void *reader,
                         const mc_source_file *file, mc_error *error) {
    bool is_there = false;
    mc_error own = {.code = MC_OK};
    if (!error) error = &own;
    mc_result result = find_server(remote, context, file, error);
    if (result != MC_OK) return result;
    mc_remote *self = *remote;
    if (file->kind != MC_SOURCE_STEP && self->trees == MC_WS_SINGLE_TREE) return MC_OK;
    self->others_size += self->received;
    self->received = 0;
    result = mc_ws_server_request(self->server, self->tab, get_capability(self, file), &is_there,
                                  &self->stream, error);
    if (result != MC_OK || !is_there) return take_nothing(self, file, result, error);
    mc_byte_stream counted = {.read = read_counted, .finish = finish, .user = self};
    result = mc_json_format.read_stream(reader, file, &counted, error);
    return result == MC_ERROR_IO ? mc_error_prepend(error, file->path) : result;
}
