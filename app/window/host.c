#include "app/window/host.h"

#include "app/window/dialog.h"
#include "app/window/export.h"
#include "app/window/file_dialog.h"
#include "app/window/menu.h"
#include "app/window/recorder.h"
#include "app/window/reporting.h"
#include "app/window/scale.h"
#include "app/window/start.h"
#include "app/window/video.h"

static bool run(void *user, mc_action_id id, int64_t number) {
    mc_viewer *viewer = user;
    switch (id) {
    case MC_ACTION_FULL_SCREEN: mc_window_toggle_full_screen(viewer->window); return true;
    case MC_ACTION_OPEN: mc_viewer_open_dialog(viewer, MC_DIALOG_OPEN); return true;
    case MC_ACTION_FOCUS_NEXT:
    case MC_ACTION_FOCUS_PREVIOUS:
        mc_ui_move_focus(viewer->ui, id == MC_ACTION_FOCUS_NEXT ? 1 : -1);
        viewer->start.model.chosen = MC_NONE;
        return true;
    case MC_ACTION_BROWSE: mc_viewer_browse(viewer); return true;
    case MC_ACTION_OPEN_VERSUS: mc_viewer_open_dialog(viewer, MC_DIALOG_VERSUS); return true;
    case MC_ACTION_OPEN_WITH: mc_viewer_open_dialog(viewer, MC_DIALOG_WITH); return true;
    case MC_ACTION_TAKE_START_ROW: mc_viewer_take_start_row(viewer, (uint32_t)number); return true;
    case MC_ACTION_RECORD:
        if (viewer->recording.child.process > 0)
            mc_viewer_stop_recording(viewer);
        else
            mc_viewer_open_dialog(viewer, MC_DIALOG_PROGRAMS);
        return true;
    case MC_ACTION_SAMPLE: mc_viewer_open_sample(viewer); return true;
    case MC_ACTION_BOOKMARKS: mc_viewer_open_dialog(viewer, MC_DIALOG_BOOKMARKS); return true;
    case MC_ACTION_NOTE: mc_viewer_open_dialog(viewer, MC_DIALOG_NOTE); return true;
    case MC_ACTION_SAVE_AS: mc_viewer_open_dialog(viewer, MC_DIALOG_SAVE); return true;
    case MC_ACTION_COMMANDS: mc_viewer_open_dialog(viewer, MC_DIALOG_COMMANDS); return true;
    case MC_ACTION_MENU: mc_viewer_toggle_menu(viewer); return true;
    case MC_ACTION_CONTEXT_MENU: mc_viewer_open_context_menu(viewer, false); return true;
    case MC_ACTION_TAKE_MENU_ROW: mc_viewer_take_menu_row(viewer, (uint32_t)number); return true;
    case MC_ACTION_TAKE_DIALOG: mc_viewer_take_dialog(viewer); return true;
    case MC_ACTION_TAKE_DIALOG_ENTRY:
        mc_viewer_take_dialog_entry(viewer, (uint32_t)number);
        return true;
    case MC_ACTION_RENAME_DIALOG_ENTRY:
        mc_viewer_rename_dialog_entry(viewer, (uint32_t)number);
        return true;
    case MC_ACTION_DELETE_DIALOG_ENTRY:
        mc_viewer_delete_dialog_entry(viewer, (uint32_t)number);
        return true;
    case MC_ACTION_CLOSE_DIALOG: mc_viewer_close_dialog(viewer); return true;
    case MC_ACTION_COPY_KEY: mc_viewer_copy(viewer, MC_COPY_KEY); return true;
    case MC_ACTION_COPY_ROW: mc_viewer_copy(viewer, MC_COPY_ROW); return true;
    case MC_ACTION_COPY_FINDING: mc_viewer_copy(viewer, MC_COPY_FINDING); return true;
    case MC_ACTION_SHARE: mc_viewer_open_share_menu(viewer); return true;
    case MC_ACTION_REPORT: mc_viewer_toggle_reporting(viewer, false); return true;
    case MC_ACTION_PAGE: mc_viewer_toggle_reporting(viewer, true); return true;
    case MC_ACTION_PICTURE: mc_viewer_save_picture(viewer, true); return true;
    case MC_ACTION_PICTURE_ALONE: mc_viewer_save_picture(viewer, false); return true;
    case MC_ACTION_VIDEO: mc_viewer_toggle_video(viewer); return true;
    case MC_ACTION_LARGER: mc_viewer_change_scale(viewer, 1); return true;
    case MC_ACTION_SMALLER: mc_viewer_change_scale(viewer, -1); return true;
    case MC_ACTION_USUAL_SIZE: mc_viewer_change_scale(viewer, 0); return true;
    default: return false;
    }
}

static void focus(void *user, const char *field) {
    mc_viewer *viewer = user;
    if (!viewer->ui) return;
    if (field)
        mc_ui_focus_text(viewer->ui, field);
    else
        mc_ui_leave_text(viewer->ui);
}

mc_session_host mc_viewer_get_host(mc_viewer *viewer) {
    return (mc_session_host){.user = viewer, .wake = mc_window_wake, .focus = focus, .run = run};
}
