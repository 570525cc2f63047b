#include "app/view/view_state.h"

#include <math.h>
#include <string.h>

#define CLICK_WAY 4.0 // a press that moves farther is a drag; at a scale of 1
#define DOUBLE_CLICK_NS 400000000u

static double get_scale(const mc_view *view) {
    return (double)mc_view_get_scale(view);
}

void mc_view_frame_structure(mc_view *view, mc_structure structure, bool at_once) {
    if (!view->city) return;
    bool is_city =
        structure.building == MC_NONE && (structure.district == MC_NONE || structure.district == 0);
    mc_camera_pose pose = view->camera.pose;
    if (is_city) {
        pose = mc_camera_get_preset(&view->camera, MC_CAMERA_CITY);
        structure = MC_STRUCTURE_NONE;
    } else if (pose.elevation_rad < 0.35) {
        pose.elevation_rad = 0.6; // from so low, what stands in front would hide it
    }
    pose = mc_camera_fit_structure(&view->camera, pose, view->city, structure);
    if (at_once) {
        mc_camera_set_pose(&view->camera, &pose);
    } else {
        mc_camera_move_to(&view->camera, &pose);
    }
    view->wish.is_home = is_city;
}

static void select_parent(mc_view *view) {
    if (mc_view_get_selected(view) == MC_NONE) return;
    uint32_t parent = mc_trace_get_nodes(view->trace)->parent[mc_view_get_selected(view)];
    if (parent != MC_NONE) mc_view_select_node(view, parent, true);
}

// To the largest part of the selection.
static void select_child(mc_view *view) {
    uint32_t node = mc_view_get_focus(view);
    uint32_t district = view->city->node_district[node];
    if (district == MC_NONE || view->city->district_item_count[district] == 0) return;
    uint32_t item = view->city->items[view->city->district_item_first[district]];
    mc_view_select_node(view, mc_view_get_item_node(view->city, item), true);
}

// To what the layout placed `way` places after the selection.
static void select_sibling(mc_view *view, int way) {
    const mc_city *city = view->city;
    if (mc_view_get_selected(view) == MC_NONE) return;
    uint32_t parent = mc_trace_get_nodes(view->trace)->parent[mc_view_get_selected(view)];
    uint32_t district = parent == MC_NONE ? MC_NONE : city->node_district[parent];
    if (district == MC_NONE) return;
    const uint32_t *items = city->items + city->district_item_first[district];
    uint32_t count = city->district_item_count[district];
    for (uint32_t i = 0; i < count; i++) {
        if (mc_view_get_item_node(city, items[i]) != mc_view_get_selected(view)) continue;
        int64_t next = (int64_t)i + way;
        if (next < 0 || next >= count) return;
        mc_view_select_node(view, mc_view_get_item_node(city, items[next]), true);
        return;
    }
}

static void select_suspect(mc_view *view, uint32_t rank) {
    if (rank >= view->suspect_count) return;
    mc_view_select_node(view, view->suspects[rank].node, true);
    mc_view_frame_structure(view, view->selected, false);
}

// The neighbour of `value` in an ascending list.
static uint32_t get_next_value(const uint32_t *values, size_t count, uint32_t value, bool larger) {
    for (size_t i = 0; i < count; i++) {
        uint32_t candidate = values[larger ? i : count - 1 - i];
        if (larger ? candidate > value : candidate < value) return candidate;
    }
    return value;
}

static void change_limit(mc_wish *s, bool hides_more) {
    static const uint32_t limits[] = {10, 20, 50, 100, 1000, UINT32_MAX};
    size_t count = sizeof limits / sizeof *limits;
    uint32_t limit = s->layout.child_limit == 0 ? UINT32_MAX : s->layout.child_limit;
    limit = get_next_value(limits, count, limit, !hides_more);
    s->layout.child_limit = limit == UINT32_MAX ? 0 : limit;
}

static void change_opaque_count(mc_wish *s, bool more) {
    static const uint32_t counts[] = {0, 1, 2, 3, 5, 10, 20, 50, 100};
    s->look.opaque_count =
        get_next_value(counts, sizeof counts / sizeof *counts, s->look.opaque_count, more);
}

// Through the levels and round again.
static void change_others_opacity(mc_wish *s) {
    static const uint32_t levels[] = {0, 10, 20, 40, 70, 100};
    uint32_t now = (uint32_t)lroundf(s->look.opacity * 100);
    uint32_t next = get_next_value(levels, sizeof levels / sizeof *levels, now, true);
    s->look.opacity = next == now ? 0 : (float)next / 100;
}

