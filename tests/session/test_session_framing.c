// What the camera brings into the picture, and keeps there: the selection with its strongest
// partners, a walk with its arcs, whatever panels and window do, until the user takes the camera.
#include "app/session/queries.h"
#include "app/session/references.h"
#include "app/session/selection.h"
#include "app/session/state.h"
#include "app/views/city/city_view_state.h"
#include "app/views/views.h"
#include "engine/base/clock.h"
#include "engine/scene/camera_math.h"
#include "tests/session_turns.h"

#define TRACE MC_TEST_BINARY_DIR "/traces/httpclient-3.0.1"
#define POOL \
    "Heap#org.apache.commons.httpclient#MultiThreadedHttpConnectionManager$HostConnectionPool"

static const mc_camera_viewport plain = {1200, 760, 8, 48, 320, 96};

static mc_session *open_session(const mc_session_desc *desc) {
    mc_session *session;
    mc_error error = {0};
    REQUIRE(mc_session_create(desc, &session, &error) == MC_OK);
    now_ns = mc_clock_now_ns();
    session->input.width = (uint32_t)plain.width;
    session->input.height = (uint32_t)plain.height;
    mc_session_begin(session);
    settle(session);
    REQUIRE(session->shown);
    return session;
}

static void resize(mc_session *session, mc_camera_viewport viewport) {
    mc_session_set_viewport(session, viewport);
    session->view->kind->refit(session->view);
    settle(session);
}

static mc_city_view *get_city(const mc_session *session) {
    return mc_city_view_of(session->view);
}

static bool is_free(const mc_camera *camera, const double point[3]) {
    const mc_camera_viewport *v = &camera->viewport;
    double x, y;
    return mc_camera_project(camera, point, &x, &y) && x >= v->left && x <= v->width - v->right &&
           y >= v->top && y <= v->height - v->bottom;
}

static bool shows_node(const mc_session *session, uint32_t node) {
    const mc_city_view *self = get_city(session);
    mc_camera_bounds box = mc_camera_bounds_of(self->city, mc_city_view_find(self, node));
    return mc_camera_shows(&self->camera, &box, 1);
}

static bool shows_arcs(const mc_session *session, uint32_t most) {
    const mc_city_view *self = get_city(session);
    for (uint32_t i = 0; i < self->frustums.frustums.count && i < most; i++) {
        mc_frustum_shape shape =
            mc_frustum_get_shape(self->city, &self->params, session->counts.from,
                                 session->counts.to, &self->frustums.frustums.items[i]);
        for (int k = 0; k <= 8; k++) {
            vec3 point;
            double at[3];
            mc_frustum_shape_get_point(&shape, (float)k / 8, point);
            mc_dvec3_from(point, at);
            if (!is_free(&self->camera, at)) return false;
        }
    }
    return self->frustums.frustums.count > 0;
}

static bool moved(const mc_session *session, const mc_camera_pose *before) {
    // Bits, as nothing is computed if nothing moves.
    // NOLINTNEXTLINE(bugprone-suspicious-memory-comparison)
    return memcmp(before, &get_city(session)->camera.pose, sizeof *before) != 0;
}

static void zoom_to_corner(mc_session *session) {
    const mc_view_kind *kind = session->view->kind;
    for (int i = 0; i < 6; i++) {
        kind->zoom(session->view, 6, 40, 600);
        settle(session);
    }
}

static void check_suspect(mc_session *session) {
    resize(session, plain);
    do_text(session, "select.suspect", "1");
    uint32_t node = mc_session_get_selected(session);
    CHECK(mc_session_get_references(session)->links.count >= 3);
    CHECK(shows_node(session, node) && shows_arcs(session, 3));
    // From where the user has gone, it is fetched back, and only if it has to be.
    zoom_to_corner(session);
    CHECK(!shows_node(session, node));
    do_text(session, "select.suspect", "1");
    CHECK(shows_node(session, node) && shows_arcs(session, 3));
    const mc_cause *cause = &session->suspects.why.causes->items[0];
    CHECK(cause->walk.count > 1);
    for (uint32_t i = 0; i < cause->walk.count; i++) // with who holds it
        CHECK_MSG(shows_node(session, cause->walk.stops[i].node), "stop %u", i);
    mc_camera_pose pose = get_city(session)->camera.pose;
    do_text(session, "select.suspect", "1");
    CHECK(!moved(session, &pose));
    // Asked for, it is seen with its partners; again, by itself; then with them.
    for (int i = 0; i < 2; i++) {
        do_text(session, "camera.selection", "");
        double with = get_city(session)->camera.pose.distance;
        CHECK(shows_arcs(session, 3) && with < 0.99 * pose.distance);
        do_text(session, "camera.selection", "");
        CHECK(shows_node(session, node) && get_city(session)->camera.pose.distance < 0.97 * with);
    }
}

