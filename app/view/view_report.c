#include "app/format.h"
#include "app/view/view_state.h"
#include "app/walk_text.h"

#include "engine/base/file.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

void mc_view_report_key(mc_text *out, const mc_view *view, const char *field, uint32_t node) {
    mc_text key = {0};
    mc_text_format(out, ",\"%s\":", field);
    if (node == MC_NONE) {
        mc_text_append_string(out, "null");
        return;
    }
    mc_trace_append_full_key(view->trace, node, &key);
    mc_format_append_json(out, key.data ? key.data : "", key.size);
    out->failed = out->failed || key.failed;
    mc_text_deinit(&key);
}

static void append_string(mc_text *out, const char *field, const char *value) {
    mc_text_format(out, ",\"%s\":", field);
    if (value) {
        mc_format_append_json(out, value, strlen(value));
    } else {
        mc_text_append_string(out, "null");
    }
}

static void append_settings(mc_text *out, const mc_wish *s) {
    mc_text_format(
        out,
        ",\"metric\":\"%s\",\"scaling\":\"%s\",\"tiling\":\"%s\",\"child_limit\":%" PRIu32
        ",\"color\":%s,\"opacity\":%s,\"opaque_count\":%" PRIu32
        ",\"others_opacity\":%.3g,\"dark\":%s,\"palette\":%" PRIu32
        ",\"edges\":%s,\"names\":%s,\"help\":%s,\"panels\":%s,\"warnings_open\":%s,\"loop\":%s"
        ",\"step_duration\":%.4g",
        mc_metric_names[s->layout.metric], mc_scaling_names[s->layout.scaling],
        mc_tiling_names[s->layout.tiling], s->layout.child_limit,
        s->look.color_by_growth ? "true" : "false", s->look.opacity_by_growth ? "true" : "false",
        s->look.opaque_count, (double)s->look.opacity, s->look.dark ? "true" : "false",
        s->look.palette, s->look.edges ? "true" : "false", s->look.names ? "true" : "false",
        s->help ? "true" : "false", s->panels ? "true" : "false",
        s->warnings_open ? "true" : "false", s->loop ? "true" : "false", s->step_duration_s);
}

// Motion, and which panels are unfolded.
static void append_panels(mc_text *out, const mc_wish *s) {
    const struct {
        const char *name;
        bool is_open;
    } panels[] = {{"selection", s->selection_open}, {"suspects", s->suspects_open},
                  {"view", s->view_open},           {"references", s->references_open},
                  {"walk", s->walk_open},           {"contents", s->contents_open}};
    const char *separator = "";
    mc_text_format(out, ",\"motion\":%s,\"unfolded\":[", s->motion ? "true" : "false");
    for (size_t i = 0; i < sizeof panels / sizeof *panels; i++) {
        if (!panels[i].is_open) continue;
        mc_text_format(out, "%s\"%s\"", separator, panels[i].name);
        separator = ",";
    }
    mc_text_append_string(out, "]");
}

static void append_trace(mc_text *out, const mc_view *view) {
    const mc_city *city = view->city;
    double eye[3];
    mc_camera_get_eye(&view->camera.pose, eye);
    const double *target = view->camera.pose.target;
    mc_text_format(out,
                   ",\"step\":%" PRIu32 ",\"step_count\":%" PRIu32 ",\"playing\":%s"
                   ",\"tweening\":%s,\"buildings\":%" PRIu32 ",\"districts\":%" PRIu32
                   ",\"city_metric\":\"%s\",\"hidden\":%" PRIu32,
                   view->playback.step, mc_trace_get_step_count(view->trace),
                   view->playback.playing ? "true" : "false",
                   mc_playback_is_tweening(&view->playback) ? "true" : "false",
                   city->building_count, city->district_count, mc_metric_names[city->desc.metric],
                   city->hidden_leaf_count);
    mc_text_format(out, ",\"eye\":[%.3f,%.3f,%.3f],\"target\":[%.3f,%.3f,%.3f]", eye[0], eye[1],
                   eye[2], target[0], target[1], target[2]);
    mc_text_format(out, ",\"window\":[%" PRIu32 ",%" PRIu32 "],\"hint\":%s",
                   city->desc.window.first_step, city->desc.window.last_step,
                   mc_view_has_hint(view) ? "true" : "false");
    mc_view_report_key(out, view, "selection", mc_view_get_selected(view));
    mc_view_report_key(out, view, "hover", mc_city_get_node(city, view->hovered));
    mc_view_report_explore(view, out);
    // A place to click on: the middle of the best suspect's roof, as far as it is in the picture.
    const char *separator = "";
    mc_text_format(out, ",\"verdict\":%s%s%s", view->has_verdict ? "\"" : "",
                   view->has_verdict ? mc_heap_verdict_names[view->verdict] : "null",
                   view->has_verdict ? "\"" : "");
    mc_text_append_string(out, ",\"suspects\":[");
    for (uint32_t i = 0; i < view->suspect_count; i++) {
        uint32_t building = city->node_building[view->suspects[i].node];
        if (building == MC_NONE) continue;
        mc_plot plot = city->building_plot[building];
        mc_box box = mc_city_evaluate_building(city, &view->params, building, view->from[building],
                                               view->to[building], NULL);
        double x = -1, y = -1,
               point[3] = {((double)plot.x0 + (double)plot.x1) / 2,
                           (double)box.base + (double)box.height,
                           ((double)plot.z0 + (double)plot.z1) / 2};
        if (!mc_camera_project(&view->camera, point, &x, &y)) x = y = -1;
        mc_text_format(out, "%s[%.1f,%.1f]", separator, x, y);
        separator = ",";
    }
    mc_text_append_string(out, "]");
}