static void escape(mc_view *view) {
    if (mc_ui_close_list(view->ui)) return;
    if (view->message && view->comfort.message_is_notice) mc_view_set_message(view, NULL);
    if (view->task != MC_VIEW_IDLE) {
        mc_view_cancel(view);
    } else if (view->wish.help) {
        view->wish.help = false;
    } else if (view->wish.warnings_open) {
        view->wish.warnings_open = false;
    } else if (view->message) {
        mc_view_set_message(view, NULL);
    } else if (mc_view_close_search(view) || mc_view_hide_walk(view)) {
        return;
    } else if (view->trace && mc_view_get_selected(view) != MC_NONE) {
        mc_view_select_node(view, MC_NONE, false);
    } else if (view->wish.panels && mc_view_has_hint(view)) {
        view->hint_dismissed = true;
    }
}

static double get_next_duration(double duration, bool longer) {
    static const double durations[] = {0.1, 0.2, 0.5, 1, 2};
    size_t count = sizeof durations / sizeof *durations;
    for (size_t i = 0; i < count; i++) {
        if (longer && durations[i] > duration + 1e-9) return durations[i];
        if (!longer && durations[count - 1 - i] < duration - 1e-9) return durations[count - 1 - i];
    }
    return duration;
}

// What needs no trace. Returns whether it was such a command.
static bool do_always(mc_view *view, mc_view_command command) {
    mc_wish *s = &view->wish;
    if (mc_view_do_comfort(view, command)) return true;
    switch (command) {
    case MC_VIEW_THEME: s->look.dark = !s->look.dark; return true;
    case MC_VIEW_PALETTE: s->look.palette = (s->look.palette + 1) % MC_PALETTE_COUNT; return true;
    case MC_VIEW_MOTION: s->motion = !s->motion; return true;
    case MC_VIEW_FOLD_SELECTION: s->selection_open = !s->selection_open; return true;
    case MC_VIEW_FOLD_SUSPECTS: s->suspects_open = !s->suspects_open; return true;
    case MC_VIEW_FOLD_REFERENCES: s->references_open = !s->references_open; return true;
    case MC_VIEW_FOLD_CONTENTS: s->contents_open = !s->contents_open; return true;
    case MC_VIEW_FOLD_WALK: s->walk_open = !s->walk_open; return true;
    case MC_VIEW_FOLD_VIEW: s->view_open = !s->view_open; return true;
    case MC_VIEW_PANELS: s->panels = !s->panels; return true;
    case MC_VIEW_FULL_SCREEN: mc_window_toggle_full_screen(view->window); return true;
    case MC_VIEW_WARNINGS:
        s->warnings_open = !s->warnings_open && view->warnings.count > 0;
        return true;
    case MC_VIEW_HELP: s->help = !s->help; return true;
    case MC_VIEW_ESCAPE: escape(view); return true;
    case MC_VIEW_QUIT: mc_window_close(view->window); return true;
    default: return false;
    }
}

