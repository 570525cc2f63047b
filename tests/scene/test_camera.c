#include "engine/scene/camera.h"
#include "tests/test.h"

static const mc_camera_bounds world = {{0, 0, 0}, {1000, 300, 1000}};
static const mc_camera_viewport viewport = {1280, 720, 16, 48, 320, 140};

static mc_camera make_camera(void) {
    mc_camera camera;
    mc_camera_init(&camera, &world, viewport);
    return camera;
}

static double distance_between(const double a[3], const double b[3]) {
    double sum = 0;
    for (int i = 0; i < 3; i++) {
        sum += (a[i] - b[i]) * (a[i] - b[i]);
    }
    return sqrt(sum);
}

static bool poses_equal(const mc_camera_pose *a, const mc_camera_pose *b, double tolerance) {
    return distance_between(a->target, b->target) < tolerance &&
           fabs(a->distance - b->distance) < tolerance &&
           fabs(remainder(a->azimuth_rad - b->azimuth_rad, 2 * 3.14159265358979)) < 1e-6 &&
           fabs(a->elevation_rad - b->elevation_rad) < 1e-6;
}

// All corners are inside the free area, and at least one is near its border.
static void check_framed(const mc_camera *camera, const mc_camera_bounds *box) {
    double nearest_border = 1e9;
    for (int corner = 0; corner < 8; corner++) {
        double p[3], x, y;
        for (int i = 0; i < 3; i++) {
            p[i] = corner >> i & 1 ? box->max[i] : box->min[i];
        }
        REQUIRE(mc_camera_project(camera, p, &x, &y));
        const mc_camera_viewport *v = &camera->viewport;
        CHECK_MSG(x >= v->left && x <= v->width - v->right, "x %g", x);
        CHECK_MSG(y >= v->top && y <= v->height - v->bottom, "y %g", y);
        nearest_border = fmin(nearest_border, fmin(x - v->left, v->width - v->right - x));
        nearest_border = fmin(nearest_border, fmin(y - v->top, v->height - v->bottom - y));
    }
    CHECK_MSG(nearest_border < 60, "%g pixels of air", nearest_border);
}

static void test_framing(void) {
    for (int preset = 0; preset < MC_CAMERA_PRESET_COUNT; preset++) {
        mc_camera camera = make_camera();
        mc_camera_pose pose = mc_camera_get_preset(&camera, (mc_camera_preset)preset);
        pose = mc_camera_fit(&camera, pose, &world, 1);
        mc_camera_set_pose(&camera, &pose);
        check_framed(&camera, &world);
    }
    mc_camera_bounds small = {{100, 10, 900}, {101, 15, 902}};
    mc_camera camera = make_camera();
    mc_camera_pose pose = mc_camera_fit(&camera, camera.pose, &small, 1);
    mc_camera_set_pose(&camera, &pose);
    check_framed(&camera, &small);
    mc_camera_bounds point = {{5, 0, 5}, {5, 0, 5}};
    pose = mc_camera_fit(&camera, camera.pose, &point, 1);
    CHECK(pose.distance > 0 && isfinite(pose.distance) && isfinite(pose.target[0]));
}

static void project(const mc_camera_view *view, const double p[3], double out[4]) {
    for (int row = 0; row < 4; row++) {
        out[row] = view->view_projection[3][row];
        for (int i = 0; i < 3; i++) {
            out[row] += view->view_projection[i][row] * p[i];
        }
    }
}

