#include "app/window/state_file.h"

#include "app/message.h"
#include "app/session/state.h"
#include "app/window/scale.h"
#include "engine/base/file.h"
#include <stdio.h>
#include <string.h>

static void put_start(mc_print *print, const mc_ui_start *start) {
    mc_print_begin_list(print, "start");
    for (uint32_t i = 0; start->is_shown && i < start->row_count; i++)
        mc_print_put(print, NULL, mc_cell_text(start->rows[i].key));
    mc_print_end_list(print);
}

static void put_places(mc_print *print, const mc_ui_answer *answer) {
    mc_print_begin_object(print, "places");
    for (uint32_t i = 0; i < answer->place_count; i++) {
        const mc_ui_place *place = &answer->places[i];
        mc_print_put(
            print, place->name,
            MC_LIST(mc_cell_decimal((double)place->x0, 1), mc_cell_decimal((double)place->y0, 1),
                    mc_cell_decimal((double)place->x1, 1), mc_cell_decimal((double)place->y1, 1)));
    }
    mc_print_end_object(print);
}

// All but what each frame changes, which alone is no news, or the file would be written at each.
static void put_state(const mc_viewer *viewer, mc_print *print) {
    const mc_ui_dialog *box = &viewer->dialog.box;
    bool has_row = viewer->menu.is_open && viewer->menu.chosen != MC_NONE;
    const char *row = has_row ? viewer->menu.rows[viewer->menu.chosen].label : NULL;
    uint32_t width, height;
    mc_window_get_size(viewer->window, &width, &height);
    mc_print_begin_object(print, NULL);
    mc_session_put_state(viewer->session, print);
    MC_PRINT(print, {"size", MC_LIST(mc_cell_count(width), mc_cell_count(height))},
             {"device", mc_cell_text(mc_gpu_get_device_name(viewer->gpu))},
             {"scale", mc_cell_real((double)mc_viewer_get_scale(viewer), 4)},
             {"box", mc_cell_bool(box->is_open)},
             {"box_title", mc_cell_text(box->is_open ? box->title : NULL)},
             {"box_entries", mc_cell_count(box->entry_count)},
             {"video", mc_cell_bool(viewer->video.child.process > 0)},
             {"report", mc_cell_bool(viewer->reporting.child.process > 0)},
             {"typing", mc_cell_text(mc_ui_get_text_field(viewer->ui))});
    put_start(print, &viewer->start.model);
    bool records = viewer->recording.child.process > 0;
    MC_PRINT(
        print, {"recording", mc_cell_bool(records)},
        {"recording_text", mc_cell_text(records ? mc_text_get(&viewer->recording.text) : NULL)},
        {"menu", mc_cell_bool(viewer->menu.is_open)}, {"menu_row", mc_cell_text(row)},
        {"box_text", mc_cell_text(box->text)}, {"box_note", mc_cell_text(box->note)},
        {"cut_words", mc_cell_count(viewer->answer.cut_words)});
    put_places(print, &viewer->answer);
    MC_PRINT(print, {"half_frames", mc_cell_count(viewer->half_count)},
             {"reaction", mc_cell_count(viewer->reaction.frames)},
             {"drawings", mc_cell_count(mc_renderer_get_drawings(viewer->renderer))},
             {"validation", mc_cell_count(mc_gpu_get_validation_count(viewer->gpu))});
}

static void put_end(const mc_viewer *viewer, mc_print *print) {
    mc_print_put(print, "frames", mc_cell_count(viewer->frame_count));
    mc_print_end_object(print);
}

void mc_viewer_append_state(const mc_viewer *viewer, mc_text *out) {
    mc_print print = mc_print_to(out, true, false);
    put_state(viewer, &print);
    mc_frame_times_put(&viewer->latencies, "latency", &print);
    mc_frame_times_put(&viewer->frame_times, "frame_times", &print);
    put_end(viewer, &print);
}

void mc_viewer_write_report(mc_viewer *viewer) {
    if (!viewer->desc->state_path) return;
    mc_text_clear(&viewer->report);
    mc_print print = mc_print_to(&viewer->report, true, false);
    put_state(viewer, &print);
    const mc_text *now = &viewer->report, *last = &viewer->reported;
    if (now->failed) return;
    if (now->size == last->size && memcmp(now->data, last->data, now->size) == 0) return;
    mc_error error = {0};
    mc_file_writer writer;
    if (mc_file_writer_begin(&writer, viewer->desc->state_path, &error) == MC_OK) {
        writer.sync = MC_FILE_SYNC_NONE; // or the window would wait for the disk
        mc_text end = {0};
        print.out = &end;
        put_end(viewer, &print);
        if (!end.failed) fprintf(writer.stream, "%s%s", now->data, end.data);
        mc_text_deinit(&end);
        mc_file_writer_commit(&writer, &error);
    }
    if (error.code != MC_OK) mc_message_warn("%s", error.message);
    mc_text swap = viewer->report;
    viewer->report = viewer->reported;
    viewer->reported = swap;
}
