// What a window shows while the camera moves: a drawing of half the size, enlarged as it is here on
// the CPU; but for what stands over the city, which is as sharp as ever, unless it is a crowd. It
// leaves nothing behind: the picture at rest is the same before and after.
#include "tests/city_maker.h"

enum { WIDTH = 322, HEIGHT = 181, HALF_WIDTH = (WIDTH + 1) / 2, HALF_HEIGHT = (HEIGHT + 1) / 2 };

static uint8_t whole[HEIGHT][WIDTH][4], again[HEIGHT][WIDTH][4], moving[HEIGHT][WIDTH][4];
static uint8_t half[HALF_HEIGHT][HALF_WIDTH][4];

static mc_renderer *create(mc_gpu *gpu, const made_city *made, mc_rasterizer rasterizer,
                           uint32_t samples) {
    mc_renderer *renderer = NULL;
    mc_renderer_desc desc = {samples, rasterizer, 1};
    REQUIRE(mc_renderer_create(gpu, &desc, &renderer, NULL) == MC_OK);
    REQUIRE(mc_renderer_set_city(renderer, made->city, NULL) == MC_OK);
    REQUIRE(mc_renderer_set_counts(renderer, made->counts[0], made->counts[1], NULL) == MC_OK);
    return renderer;
}

static void draw(mc_renderer *renderer, const mc_scene *scene, void *pixels) {
    REQUIRE(mc_renderer_render_image(renderer, scene, NULL, WIDTH, HEIGHT, pixels, NULL) == MC_OK);
}

static void draw_moving(mc_renderer *renderer, const mc_scene *scene) {
    REQUIRE(mc_renderer_draw_moving(renderer, scene, WIDTH, HEIGHT, &moving[0][0][0], NULL) ==
            MC_OK);
}

static int clamp(int value, int most) {
    return value < 0 ? 0 : value > most ? most : value;
}

// Of the half drawing, between the four nearest pixels' centres.
static double enlarge(int x, int y, int channel) {
    double u = (x + 0.5) * HALF_WIDTH / WIDTH - 0.5, v = (y + 0.5) * HALF_HEIGHT / HEIGHT - 0.5;
    int x0 = (int)floor(u), y0 = (int)floor(v);
    double sum = 0;
    for (int k = 0; k < 4; k++) {
        int i = x0 + k % 2, j = y0 + k / 2;
        double share = (1 - fabs(u - i)) * (1 - fabs(v - j));
        sum += share * half[clamp(j, HALF_HEIGHT - 1)][clamp(i, HALF_WIDTH - 1)][channel];
    }
    return sum;
}

static int count_off(void) {
    int off = 0;
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
            for (int i = 0; i < 3; i++)
                off += fabs(enlarge(x, y, i) - moving[y][x][i]) > 2.5;
    return off;
}

static void check_enlarged(mc_renderer *small, const mc_scene *scene, mc_rasterizer rasterizer,
                           const char *what) {
    REQUIRE(mc_renderer_render_image(small, scene, NULL, HALF_WIDTH, HALF_HEIGHT, &half[0][0][0],
                                     NULL) == MC_OK);
    int off = count_off();
    CHECK_MSG(off == 0, "rasterizer %d, %s: %d values are not as enlarged here", (int)rasterizer,
              what, off);
}

static void test_city(mc_gpu *gpu, const made_city *made, mc_rasterizer rasterizer) {
    mc_renderer *renderer = create(gpu, made, rasterizer, 1);
    mc_renderer *small = create(gpu, made, rasterizer, 1);
    mc_scene scene = made_scene(made->city, false, (float)WIDTH / HEIGHT);
    for (int translucent = 0; translucent < 2; translucent++) {
        scene.params.flags &= ~MC_UPDATE_OPACITY_BY_GROWTH;
        if (translucent) scene.params.flags |= MC_UPDATE_OPACITY_BY_GROWTH;
        draw(renderer, &scene, whole);
        draw_moving(renderer, &scene);
        check_enlarged(small, &scene, rasterizer, translucent ? "translucent" : "opaque");
        CHECK(memcmp(whole, moving, sizeof whole) != 0);
        draw(renderer, &scene, again);
        CHECK_MSG(memcmp(whole, again, sizeof whole) == 0,
                  "rasterizer %d, translucent %d: another picture after moving", (int)rasterizer,
                  translucent);
    }
    mc_renderer_destroy(renderer);
    mc_renderer_destroy(small);
}