// A city is framed with its tallest tower, from wherever one looks.
static void test_framed_tower(void) {
    mc_plot floor = {0, 0, 1000, 1000}, tower = {400, 700, 700, 1000};
    float base = 10;
    double height = 2 * sqrt(300.0 * 300.0);
    mc_city city = {.width = 1000, .depth = 1000, .highest_top = 610, .district_count = 1};
    city.district_plot = &floor;
    city.building_plot = &tower;
    city.building_base = &base;
    city.building_count = 1;
    uint32_t first = 0, count = 1;
    float top = 610;
    city.district_building_first = &first;
    city.district_building_count = &count;
    city.district_base = &base;
    city.district_top = &top;
    static const char *const cameras[] = {"city", "bird", "front", "corner", "iso"};
    for (size_t i = 0; i < sizeof cameras / sizeof *cameras; i++) {
        mc_camera camera = make_camera();
        REQUIRE(mc_camera_parse(&camera, &city, cameras[i], NULL) == MC_OK);
        mc_camera_bounds box = {{400, 10, 700}, {700, 10 + height, 1000}};
        for (int corner = 0; corner < 8; corner++) {
            double p[3], x, y;
            for (int k = 0; k < 3; k++)
                p[k] = corner >> k & 1 ? box.max[k] : box.min[k];
            REQUIRE(mc_camera_project(&camera, p, &x, &y));
            CHECK_MSG(x >= viewport.left && x <= viewport.width - viewport.right &&
                          y >= viewport.top && y <= viewport.height - viewport.bottom,
                      "%s: %g, %g", cameras[i], x, y);
        }
    }
}

// Districts that are left out as a whole change nothing: the pose is that of all boxes.
static void test_framed_city(void) {
    enum { ROW = 12, DISTRICTS = 1 + ROW * ROW, EACH = 20, BUILDINGS = ROW * ROW * EACH };
    mc_city *city;
    mc_city_desc desc = {.treemap = {.width = 1000, .height = 1000}};
    static mc_camera_bounds boxes[1 + BUILDINGS];
    REQUIRE(mc_city_create_empty(&desc, 1, BUILDINGS, DISTRICTS, &city, NULL) == MC_OK);
    uint32_t random = 1;
    city->width = city->depth = city->highest_top = 1000;
    boxes[0] = (mc_camera_bounds){{0, 0, 0}, {1000, 0, 1000}};
    for (uint32_t i = 0; i < DISTRICTS; i++) {
        float x = (float)((i - 1) % ROW) * 80, z = (float)((i - 1) / ROW) * 80;
        city->district_plot[i] =
            i == 0 ? (mc_plot){0, 0, 1000, 1000} : (mc_plot){x, z, x + 80, z + 80};
        city->district_base[i] = i == 0 ? 0 : 5;
        city->district_building_first[i] = i == 0 ? 0 : (i - 1) * EACH;
        city->district_building_count[i] = i == 0 ? BUILDINGS : EACH;
        city->district_top[i] = i == 0 ? 1000 : 10;
        for (uint32_t k = 0; i > 0 && k < EACH; k++) {
            uint32_t at = (i - 1) * EACH + k;
            float side[2], from[2];
            for (int axis = 0; axis < 2; axis++) {
                random = random * 1664525 + 1013904223;
                side[axis] = (float)(random >> 16) / 65536 * 60 + 1;
                random = random * 1664525 + 1013904223;
                from[axis] = (float)(random >> 16) / 65536 * (80 - side[axis]);
            }
            city->building_plot[at] =
                (mc_plot){x + from[0], z + from[1], x + from[0] + side[0], z + from[1] + side[1]};
            city->building_base[at] = 10;
            boxes[1 + at] =
                mc_camera_bounds_of(city, (mc_structure){.building = at, .district = MC_NONE});
            city->district_top[i] = fmaxf(city->district_top[i], (float)boxes[1 + at].max[1]);
        }
    }
    for (int turn = 0; turn < 40; turn++) {
        mc_camera camera = make_camera();
        mc_camera_pose pose = mc_camera_get_preset(&camera, (mc_camera_preset)(turn % 5));
        pose.azimuth_rad += turn / 5;
        mc_camera_pose all = mc_camera_fit(&camera, pose, boxes, 1 + BUILDINGS);
        mc_camera_pose by_district = mc_camera_fit_structure(
            &camera, pose, city, (mc_structure){.building = MC_NONE, .district = MC_NONE});
        CHECK_MSG(memcmp(&all, &by_district, sizeof all) == 0, "turn %d: %.17g, %.17g", turn,
                  all.distance, by_district.distance);
        uint32_t district = 1 + (uint32_t)turn * 3;
        mc_camera_bounds some[1 + EACH];
        some[0] =
            mc_camera_bounds_of(city, (mc_structure){.building = MC_NONE, .district = district});
        some[0].max[1] = some[0].min[1];
        memcpy(some + 1, boxes + 1 + (district - 1) * EACH, EACH * sizeof *some);
        all = mc_camera_fit(&camera, pose, some, 1 + EACH);
        by_district = mc_camera_fit_structure(
            &camera, pose, city, (mc_structure){.building = MC_NONE, .district = district});
        CHECK(memcmp(&all, &by_district, sizeof all) == 0);
    }
    mc_city_destroy(city);
}

