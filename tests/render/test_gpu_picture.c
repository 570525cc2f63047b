// Pictures against what is computed by hand from simpler pictures: faces, background, translucency
// in the right order, outlines, and the UI on top.
#include "engine/city/city_layout.h"
#include "engine/city/evaluate.h"
#include "tests/city_maker.h"
#include "tests/trace_maker.h"

enum { WIDTH = 160, HEIGHT = 120, PIXEL_COUNT = WIDTH * HEIGHT };

static const test_leaf leaves[] = {
    {"a", "1", {100, 400, 0, 0}}, {"a", "2", {300, 900, 0, 0}}, {"a", "3", {500, 500, 0, 0}},
    {"b", "1", {200, 800, 0, 0}}, {"b", "2", {50, 600, 0, 0}},  {"b", "3", {900, 300, 0, 0}},
    {"c", "1", {400, 700, 0, 0}}, {"c", "2", {10, 900, 0, 0}},
};
enum { LEAF_COUNT = sizeof leaves / sizeof leaves[0] };

typedef struct picture {
    uint8_t pixels[PIXEL_COUNT][4];
} picture;

typedef struct fixture {
    mc_gpu *gpu;
    mc_renderer *renderer;
    mc_trace *trace;
    mc_city *city;
    uint64_t counts[LEAF_COUNT];
} fixture;

static void init(fixture *f) {
    *f = (fixture){.gpu = made_gpu_create(true)};
    mc_renderer_desc desc = {.samples = 1};
    REQUIRE(mc_renderer_create(f->gpu, &desc, &f->renderer, NULL) == MC_OK);
    f->trace = test_make_trace(leaves, LEAF_COUNT, 2);
    mc_city_desc city_desc = mc_city_desc_default(f->trace);
    REQUIRE(mc_city_create(f->trace, &city_desc, NULL, &f->city, NULL) == MC_OK);
    REQUIRE(f->city->building_count == LEAF_COUNT);
    REQUIRE(mc_renderer_set_city(f->renderer, f->city, NULL) == MC_OK);
    uint64_t values[64];
    REQUIRE(mc_trace_get_nodes(f->trace)->count <= 64);
    test_column(f->trace, 1, MC_METRIC_BYTES, values);
    mc_city_gather(f->city, values, f->counts);
}

static void deinit(fixture *f) {
    mc_renderer_destroy(f->renderer);
    CHECK(mc_gpu_get_validation_count(f->gpu) == 0);
    mc_gpu_destroy(f->gpu);
    mc_city_destroy(f->city);
    mc_trace_destroy(f->trace);
}

static mc_scene get_scene(const fixture *f, vec3 eye) {
    mc_scene scene = made_scene(f->city, false, (float)WIDTH / HEIGHT);
    float target[3] = {f->city->width * 0.5f, 60.0f, f->city->depth * 0.5f};
    scene.view = made_view(eye, target, (float)WIDTH / HEIGHT);
    scene.edges = false;
    scene.theme.shadow = 0.0f;
    return scene;
}

static void draw(fixture *f, const mc_scene *scene, const uint64_t *counts, picture *out) {
    mc_error error = {0};
    REQUIRE(mc_renderer_set_counts(f->renderer, counts, counts, &error) == MC_OK);
    mc_result result =
        mc_renderer_render_image(f->renderer, scene, NULL, WIDTH, HEIGHT, out->pixels[0], &error);
    if (result != MC_OK) fprintf(stderr, "%s\n", error.message);
    REQUIRE(result == MC_OK);
}

static double decode(double c) {
    return c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
}

static double encode(double c) {
    return c <= 0.0031308 ? c * 12.92 : 1.055 * pow(c, 1 / 2.4) - 0.055;
}