static void do_with_city(mc_view *view, mc_view_command command) {
    mc_wish *s = &view->wish;
    mc_playback *playback = &view->playback;
    switch (command) {
    case MC_VIEW_PLAY: mc_playback_toggle(playback); break;
    case MC_VIEW_PREVIOUS: mc_playback_move(playback, -1); break;
    case MC_VIEW_NEXT: mc_playback_move(playback, 1); break;
    case MC_VIEW_FIRST: mc_playback_set_step(playback, playback->first_step); break;
    case MC_VIEW_LAST: mc_playback_set_step(playback, playback->last_step); break;
    case MC_VIEW_FASTER: s->step_duration_s = get_next_duration(s->step_duration_s, false); break;
    case MC_VIEW_SLOWER: s->step_duration_s = get_next_duration(s->step_duration_s, true); break;
    case MC_VIEW_LOOP: s->loop = !s->loop; break;
    case MC_VIEW_FOLLOW: mc_view_toggle_follow(view); break;
    case MC_VIEW_HOME: mc_view_frame_structure(view, MC_STRUCTURE_NONE, false); break;
    case MC_VIEW_BIRD:
        mc_camera_toggle_bird(&view->camera, view->city);
        view->wish.is_home = false;
        break;
    case MC_VIEW_FRAME: mc_view_frame_structure(view, view->selected, false); break;
    case MC_VIEW_PARENT: select_parent(view); break;
    case MC_VIEW_CHILD: select_child(view); break;
    case MC_VIEW_PREVIOUS_SIBLING: select_sibling(view, -1); break;
    case MC_VIEW_NEXT_SIBLING: select_sibling(view, 1); break;
    case MC_VIEW_METRIC:
        s->layout.metric =
            s->layout.metric == MC_METRIC_BYTES ? MC_METRIC_OBJECTS : MC_METRIC_BYTES;
        break;
    case MC_VIEW_SCALING: s->layout.scaling = (s->layout.scaling + 1) % MC_SCALING_COUNT; break;
    case MC_VIEW_TILING: s->layout.tiling = (s->layout.tiling + 1) % MC_TILING_COUNT; break;
    case MC_VIEW_LIMIT_LESS: change_limit(s, false); break;
    case MC_VIEW_LIMIT_MORE: change_limit(s, true); break;
    case MC_VIEW_FEWER_OPAQUE: change_opaque_count(s, false); break;
    case MC_VIEW_MORE_OPAQUE: change_opaque_count(s, true); break;
    case MC_VIEW_OTHERS: change_others_opacity(s); break;
    case MC_VIEW_COLOR: s->look.color_by_growth = !s->look.color_by_growth; break;
    case MC_VIEW_OPACITY: s->look.opacity_by_growth = !s->look.opacity_by_growth; break;
    case MC_VIEW_EDGES: s->look.edges = !s->look.edges; break;
    case MC_VIEW_NAMES: s->look.names = !s->look.names; break;
    default: mc_view_do_window(view, command); break;
    }
}

void mc_view_do(mc_view *view, mc_view_command command) {
    if (do_always(view, command) || !view->city || mc_view_do_explore(view, command)) return;
    if (command >= MC_VIEW_SUSPECT && command <= MC_VIEW_LAST_SUSPECT) {
        select_suspect(view, (uint32_t)(command - MC_VIEW_SUSPECT));
        return;
    }
    do_with_city(view, command);
}

static void click(mc_view *view, double x, double y) {
    double way = hypot(x - view->last_click_x, y - view->last_click_y);
    bool twice =
        view->now_ns - view->last_click_ns < DOUBLE_CLICK_NS && way < CLICK_WAY * get_scale(view);
    view->last_click_ns = twice ? 0 : view->now_ns;
    view->last_click_x = x;
    view->last_click_y = y;
    mc_hit hit = mc_city_pick(view->city, &view->params, view->from, view->to,
                              mc_camera_get_ray(&view->camera, x, y));
    uint32_t node = mc_city_get_node(view->city, hit.structure);
    if (!twice && mc_view_show_pointed_partner(view)) return;
    if (twice && node != MC_NONE) {
        mc_view_frame_structure(view, hit.structure, false);
        return;
    }
    mc_view_select_node(view, node, true);
}

static void press(mc_view *view, const mc_window_event *event) {
    if (view->press.down || mc_ui_wants_pointer(view->ui) || !view->city) return;
    view->press =
        (mc_view_press){.down = true, .button = event->code, .x = event->x, .y = event->y};
}

static void release(mc_view *view, const mc_window_event *event) {
    if (!view->press.down || view->press.button != event->code) return;
    view->press.down = false;
    if (view->press.dragging) {
        mc_camera_end_drag(&view->camera);
    } else if (event->code == GLFW_MOUSE_BUTTON_LEFT && view->city) {
        click(view, event->x, event->y);
    }
}

static void move_pointer(mc_view *view, const mc_window_event *event) {
    mc_view_press *p = &view->press;
    view->has_pointer = true;
    view->pointer_moved = true;
    view->tooltip_hidden = false;
    view->pointer_x = event->x;
    view->pointer_y = event->y;
    view->hover_is_stale = true;
    if (!p->down || !view->city) return;
    if (!p->dragging && hypot(event->x - p->x, event->y - p->y) >= CLICK_WAY * get_scale(view)) {
        mc_camera_drag drag =
            p->button == GLFW_MOUSE_BUTTON_LEFT ? MC_CAMERA_DRAG_MOVE : MC_CAMERA_DRAG_TURN;
        mc_camera_begin_drag(&view->camera, drag, p->x, p->y);
        p->dragging = true;
        view->wish.is_home = false;
    }
    if (p->dragging) mc_camera_drag_to(&view->camera, event->x, event->y);
}