// The matrix, project() and the ray agree; depth is 1 at most and falls with distance.
static void test_projection(void) {
    mc_camera camera = make_camera();
    mc_camera_view view = mc_camera_get_view(&camera);
    double near_point[3] = {500, 20, 900}, far_point[3] = {480, 20, 30}, clip[2][4], x, y;
    project(&view, near_point, clip[0]);
    project(&view, far_point, clip[1]);
    CHECK(clip[0][2] / clip[0][3] > clip[1][2] / clip[1][3]);
    CHECK(clip[0][2] / clip[0][3] < 1 && clip[1][2] / clip[1][3] > 0);
    REQUIRE(mc_camera_project(&camera, near_point, &x, &y));
    CHECK(fabs((clip[0][0] / clip[0][3] + 1) / 2 * viewport.width - x) < 0.05);
    CHECK(fabs((clip[0][1] / clip[0][3] + 1) / 2 * viewport.height - y) < 0.05);
    // What is higher is drawn further up.
    double higher[3] = {500, 60, 900}, x2, y2;
    REQUIRE(mc_camera_project(&camera, higher, &x2, &y2));
    CHECK(y2 < y);
    double ground[3] = {300, 0, 700}, found[3];
    REQUIRE(mc_camera_project(&camera, ground, &x, &y));
    REQUIRE(mc_camera_get_ground(&camera, x, y, found));
    CHECK(distance_between(ground, found) < 0.05);
    double behind[3], eye[3];
    mc_camera_get_eye(&camera.pose, eye);
    for (int i = 0; i < 3; i++) {
        behind[i] = eye[i] + (eye[i] - camera.pose.target[i]);
    }
    CHECK(!mc_camera_project(&camera, behind, &x, &y));
}

static void test_move_drag(void) {
    mc_camera camera = make_camera();
    double grip[3], x, y;
    REQUIRE(mc_camera_get_ground(&camera, 500, 400, grip));
    mc_camera_begin_drag(&camera, MC_CAMERA_DRAG_MOVE, 500, 400);
    for (int i = 1; i <= 20; i++) {
        mc_camera_drag_to(&camera, 500 + i * 4, 400 - i * 3);
        mc_camera_advance(&camera, 0.016);
        REQUIRE(mc_camera_project(&camera, grip, &x, &y));
        CHECK(fabs(x - (500 + i * 4)) < 0.1 && fabs(y - (400 - i * 3)) < 0.1);
    }
    mc_camera_pose released = camera.pose;
    mc_camera_end_drag(&camera);
    CHECK(mc_camera_is_moving(&camera));
    for (int i = 0; i < 200; i++) {
        mc_camera_advance(&camera, 0.016);
    }
    CHECK(!mc_camera_is_moving(&camera));
    double way = distance_between(released.target, camera.pose.target);
    CHECK_MSG(way > 1 && way < 400, "drifted %g", way);

    // Who stops before letting go throws nothing.
    mc_camera_begin_drag(&camera, MC_CAMERA_DRAG_MOVE, 500, 400);
    mc_camera_drag_to(&camera, 560, 400);
    mc_camera_advance(&camera, 0.016);
    mc_camera_advance(&camera, 0.5);
    released = camera.pose;
    mc_camera_end_drag(&camera);
    for (int i = 0; i < 100; i++) {
        mc_camera_advance(&camera, 0.016);
    }
    CHECK(distance_between(released.target, camera.pose.target) < 1);
}

