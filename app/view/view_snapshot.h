// view_snapshot.h - a view as a small file: what is open, where one stands, what is selected, how
// it is drawn. Also the table of settings by which they are remembered, undone and compared.
//
// JSON, one object; see docs/views.md. Threads: any, on separate objects.
#pragma once
#include "app/form.h"
#include "app/ui/ui_model.h"
#include "engine/scene/camera.h"

// What a field of mc_ui_settings is for, as bits of mc_form_field.uses.
enum {
    MC_SETTING_VIEW = 1,       // belongs to a view: in its file, and undone
    MC_SETTING_PREFERENCE = 2, // remembered from one run to the next
};

const mc_form_field *mc_settings_get_fields(uint32_t *count);

// Whether any field for `uses` differs.
bool mc_settings_differ(const mc_ui_settings *a, const mc_ui_settings *b, uint32_t uses);
// Gives `settings` those values of `to` in which it differs from `from`.
void mc_settings_move(mc_ui_settings *settings, const mc_ui_settings *from,
                      const mc_ui_settings *to, uint32_t uses);

typedef struct mc_view_snapshot {
    uint32_t version;
    mc_form_texts paths; // what to open; absolute
    char *trace_name;    // may be NULL, as the texts below
    uint32_t step;
    bool has_window; // false: all steps, however many there are
    uint32_t window[2];
    char *selection; // full keys
    char *root;      // the district that is the city
    char *search;
    bool search_is_regex;
    bool is_home; // the whole city, whatever the picture's shape; else from `camera`
    mc_camera_pose camera;
    uint32_t width, height;  // of the picture; 0: not known
    mc_ui_settings settings; // those for MC_SETTING_VIEW
} mc_view_snapshot;

// Every setting as a fresh window has it.
mc_ui_settings mc_settings_default(void);

void mc_view_snapshot_init(mc_view_snapshot *snapshot);   // of nothing
void mc_view_snapshot_deinit(mc_view_snapshot *snapshot); // safe on a zeroed one

// One line of JSON with its end.
void mc_view_snapshot_append(const mc_view_snapshot *snapshot, mc_text *out);
// Initialises `snapshot`; deinit in either case. MC_ERROR_BAD_DATA names field and offset.
mc_result mc_view_snapshot_parse(mc_view_snapshot *snapshot, const unsigned char *data, size_t size,
                                 mc_error *error);

// A view may come with its trace: what is not where it was is looked for beside the view's `path`.
void mc_view_snapshot_find_trace(mc_view_snapshot *snapshot, const char *path);

// The same from a file and into one, which is whole or as it was.
mc_result mc_view_snapshot_read(mc_view_snapshot *snapshot, const char *path, mc_error *error);
mc_result mc_view_snapshot_write(const mc_view_snapshot *snapshot, const char *path,
                                 mc_error *error);