static void append_comfort(mc_text *out, const mc_view *view) {
    const mc_view_comfort *comfort = &view->comfort;
    mc_text_format(out,
                   ",\"scale\":%.4g,\"box\":%s,\"box_entries\":%" PRIu32
                   ",\"video\":%s,\"history\":[%" PRIu32 ",%" PRIu32 "]",
                   (double)mc_view_get_scale(view), comfort->box.is_open ? "true" : "false",
                   comfort->box.entry_count, comfort->video.process > 0 ? "true" : "false",
                   comfort->history.at, comfort->history.count);
    append_string(out, "box_text", comfort->box.text);
    append_string(out, "box_note", comfort->box.note);
}

static void append_report(mc_text *out, const mc_view *view) {
    uint32_t width, height;
    mc_window_get_size(view->window, &width, &height);
    static const char *const tasks[] = {"idle", "opening", "laying out"};
    mc_text_format(out, "{\"task\":\"%s\",\"open\":%s,\"size\":[%" PRIu32 ",%" PRIu32 "]",
                   tasks[view->task], view->trace ? "true" : "false", width, height);
    append_string(out, "device", mc_gpu_get_device_name(view->gpu));
    append_string(out, "trace", view->trace_name);
    mc_text_format(out, ",\"follow\":%s,\"live\":%s", view->follow.is_on ? "true" : "false",
                   view->follow.is_live ? "true" : "false");
    append_string(out, "message", view->message);
    append_comfort(out, view);
    mc_text_format(out, ",\"warning_count\":%" PRIu32 ",\"warnings\":[", view->warnings.all_count);
    for (uint32_t i = 0; i < view->warnings.count; i++) {
        if (i > 0) mc_text_append_string(out, ",");
        mc_format_append_json(out, view->warnings.texts[i], strlen(view->warnings.texts[i]));
    }
    mc_text_append_string(out, "]");
    append_settings(out, &view->wish);
    append_panels(out, &view->wish);
    if (view->trace) append_trace(out, view);
    mc_text_append_string(out, ",\"places\":{");
    for (uint32_t i = 0; i < view->answer.place_count; i++) {
        const mc_ui_place *place = &view->answer.places[i];
        mc_text_format(out, "%s\"%s\":[%.1f,%.1f,%.1f,%.1f]", i > 0 ? "," : "", place->name,
                       (double)place->x0, (double)place->y0, (double)place->x1, (double)place->y1);
    }
    mc_text_format(out, "},\"validation\":%" PRIu32, mc_gpu_get_validation_count(view->gpu));
}

void mc_view_append_state(const mc_view *view, mc_text *out) {
    append_report(out, view);
    mc_text_format(out, ",\"frames\":%" PRIu64 "}", view->frame_count);
}

void mc_view_write_report(mc_view *view) {
    if (!view->desc->state_path) return;
    mc_text_clear(&view->report);
    append_report(&view->report, view);
    const mc_text *now = &view->report, *last = &view->reported;
    if (now->failed) return;
    // The count of frames alone is no news, or the file would be written at each.
    if (now->size == last->size && memcmp(now->data, last->data, now->size) == 0) return;
    mc_error error = {0};
    mc_file_writer writer;
    if (mc_file_writer_begin(&writer, view->desc->state_path, &error) == MC_OK) {
        writer.sync = MC_FILE_SYNC_NONE; // or the window would wait for the disk
        fprintf(writer.stream, "%s,\"frames\":%" PRIu64 "}\n", now->data, view->frame_count);
        mc_file_writer_commit(&writer, &error);
    }
    if (error.code != MC_OK) {
        mc_log_write(&view->log, MC_LOG_WARNING, "%s", error.message);
    }
    mc_text swap = view->report;
    view->report = view->reported;
    view->reported = swap;
}
