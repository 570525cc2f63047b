// view_comfort.h - what makes the window comfortable: going back, views as files, remembered
// settings, a box to open things with, copies and pictures to take along.
//
// A part of mc_view, used by the main thread alone.
#pragma once
#include "app/session/preferences.h"
#include "app/session/view_file.h"
#include "app/ui/ui_box.h"
#include "engine/scene/camera.h"
#include <sys/types.h>

typedef struct mc_view mc_view;

// Where one stands in the city of an open trace.
typedef struct mc_view_moment {
    mc_wish wish;     // fields for MC_USE_VIEW, extent, step, selection, camera
    uint32_t changes; // in the history: what this one changed
} mc_view_moment;

#define MC_VIEW_HISTORY_CAPACITY 200

typedef struct mc_view_history {
    mc_view_moment moments[MC_VIEW_HISTORY_CAPACITY];
    uint32_t count, at; // moments[at] is where one is
    uint64_t last_ns;   // when the last one was noted
    bool was_playing;   // when it was looked at last
    bool absorbs;       // where a move back ends up is no change of its own
} mc_view_history;

typedef enum mc_view_box { MC_VIEW_BOX_OPEN, MC_VIEW_BOX_BOOKMARKS, MC_VIEW_BOX_SAVE } mc_view_box;

// What the next frame is to be saved as.
typedef enum mc_view_picture {
    MC_VIEW_NO_PICTURE,
    MC_VIEW_PICTURE_WITH_PANELS,
    MC_VIEW_PICTURE_OF_CITY
} mc_view_picture;

// A process that makes a video; see view_video.c.
typedef struct mc_view_video {
    pid_t process; // 0: none
    int pipe;      // its progress, and what it says
    mc_text said;
    bool is_cancelled;
    char *path, *view_path; // of the video, and of the file that says what to show
    uint64_t frame, frame_count;
    char text[160];
} mc_view_video;

typedef struct mc_view_comfort {
    mc_view_history history;
    bool has_pending; // to go there once the layout is done
    bool pending_at_once;
    mc_view_moment pending;
    bool has_wanted; // to be restored once its trace is open
    mc_view_file wanted;
    mc_form_texts paths; // of the open trace, absolute

    mc_preferences preferences;
    mc_wish remembered; // as they were when they were read or written last
    uint32_t remembered_width, remembered_height;

    mc_view_box box_kind;
    mc_ui_box box;
    mc_form_texts box_paths; // what the entries stand for
    mc_form_texts box_details;
    mc_ui_box_entry *box_entries;
    size_t box_capacity;
    char box_note[256];
    bool box_replaces; // Enter once more replaces the file

    char title[288];
    bool message_is_notice; // goes away by itself
    uint64_t notice_end_ns;
    bool button_is_down;
    mc_view_picture picture;
    mc_view_video video;
} mc_view_comfort;

// view_history.c
void mc_view_get_moment(const mc_view *view, mc_view_moment *moment);
void mc_view_go_to(mc_view *view, const mc_view_moment *moment, bool at_once);
void mc_view_end_pending(mc_view *view, bool fits); // a layout is there, or will not be
void mc_view_record(mc_view *view);                 // once a turn
void mc_view_accept_extent(mc_view *view);          // more steps have come by themselves
void mc_view_forget_history(mc_view *view);         // of another trace
void mc_view_undo(mc_view *view);
void mc_view_redo(mc_view *view);

// view_files.c: views as files.
bool mc_view_make_snapshot(const mc_view *view, mc_view_file *snapshot);
// Takes over `snapshot`: opens its trace if it is another one.
void mc_view_open_snapshot(mc_view *view, mc_view_file *snapshot);
void mc_view_restore_wanted(mc_view *view); // the trace is open
void mc_view_restore_search(mc_view *view, const mc_view_file *snapshot);
// A trace or a view.
void mc_view_open_path(mc_view *view, const char *path);
bool mc_view_is_file(const char *path); // that a view was saved in
void mc_view_save_bookmark(mc_view *view);
bool mc_view_save_as(mc_view *view, const char *path);
void mc_view_set_paths(mc_view *view, char *const *paths, uint32_t count);

// view_box.c
void mc_view_open_box(mc_view *view, mc_view_box kind);
bool mc_view_close_box(mc_view *view);        // false: it was not open
bool mc_view_box_key(mc_view *view, int key); // true: it was for the box
void mc_view_take_box(mc_view *view);         // what Enter does
void mc_view_take_box_entry(mc_view *view, uint32_t index);
void mc_view_update_box(mc_view *view);

// view_preferences.c
void mc_view_begin_preferences(mc_view *view);
void mc_view_save_preferences(mc_view *view); // if something has changed
void mc_view_remember_path(mc_view *view, const char *path);

// What a node counts at the step that is shown.
typedef struct mc_view_row {
    uint64_t objects, bytes;
    uint64_t value, first; // in the city's metric: now, and at the window's first step
    double share;          // of the heap
} mc_view_row;

// view_tables.c
mc_view_row mc_view_read_row(mc_view *view, uint32_t node);
void mc_view_export_table(mc_view *view); // those that are open

// view_export.c
void mc_view_copy_key(mc_view *view);
void mc_view_copy_row(mc_view *view);
void mc_view_save_picture(mc_view *view, bool with_panels);
void mc_view_take_picture(mc_view *view, const mc_scene *scene, const mc_ui_draw *draw);
// Appends where NAME-OF-THE-TRACE + suffix is to go; false, and a message, if memory is out.
bool mc_view_append_output_path(mc_view *view, mc_text *path, const char *suffix,
                                const char *extension);

// view_video.c
void mc_view_toggle_video(mc_view *view);
void mc_view_poll_video(mc_view *view);
void mc_view_end_video(mc_view *view); // stops it

// view_comfort.c
float mc_view_get_scale(const mc_view *view);
void mc_view_change_scale(mc_view *view, int way); // 1, -1, or 0: as the screen asks for
double mc_view_get_comfort_wait_s(const mc_view *view);
// Good news, which goes away by itself.
void mc_view_set_notice(mc_view *view, const char *format, ...) MC_PRINTF(2, 3);
void mc_view_fill_comfort(mc_view *view, mc_ui_model *model);
void mc_view_update_comfort(mc_view *view); // once a turn
void mc_view_close_comfort(mc_view *view);