// Several with what they keep alive, and what keeps them.
static void check_several(mc_session *session) {
    resize(session, plain);
    do_text(session, "camera.home", "");
    do_text(session, "select.suspect", "1");
    do_text(session, "select.add.next", "");
    do_text(session, "select.add.next", "");
    do_text(session, "camera.selection", "");
    const mc_selection *selection = &session->settings.selection;
    CHECK(selection->count == 3);
    for (uint32_t i = 0; i < selection->count; i++)
        CHECK_MSG(shows_node(session, selection->nodes[i]), "the one at %u", i);
    CHECK(shows_arcs(session, 3));
    do_text(session, "camera.home", "");
}

// Panels and the window's size are nobody's move: what was framed stays, and undo knows nothing.
static void check_refit(mc_session *session) {
    static const mc_camera_viewport viewports[] = {
        {1200, 760, 8, 48, 620, 96}, {800, 500, 8, 48, 320, 96}, {2560, 1440, 8, 48, 8, 300}};
    do_text(session, "camera.home", "");
    do_text(session, "select", POOL);
    do_text(session, "camera.selection", "");
    uint32_t moments = session->history.count;
    for (size_t i = 0; i < sizeof viewports / sizeof *viewports; i++) {
        resize(session, viewports[i]);
        CHECK_MSG(shows_node(session, mc_session_get_selected(session)), "viewport %zu", i);
        CHECK(shows_arcs(session, 3));
    }
    CHECK_MSG(session->history.count == moments, "%u moments, then %u", moments,
              session->history.count);
    do_text(session, "camera.home", "");
    resize(session, plain);
    const mc_city_view *self = get_city(session);
    const double corner[3] = {(double)self->city->width, 0, (double)self->city->depth};
    CHECK(session->settings.is_home && is_free(&self->camera, corner));
    // Who has the camera keeps it.
    zoom_to_corner(session);
    mc_camera_pose pose = self->camera.pose;
    resize(session, viewports[0]);
    CHECK(!moved(session, &pose));
    resize(session, plain);
}

static void check_walk(mc_session *session) {
    zoom_to_corner(session);
    do_text(session, "walk", "");
    CHECK(session->walk.is_shown && shows_arcs(session, UINT32_MAX));
    for (uint32_t i = 0; i < mc_session_get_walk(session)->count; i++)
        CHECK_MSG(shows_node(session, mc_session_get_walk(session)->stops[i].node), "stop %u", i);
    resize(session, (mc_camera_viewport){1000, 600, 8, 48, 400, 200});
    CHECK(shows_arcs(session, UINT32_MAX));
    resize(session, plain);
    do_text(session, "escape", "");
}

// The chain appears link by link, by itself: frames are asked for until all of it is there.
static void check_walk_goes_on(mc_session *session) {
    do_text(session, "select", "Heap");
    const mc_action *action = mc_action_find("walk", 4);
    REQUIRE(action && session->settings.motion);
    mc_error error;
    REQUIRE(mc_session_do_text(session, action, "", &error) == MC_OK);
    for (int turns = 0; !session->walk.is_shown && turns < MOST_TURNS; turns++)
        turn(session);
    REQUIRE(session->walk.is_shown && mc_session_get_walk(session)->count > 2);
    float last = 0;
    uint32_t link = mc_session_get_walk(session)->count - 2, frames = 0;
    while (mc_session_get_wait_s(session, true) <= 0 && frames < MOST_TURNS) {
        turn(session);
        frames++;
        const mc_frustums *frustums = &get_city(session)->frustums.frustums;
        for (uint32_t i = 0; i < frustums->count; i++)
            if (frustums->items[i].link == link) last = frustums->items[i].reveal;
    }
    CHECK_MSG(last == 1, "rests with %g of the last link after %u frames", (double)last, frames);
    settle(session);
    do_text(session, "escape", "");
}

// A district as a city is seen from the same side, and begins where it stood.
static void check_other_root(mc_session *session) {
    do_text(session, "camera.home", "");
    const mc_city_view *self = get_city(session);
    const mc_view_kind *kind = session->view->kind;
    kind->begin_drag(session->view, false, 600, 300);
    kind->drag_to(session->view, 400, 320);
    kind->end_drag(session->view);
    settle(session);
    mc_camera_pose before = self->camera.pose;
    const mc_action *action = mc_action_find("root", 4);
    mc_error error;
    uint32_t layout = session->layout_version;
    REQUIRE(mc_session_do_text(session, action, "Heap#java.util", &error) == MC_OK);
    for (int turns = 0; session->layout_version == layout && turns < MOST_TURNS; turns++)
        turn(session);
    // The first frame of the transition: all is still where it was.
    CHECK(self->transition_elapsed_s >= 0 && self->before);
    CHECK(fabs(self->camera.pose.distance / before.distance - 1) < 0.01);
    settle(session);
    CHECK(moved(session, &before));
    CHECK(fabs(self->camera.pose.azimuth_rad - before.azimuth_rad) < 1e-9);
    const double corner[3] = {(double)self->city->width, 0, (double)self->city->depth};
    CHECK(is_free(&self->camera, corner));
    do_text(session, "root.leave", "");
    CHECK(fabs(self->camera.pose.azimuth_rad - before.azimuth_rad) < 1e-9);
    do_text(session, "camera.home", "");
    CHECK(session->settings.is_home);
    do_text(session, "root", "Heap#java.util");
    CHECK(session->settings.is_home);
    do_text(session, "root.leave", "");
}

