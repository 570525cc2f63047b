#include "app/session/view_requests.h"

#include "app/session/metrics.h"
#include "app/session/session.h"

// Views get it as const, so that the compiler finds those that write to it.
static mc_session *get_session(const mc_view *view) {
    return (mc_session *)view->session;
}

void mc_view_redraw(const mc_view *view) {
    mc_session_redraw(get_session(view));
}

void mc_view_pick_again(const mc_view *view) {
    mc_session_pick_again(get_session(view));
}

void mc_view_set_home(const mc_view *view, bool is_home) {
    get_session(view)->settings.is_home = is_home;
}

void mc_view_absorb_move(const mc_view *view) {
    get_session(view)->history.absorbs = true;
}

void mc_view_miss(const mc_view *view, const mc_error *error) {
    mc_session_miss(get_session(view), error);
}

void mc_view_complain(const mc_view *view, const char *message) {
    mc_session_complain(get_session(view), message);
}

uint64_t mc_view_read_value(const mc_view *view, uint32_t step, mc_metric column, uint32_t node) {
    return mc_session_read_value(get_session(view), step, column, node);
}

void mc_view_revert_styles(const mc_view *view, const mc_style_mapping *shown) {
    mc_session *session = get_session(view);
    mc_look *look = &session->settings.look;
    if (!shown || shown->pin == MC_NONE) {
        session->settings.pinned = (mc_form_steps){.count = 0};
        session->settings.compares = false;
        look->color_mode = shown ? (uint32_t)shown->color_mode : MC_COLOR_MODE_GROWTH;
    }
    look->height_mode = shown ? (uint32_t)shown->height_mode : MC_HEIGHT_MODE_METRIC;
    mc_session_name_metric(session, shown ? shown->color_metric : MC_NONE, look->color_metric);
    mc_session_name_metric(session, shown ? shown->height_metric : MC_NONE, look->height_metric);
}