// World to pixels; false behind the eye.
static bool project(const mc_scene *scene, const float point[3], double pixel[2]) {
    double clip[4];
    const vec4 *m = scene->view.view_projection;
    for (int i = 0; i < 4; i++)
        clip[i] = (double)m[0][i] * (double)point[0] + (double)m[1][i] * (double)point[1] +
                  (double)m[2][i] * (double)point[2] + (double)m[3][i];
    pixel[0] = (clip[0] / clip[3] * 0.5 + 0.5) * WIDTH;
    pixel[1] = (clip[1] / clip[3] * 0.5 + 0.5) * HEIGHT;
    return clip[3] > 0.0;
}

static const uint8_t *get_pixel(const picture *p, const mc_scene *scene, const float point[3]) {
    double at[2];
    REQUIRE(project(scene, point, at));
    REQUIRE(at[0] >= 0 && at[0] < WIDTH && at[1] >= 0 && at[1] < HEIGHT);
    return p->pixels[(size_t)at[1] * WIDTH + (size_t)at[0]];
}

static int lightness(const uint8_t *pixel) {
    return pixel[0] + pixel[1] + pixel[2];
}

// The three faces of one gray building clearly differ, from all four sides.
static void test_faces(fixture *f) {
    static picture p;
    uint64_t counts[LEAF_COUNT] = {0};
    uint32_t building = mc_city_find_node(f->city, test_find(f->trace, "Heap#b#3")).building;
    counts[building] = f->counts[building];
    for (int side = 0; side < 4; side++) {
        float across = f->city->width, x = side & 1 ? across * 1.4f : across * -0.4f;
        float z = side & 2 ? across * 1.4f : across * -0.4f;
        float eye[3] = {x, across * 0.9f, z};
        mc_scene scene = get_scene(f, eye);
        scene.params.flags = MC_UPDATE_COLOR_BY_GROWTH;
        draw(f, &scene, counts, &p);
        mc_box box = mc_city_evaluate_building(f->city, &scene.params, building, counts[building],
                                               counts[building], NULL);
        float cx = 0.5f * (box.footprint.x0 + box.footprint.x1);
        float cz = 0.5f * (box.footprint.z0 + box.footprint.z1), top = box.base + box.height;
        float roof[3] = {cx, top, cz}, high = box.base + 0.9f * box.height;
        float wall_x[3] = {side & 1 ? box.footprint.x1 : box.footprint.x0, high, cz};
        float wall_z[3] = {cx, high, side & 2 ? box.footprint.z1 : box.footprint.z0};
        float low[3] = {wall_z[0], box.base + 0.03f * box.height, wall_z[2]};
        const uint8_t *r = get_pixel(&p, &scene, roof);
        int on_roof = lightness(r), on_x = lightness(get_pixel(&p, &scene, wall_x));
        int on_z = lightness(get_pixel(&p, &scene, wall_z));
        CHECK_MSG(on_roof > on_x + 45 && on_roof > on_z + 45, "%d %d %d", on_roof, on_x, on_z);
        CHECK_MSG(abs(on_x - on_z) > 30, "%d %d", on_x, on_z);
        CHECK(lightness(get_pixel(&p, &scene, low)) < on_z - 30); // darker toward the ground
        CHECK(abs(r[0] - r[2]) < 12);                             // gray
        CHECK(on_roof > 3 * 190);
    }
}

static void test_background(fixture *f) {
    static picture p;
    float eye[3] = {500, 600, 2600};
    mc_scene scene = get_scene(f, eye);
    draw(f, &scene, f->counts, &p);
    for (int c = 0; c < 3; c++) {
        double top = (double)scene.theme.background_top[c] * 255;
        double bottom = (double)scene.theme.background_bottom[c] * 255;
        CHECK(fabs(p.pixels[0][c] - top) <= 2.0);
        CHECK(fabs(p.pixels[PIXEL_COUNT - 1][c] - bottom) <= 2.0);
    }
    for (int i = 0; i < PIXEL_COUNT; i++)
        if (p.pixels[i][3] != 255) {
            CHECK(p.pixels[i][3] == 255);
            break;
        }
}

