#include "app/window/start.h"

#include "app/session/saved_view.h"
#include "app/trace_location.h"
#include "app/window/dialog.h"
#include "engine/base/memory.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define LOOK_NS 2000000000u // between two looks at which programs run
#define RECENT_MOST 6

static bool is_shown(const mc_viewer *viewer) {
    const mc_session *session = viewer->session;
    return !session->trace && session->work.task == MC_SESSION_IDLE && !session->follow.waits_for;
}

static void add(mc_start *start, mc_ui_start_row row, const char *path, uint32_t pid) {
    if (start->model.row_count == MC_START_ROWS_MOST) return;
    uint32_t index = start->model.row_count++;
    start->rows[index] = row;
    start->paths[index] = path;
    start->pids[index] = pid;
}

// As long as the list is; the text is empty then.
static const char *keep(mc_start *start, mc_text *text) {
    bool is_kept = !text->failed && mc_form_texts_add(&start->texts, text->data, text->size);
    mc_text_clear(text);
    return is_kept ? start->texts.items[start->texts.count - 1] : "";
}

static void list_recent(mc_viewer *viewer) {
    const mc_form_texts *recent = &viewer->session->preferences.recent;
    mc_start *start = &viewer->start;
    uint32_t count = 0;
    for (uint32_t i = 0; i < recent->count && count < RECENT_MOST; i++) {
        const char *path = recent->items[i];
        if (!mc_trace_location_is_there(path)) continue;
        mc_text text = {0};
        mc_trace_location_append_label(path, &text);
        const char *label = keep(start, &text);
        mc_trace_location_append(path, &text);
        const char *detail = keep(start, &text);
        mc_text_deinit(&text);
        add(start,
            (mc_ui_start_row){
                .heading = count++ == 0 ? "Opened before" : NULL, .label = label, .detail = detail},
            path, 0);
    }
}

static void list_programs(mc_viewer *viewer) {
    mc_start *start = &viewer->start;
    for (uint32_t i = 0; i < start->program_count; i++) {
        snprintf(start->details[i], sizeof start->details[i], "process %" PRIu32,
                 start->programs[i].pid);
        add(start,
            (mc_ui_start_row){.heading = i == 0 ? "Record a running Java program" : NULL,
                              .label = start->programs[i].name,
                              .detail = start->details[i]},
            NULL, start->programs[i].pid);
    }
}

// What rows open is the preferences' list's, which stays while they are shown.
void mc_viewer_update_start(mc_viewer *viewer) {
    mc_start *start = &viewer->start;
    mc_session *session = viewer->session;
    start->model.is_shown = is_shown(viewer);
    if (!start->model.is_shown || session->turn.now_ns < start->next_ns) return;
    mc_jvm_entry now[MC_START_PROGRAMS_MOST] = {0};
    uint32_t count = mc_jvm_list(now, MC_START_PROGRAMS_MOST);
    start->next_ns = session->turn.now_ns + LOOK_NS;
    bool is_same = count == start->program_count && start->has_looked &&
                   memcmp(now, start->programs, sizeof now) == 0;
    if (is_same) return;
    if (!start->has_looked) start->model.chosen = MC_NONE;
    start->has_looked = true;
    uint32_t chosen = start->model.chosen;
    const char *chosen_path = chosen == MC_NONE ? NULL : start->paths[chosen];
    uint32_t chosen_pid = chosen == MC_NONE ? 0 : start->pids[chosen];
    memcpy(start->programs, now, sizeof now);
    start->program_count = count;
    start->model.has_programs = count > 0;
    start->model.row_count = 0;
    start->model.rows = start->rows;
    mc_form_texts_deinit(&start->texts);
    list_recent(viewer);
    list_programs(viewer);
    // Rows may have moved; what was chosen stays so.
    start->model.chosen = MC_NONE;
    for (uint32_t i = 0; i < start->model.row_count && chosen != MC_NONE; i++)
        if (start->paths[i] == chosen_path && start->pids[i] == chosen_pid) start->model.chosen = i;
    mc_session_redraw(session);
}

double mc_viewer_get_start_wait_s(const mc_viewer *viewer) {
    if (!is_shown(viewer)) return INFINITY;
    uint64_t now = viewer->session->turn.now_ns, next = viewer->start.next_ns;
    return next > now ? (double)(next - now) * 1e-9 : 0;
}

void mc_viewer_take_start_row(mc_viewer *viewer, uint32_t row) {
    mc_start *start = &viewer->start;
    if (!start->model.is_shown || row >= start->model.row_count) return;
    if (start->paths[row]) {
        char *path = mc_copy_string(start->paths[row]); // opening changes the list that it is of
        if (path) mc_session_open_path(viewer->session, path);
        mc_free(path);
    } else {
        mc_viewer_ask_recording(viewer, start->pids[row], start->rows[row].label);
    }
}

bool mc_viewer_start_key(mc_viewer *viewer, int key) {
    mc_ui_start *model = &viewer->start.model;
    if (!model->is_shown || model->row_count == 0 || viewer->session->settings.help) return false;
    uint32_t last = model->row_count - 1;
    switch (key) {
    case GLFW_KEY_DOWN:
        model->chosen = model->chosen == MC_NONE || model->chosen == last ? 0 : model->chosen + 1;
        break;
    case GLFW_KEY_UP:
        model->chosen = model->chosen == MC_NONE || model->chosen == 0 ? last : model->chosen - 1;
        break;
    case GLFW_KEY_ENTER:
    case GLFW_KEY_KP_ENTER:
        if (model->chosen == MC_NONE) return false;
        mc_viewer_take_start_row(viewer, model->chosen);
        break;
    default: return false;
    }
    mc_session_redraw(viewer->session);
    return true;
}