static void end_press(mc_view *view) {
    if (view->press.dragging) mc_camera_end_drag(&view->camera);
    view->press = (mc_view_press){0};
}

static void leave(mc_view *view) {
    // A drag goes on outside of the window; the pointer reports from there, too.
    if (view->press.down) return;
    view->has_pointer = false;
    view->hover_is_stale = true;
    mc_ui_set_no_pointer(view->ui);
}

static void scroll(mc_view *view, const mc_window_event *event) {
    if (mc_ui_wants_pointer(view->ui)) {
        mc_ui_add_scroll(view->ui, (float)event->scroll_x, (float)event->scroll_y);
    } else if (view->city) {
        mc_view_zoom(view, event->scroll_y, event->x, event->y);
    }
}

static void update_moves(mc_view *view) {
    const bool *down = view->keys_down;
    mc_camera_keys keys = {
        .right = down[MC_VIEW_MOVE_RIGHT] - down[MC_VIEW_MOVE_LEFT],
        .ahead = down[MC_VIEW_MOVE_AHEAD] - down[MC_VIEW_MOVE_BACK],
        .up = down[MC_VIEW_MOVE_UP] - down[MC_VIEW_MOVE_DOWN],
        .turn = down[MC_VIEW_TURN_RIGHT] - down[MC_VIEW_TURN_LEFT],
        .tilt = down[MC_VIEW_TILT_UP] - down[MC_VIEW_TILT_DOWN],
    };
    if (!view->city) keys = (mc_camera_keys){0};
    if (mc_camera_has_keys(&keys)) view->wish.is_home = false;
    mc_camera_set_keys(&view->camera, keys);
}

static void handle_key(mc_view *view, const mc_window_event *event) {
    mc_view_move move = mc_view_find_move(event->code);
    bool held = event->modifiers & (GLFW_MOD_CONTROL | GLFW_MOD_ALT | GLFW_MOD_SUPER);
    if (move != MC_VIEW_MOVE_COUNT && event->action != GLFW_REPEAT) {
        bool fits = mc_view_move_needs_control(move) ? event->modifiers == GLFW_MOD_CONTROL : !held;
        view->keys_down[move] = event->action == GLFW_PRESS && fits;
        update_moves(view);
    }
    if (event->action == GLFW_RELEASE) return;
    view->tooltip_hidden = true;
    mc_view_command command = mc_view_find_command(event);
    // Holding a key repeats what moves in small steps, and nothing else.
    bool repeats = command == MC_VIEW_NEXT || command == MC_VIEW_PREVIOUS;
    if (event->action == GLFW_PRESS || repeats) mc_view_do(view, command);
}

static void release_everything(mc_view *view) {
    memset(view->keys_down, 0, sizeof view->keys_down);
    view->comfort.button_is_down = false;
    update_moves(view);
    end_press(view);
    for (uint32_t i = 0; i < 3; i++) {
        mc_ui_set_button(view->ui, i, false);
    }
}

static void handle_button(mc_view *view, const mc_window_event *event) {
    bool down = event->action == GLFW_PRESS;
    if (event->code == GLFW_MOUSE_BUTTON_4 || event->code == GLFW_MOUSE_BUTTON_5) {
        bool back = event->code == GLFW_MOUSE_BUTTON_4;
        if (down) mc_view_do(view, back ? MC_VIEW_BACK : MC_VIEW_FORWARD);
        return;
    }
    view->comfort.button_is_down = down;
    mc_ui_set_button(view->ui, (uint32_t)event->code, down);
    if (down) view->button_pressed = true;
    if (down) {
        press(view, event);
    } else {
        release(view, event);
    }
}

void mc_view_update_scale(mc_view *view) {
    uint32_t width, height;
    mc_error error = {0};
    const uint8_t *texture = mc_ui_get_texture(view->ui, &width, &height);
    mc_result result = mc_ui_set_scale(view->ui, mc_view_get_scale(view), &error);
    uint32_t new_width, new_height;
    const uint8_t *new_texture = mc_ui_get_texture(view->ui, &new_width, &new_height);
    if (result == MC_OK && new_texture != texture) {
        result =
            mc_renderer_set_ui_texture(view->renderer, new_texture, new_width, new_height, &error);
    }
    if (result != MC_OK) mc_view_fail(view, &error);
}

static void handle_resize(mc_view *view) {
    uint32_t width, height;
    mc_window_get_size(view->window, &width, &height);
    mc_swapchain_resize(view->swapchain, width, height);
    mc_view_update_scale(view);
}