// Where the ray through a pixel enters a box: its distance, or a negative number.
static double enter_box(const mc_scene *scene, const mc_box *box, int px, int py) {
    double direction[3];
    made_get_direction(&scene->view, (px + 0.5) / WIDTH * 2 - 1, (py + 0.5) / HEIGHT * 2 - 1,
                       direction);
    return made_enter_box(box, scene->view.eye, direction);
}

// Blends, for every pixel, the pictures of single opaque buildings in the order in which the
// pixel's ray meets them, and compares.
static void test_translucency(fixture *f, vec3 eye) {
    static picture empty, single[LEAF_COUNT], drawn;
    static const uint64_t nothing[LEAF_COUNT];
    mc_box boxes[LEAF_COUNT];
    mc_scene scene = get_scene(f, eye);
    scene.params.flags = MC_UPDATE_COLOR_BY_GROWTH;
    draw(f, &scene, nothing, &empty);
    for (uint32_t i = 0; i < LEAF_COUNT; i++) {
        uint64_t counts[LEAF_COUNT] = {0};
        counts[i] = f->counts[i];
        draw(f, &scene, counts, &single[i]);
    }
    scene.params.flags |= MC_UPDATE_OPACITY_BY_GROWTH;
    scene.params.opaque_count = 1;
    scene.params.opacity = 0.4f;
    draw(f, &scene, f->counts, &drawn);
    mc_city_evaluate(f->city, &scene.params, f->counts, f->counts, boxes, NULL);

    int compared = 0, wrong = 0, deepest = 0;
    for (int p = 0; p < PIXEL_COUNT; p++) {
        double distance[LEAF_COUNT], color[3];
        bool sure = true;
        int layers = 0;
        for (uint32_t i = 0; i < LEAF_COUNT; i++) {
            distance[i] = enter_box(&scene, &boxes[i], p % WIDTH, p / WIDTH);
            bool covered = memcmp(single[i].pixels[p], empty.pixels[p], 4) != 0;
            sure = sure && covered == (distance[i] > 0);
            layers += distance[i] > 0;
        }
        if (!sure || layers == 0) continue; // a border, decided by rounding
        for (int c = 0; c < 3; c++)
            color[c] = decode(empty.pixels[p][c] / 255.0);
        for (int layer = 0; layer < layers; layer++) {
            uint32_t farthest = 0;
            for (uint32_t i = 1; i < LEAF_COUNT; i++)
                if (distance[i] > distance[farthest]) farthest = i;
            double opacity = (double)boxes[farthest].opacity;
            for (int c = 0; c < 3; c++)
                color[c] += opacity * (decode(single[farthest].pixels[p][c] / 255.0) - color[c]);
            distance[farthest] = -1;
        }
        bool same = true;
        for (int c = 0; c < 3; c++)
            same = same && fabs(encode(color[c]) * 255 - drawn.pixels[p][c]) <= 2.5;
        compared++;
        wrong += !same;
        if (layers > deepest) deepest = layers;
    }
    CHECK_MSG(wrong == 0 && compared > PIXEL_COUNT / 10 && deepest >= 3,
              "%d of %d pixels wrong, up to %d layers", wrong, compared, deepest);
}

// Around a building's foot the ground is darker than without it.
static void test_shadow(fixture *f) {
    static picture with, without;
    float eye[3] = {500, 900, 2000};
    mc_scene scene = get_scene(f, eye);
    uint64_t counts[LEAF_COUNT];
    for (int i = 0; i < LEAF_COUNT; i++)
        counts[i] = f->city->building_max[i] / 3;
    draw(f, &scene, counts, &without);
    scene.theme.shadow = 0.5f;
    draw(f, &scene, counts, &with);
    int darker = 0, lighter = 0;
    for (int p = 0; p < PIXEL_COUNT; p++) {
        darker += lightness(with.pixels[p]) < lightness(without.pixels[p]);
        lighter += lightness(with.pixels[p]) > lightness(without.pixels[p]);
    }
    CHECK_MSG(darker > PIXEL_COUNT / 50 && lighter == 0, "%d darker, %d lighter", darker, lighter);
}