// From straight above, where something is drawn says where it stands, however high it is; on the
// way there nothing around the target jumps.
static void test_steep(void) {
    mc_camera camera = make_camera();
    mc_camera_pose pose = mc_camera_get_preset(&camera, MC_CAMERA_BIRD);
    for (int round = 0; round < 2; round++) {
        pose.distance = round == 0 ? mc_camera_fit(&camera, pose, &world, 1).distance : 40;
        mc_camera_set_pose(&camera, &pose);
        double reach = 0.4 * pose.distance;
        for (int i = 0; i < 4; i++) {
            double at[3] = {pose.target[0] + (i & 1 ? reach : -reach), 0,
                            pose.target[2] + (i & 2 ? reach : -reach)};
            double low[2], high[2];
            REQUIRE(mc_camera_project(&camera, at, &low[0], &low[1]));
            at[1] = 250; // a tower
            REQUIRE(mc_camera_project(&camera, at, &high[0], &high[1]));
            CHECK_MSG(hypot(low[0] - high[0], low[1] - high[1]) < 3, "leans by %g pixels",
                      hypot(low[0] - high[0], low[1] - high[1]));
        }
    }
    // The ground that a ray meets is the one that is drawn there.
    const double ground[3] = {pose.target[0] + 9, 0, pose.target[2] - 7};
    double x, y, found[3];
    REQUIRE(mc_camera_project(&camera, ground, &x, &y));
    REQUIRE(mc_camera_get_ground(&camera, x, y, found));
    CHECK(distance_between(ground, found) < 0.01);

    camera = make_camera();
    double scale = 0;
    for (int degree = 30; degree <= 90; degree++) {
        camera.pose.elevation_rad = degree * 3.14159265358979 / 180;
        // Across the view, a length at the target is always as long.
        double side[3], x0, y0, x1, y1, a = camera.pose.azimuth_rad;
        memcpy(side, camera.pose.target, sizeof side);
        side[0] += 10 * cos(a);
        side[2] -= 10 * sin(a);
        REQUIRE(mc_camera_project(&camera, camera.pose.target, &x0, &y0));
        REQUIRE(mc_camera_project(&camera, side, &x1, &y1));
        CHECK_MSG(scale == 0 || fabs(x1 - x0 - scale) < 1e-6, "%d degrees: %g", degree, x1 - x0);
        scale = x1 - x0;
    }
}

// What is under the cursor stays there, also on a tower and neither quite flat nor quite steep.
static void test_steep_zoom(void) {
    for (int degree = 50; degree <= 90; degree += 5) {
        mc_camera camera = make_camera();
        camera.pose.elevation_rad = degree * 3.14159265358979 / 180;
        const double roof[3] = {620, 240, 560};
        double x, y, at_x, at_y;
        REQUIRE(mc_camera_project(&camera, roof, &x, &y));
        mc_camera_pose before = camera.pose;
        mc_camera_zoom_to(&camera, 6, roof, 1, x, y);
        do {
            REQUIRE(mc_camera_project(&camera, roof, &at_x, &at_y));
            CHECK_MSG(fabs(at_x - x) < 0.5 && fabs(at_y - y) < 0.5, "%d degrees: %g %g", degree,
                      at_x - x, at_y - y);
        } while (mc_camera_advance(&camera, 0.02));
        CHECK_MSG(camera.pose.distance < 0.5 * before.distance, "%d degrees: only to %g", degree,
                  camera.pose.distance / before.distance);
    }
}

// Several boxes are framed as tightly as one; shown are those that are wholly in the free part.
static void test_boxes(void) {
    const mc_camera_bounds boxes[2] = {{{100, 0, 100}, {140, 90, 150}},
                                       {{700, 0, 640}, {730, 20, 660}}};
    for (int preset = 0; preset < MC_CAMERA_PRESET_COUNT; preset++) {
        mc_camera camera = make_camera();
        mc_camera_pose pose = mc_camera_get_preset(&camera, (mc_camera_preset)preset);
        pose = mc_camera_fit(&camera, pose, boxes, 2);
        mc_camera_set_pose(&camera, &pose);
        CHECK(mc_camera_shows(&camera, boxes, 2));
        camera.pose.distance *= 0.7;
        CHECK(!mc_camera_shows(&camera, boxes, 2));
    }
}