static void handle_event(mc_view *view, const mc_window_event *event) {
    uint32_t count;
    const char *const *paths;
    bool is_typed = event->kind == MC_WINDOW_KEY || event->kind == MC_WINDOW_TEXT;
    if (is_typed && mc_view_type(view, event)) return;
    switch (event->kind) {
    case MC_WINDOW_KEY: handle_key(view, event); break;
    case MC_WINDOW_TEXT: mc_view_do(view, mc_view_find_command(event)); break;
    case MC_WINDOW_BUTTON: handle_button(view, event); break;
    case MC_WINDOW_POINTER:
        move_pointer(view, event);
        mc_ui_set_pointer(view->ui, (float)event->x, (float)event->y);
        break;
    case MC_WINDOW_LEAVE: leave(view); break;
    case MC_WINDOW_BLUR:
        release_everything(view);
        leave(view);
        break;
    case MC_WINDOW_SCROLL: scroll(view, event); break;
    case MC_WINDOW_RESIZE: handle_resize(view); break;
    case MC_WINDOW_DROP:
        paths = mc_window_get_drop(view->window, &count);
        if (count == 1) mc_view_open_path(view, paths[0]);
        if (count > 1) mc_view_open(view, paths, count, false);
        break;
    case MC_WINDOW_REFRESH: break;
    }
}

void mc_view_handle_events(mc_view *view) {
    mc_window_event event;
    bool held = view->has_held_event;
    view->has_held_event = false;
    while (held || mc_window_next_event(view->window, &event)) {
        if (held) event = view->held_event;
        // Whether a press is for a panel is known once the UI has seen the pointer there.
        bool needs_frame = event.kind == MC_WINDOW_BUTTON || event.kind == MC_WINDOW_SCROLL;
        // What ends typing waits for what was typed.
        bool ends_typing = mc_view_ends_typing(&event);
        // A drag begins where the button went down, however many moves have come since.
        bool drags = event.kind == MC_WINDOW_POINTER && view->button_pressed;
        if ((needs_frame && view->pointer_moved && !held) || (drags && !held) ||
            (ends_typing && mc_ui_has_typed(view->ui))) {
            view->held_event = event;
            view->has_held_event = true;
            view->frames_due = 3;
            return;
        }
        held = false;
        view->frames_due = 3;
        handle_event(view, &event);
    }
}

void mc_view_update_params(mc_view *view) {
    const mc_wish *s = &view->wish;
    mc_theme theme = mc_theme_get(s->look.dark, (mc_palette)s->look.palette);
    mc_update_params params = mc_update_params_default(view->city);
    if (!s->look.color_by_growth) params.flags &= ~MC_UPDATE_COLOR_BY_GROWTH;
    if (!s->look.opacity_by_growth) params.flags &= ~MC_UPDATE_OPACITY_BY_GROWTH;
    params.opaque_count = s->look.opaque_count;
    params.opacity = s->look.opacity;
    params.blend = (float)mc_playback_get_blend(&view->playback);
    params.glide = mc_view_get_glide(view);
    mc_theme_apply(&theme, &params);
    mc_view_apply_styles(view, &theme, &params);
    mc_update_params_select(&params, view->city, view->selected);
    params.jump = 0;
    if (view->jump_elapsed_s >= 0) {
        double t = view->jump_elapsed_s / 0.3;
        params.jump = (float)(sin(t * 3.14159265) * 0.025 * view->camera.pose.distance);
    }
    // Any bit that differs may change what is under the pointer; there is no padding.
    // NOLINTNEXTLINE(bugprone-suspicious-memory-comparison)
    if (memcmp(&params, &view->params, sizeof params) != 0) view->hover_is_stale = true;
    view->params = params;
}

bool mc_view_is_over_city(const mc_view *view) {
    return view->has_pointer && view->city && !view->press.dragging &&
           !mc_ui_wants_pointer(view->ui);
}

void mc_view_update_hover(mc_view *view) {
    if (!mc_view_is_over_city(view)) {
        view->hovered = MC_STRUCTURE_NONE;
        return;
    }
    if (!view->hover_is_stale) return;
    view->hover_is_stale = false;
    mc_ray ray = mc_camera_get_ray(&view->camera, view->pointer_x, view->pointer_y);
    view->hovered = mc_city_pick(view->city, &view->params, view->from, view->to, ray).structure;
}
