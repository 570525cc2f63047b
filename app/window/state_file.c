#include "app/window/state_file.h"

#include "app/format.h"
#include "app/message.h"
#include "app/session/state.h"
#include "app/window/scale.h"
#include "engine/base/file.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static void append_string(mc_text *out, const char *field, const char *value) {
    mc_text_format(out, ",\"%s\":", field);
    if (value)
        mc_format_append_json(out, value, strlen(value));
    else
        mc_text_append_string(out, "null");
}

// All but what each frame changes, which alone is no news, or the file would be written at each.
static void append(const mc_viewer *viewer, mc_text *out) {
    const mc_ui_dialog *box = &viewer->dialog.box;
    uint32_t width, height;
    mc_window_get_size(viewer->window, &width, &height);
    mc_text_append_string(out, "{");
    mc_session_append_state(viewer->session, out);
    mc_text_format(out, ",\"size\":[%" PRIu32 ",%" PRIu32 "]", width, height);
    append_string(out, "device", mc_gpu_get_device_name(viewer->gpu));
    mc_text_format(
        out,
        ",\"scale\":%.4g,\"box\":%s,\"box_entries\":%" PRIu32 ",\"video\":%s,\"typing\":\"%s\"",
        (double)mc_viewer_get_scale(viewer), box->is_open ? "true" : "false", box->entry_count,
        viewer->video.child.process > 0 ? "true" : "false", mc_ui_get_text_field(viewer->ui));
    mc_text_append_string(out, ",\"start\":[");
    const mc_ui_start *start = &viewer->start.model;
    for (uint32_t i = 0; start->is_shown && i < start->row_count; i++) {
        mc_text_append_string(out, i > 0 ? "," : "");
        mc_format_append_json(out, start->rows[i].detail, strlen(start->rows[i].detail));
    }
    mc_text_format(out, "],\"recording\":%s",
                   viewer->recording.child.process > 0 ? "true" : "false");
    mc_text_format(out, ",\"menu\":%s,\"menu_row\":", viewer->menu.is_open ? "true" : "false");
    if (viewer->menu.is_open && viewer->menu.chosen != MC_NONE)
        mc_format_append_json(out, viewer->menu.rows[viewer->menu.chosen].label,
                              strlen(viewer->menu.rows[viewer->menu.chosen].label));
    else
        mc_text_append_string(out, "null");
    append_string(out, "box_text", box->text);
    append_string(out, "box_note", box->note);
    mc_text_append_string(out, ",\"places\":{");
    for (uint32_t i = 0; i < viewer->answer.place_count; i++) {
        const mc_ui_place *place = &viewer->answer.places[i];
        mc_text_format(out, "%s\"%s\":[%.1f,%.1f,%.1f,%.1f]", i > 0 ? "," : "", place->name,
                       (double)place->x0, (double)place->y0, (double)place->x1, (double)place->y1);
    }
    mc_text_format(out,
                   "},\"half_frames\":%" PRIu64 ",\"reaction\":%" PRIu32 ",\"drawings\":%" PRIu32
                   ",\"validation\":%" PRIu32,
                   viewer->half_count, viewer->reaction.frames,
                   mc_renderer_get_drawings(viewer->renderer),
                   mc_gpu_get_validation_count(viewer->gpu));
}

static void append_frames(const mc_viewer *viewer, mc_text *out) {
    mc_text_append_string(out, ",\"latency\":");
    mc_frame_times_append_json(&viewer->latencies, out);
    mc_text_append_string(out, ",\"frame_times\":");
    mc_frame_times_append_json(&viewer->frame_times, out);
    mc_text_format(out, ",\"frames\":%" PRIu64 "}", viewer->frame_count);
}

void mc_viewer_append_state(const mc_viewer *viewer, mc_text *out) {
    append(viewer, out);
    append_frames(viewer, out);
}

void mc_viewer_write_report(mc_viewer *viewer) {
    if (!viewer->desc->state_path) return;
    mc_text_clear(&viewer->report);
    append(viewer, &viewer->report);
    const mc_text *now = &viewer->report, *last = &viewer->reported;
    if (now->failed) return;
    if (now->size == last->size && memcmp(now->data, last->data, now->size) == 0) return;
    mc_error error = {0};
    mc_file_writer writer;
    if (mc_file_writer_begin(&writer, viewer->desc->state_path, &error) == MC_OK) {
        writer.sync = MC_FILE_SYNC_NONE; // or the window would wait for the disk
        fprintf(writer.stream, "%s,\"frames\":%" PRIu64 "}\n", now->data, viewer->frame_count);
        mc_file_writer_commit(&writer, &error);
    }
    if (error.code != MC_OK) mc_message_warn("%s", error.message);
    mc_text swap = viewer->report;
    viewer->report = viewer->reported;
    viewer->reported = swap;
}
