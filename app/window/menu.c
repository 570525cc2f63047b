#include "app/window/menu.h"

#include "app/session/action.h"
#include "app/session/host.h"
#include "app/session/saved_view.h"
#include "app/session/selection.h"
#include "app/session/status_text.h"
#include "app/window/dialog.h"
#include "app/window/scale.h"
#include <string.h>

static void open_menu(mc_viewer *viewer, double x, double y) {
    mc_ui_menu *menu = &viewer->menu;
    (void)mc_viewer_close_dialog(viewer);
    mc_session_close_help(viewer->session);
    *menu = (mc_ui_menu){.is_open = true,
                         .x = (float)x,
                         .y = (float)y,
                         .rows = viewer->menu_rows.rows,
                         .row_count = viewer->menu_rows.count,
                         .chosen = MC_NONE,
                         .open = MC_NONE};
    mc_session_redraw(viewer->session);
}

void mc_viewer_close_menu(mc_viewer *viewer) {
    viewer->menu.is_open = false;
    mc_session_redraw(viewer->session);
}

void mc_viewer_toggle_menu(mc_viewer *viewer) {
    if (viewer->menu.is_open) {
        mc_viewer_close_menu(viewer);
        return;
    }
    double scale = (double)mc_viewer_get_scale(viewer);
    mc_menu_rows_fill_main(&viewer->menu_rows, viewer->session);
    open_menu(viewer, 8 * scale, (viewer->session->settings.panels ? 44 : 8) * scale);
    viewer->menu.open = 0; // what is asked for most
}

void mc_viewer_open_context_menu(mc_viewer *viewer, bool at_pointer) {
    const mc_session *session = viewer->session;
    const mc_camera_viewport *free = &session->viewport;
    double x = (free->left + free->width - free->right) / 2;
    double y = (free->top + free->height - free->bottom) / 2;
    mc_view_place place;
    if (at_pointer) {
        x = viewer->pointer_x;
        y = viewer->pointer_y;
    } else if (session->shown && mc_session_get_selected(session) != MC_NONE &&
               session->view->kind->locate(session->view, mc_session_get_selected(session),
                                           &place) &&
               place.x >= 0) {
        x = place.x;
        y = place.y;
    }
    mc_menu_rows_fill_context(&viewer->menu_rows, session);
    open_menu(viewer, x, y);
}

// Below its button, where that is seen.
void mc_viewer_open_share_menu(mc_viewer *viewer) {
    double scale = (double)mc_viewer_get_scale(viewer), x = 8 * scale, y = 44 * scale;
    for (uint32_t i = 0; i < viewer->answer.place_count; i++) {
        const mc_ui_place *place = &viewer->answer.places[i];
        if (strcmp(place->name, "share_button") == 0) x = (double)place->x0;
    }
    mc_menu_rows_fill_share(&viewer->menu_rows, viewer->session);
    open_menu(viewer, x, y);
}

void mc_viewer_click_right(mc_viewer *viewer, double x, double y) {
    mc_session *session = viewer->session;
    uint32_t node = session->view->kind->pick(session->view, x, y);
    if (node != MC_NONE && node != mc_session_get_selected(session))
        mc_session_select_node(session, node, true);
    mc_viewer_open_context_menu(viewer, true);
}

void mc_viewer_take_menu_row(mc_viewer *viewer, uint32_t row) {
    mc_ui_menu *menu = &viewer->menu;
    if (!menu->is_open || row >= menu->row_count) return;
    const mc_ui_menu_row *taken = &menu->rows[row];
    mc_menu_deed deed = viewer->menu_rows.deeds[row];
    if (taken->opens) {
        menu->open = row;
        for (uint32_t i = 0; i < menu->row_count && menu->chosen == row; i++)
            if (menu->rows[i].parent == row && !menu->rows[i].is_title) menu->chosen = i;
        mc_session_redraw(viewer->session);
    } else if (taken->obstacle) {
        mc_session_set_status(viewer->session, "%s", taken->obstacle);
    } else if (!taken->is_title) {
        mc_viewer_close_menu(viewer);
        if (deed.path)
            mc_session_open_path(viewer->session, deed.path);
        else
            mc_session_do(viewer->session, deed.action, 0);
    }
}

// ---- keys

// The next one on the same level, round and round.
static uint32_t find_next(const mc_ui_menu *menu, uint32_t from, uint32_t parent, int way) {
    uint32_t count = menu->row_count, at = from;
    for (uint32_t i = 0; i < count; i++) {
        if (at == MC_NONE)
            at = way > 0 ? 0 : count - 1;
        else
            at = way > 0 ? (at + 1) % count : (at + count - 1) % count;
        if (menu->rows[at].parent == parent && !menu->rows[at].is_title) return at;
    }
    return from;
}

static uint32_t get_level(const mc_ui_menu *menu) {
    return menu->chosen == MC_NONE ? MC_NONE : menu->rows[menu->chosen].parent;
}

static void move(mc_ui_menu *menu, int way) {
    uint32_t parent = get_level(menu);
    menu->chosen = find_next(menu, menu->chosen, parent, way);
    if (parent == MC_NONE) menu->open = menu->rows[menu->chosen].opens ? menu->chosen : MC_NONE;
}

static void enter(mc_ui_menu *menu) {
    uint32_t at = menu->chosen != MC_NONE ? menu->chosen : menu->open;
    if (at == MC_NONE || !menu->rows[at].opens) return;
    menu->open = at;
    menu->chosen = find_next(menu, MC_NONE, at, 1);
}

static void leave(mc_ui_menu *menu) {
    uint32_t parent = get_level(menu);
    if (parent != MC_NONE) menu->chosen = parent;
}

bool mc_viewer_menu_key(mc_viewer *viewer, int key) {
    mc_ui_menu *menu = &viewer->menu;
    if (!menu->is_open) return false;
    switch (key) {
    case GLFW_KEY_DOWN: move(menu, 1); break;
    case GLFW_KEY_UP: move(menu, -1); break;
    case GLFW_KEY_RIGHT: enter(menu); break;
    case GLFW_KEY_LEFT: leave(menu); break;
    case GLFW_KEY_ESCAPE: mc_viewer_close_menu(viewer); break;
    case GLFW_KEY_ENTER:
    case GLFW_KEY_KP_ENTER:
        if (menu->chosen != MC_NONE && menu->rows[menu->chosen].opens)
            enter(menu);
        else if (menu->chosen != MC_NONE)
            mc_viewer_take_menu_row(viewer, menu->chosen);
        break;
    default: return false;
    }
    mc_session_redraw(viewer->session);
    return true;
}

void mc_viewer_end_menu(mc_viewer *viewer) {
    mc_menu_rows_deinit(&viewer->menu_rows);
}