// How strongly neighbours differ by frustums: blurred, they would less; not hidden by what is
// before them, more.
static double get_contrast(uint8_t pixels[HEIGHT][WIDTH][4], uint8_t without[HEIGHT][WIDTH][4]) {
    double sum = 0;
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x + 1 < WIDTH; x++)
            for (int i = 0; i < 3; i++) {
                int here = pixels[y][x][i] - without[y][x][i];
                sum += abs(here - (pixels[y][x + 1][i] - without[y][x + 1][i]));
            }
    return sum;
}

enum { MOST_FRUSTUMS = 600 };

// `count` of one building: thin ones are strands where there are many.
static const mc_frustum *get_frustums(const made_city *made, const mc_scene *scene,
                                      uint32_t count) {
    static mc_frustum frustums[MOST_FRUSTUMS];
    REQUIRE(count <= MOST_FRUSTUMS);
    for (uint32_t i = 0; i < count; i++)
        frustums[i] = (mc_frustum){.from_box = 0,
                                   .to_box = (i + 1) * 7 % made->city->building_count,
                                   .kind = MC_FRUSTUM_INCOMING,
                                   .from_share = 0.2f,
                                   .to_share = 0.2f,
                                   .arc = scene->params.jump + made->city->width * 0.1f,
                                   .reveal = 1};
    return frustums;
}

static void test_over(mc_gpu *gpu, const made_city *made, mc_rasterizer rasterizer,
                      uint32_t count) {
    mc_renderer *renderer = create(gpu, made, rasterizer, 1);
    mc_scene scene = made_scene(made->city, false, (float)WIDTH / HEIGHT);
    static uint8_t plain[HEIGHT][WIDTH][4], plain_moving[HEIGHT][WIDTH][4];
    draw(renderer, &scene, plain);
    draw_moving(renderer, &scene);
    memcpy(plain_moving, moving, sizeof moving);
    scene.frustums = get_frustums(made, &scene, count);
    scene.frustum_count = count;
    draw(renderer, &scene, whole);
    draw_moving(renderer, &scene);
    double sharp = get_contrast(whole, plain), now = get_contrast(moving, plain_moving);
    CHECK_MSG(sharp > 1e4 && now > 0.85 * sharp && now < 1.1 * sharp,
              "rasterizer %d: %.0f of %.0f of %u frustums", (int)rasterizer, now, sharp, count);
    mc_renderer_destroy(renderer);
}

// Rims are tested against the depth around them, which is there wherever they are: as if all of the
// picture had it, as it has where there are frustums, if only one that is not drawn.
static void test_rims(mc_gpu *gpu, const made_city *made, mc_rasterizer rasterizer) {
    enum { STRUCTURES = 24 };
    mc_renderer *renderer = create(gpu, made, rasterizer, 1);
    mc_scene scene = made_scene(made->city, false, (float)WIDTH / HEIGHT);
    const mc_frustum undrawn = {.from_box = 0, .to_box = 1, .kind = MC_FRUSTUM_INCOMING};
    scene.frustums = &undrawn;
    draw_moving(renderer, &scene);
    memcpy(again, moving, sizeof moving);
    uint32_t seen = 0;
    for (uint32_t i = 0; i < STRUCTURES; i++) {
        uint32_t building = i * 251 % made->city->building_count;
        scene.selected = scene.hovered = MC_STRUCTURE_NONE;
        scene.params.selected_count = 0;
        if (i % 3 == 0) {
            scene.selected.building = scene.params.selected_first = building;
            scene.params.selected_count = 1;
            scene.params.jump = i % 2 ? 0.03f * made->city->width : -0.01f * made->city->width;
        } else if (i % 3 == 1) {
            scene.hovered.building = building;
        } else {
            scene.hovered.district = (i + 1) * 5 % made->city->district_count;
        }
        scene.unit_count = i % 4 == 1;
        scene.unit[0] = (mc_unit_mark){{(building + 99) % made->city->building_count, MC_NONE}, 1};
        scene.frustum_count = 1;
        draw_moving(renderer, &scene);
        memcpy(whole, moving, sizeof moving);
        seen += memcmp(whole, again, sizeof whole) != 0;
        mc_scene other = scene; // so far away that no depth of it hides anything
        other.view = made_view((float[3]){-9e3f, 9e3f, -9e3f}, (float[3]){0, 0, 0}, 1);
        draw_moving(renderer, &other);
        scene.frustum_count = 0;
        draw_moving(renderer, &scene);
        CHECK_MSG(memcmp(whole, moving, sizeof whole) == 0, "rasterizer %d, structure %u",
                  (int)rasterizer, i);
    }
    CHECK(seen > STRUCTURES / 2);
    // Beacons alone are tested against nothing.
    mc_beacons beacons = {.half_width = 1.5f, .height = 60, .count = 1};
    beacons.items[0] = (mc_beacon){.foot = {0.5f * made->city->width, 1, 0.5f * made->city->depth},
                                   .opacity = 1,
                                   .color = {0, 1, 0}};
    scene = made_scene(made->city, false, (float)WIDTH / HEIGHT);
    scene.beacons = &beacons;
    draw_moving(renderer, &scene);
    memcpy(whole, moving, sizeof moving);
    CHECK(memcmp(whole, again, sizeof whole) != 0);
    scene.frustums = &undrawn;
    scene.frustum_count = 1;
    draw_moving(renderer, &scene);
    CHECK(memcmp(whole, moving, sizeof whole) == 0);
    mc_renderer_destroy(renderer);
}

