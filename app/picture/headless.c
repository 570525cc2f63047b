#include "app/picture/headless.h"

#include "app/picture/picture_overlay.h"
#include "app/picture/session_caption.h"
#include "app/picture/session_picture.h"
#include "app/session/action.h"
#include "app/session/describe.h"
#include "app/session/host.h"
#include "app/session/state.h"
#include "app/session/tables.h"
#include "app/session/turn.h"
#include "app/views/painters.h"
#include "app/views/views.h"
#include "engine/base/clock.h"
#include "engine/base/printable_text.h"
#include <errno.h>
#include <math.h>
#include <semaphore.h>
#include <stdio.h>
#include <string.h>

#define FRAME_NS 16666667u
#define MOST_WAIT_S 0.1
#define ROWS_HEIGHT 70.0 // of a flat view's title and legend, times the text's scale

typedef struct headless {
    const mc_headless_desc *desc;
    mc_session *session;
    mc_gpu *gpu; // NULL: no picture was asked for yet
    mc_ui *ui;   // likewise
    mc_renderer *renderer;
    mc_view_versions uploaded;
    uint32_t trace_version;
} headless;

static sem_t work_is_done; // of a task, in whichever thread

static void wake(void) {
    (void)sem_post(&work_is_done);
}

// ---- what is asked of a window

static mc_result draw(headless *self, mc_error *error) {
    mc_session *session = self->session;
    const mc_view_painter *painter = mc_view_get_painter(session->view);
    mc_result result = MC_OK;
    mc_session_prepare_frame(session);
    if (!self->gpu) result = mc_picture_create_gpu(self->desc->picture, &self->gpu, error);
    if (result == MC_OK && !self->ui)
        result = mc_ui_create((float)self->session->input.text_scale, &self->ui, error);
    if (result == MC_OK && self->uploaded.layout != session->layout_version) {
        mc_renderer_desc renderer = mc_renderer_choose(
            self->gpu, (mc_rasterizer)self->desc->picture->rasterizer,
            painter->get_count(session->view), self->desc->picture->samples, false);
        mc_renderer_destroy(self->renderer);
        self->renderer = NULL;
        result = mc_renderer_create(self->gpu, &renderer, &self->renderer, error);
        uint32_t width, height;
        const uint8_t *texture = mc_ui_get_texture(self->ui, &width, &height);
        if (result == MC_OK)
            result = mc_renderer_set_ui_texture(self->renderer, texture, width, height, error);
    }
    if (result == MC_OK)
        result = painter->upload(session->view, &self->uploaded, self->renderer, error);
    if (result != MC_OK) return result;
    mc_scene scene = painter->get_scene(session->view);
    scene = painter->get_uncovered(session->view, &scene);
    mc_ui_draw caption;
    mc_session_draw_caption(session, self->ui, self->desc->width, self->desc->height, &caption);
    mc_session_write_picture(session, self->renderer, &scene, &caption, self->desc->width,
                             self->desc->height);
    return MC_OK;
}

// Tabs and ends of lines stay: they are between columns and rows.
static void append_printable(mc_text *out, const char *text, size_t size) {
    for (const char *end = text + size; text < end;) {
        const char *tab = text;
        while (tab < end && *tab != '\t' && *tab != '\n')
            tab++;
        if (tab == end) tab = NULL;
        mc_printable_append(out, text, (size_t)((tab ? tab : end) - text));
        if (tab) mc_text_append(out, tab, 1);
        text = tab ? tab + 1 : end;
    }
}

static void print_copy(headless *self, mc_session_copy what) {
    mc_text text = {0}, printable = {0};
    if (mc_session_append_copy(self->session, what, &text))
        append_printable(&printable, text.data, text.size);
    if (printable.data) printf("%s\n", printable.data);
    mc_text_deinit(&text);
    mc_text_deinit(&printable);
}

static bool run_action(void *user, mc_action_id id, int64_t number) {
    headless *self = user;
    mc_error error = {0};
    (void)number;
    switch (id) {
    case MC_ACTION_COPY_KEY: print_copy(self, MC_COPY_KEY); return true;
    case MC_ACTION_COPY_ROW: print_copy(self, MC_COPY_ROW); return true;
    case MC_ACTION_COPY_FINDING: print_copy(self, MC_COPY_FINDING); return true;
    case MC_ACTION_PICTURE_ALONE:
        if (draw(self, &error) != MC_OK) (void)mc_session_fail(self->session, &error);
        return true;
    default: return false;
    }
}

