// viewer_state.h - the state of the window around a session, shared by the files of this folder.
//
// One object, owned by mc_viewer_run(), used by the main thread.
#pragma once
#include "app/session/session.h"
#include "app/ui/ui.h"
#include "app/views/painter/view_painter.h"
#include "app/window/child.h"
#include "app/window/devices.h"
#include "app/window/finder.h"
#include "app/window/first_build.h"
#include "app/window/frame_times.h"
#include "app/window/keys.h"
#include "app/window/menu_rows.h"
#include "app/window/program_list.h"
#include "app/window/viewer_desc.h"
#include "engine/gpu/swapchain.h"
#include "engine/render/renderer.h"

typedef enum mc_dialog_kind {
    MC_DIALOG_OPEN,
    MC_DIALOG_BOOKMARKS,
    MC_DIALOG_SAVE,
    MC_DIALOG_COMMANDS,
    MC_DIALOG_RENAME, // a bookmark
    MC_DIALOG_RECORD, // into which file
    MC_DIALOG_PROGRAMS,
    MC_DIALOG_VERSUS, // another trace
    MC_DIALOG_WITH,   // a heap's methods, or methods' heap
    MC_DIALOG_TABS,   // of a server
    MC_DIALOG_NOTE,   // of a step
    MC_DIALOG_QUIT,   // while a program is recorded
    MC_DIALOG_VIDEO,  // of many frames
} mc_dialog_kind;

// A dialog: text field, entries and what they stand for.
typedef struct mc_dialog {
    mc_dialog_kind kind;
    mc_ui_dialog box;
    mc_form_texts paths; // what the entries stand for
    mc_form_texts labels, details;
    mc_ui_dialog_entry *entries;
    size_t capacity;
    char note[MC_ERROR_MESSAGE_SIZE];
    bool replaces;       // the next Enter overwrites the file
    bool adds;           // of bookmarks: the last row creates one
    uint32_t ways;       // rows at the top that choose how to record, and are no paths
    uint32_t deletes;    // the row that a second delete removes; MC_NONE: none
    char *renamed;       // the bookmark being renamed
    mc_program recorded; // the program to record
    uint32_t way;        // to record it: the row that is on
    char title[160];
    mc_text footer;
    uint32_t tabs_version; // of the session's list that was shown last
    mc_finder finder;      // of the commands: what the rows do
} mc_dialog;

// What the next frame is to be saved as.
typedef enum mc_viewer_picture {
    MC_VIEWER_NO_PICTURE,
    MC_VIEWER_PICTURE_WITH_PANELS,
    MC_VIEWER_PICTURE_OF_CITY
} mc_viewer_picture;

// A process that makes a video; see video.c.
typedef struct mc_viewer_video {
    mc_window_child child;
    bool is_cancelled;
    char *path, *view_path; // of the video, and of the file that says what to show
    uint64_t frame, frame_count;
    char text[160];
} mc_viewer_video;

// A process that writes a report or a page; see reporting.c.
typedef struct mc_viewer_reporting {
    mc_window_child child;
    char *path, *view_path;
    bool is_page; // the city itself (memcity page) instead
    bool is_cancelled;
} mc_viewer_reporting;

// A process that records a program; see recorder.c.
typedef struct mc_viewer_recording {
    mc_window_child child;
    char *path;
    mc_program program;
    uint64_t begin_ns;
    bool is_stopping;
    mc_text text; // who, since when, how much
} mc_viewer_recording;

// What a row of the start page does: one of these.
typedef struct mc_start_deed {
    const char *path;    // opens it
    mc_action_id action; // does it
    uint32_t pid;        // asks how to record it
} mc_start_deed;

#define MC_START_ROWS_MOST (MC_PROGRAM_LIST_MOST + 16)

// What an empty window offers; see start.c.
typedef struct mc_start {
    mc_ui_start model;
    mc_ui_start_row rows[MC_START_ROWS_MOST];
    mc_start_deed deeds[MC_START_ROWS_MOST];
    mc_form_texts texts; // of the rows
    mc_program_list programs;
    uint32_t first_program; // its row
    bool has_looked;
    uint64_t next_ns; // when to look again
} mc_start;

// A button of the mouse that went down over the picture.
typedef struct mc_viewer_press {
    bool down, dragging;
    int button;
    double x, y;
} mc_viewer_press;

// Counts the frames until input that moves the camera is visible: at least 1.
typedef struct mc_viewer_reaction {
    bool is_due;
    uint32_t count;      // since it was taken, with those that were still being drawn by then
    uint32_t frames;     // of the last one that was seen
    mc_camera_view view; // that was drawn last
} mc_viewer_reaction;

struct mc_viewer {
    const mc_viewer_desc *desc;
    mc_session_desc session_desc;
    mc_session *session;
    mc_window *window;
    mc_gpu *gpu;
    mc_swapchain *swapchain;
    mc_renderer *renderer;
    mc_renderer_desc renderer_desc;
    mc_first_build first_build; // until the first picture
    mc_ui *ui;
    mc_ui_answer answer; // of the last frame
    mc_dialog dialog;
    mc_ui_menu menu;
    mc_menu_rows menu_rows; // its
    mc_viewer_picture picture;
    mc_viewer_video video;
    mc_viewer_reporting reporting;
    mc_window_child browsing; // the desktop's dialog for files
    mc_viewer_recording recording;
    mc_start start;
    mc_viewer_devices devices;
    bool may_quit, may_make_video; // it was asked and answered
    char title[288];
    mc_text report, reported; // for the state file
    uint32_t remembered_width, remembered_height;

    // Versions of the session's data in the renderer, and the panels' insets.
    mc_view_versions uploaded;
    uint32_t samples; // that the renderer was chosen for
    uint32_t trace_version;
    bool has_insets;
    double insets[4]; // left, top, right, bottom; eased

    // Input.
    mc_viewer_press press;
    double pointer_x, pointer_y;
    bool has_pointer;
    bool pointer_moved, button_pressed; // since the last frame of the UI
    bool button_is_down;
    bool adds;           // Shift was held with the button's last event
    bool tooltip_hidden; // a key was used since the pointer moved last
    bool has_held_event;
    mc_window_event held_event; // to be handled after the UI has seen where the pointer is
    bool keys_down[MC_VIEWER_MOVE_COUNT];
    bool has_new_move; // a key for one was pressed in this turn
    int compare_key;   // the key that began comparing; releasing it ends that
    bool is_key_done;  // the character that this key types is no further command
    uint64_t last_click_ns;
    double last_click_x, last_click_y;

    // Frames.
    bool holds_queries;       // until the first picture of a trace is there
    uint64_t patience_end_ns; // of waiting with the first one for what is opened
    uint64_t frame_start_ns;
    double frame_cost_s;
    uint64_t frame_count;
    uint64_t half_count; // of them, at half the resolution
    mc_viewer_reaction reaction;
    mc_frame_times latencies;   // of steps of what is being recorded, as lag.h has them
    mc_frame_times frame_times; // since playing was begun last, while it played
    bool was_playing;           // at the last frame
};
