// viewer_state.h - the window around a session, which the files of this folder share.
//
// One object, owned by mc_viewer_run(), used by the main thread.
#pragma once
#include "app/session/session.h"
#include "app/ui/ui.h"
#include "app/views/painter/view_painter.h"
#include "app/window/finder.h"
#include "app/window/keys.h"
#include "app/window/viewer_desc.h"
#include "engine/gpu/swapchain.h"
#include "engine/render/renderer.h"

typedef enum mc_dialog_kind {
    MC_DIALOG_OPEN,
    MC_DIALOG_BOOKMARKS,
    MC_DIALOG_SAVE,
    MC_DIALOG_COMMANDS
} mc_dialog_kind;

// What is typed or chosen to open or save something.
typedef struct mc_dialog {
    mc_dialog_kind kind;
    mc_ui_dialog box;
    mc_form_texts paths; // what the entries stand for
    mc_form_texts details;
    mc_ui_dialog_entry *entries;
    size_t capacity;
    char note[256];
    bool replaces;    // Enter once more replaces the file
    mc_finder finder; // of the commands: what the rows do
} mc_dialog;

// What the next frame is to be saved as.
typedef enum mc_viewer_picture {
    MC_VIEWER_NO_PICTURE,
    MC_VIEWER_PICTURE_WITH_PANELS,
    MC_VIEWER_PICTURE_OF_CITY
} mc_viewer_picture;

// A process that makes a video; see video.c.
typedef struct mc_viewer_video {
    pid_t process; // 0: none
    int pipe;      // its progress, and what it says
    mc_text said;
    bool is_cancelled;
    char *path, *view_path; // of the video, and of the file that says what to show
    uint64_t frame, frame_count;
    char text[160];
} mc_viewer_video;

// A button of the mouse that went down over the picture.
typedef struct mc_viewer_press {
    bool down, dragging;
    int button;
    double x, y;
} mc_viewer_press;

struct mc_viewer {
    const mc_viewer_desc *desc;
    mc_session_desc session_desc;
    mc_session *session;
    mc_window *window;
    mc_gpu *gpu;
    mc_swapchain *swapchain;
    mc_renderer *renderer;
    mc_renderer_desc renderer_desc;
    mc_ui *ui;
    mc_ui_answer answer; // of the last frame
    mc_dialog dialog;
    mc_viewer_picture picture;
    mc_viewer_video video;
    char title[288];
    mc_text report, reported; // for the state file
    uint32_t remembered_width, remembered_height;

    // What the renderer has of the session, and the panels' place beside the picture.
    mc_view_versions uploaded;
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
    uint64_t last_click_ns;
    double last_click_x, last_click_y;

    // Frames.
    uint64_t frame_start_ns;
    double frame_cost_s;
    uint64_t frame_count;
};
