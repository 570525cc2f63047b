#include "app/format.h"
#include "app/png_file.h"
#include "app/user_files.h"
#include "app/view/view_state.h"

#include "engine/base/file.h"
#include "engine/base/memory.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// What a copy is of: the selection, or else what is pointed at.
static uint32_t get_subject(const mc_view *view) {
    if (mc_view_get_selected(view) != MC_NONE) return mc_view_get_selected(view);
    return mc_city_get_node(view->city, view->hovered);
}

static void copy(mc_view *view, mc_text *text, const char *what) {
    if (text->failed || !text->data) {
        mc_view_set_message(view, "out of memory");
    } else {
        mc_window_set_clipboard(view->window, text->data);
        mc_view_set_notice(view, "Copied %s: %.600s", what, text->data);
    }
    mc_text_deinit(text);
}

void mc_view_copy_key(mc_view *view) {
    uint32_t node = get_subject(view);
    mc_text text = {0};
    if (node == MC_NONE) {
        mc_view_set_notice(view, "Select something first, to copy its full key.");
        return;
    }
    mc_trace_append_full_key(view->trace, node, &text);
    copy(view, &text, "the full key");
}

// One line with tabs, which spreadsheets and chats both take.
void mc_view_copy_row(mc_view *view) {
    uint32_t node = get_subject(view);
    if (node == MC_NONE) {
        mc_view_set_notice(view, "Select something first, to copy its numbers.");
        return;
    }
    mc_view_row r = mc_view_read_row(view, node);
    mc_text text = {0}, key = {0};
    mc_trace_append_full_key(view->trace, node, &key);
    mc_format_append_tsv(&text, key.data ? key.data : "", key.size);
    mc_text_format(&text, "\tstep %" PRIu32 "\t%" PRIu64 "\t%" PRIu64 "\t%+" PRId64,
                   view->playback.step, r.objects, r.bytes, (int64_t)(r.value - r.first));
    text.failed = text.failed || key.failed;
    mc_text_deinit(&key);
    copy(view, &text, "step, objects, bytes and growth");
}

// A path in the working directory, or, where that can't be written, in the home folder.
bool mc_view_append_output_path(mc_view *view, mc_text *path, const char *suffix,
                                const char *extension) {
    mc_text name = {0};
    mc_text_format(&name, "%s%s", view->trace_name ? view->trace_name : "memcity", suffix);
    const char *home = getenv("HOME");
    char *here = access(".", W_OK) == 0 ? getcwd(NULL, 0) : NULL;
    const char *folder = here ? here : home ? home : "/tmp";
    if (!name.failed) mc_user_append_free_path(path, folder, name.data, extension);
    bool fits = !name.failed && !path->failed;
    free(here);
    mc_text_deinit(&name);
    if (!fits) mc_view_set_message(view, "out of memory");
    return fits;
}

// Pictures

void mc_view_save_picture(mc_view *view, bool with_panels) {
    if (view->comfort.message_is_notice) mc_view_set_message(view, NULL); // not in the picture
    view->comfort.picture = with_panels ? MC_VIEW_PICTURE_WITH_PANELS : MC_VIEW_PICTURE_OF_CITY;
    mc_view_redraw(view);
}

// The camera of a picture that no panel covers.
static mc_camera_view get_uncovered_view(const mc_view *view) {
    mc_camera camera = view->camera;
    mc_camera_viewport viewport = {.width = camera.viewport.width,
                                   .height = camera.viewport.height};
    mc_camera_set_viewport(&camera, viewport);
    if (view->wish.is_home) {
        mc_camera_pose pose = mc_camera_get_preset(&camera, MC_CAMERA_CITY);
        pose = mc_camera_fit_structure(&camera, pose, view->city, MC_STRUCTURE_NONE);
        mc_camera_set_pose(&camera, &pose);
    }
    return mc_camera_get_view(&camera);
}

void mc_view_take_picture(mc_view *view, const mc_scene *scene, const mc_ui_draw *draw) {
    bool alone = view->comfort.picture == MC_VIEW_PICTURE_OF_CITY;
    view->comfort.picture = MC_VIEW_NO_PICTURE;
    uint32_t width, height;
    mc_window_get_size(view->window, &width, &height);
    mc_error error = {0};
    mc_text path = {0};
    char suffix[64] = "";
    if (view->city) snprintf(suffix, sizeof suffix, "-step%" PRIu32, view->playback.step);
    mc_scene shown = *scene;
    if (alone && view->city) {
        shown.view = get_uncovered_view(view);
        shown.hovered = MC_STRUCTURE_NONE;
    }
    uint8_t *pixels = mc_alloc((size_t)width * height, 4);
    if (!pixels) {
        mc_error_out_of_memory(&error);
    } else if (mc_view_append_output_path(view, &path, suffix, "png") &&
               mc_renderer_render_image(view->renderer, &shown, alone ? NULL : draw, width, height,
                                        pixels, &error) == MC_OK &&
               mc_png_write(path.data, pixels, width, height, &error) == MC_OK) {
        mc_view_set_notice(view, "Wrote %s", path.data);
    }
    if (error.code != MC_OK) mc_view_set_message(view, error.message);
    mc_free(pixels);
    mc_text_deinit(&path);
}
