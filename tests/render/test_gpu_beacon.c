// A beacon in the picture: a column over its foot, seen through everything, of the same size near
// and far, whichever rasteriser draws; what is written over the picture stays where it belongs.
#include "tests/city_maker.h"

enum { WIDTH = 360, HEIGHT = 240 };

static uint8_t plain[HEIGHT][WIDTH][4], drawn[HEIGHT][WIDTH][4];

static void draw(mc_renderer *renderer, const mc_scene *scene, const mc_ui_draw *ui,
                 uint8_t *pixels) {
    REQUIRE(mc_renderer_render_image(renderer, scene, ui, WIDTH, HEIGHT, pixels, NULL) == MC_OK);
}

static bool differs(int y, int x) {
    int most = 0;
    for (int c = 0; c < 3; c++) {
        int difference = abs(drawn[y][x][c] - plain[y][x][c]);
        most = difference > most ? difference : most;
    }
    return most > 8;
}

typedef struct area {
    int x0, y0, x1, y1, count;
} area;

static area find_area(void) {
    area a = {WIDTH, HEIGHT, -1, -1, 0};
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) {
            if (!differs(y, x)) continue;
            a.x0 = x < a.x0 ? x : a.x0;
            a.x1 = x > a.x1 ? x : a.x1;
            a.y0 = y < a.y0 ? y : a.y0;
            a.y1 = y > a.y1 ? y : a.y1;
            a.count++;
        }
    return a;
}

static void check_beacon(mc_renderer *renderer, mc_scene *scene, const char *name) {
    // On the ground, behind whatever stands there; far away and near.
    mc_beacons beacons = {.half_width = 1.5f, .height = 60, .count = 1};
    static const float feet[3][3] = {{500, 0, 500}, {120, 0, 80}, {800, 5, 900}};
    for (int i = 0; i < 3; i++) {
        beacons.items[0] = (mc_beacon){
            .foot = {feet[i][0], feet[i][1], feet[i][2]}, .opacity = 1, .color = {0, 1, 0}};
        scene->beacons = NULL;
        draw(renderer, scene, NULL, plain[0][0]);
        scene->beacons = &beacons;
        draw(renderer, scene, NULL, drawn[0][0]);
        vec4 foot = {feet[i][0], feet[i][1], feet[i][2], 1}, clip;
        glm_mat4_mulv(scene->view.view_projection, foot, clip);
        float x = (clip[0] / clip[3] + 1) * 0.5f * WIDTH,
              y = (clip[1] / clip[3] + 1) * 0.5f * HEIGHT;
        area a = find_area();
        REQUIRE(a.count > 0);
        CHECK_MSG(fabsf(0.5f * (float)(a.x0 + a.x1 + 1) - x) < 1.5f, "%s %d: x %d to %d, not %g",
                  name, i, a.x0, a.x1, (double)x);
        CHECK_MSG(fabsf((float)a.y1 + 1 - y) < 2.5f, "%s %d: ends at %d, not %g", name, i, a.y1,
                  (double)y);
        int width = a.x1 - a.x0 + 1, height = a.y1 - a.y0 + 1;
        CHECK_MSG(width >= 3 && width <= 16 && height > 35 && height <= 61, "%s %d: %dx%d", name, i,
                  width, height);
    }
    // Behind the eye there is none.
    for (int k = 0; k < 3; k++)
        beacons.items[0].foot[k] = 2 * scene->view.eye[k] - (k == 1 ? 0 : 500);
    draw(renderer, scene, NULL, drawn[0][0]);
    CHECK(find_area().count == 0 || beacons.items[0].foot[1] <= 0);
    scene->beacons = NULL;
}

// One rectangle, in the pixels of the picture.
static void check_ui(mc_renderer *renderer, const mc_scene *scene, const char *name) {
    static const uint8_t texture[4] = {255, 255, 255, 255};
    const mc_ui_vertex vertices[4] = {{40, 30, 0.5f, 0.5f, 0xff00ff00u},
                                      {140, 30, 0.5f, 0.5f, 0xff00ff00u},
                                      {140, 90, 0.5f, 0.5f, 0xff00ff00u},
                                      {40, 90, 0.5f, 0.5f, 0xff00ff00u}};
    const uint16_t indices[6] = {0, 1, 2, 0, 2, 3};
    const mc_ui_command command = {40, 30, 120, 90, 0, 6, 0};
    const mc_ui_draw ui = {vertices, indices, &command, 4, 6, 1};
    REQUIRE(mc_renderer_set_ui_texture(renderer, texture, 2, 2, NULL) == MC_OK);
    draw(renderer, scene, NULL, plain[0][0]);
    draw(renderer, scene, &ui, drawn[0][0]);
    area a = find_area();
    CHECK_MSG(a.x0 == 40 && a.y0 == 30 && a.x1 == 119 && a.y1 == 89, "%s: %d,%d to %d,%d", name,
              a.x0, a.y0, a.x1, a.y1);
}

int main(void) {
    made_city made;
    made_city_create(&made, 600, MC_SCALING_LINEAR);
    mc_gpu *gpu = made_gpu_create(true);
    static const struct {
        mc_renderer_desc desc;
        const char *name;
    } kinds[] = {
        {{.samples = 4, .rasterizer = MC_RASTERIZER_RASTER}, "raster"},
        {{.samples = 1, .rasterizer = MC_RASTERIZER_COMPUTE}, "compute"},
        {{.samples = 1, .rasterizer = MC_RASTERIZER_COMPUTE, .supersampling = 2}, "twice"}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        mc_renderer *renderer;
        REQUIRE(mc_renderer_create(gpu, &kinds[i].desc, &renderer, NULL) == MC_OK);
        REQUIRE(mc_renderer_set_city(renderer, made.city, NULL) == MC_OK);
        REQUIRE(mc_renderer_set_counts(renderer, made.counts[0], made.counts[1], NULL) == MC_OK);
        mc_scene scene = made_scene(made.city, i == 1, (float)WIDTH / HEIGHT);
        check_beacon(renderer, &scene, kinds[i].name);
        check_ui(renderer, &scene, kinds[i].name);
        mc_renderer_destroy(renderer);
    }
    mc_gpu_destroy(gpu);
    made_city_destroy(&made);
    return test_finish();
}