// A move that is sent elsewhere does not begin anew.
static void test_redirect(void) {
    mc_camera camera = make_camera();
    mc_camera_pose first = mc_camera_get_preset(&camera, MC_CAMERA_BIRD), second = first;
    second.distance *= 0.5;
    mc_camera_move_to(&camera, &first);
    mc_camera_advance(&camera, 0.2);
    mc_camera_redirect(&camera, &second);
    mc_camera_pose goal = mc_camera_get_goal(&camera);
    CHECK(mc_camera_is_moving(&camera) && poses_equal(&goal, &second, 1e-9));
    mc_camera_advance(&camera, 0.2);
    CHECK(!mc_camera_is_moving(&camera) && poses_equal(&camera.pose, &second, 1e-9));
    mc_camera_redirect(&camera, &first);
    CHECK(!mc_camera_is_moving(&camera) && poses_equal(&camera.pose, &first, 1e-9));
}

// Asked for again and again, a move ends in its own time; one to where the eye is is none.
static void test_repeated(void) {
    mc_camera camera = make_camera();
    mc_camera_pose bird = mc_camera_get_preset(&camera, MC_CAMERA_BIRD);
    for (int i = 0; i < 8; i++) {
        mc_camera_move_to(&camera, &bird);
        mc_camera_advance(&camera, 0.05);
    }
    CHECK(!mc_camera_is_moving(&camera) && poses_equal(&camera.pose, &bird, 1e-9));
    mc_camera_move_to(&camera, &bird);
    CHECK(!mc_camera_is_moving(&camera));
    bird.distance *= 1.01;
    mc_camera_move_to(&camera, &bird);
    CHECK(mc_camera_is_moving(&camera));
}

// Wild drags leave the eye above ground, upright and near the city.
static void test_limits(void) {
    mc_camera camera = make_camera();
    uint32_t random = 1;
    for (int round = 0; round < 300; round++) {
        random = random * 1664525u + 1013904223u;
        mc_camera_drag drag = random >> 31 ? MC_CAMERA_DRAG_MOVE : MC_CAMERA_DRAG_TURN;
        mc_camera_begin_drag(&camera, drag, random >> 20 & 1023, random >> 10 & 511);
        mc_camera_drag_to(&camera, random & 1023, (double)(random >> 5 & 2047) - 700);
        mc_camera_advance(&camera, 0.01);
        mc_camera_end_drag(&camera);
        mc_camera_zoom(&camera, (double)(random >> 16 & 31) - 15, random & 1023, random & 511);
        mc_camera_advance(&camera, 0.2);
        double eye[3];
        mc_camera_get_eye(&camera.pose, eye);
        CHECK_MSG(eye[1] > 0, "round %d: eye at %g", round, eye[1]);
        CHECK(camera.pose.elevation_rad > 0 && camera.pose.elevation_rad <= 1.5707964);
        CHECK(camera.pose.distance > 0.1 && camera.pose.distance < 10000);
        CHECK(camera.pose.target[0] >= -100.01 && camera.pose.target[0] <= 1100.01);
        CHECK(camera.pose.target[2] >= -100.01 && camera.pose.target[2] <= 1100.01);
    }
}