static void begin(mc_session *session, const char *name) {
    mc_error error = {0};
    const mc_action *action = mc_action_find(name, strlen(name));
    REQUIRE(action && mc_session_do_text(session, action, "", &error) == MC_OK);
}

// Whoever wants to see it from above sees all of it, also if groups become others on the way there,
// and gets back from there.
static void check_bird(mc_session *session) {
    do_text(session, "escape", "");
    do_text(session, "camera.home", "");
    do_text(session, "camera.bird", "");
    mc_camera_pose above = get_city(session)->camera.pose;
    do_text(session, "camera.bird", "");
    CHECK(get_city(session)->camera.pose.elevation_rad < above.elevation_rad - 0.1);
    do_text(session, "group", "package");
    begin(session, "group.own");
    begin(session, "camera.home");
    do_text(session, "camera.bird", "");
    mc_camera_pose pose = get_city(session)->camera.pose;
    CHECK_MSG(fabs(pose.distance / above.distance - 1) < 1e-6 &&
                  fabs(pose.elevation_rad - above.elevation_rad) < 1e-6 &&
                  fabs(pose.target[0] - above.target[0]) < 1e-6 * above.distance,
              "%g from %g, %g up", pose.distance, pose.target[0], pose.elevation_rad);
    do_text(session, "camera.bird", "");
    pose = get_city(session)->camera.pose;
    CHECK_MSG(pose.elevation_rad < above.elevation_rad - 0.1, "%g up, motion %d",
              pose.elevation_rad, session->settings.motion);
    do_text(session, "camera.home", "");
}

// What the user sets in motion after a long rest moves in the frame of that very turn, by a frame's
// time and not by that of the rest; the next turn is not ahead for that.
static void check_lead(mc_session *session) {
    const mc_view_kind *kind = session->view->kind;
    for (int way = 0; way < 2; way++) {
        do_text(session, "camera.home", "");
        now_ns += 20000000000u;
        mc_session_begin_turn(session, now_ns);
        mc_camera_pose before = get_city(session)->camera.pose;
        if (way == 0)
            kind->set_moves(session->view, (mc_view_moves){.turn = 1});
        else
            kind->zoom(session->view, 1, 600, 300);
        mc_session_end_turn(session);
        const mc_camera_pose *pose = &get_city(session)->camera.pose;
        double turned = fabs(pose->azimuth_rad - before.azimuth_rad);
        double nearer = fabs(pose->distance / before.distance - 1);
        CHECK_MSG(session->turn.frames_due > 0 && turned + nearer > 1e-4 && turned + nearer < 0.05,
                  "turned by %g, nearer by %g", turned, nearer);
        mc_camera_pose led = *pose;
        now_ns += 10000000; // in less than was led by nothing moves
        mc_session_begin_turn(session, now_ns);
        CHECK(!moved(session, &led));
        mc_session_end_turn(session);
        now_ns += 10000000;
        mc_session_begin_turn(session, now_ns);
        CHECK(moved(session, &led));
        kind->set_moves(session->view, (mc_view_moves){0});
        mc_session_end_turn(session);
        settle(session);
    }
}

// A finding that is asked for before any is known is selected once it is, unless the user has gone
// elsewhere since.
static void check_early(const mc_session_desc *desc, bool goes_elsewhere) {
    mc_session *session;
    mc_error error = {0};
    const mc_action *action = mc_action_find("select.suspect", strlen("select.suspect"));
    REQUIRE(action && mc_session_create(desc, &session, &error) == MC_OK);
    now_ns = mc_clock_now_ns();
    mc_session_hold_queries(session, true);
    mc_session_begin(session);
    for (int turns = 0; !session->shown && turns < MOST_TURNS; turns++)
        turn(session);
    REQUIRE(session->shown && mc_session_do_text(session, action, "1", &error) == MC_OK);
    turn(session);
    CHECK(mc_session_get_selected(session) == MC_NONE && !session->suspects.has_verdict);
    if (goes_elsewhere) mc_session_select_node(session, 1, true);
    mc_session_hold_queries(session, false);
    settle(session);
    CHECK(session->suspects.count > 0);
    CHECK(mc_session_get_selected(session) ==
          (goes_elsewhere ? 1 : session->suspects.items[0].node));
    mc_session_destroy(session);
}

int main(void) {
    const char *const paths[] = {TRACE};
    mc_session_desc desc = {.views = mc_views, .paths = paths, .path_count = 1, .step = MC_NONE};
    desc.settings = mc_settings_default();
    desc.settings.layout = mc_layout_options_default();
    mc_session *session = open_session(&desc);
    check_suspect(session);
    check_several(session);
    check_refit(session);
    check_walk(session);
    check_walk_goes_on(session);
    check_other_root(session);
    check_bird(session);
    check_lead(session);
    do_text(session, "set", "motion false");
    check_bird(session);
    check_suspect(session);
    check_refit(session);
    check_walk(session);
    mc_session_destroy(session);
    check_early(&desc, false);
    check_early(&desc, true);
    return test_finish();
}
