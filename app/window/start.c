#include "app/window/start.h"

#include "app/format.h"
#include "app/session/action.h"
#include "app/session/saved_view.h"
#include "app/session/status_text.h"
#include "app/trace_location.h"
#include "app/window/dialog.h"
#include "app/window/program_text.h"
#include "app/window/sample.h"
#include "engine/base/memory.h"
#include "engine/live/programs.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define LOOK_NS 1000000000u // between two looks at which programs run
#define RECENT_MOST 6

static bool is_shown(const mc_viewer *viewer) {
    const mc_session *session = viewer->session;
    return !session->trace && session->work.task == MC_SESSION_IDLE && !session->follow.waits_for;
}

static void add(mc_start *start, mc_ui_start_row row, mc_start_deed deed) {
    if (start->model.row_count == MC_START_ROWS_MOST) return;
    uint32_t index = start->model.row_count++;
    start->rows[index] = row;
    start->deeds[index] = deed;
}

// As long as the list is; the text is empty then.
static const char *keep(mc_start *start, mc_text *text) {
    bool is_kept = !text->failed && mc_form_texts_add(&start->texts, text->data, text->size);
    mc_text_clear(text);
    return is_kept ? start->texts.items[start->texts.count - 1] : "";
}

static void list_ways(mc_viewer *viewer) {
    mc_start *start = &viewer->start;
    mc_text path = {0};
    add(start,
        (mc_ui_start_row){
            .label = "Open …", .detail = "a trace, a heap dump, a view", .key = "open"},
        (mc_start_deed){.action = MC_ACTION_BROWSE});
    add(start,
        (mc_ui_start_row){.label = "Open an address …",
                          .detail =
                              "a heap on another machine or in a container: ssh://, docker://",
                          .key = "address"},
        (mc_start_deed){.action = MC_ACTION_OPEN});
    if (mc_sample_append_path(&path))
        add(start,
            (mc_ui_start_row){
                .label = "Try a sample", .detail = MC_SAMPLE_SUBJECT, .key = "sample"},
            (mc_start_deed){.action = MC_ACTION_SAMPLE});
    mc_text_deinit(&path);
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
            (mc_ui_start_row){.heading = count++ == 0 ? "Opened before" : NULL,
                              .label = label,
                              .detail = detail,
                              .key = detail},
            (mc_start_deed){.path = path});
    }
}

// Last, as it grows.
static void list_programs(mc_viewer *viewer) {
    mc_start *start = &viewer->start;
    start->first_program = start->model.row_count;
    for (uint32_t i = 0; i < start->programs.count; i++) {
        const mc_program_row *program = &start->programs.rows[i];
        mc_text text = {0};
        if (program->has_ended)
            mc_text_format(&text, "PID %" PRIu32 " has ended", program->program.pid);
        else
            mc_program_append_detail(&program->program, &text);
        const char *detail = keep(start, &text);
        mc_text_format(&text, "process %" PRIu32, program->program.pid);
        const char *key = keep(start, &text);
        mc_text_deinit(&text);
        add(start,
            (mc_ui_start_row){.heading = i == 0 ? "Record a running program" : NULL,
                              .label = program->program.name,
                              .detail = detail,
                              .key = key,
                              .is_disabled = program->has_ended},
            (mc_start_deed){.pid = program->program.pid});
    }
}

static bool is_pointed(const mc_viewer *viewer) {
    return viewer->has_pointer && viewer->answer.points_at_start;
}

// What rows open is the preferences' list's, which stays while they are shown.
void mc_viewer_update_start(mc_viewer *viewer) {
    mc_start *start = &viewer->start;
    mc_session *session = viewer->session;
    start->model.is_shown = is_shown(viewer);
    if (!start->model.is_shown || session->turn.now_ns < start->next_ns) return;
    mc_program now[MC_PROGRAM_LIST_MOST];
    uint32_t count = mc_program_find_all(now, MC_PROGRAM_LIST_MOST);
    start->next_ns = session->turn.now_ns + LOOK_NS;
    (void)mc_program_list_update(&start->programs, now, count, session->turn.now_ns,
                                 is_pointed(viewer));
    if (!start->has_looked) start->model.chosen = MC_NONE;
    start->has_looked = true;
    uint32_t chosen = start->model.chosen;
    mc_start_deed deed = {0};
    if (chosen != MC_NONE) deed = start->deeds[chosen];
    start->model.has_programs = start->programs.count > 0;
    start->model.row_count = 0;
    start->model.rows = start->rows;
    mc_form_texts_deinit(&start->texts);
    list_ways(viewer);
    list_recent(viewer);
    list_programs(viewer);
    // Rows may have moved; what was chosen stays so.
    start->model.chosen = MC_NONE;
    for (uint32_t i = 0; i < start->model.row_count && chosen != MC_NONE; i++)
        if (start->deeds[i].path == deed.path && start->deeds[i].pid == deed.pid &&
            start->deeds[i].action == deed.action)
            start->model.chosen = i;
    mc_session_redraw(session);
}

void mc_viewer_open_sample(mc_viewer *viewer) {
    mc_text path = {0};
    if (mc_sample_append_path(&path))
        mc_session_open_path(viewer->session, path.data);
    else
        mc_session_set_status(viewer->session, "No sample was installed with this program.");
    mc_text_deinit(&path);
}

double mc_viewer_get_start_wait_s(const mc_viewer *viewer) {
    if (!is_shown(viewer)) return INFINITY;
    uint64_t now = viewer->session->turn.now_ns, next = viewer->start.next_ns;
    return next > now ? (double)(next - now) * 1e-9 : 0;
}

void mc_viewer_take_start_row(mc_viewer *viewer, uint32_t row) {
    mc_start *start = &viewer->start;
    if (!start->model.is_shown || row >= start->model.row_count) return;
    mc_start_deed deed = start->deeds[row];
    if (deed.path) {
        char *path = mc_copy_string(deed.path); // opening changes the list that it is of
        if (path) mc_session_open_path(viewer->session, path);
        mc_free(path);
    } else if (deed.action != MC_NO_ACTION) {
        mc_session_do(viewer->session, deed.action, 0);
    } else if (mc_program_list_can_take(&start->programs, row - start->first_program,
                                        viewer->session->turn.now_ns)) {
        mc_viewer_ask_recording(viewer, &start->programs.rows[row - start->first_program].program);
    }
}

bool mc_viewer_start_key(mc_viewer *viewer, int key) {
    mc_ui_start *model = &viewer->start.model;
    if (!model->is_shown || model->row_count == 0 || viewer->session->settings.help) return false;
    uint32_t last = model->row_count - 1;
    // From where Tab has gone to, if it has: there is one place that keys are about.
    bool has_focus = mc_ui_has_focus(viewer->ui);
    uint32_t from = has_focus ? viewer->answer.start_row : model->chosen;
    switch (key) {
    case GLFW_KEY_DOWN: model->chosen = from == MC_NONE || from >= last ? 0 : from + 1; break;
    case GLFW_KEY_UP: model->chosen = from == MC_NONE || from == 0 ? last : from - 1; break;
    case GLFW_KEY_ENTER:
    case GLFW_KEY_KP_ENTER:
        if (has_focus || model->chosen == MC_NONE) return false;
        mc_viewer_take_start_row(viewer, model->chosen);
        break;
    default: return false;
    }
    (void)mc_ui_leave_focus(viewer->ui);
    mc_session_redraw(viewer->session);
    return true;
}