static void test_zoom(void) {
    mc_camera camera = make_camera();
    double anchor[3], x, y, before = camera.pose.distance;
    REQUIRE(mc_camera_get_ground(&camera, 400, 300, anchor));
    mc_camera_zoom(&camera, 3, 400, 300);
    CHECK(mc_camera_is_moving(&camera));
    while (mc_camera_advance(&camera, 0.016)) {
        REQUIRE(mc_camera_project(&camera, anchor, &x, &y));
        CHECK_MSG(fabs(x - 400) < 0.1 && fabs(y - 300) < 0.1, "%g %g", x, y);
    }
    CHECK(camera.pose.distance < before * 0.7);
    // In and out as far as it goes: the limits hold.
    for (int i = 0; i < 100; i++) {
        mc_camera_zoom(&camera, 3, 400, 300);
        mc_camera_advance(&camera, 1);
    }
    CHECK(camera.pose.distance > 0.1 && camera.pose.distance < 1);
    for (int i = 0; i < 100; i++) {
        mc_camera_zoom(&camera, -3, 400, 300);
        mc_camera_advance(&camera, 1);
    }
    CHECK(camera.pose.distance > before && camera.pose.distance < 10000);
}

// Dragging on past the limit: what was gripped slips along the drag, not sideways.
static void test_drag_limit(void) {
    mc_camera camera = make_camera();
    mc_camera_pose pose = mc_camera_get_preset(&camera, MC_CAMERA_BIRD);
    mc_camera_set_pose(&camera, &pose);
    double start[3];
    memcpy(start, camera.pose.target, sizeof start);
    mc_camera_begin_drag(&camera, MC_CAMERA_DRAG_MOVE, 500, 400);
    for (int i = 1; i <= 40; i++) {
        mc_camera_drag_to(&camera, 500 + i * 40, 400 + i * 20);
        const double *target = camera.pose.target;
        CHECK(target[0] >= -100.01 && target[2] >= -100.01);
        double x = target[0] - start[0], z = target[2] - start[2];
        CHECK_MSG(fabs(x - 2 * z) < 0.01, "%g %g", x, z);
    }
    CHECK(fabs(camera.pose.target[0] + 100) < 0.01);
}

// Towards a wall: it stays under the cursor, and the eye stays before it.
static void test_zoom_to_wall(void) {
    mc_camera camera = make_camera();
    const double wall[3] = {600, 150, 700}, nearest = 40;
    double x, y, eye[3], at_x, at_y;
    REQUIRE(mc_camera_project(&camera, wall, &x, &y));
    for (int i = 0; i < 50; i++) {
        mc_camera_zoom_to(&camera, 2, wall, nearest, x, y);
        mc_camera_advance(&camera, 0.3);
        REQUIRE(mc_camera_project(&camera, wall, &at_x, &at_y));
        CHECK_MSG(fabs(at_x - x) < 0.5 && fabs(at_y - y) < 0.5, "%g %g", at_x - x, at_y - y);
    }
    mc_camera_get_eye(&camera.pose, eye);
    CHECK_MSG(fabs(distance_between(eye, wall) - nearest) < 1, "%g", distance_between(eye, wall));
}

// The same time in many or in few frames leads to the same place.
static void test_frame_rate(void) {
    mc_camera fine = make_camera(), coarse = make_camera();
    mc_camera *cameras[2] = {&fine, &coarse};
    mc_camera_pose goal = mc_camera_get_preset(&fine, MC_CAMERA_BIRD);
    goal.target[0] = 100;
    goal.distance = 200;
    for (int k = 0; k < 2; k++) {
        mc_camera_move_to(cameras[k], &goal);
        for (int i = 0, count = k == 0 ? 100 : 4; i < count; i++) {
            mc_camera_advance(cameras[k], 0.2 / count);
        }
    }
    CHECK(poses_equal(&fine.pose, &coarse.pose, 1e-6));
    CHECK(mc_camera_is_moving(&fine));
    for (int k = 0; k < 2; k++) {
        mc_camera_advance(cameras[k], 0.3);
    }
    CHECK(poses_equal(&fine.pose, &goal, 1e-9));
    CHECK(!mc_camera_is_moving(&fine));
    for (int k = 0; k < 2; k++) {
        mc_camera_zoom(cameras[k], -2, 500, 350);
        cameras[k]->velocity[0] = 300;
        cameras[k]->turn_velocity[0] = 1;
        for (int i = 0, count = k == 0 ? 200 : 5; i < count; i++) {
            mc_camera_advance(cameras[k], 0.4 / count);
        }
    }
    CHECK_MSG(poses_equal(&fine.pose, &coarse.pose, 5), "%g %g %g / %g %g %g", fine.pose.target[0],
              fine.pose.target[2], fine.pose.distance, coarse.pose.target[0], coarse.pose.target[2],
              coarse.pose.distance);
}

