// Pictures against stored ones, with tolerance for how processors round at borders. With --update
// the stored ones are written anew; look at them before committing.
#include "app/png_file.h"
#include "engine/city/style.h"
#include "engine/scene/legend.h"
#include "tests/city_maker.h"
#include <png.h>

enum {
    WIDTH = 320,
    HEIGHT = 200,
    // How much the processor's instructions matter to lavapipe: shades are off by a level or two,
    // and a sample at a border falls to the other side.
    ROUNDING = 2,
    DIFFERENT_MAX = 16,
    DIFFERENCE_MAX = 64,
    // On a coarse grid (gpu_maker.h) a thin line at a border is lighter or darker, and where there
    // is one sample a pixel some borders are elsewhere. What is missing would be thousands.
    COARSE_ROUNDING = 16,
    COARSE_DIFFERENT_MAX = 200,
};

static uint8_t drawn[HEIGHT][WIDTH][4], stored[HEIGHT][WIDTH][4];

static void read_stored(const char *path) {
    png_image image = {.version = PNG_IMAGE_VERSION};
    REQUIRE(png_image_begin_read_from_file(&image, path));
    image.format = PNG_FORMAT_RGBA;
    REQUIRE(image.width == WIDTH && image.height == HEIGHT);
    REQUIRE(png_image_finish_read(&image, NULL, stored, 0, NULL));
}

// The largest of a pixel's channels.
static uint32_t get_difference(const uint8_t a[4], const uint8_t b[4]) {
    int most = 0;
    for (int c = 0; c < 3; c++)
        most = abs(a[c] - b[c]) > most ? abs(a[c] - b[c]) : most;
    return (uint32_t)most;
}

static void compare(const mc_gpu *gpu, const char *name, bool update) {
    bool is_coarse = made_is_coarse(gpu);
    uint32_t rounding = is_coarse ? COARSE_ROUNDING : ROUNDING;
    char path[1024];
    mc_error error = {0};
    snprintf(path, sizeof path, "%s/render/%s.png", MC_TEST_DATA, name);
    if (update) {
        REQUIRE(mc_png_write(path, drawn[0][0], WIDTH, HEIGHT, &error) == MC_OK);
        return;
    }
    read_stored(path);
    uint32_t different = 0, most = 0;
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) {
            uint32_t difference = get_difference(drawn[y][x], stored[y][x]);
            different += difference > rounding;
            most = difference > most ? difference : most;
        }
    bool same = is_coarse ? different <= COARSE_DIFFERENT_MAX
                          : different <= DIFFERENT_MAX && most <= DIFFERENCE_MAX;
    CHECK_MSG(same, "%s: %u pixels differ, by %u at most; what was drawn is in %s", name, different,
              most, MC_TEST_BINARY_DIR);
    if (same) return;
    snprintf(path, sizeof path, "%s/%s-drawn.png", MC_TEST_BINARY_DIR, name);
    (void)mc_png_write(path, drawn[0][0], WIDTH, HEIGHT, &error);
}

static void draw(mc_gpu *gpu, const made_city *made, const mc_scene *scene, uint32_t samples) {
    mc_renderer *renderer;
    mc_renderer_desc desc = {.samples = samples};
    REQUIRE(mc_renderer_create(gpu, &desc, &renderer, NULL) == MC_OK);
    REQUIRE(mc_renderer_set_city(renderer, made->city, NULL) == MC_OK);
    REQUIRE(mc_renderer_set_styles(renderer, made->city->styles, NULL) == MC_OK);
    REQUIRE(mc_renderer_set_counts(renderer, made->counts[0], made->counts[1], NULL) == MC_OK);
    REQUIRE(mc_renderer_render_image(renderer, scene, NULL, WIDTH, HEIGHT, drawn[0][0], NULL) ==
            MC_OK);
    mc_renderer_destroy(renderer);
}

// References of a building of every kind, two of them arcs, one emphasised, one faded, one on its
// way; buildings by class, with classes of heights, most of them dimmed.
static void draw_references(mc_gpu *gpu, made_city *made, float aspect) {
    mc_city *city = made->city;
    mc_scene scene = made_scene(city, true, aspect);
    mc_frustum frustums[6];
    static const uint32_t partners[6] = {3, 30, 47, 60, 85, 110};
    for (uint32_t i = 0; i < 6; i++)
        frustums[i] = (mc_frustum){.from_box = i % 2 ? 20 : partners[i],
                                   .to_box = i % 2 ? partners[i] : 20,
                                   .kind = i < 4 ? i % 2 : MC_FRUSTUM_CHAIN,
                                   .flags = i == 0   ? MC_FRUSTUM_EMPHASISED
                                            : i == 1 ? MC_FRUSTUM_FADED
                                                     : 0,
                                   .from_share = 0.9f,
                                   .to_share = 0.2f * (float)i,
                                   .arc = i % 3 == 2 ? 120.0f : 0.0f,
                                   .reveal = i == 4 ? 0.6f : 1.0f};
    mc_styles styles = {0};
    uint32_t marked[3] = {city->building_node[20], city->building_node[3], city->building_node[60]};
    double heights[120];
    for (uint32_t i = 0; i < city->building_count; i++)
        heights[i] = (double)made->counts[1][i];
    REQUIRE(mc_styles_init(&styles, city, NULL) == MC_OK && city->building_count <= 120);
    mc_styles_mark(&styles, city, marked, 3);
    mc_styles_color_by_level(&styles, city, mc_trace_get_nodes(made->trace));
    mc_styles_height_by(&styles, MC_HEIGHT_MODE_BYTES, heights, true);
    mc_legend_apply(&styles, &scene.theme, &scene.params);
    scene.params.dim_opacity = 0.3f;
    scene.frustums = frustums;
    scene.frustum_count = 6;
    scene.time_s = 0.4;
    scene.params.selected_first = 20;
    scene.params.selected_count = 1;
    city->styles = styles.items;
    draw(gpu, made, &scene, 4);
    city->styles = NULL;
    mc_styles_deinit(&styles);
}

int main(int argc, char **argv) {
    bool update = argc > 1 && strcmp(argv[1], "--update") == 0;
    mc_gpu *gpu = made_gpu_create(true);
    made_city made;
    made_city_create(&made, 120, MC_SCALING_LINEAR);
    const float aspect = (float)WIDTH / HEIGHT;

    mc_scene scene = made_scene(made.city, false, aspect);
    draw(gpu, &made, &scene, 4);
    compare(gpu, "light", update);

    scene = made_scene(made.city, true, aspect);
    scene.params.flags = MC_UPDATE_COLOR_BY_GROWTH;
    draw(gpu, &made, &scene, 4);
    compare(gpu, "dark-opaque", update);

    scene = made_scene(made.city, false, aspect);
    scene.theme = mc_theme_get(false, MC_PALETTE_COLOR_BLIND_SAFE);
    mc_theme_apply(&scene.theme, &scene.params);
    scene.params.blend = 0.4f;
    scene.params.selected_first = 20;
    scene.params.selected_count = 1;
    scene.params.jump = 15.0f;
    scene.selected = (mc_structure){20, MC_NONE};
    scene.hovered = (mc_structure){60, MC_NONE};
    draw(gpu, &made, &scene, 1);
    compare(gpu, "marks", update);

    draw_references(gpu, &made, aspect);
    compare(gpu, "references", update);

    CHECK(mc_gpu_get_validation_count(gpu) == 0);
    mc_gpu_destroy(gpu);
    made_city_destroy(&made);
    return test_finish();
}