static void say(void *user, const char *message, bool is_notice) {
    (void)user;
    mc_text printable = {0};
    if (is_notice) {
        mc_printable_append(&printable, message, strlen(message));
        if (printable.data) printf("%s\n", printable.data);
    } else {
        mc_message_say("%s", message);
    }
    mc_text_deinit(&printable);
    fflush(stdout);
}

// ---- turn by turn

// Until a task is done, or it is time for something.
static void wait(const mc_session *session) {
    double most_s = fmin(mc_session_get_wait_s(session, true), MOST_WAIT_S);
    if (!(most_s > 0)) return;
    struct timespec end = mc_clock_get_deadline(CLOCK_REALTIME, (uint64_t)(most_s * 1e9));
    while (sem_timedwait(&work_is_done, &end) != 0 && errno == EINTR) {
    }
}

static void append_state(void *user, mc_text *out) {
    mc_print print = mc_print_to(out, true, false);
    mc_print_begin_object(&print, NULL);
    mc_session_put_state(user, &print);
    mc_print_end_object(&print);
}

// A flat view leaves room for the rows of its caption; a city lies below its own.
static mc_camera_viewport get_viewport(const headless *self) {
    const mc_session *session = self->session;
    mc_camera_viewport viewport = {.width = self->desc->width, .height = self->desc->height};
    bool has_rows = session->settings.view != 0 && session->settings.panels;
    if (has_rows && viewport.height >= 2 * ROWS_HEIGHT * session->input.text_scale)
        viewport.top = ROWS_HEIGHT * session->input.text_scale;
    return viewport;
}

static void turn(headless *self, uint64_t now_ns) {
    mc_session *session = self->session;
    mc_session_begin_turn(session, now_ns);
    mc_session_end_turn(session);
    if (self->trace_version != session->trace_version) {
        self->trace_version = session->trace_version;
        mc_session_set_viewport(session, get_viewport(self));
        if (session->shown) session->view->kind->refit(session->view);
    }
    if (session->shown) mc_session_set_viewport(session, get_viewport(self));
    if (session->turn.frames_due > 0) {
        mc_facts facts;
        mc_session_prepare_frame(session);
        mc_session_fill_facts(session, &facts);
    }
    mc_script_run(self->desc->script, session, append_state, session);
    if (mc_script_is_over(self->desc->script)) mc_session_do(session, MC_ACTION_QUIT, 0);
}

int mc_headless_run(const mc_headless_desc *desc) {
    mc_error error = {0};
    headless self = {.desc = desc};
    mc_session_desc session = desc->session;
    session.views = mc_views;
    session.host = (mc_session_host){.user = &self, .wake = wake, .say = say, .run = run_action};
    if (sem_init(&work_is_done, 0, 0) != 0) {
        mc_fail(&error, MC_ERROR_UNSUPPORTED, "can't make a semaphore");
        return mc_command_fail(&error);
    }
    int code = MC_EXIT_OK;
    if (mc_session_create(&session, &self.session, &error) != MC_OK) {
        code = mc_command_fail(&error);
    } else {
        uint64_t now_ns = mc_clock_now_ns();
        mc_session_input input = {.width = desc->width,
                                  .height = desc->height,
                                  .text_scale = (double)mc_picture_get_text_scale(desc->height),
                                  .pixel_scale = (double)mc_picture_get_pixel_scale(desc->height)};
        mc_session_set_input(self.session, &input);
        mc_session_begin(self.session);
        while (!self.session->ends) {
            wait(self.session);
            now_ns += FRAME_NS;
            turn(&self, now_ns);
        }
        code = self.session->exit_code;
    }
    mc_ui_destroy(self.ui);
    mc_renderer_destroy(self.renderer);
    mc_gpu_destroy(self.gpu);
    mc_session_destroy(self.session);
    sem_destroy(&work_is_done);
    return code;
}