static void test_interruption(void) {
    mc_camera camera = make_camera();
    mc_camera_pose goal = mc_camera_get_preset(&camera, MC_CAMERA_FRONT);
    mc_camera_move_to(&camera, &goal);
    mc_camera_advance(&camera, 0.15);
    mc_camera_pose halfway = camera.pose;
    CHECK(!poses_equal(&halfway, &goal, 1e-6));
    mc_camera_begin_drag(&camera, MC_CAMERA_DRAG_MOVE, 400, 300);
    mc_camera_advance(&camera, 1);
    CHECK(poses_equal(&halfway, &camera.pose, 1e-9));
    mc_camera_end_drag(&camera);

    mc_camera_set_keys(&camera, (mc_camera_keys){.right = 1});
    for (int i = 0; i < 10; i++) {
        mc_camera_advance(&camera, 0.016);
    }
    CHECK(camera.pose.target[0] > halfway.target[0]);
    mc_camera_set_keys(&camera, (mc_camera_keys){0});
    for (int i = 0; i < 100 && mc_camera_advance(&camera, 0.016); i++) {
    }
    CHECK(!mc_camera_is_moving(&camera));
}

static void test_parse(void) {
    static mc_plot plot = {10, 10, 990, 990};
    static float base = 0, top = 100;
    static uint32_t first = 0, count = 0;
    mc_city city = {.width = 1000, .depth = 1000, .highest_top = 100, .district_count = 1};
    city.district_plot = &plot;
    city.district_base = &base;
    city.district_top = &top;
    city.district_building_first = &first;
    city.district_building_count = &count;
    static const char *const good[] = {"city", "bird", "front", "corner", "iso"};
    mc_error error;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        mc_camera camera = make_camera();
        CHECK(mc_camera_parse(&camera, &city, good[i], &error) == MC_OK);
    }
    mc_camera camera = make_camera();
    REQUIRE(mc_camera_parse(&camera, &city, "100, 50, 900, 500, 0, 500", &error) == MC_OK);
    double eye[3], expected[3] = {100, 50, 900};
    mc_camera_get_eye(&camera.pose, eye);
    CHECK(distance_between(eye, expected) < 1e-6);
    CHECK(camera.pose.target[0] == 500);
    static const char *const bad[] = {"",
                                      "City",
                                      "1,2,3",
                                      "1,2,3,4,5,x",
                                      "1,2,3,1,2,3",
                                      "1,-1,3,4,5,6",
                                      "nan,1,1,1,1,1",
                                      "1,2,3,4,5,6,7"};
    mc_camera_pose pose = camera.pose;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        CHECK_MSG(mc_camera_parse(&camera, &city, bad[i], &error) == MC_ERROR_BAD_DATA, "%s",
                  bad[i]);
    }
    CHECK(memcmp(&pose, &camera.pose, sizeof pose) == 0);

    camera = make_camera();
    mc_camera_pose before = camera.pose;
    mc_camera_toggle_bird(&camera, &city);
    mc_camera_advance(&camera, 1);
    CHECK(fabs(camera.pose.elevation_rad - 1.5707963) < 1e-6);
    mc_camera_toggle_bird(&camera, &city);
    mc_camera_advance(&camera, 1);
    CHECK(poses_equal(&camera.pose, &before, 1e-6));
}

int main(void) {
    test_framing();
    test_framed_tower();
    test_framed_city();
    test_projection();
    test_steep();
    test_steep_zoom();
    test_boxes();
    test_redirect();
    test_repeated();
    test_move_drag();
    test_limits();
    test_zoom();
    test_zoom_to_wall();
    test_drag_limit();
    test_frame_rate();
    test_interruption();
    test_parse();
    return test_finish();
}