static int count_different(const picture *a, const picture *b) {
    int count = 0;
    for (int p = 0; p < PIXEL_COUNT; p++)
        count += memcmp(a->pixels[p], b->pixels[p], 4) != 0;
    return count;
}

// A selected building's rim is seen through all that is in front; that of a building without
// objects marks its plot.
static void test_outlines(fixture *f) {
    static picture plain, marked;
    float eye[3] = {500, 700, 2400};
    mc_scene scene = get_scene(f, eye);
    scene.params.flags = 0;
    for (uint32_t i = 0; i < LEAF_COUNT; i++) {
        draw(f, &scene, f->counts, &plain);
        scene.selected = (mc_structure){i, MC_NONE};
        draw(f, &scene, f->counts, &marked);
        CHECK(count_different(&plain, &marked) > 20);
        scene.selected = MC_STRUCTURE_NONE;
        scene.hovered = (mc_structure){i, MC_NONE};
        draw(f, &scene, f->counts, &marked);
        CHECK(count_different(&plain, &marked) > 20);
        scene.hovered = MC_STRUCTURE_NONE;
    }
    static const uint64_t nothing[LEAF_COUNT];
    draw(f, &scene, nothing, &plain);
    scene.selected = (mc_structure){0, MC_NONE};
    draw(f, &scene, nothing, &marked);
    CHECK(count_different(&plain, &marked) > 20);
    scene.selected = (mc_structure){MC_NONE, 1};
    draw(f, &scene, nothing, &marked);
    CHECK(count_different(&plain, &marked) > 20);
}

// The rectangle around a box's lower part in the picture: left, top, right, bottom.
static void get_rectangle(const mc_scene *scene, const mc_box *box, float share, double r[4]) {
    r[0] = r[1] = 1e9;
    r[2] = r[3] = -1e9;
    for (int i = 0; i < 8; i++) {
        vec4 at = {i & 1 ? box->footprint.x1 : box->footprint.x0,
                   box->base + (i & 2 ? box->height * share : 0),
                   i & 4 ? box->footprint.z1 : box->footprint.z0, 1};
        vec4 clip;
        glm_mat4_mulv((vec4 *)scene->view.view_projection, at, clip);
        double x = ((double)clip[0] / (double)clip[3] + 1) / 2 * WIDTH;
        double y = ((double)clip[1] / (double)clip[3] + 1) / 2 * HEIGHT;
        r[0] = fmin(r[0], x);
        r[1] = fmin(r[1], y);
        r[2] = fmax(r[2], x);
        r[3] = fmax(r[3], y);
    }
}

// What comes with the selection has a rim, or its lower part has one and other walls: there the
// picture differs, and nowhere else.
static void test_unit(fixture *f) {
    static picture plain, marked;
    const float shares[] = {0.25f, 0.6f, 1};
    float eye[3] = {500, 700, 2400};
    mc_scene scene = get_scene(f, eye);
    scene.params.flags = 0;
    draw(f, &scene, f->counts, &plain);
    for (uint32_t i = 0; i < LEAF_COUNT; i++)
        for (int k = 0; k < 3; k++) {
            mc_box box = mc_city_evaluate_building(f->city, &scene.params, i, f->counts[i],
                                                   f->counts[i], NULL);
            double r[4];
            get_rectangle(&scene, &box, shares[k], r);
            scene.unit[0] = (mc_unit_mark){{i, MC_NONE}, shares[k]};
            scene.unit_count = 1;
            draw(f, &scene, f->counts, &marked);
            int within = 0, outside = 0;
            for (int y = 0; y < HEIGHT; y++)
                for (int x = 0; x < WIDTH; x++) {
                    int p = y * WIDTH + x;
                    if (memcmp(plain.pixels[p], marked.pixels[p], 4) == 0) continue;
                    bool is_in = x >= r[0] - 2 && x <= r[2] + 2 && y >= r[1] - 2 && y <= r[3] + 2;
                    within += is_in;
                    outside += !is_in;
                }
            CHECK_MSG(within > 10 && outside == 0, "building %u, share %g: %d within, %d outside",
                      i, (double)shares[k], within, outside);
            // Filled, but for what is whole: most of the rectangle.
            double area = (r[2] - r[0]) * (r[3] - r[1]);
            bool is_filled = within > 0.5 * area;
            CHECK_MSG(shares[k] < 1 ? is_filled : area < 400 || !is_filled,
                      "building %u, share %g: %d of %g", i, (double)shares[k], within, area);
        }
    scene.unit_count = 0;
}