// A rim beside the picture is not seen, and tested against a depth all the same, also in a picture
// that had none yet.
static void test_rim_beside(mc_gpu *gpu, const made_city *made, mc_rasterizer rasterizer) {
    const mc_city *city = made->city;
    mc_renderer *renderer = create(gpu, made, rasterizer, 1);
    mc_scene scene = made_scene(city, false, (float)WIDTH / HEIGHT);
    float x = 0.1f * city->width, z = 0.1f * city->depth;
    scene.view =
        made_view((float[3]){x, 0.5f * city->width, z}, (float[3]){x, 0, z}, (float)WIDTH / HEIGHT);
    scene.frustums = get_frustums(made, &scene, MOST_FRUSTUMS); // with fewer it has a backdrop
    scene.frustum_count = MOST_FRUSTUMS;
    scene.hovered.building = 0;
    for (uint32_t i = 1; i < city->building_count; i++) {
        mc_plot plot = city->building_plot[i], most = city->building_plot[scene.hovered.building];
        if (plot.x0 + plot.z0 > most.x0 + most.z0) scene.hovered.building = i;
    }
    draw_moving(renderer, &scene);
    memcpy(whole, moving, sizeof moving);
    scene.hovered = MC_STRUCTURE_NONE;
    draw_moving(renderer, &scene);
    CHECK(memcmp(whole, moving, sizeof whole) == 0);
    mc_renderer_destroy(renderer);
}

// A crowd is a part of the half drawing, in which lines are half as wide.
static void test_crowd(mc_gpu *gpu, const made_city *made, mc_rasterizer rasterizer) {
    mc_renderer *renderer = create(gpu, made, rasterizer, 1);
    mc_renderer *small = create(gpu, made, rasterizer, 1);
    mc_scene scene = made_scene(made->city, false, (float)WIDTH / HEIGHT);
    draw(renderer, &scene, again);
    scene.frustums = get_frustums(made, &scene, MOST_FRUSTUMS);
    scene.frustum_count = MOST_FRUSTUMS;
    draw(renderer, &scene, whole);
    CHECK(get_contrast(whole, again) > 1e4);
    draw_moving(renderer, &scene);
    scene.pixel_scale *= 0.5f;
    check_enlarged(small, &scene, rasterizer, "crowd");
    scene.pixel_scale *= 2.0f;
    draw(renderer, &scene, again);
    CHECK(memcmp(whole, again, sizeof whole) == 0);
    mc_renderer_destroy(renderer);
    mc_renderer_destroy(small);
}

// With several samples a pixel there is no half.
static void test_samples(mc_gpu *gpu, const made_city *made) {
    mc_renderer *renderer = create(gpu, made, MC_RASTERIZER_AUTO, 4);
    mc_scene scene = made_scene(made->city, false, (float)WIDTH / HEIGHT);
    draw(renderer, &scene, whole);
    draw_moving(renderer, &scene);
    CHECK(memcmp(whole, moving, sizeof whole) == 0);
    mc_renderer_destroy(renderer);
}

int main(void) {
    mc_gpu *gpu = made_gpu_create(true);
    made_city made;
    made_city_create(&made, 3000, MC_SCALING_LINEAR);
    const mc_rasterizer rasterizers[] = {MC_RASTERIZER_COMPUTE, MC_RASTERIZER_RASTER};
    for (int i = 0; i < 2; i++) {
        test_city(gpu, &made, rasterizers[i]);
        test_over(gpu, &made, rasterizers[i], 12);
        test_over(gpu, &made, rasterizers[i], 300);
        test_rims(gpu, &made, rasterizers[i]);
        test_rim_beside(gpu, &made, rasterizers[i]);
        test_crowd(gpu, &made, rasterizers[i]);
    }
    test_samples(gpu, &made);
    made_city_destroy(&made);
    CHECK(mc_gpu_get_validation_count(gpu) == 0);
    mc_gpu_destroy(gpu);
    return test_finish();
}