static void test_ui(fixture *f) {
    static picture plain, covered;
    static const uint8_t atlas[4] = {255, 255, 0, 0}; // two columns: full, none
    float eye[3] = {500, 700, 2400};
    mc_scene scene = get_scene(f, eye);
    draw(f, &scene, f->counts, &plain);
    const uint8_t full[] = {255, 0, 255, 0};
    REQUIRE(mc_renderer_set_ui_texture(f->renderer, atlas, 2, 2, NULL) == MC_OK);
    REQUIRE(mc_renderer_set_ui_texture(f->renderer, full, 2, 2, NULL) == MC_OK);
    const uint32_t red = 0x800000ff; // half opaque
    const mc_ui_vertex vertices[] = {{0, 0, 0, 0, 0},
                                     {10, 10, 0.25f, 0.5f, red},
                                     {40, 10, 0.25f, 0.5f, red},
                                     {40, 40, 0.25f, 0.5f, red},
                                     {10, 40, 0.25f, 0.5f, red}};
    const uint16_t indices[] = {0, 1, 2, 0, 2, 3};
    const mc_ui_command commands[] = {{-5, -5, 30, 30, 0, 6, 1}, {90, 90, 80, 80, 0, 6, 1}};
    const mc_ui_draw ui = {.vertices = vertices,
                           .indices = indices,
                           .commands = commands,
                           .vertex_count = 5,
                           .index_count = 6,
                           .command_count = 2};
    REQUIRE(mc_renderer_render_image(f->renderer, &scene, &ui, WIDTH, HEIGHT, covered.pixels[0],
                                     NULL) == MC_OK);
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) {
            const uint8_t *before = plain.pixels[y * WIDTH + x];
            const uint8_t *after = covered.pixels[y * WIDTH + x];
            bool inside = x >= 10 && x < 30 && y >= 10 && y < 30;
            double alpha = inside ? 128.0 / 255.0 : 0.0, expected[3];
            for (int c = 0; c < 3; c++)
                expected[c] = before[c] + alpha * ((c == 0 ? 255 : 0) - before[c]);
            bool same = true;
            for (int c = 0; c < 3; c++)
                same = same && fabs(expected[c] - after[c]) <= (inside ? 1.5 : 0.0);
            if (same) continue;
            CHECK_MSG(same, "at %d, %d", x, y);
            return;
        }
}

int main(void) {
    static vec3 eyes[] = {{500, 500, 2200},  {1700, 700, 1500}, {-800, 600, 300},
                          {300, 900, -1100}, {520, 420, 1480},  {900, 1600, 800}};
    fixture f;
    init(&f);
    test_faces(&f);
    test_background(&f);
    for (size_t i = 0; i < sizeof eyes / sizeof eyes[0]; i++)
        test_translucency(&f, eyes[i]);
    test_shadow(&f);
    test_outlines(&f);
    test_unit(&f);
    test_ui(&f);
    deinit(&f);
    return test_finish();
}
