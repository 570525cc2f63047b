// On a screen with twice as many pixels an inch, what is drawn as lines has twice as many across:
// rims with their glow, and frustums that are as thin as can be.
#include "tests/city_maker.h"

enum { WIDTH = 320, HEIGHT = 200 };

static uint8_t plain[2 * HEIGHT * 2 * WIDTH][4], drawn[2 * HEIGHT * 2 * WIDTH][4];

static int draw(mc_renderer *renderer, const mc_scene *scene, uint8_t *pixels) {
    uint32_t scale = (uint32_t)scene->pixel_scale;
    REQUIRE(mc_renderer_render_image(renderer, scene, NULL, WIDTH * scale, HEIGHT * scale, pixels,
                                     NULL) == MC_OK);
    return (int)(WIDTH * HEIGHT * scale * scale);
}

// How many pixels `what` changes.
static int count(mc_renderer *renderer, mc_scene what, float scale) {
    mc_scene without = what;
    without.pixel_scale = what.pixel_scale = scale;
    without.selected = without.hovered = MC_STRUCTURE_NONE;
    without.frustum_count = 0;
    int pixels = draw(renderer, &without, plain[0]), changed = 0;
    draw(renderer, &what, drawn[0]);
    for (int i = 0; i < pixels; i++) {
        bool differs = false;
        for (int c = 0; c < 3; c++)
            differs |= abs(plain[i][c] - drawn[i][c]) > 2;
        changed += differs;
    }
    return changed;
}

static void check(mc_renderer *renderer, const mc_scene *scene, const char *name) {
    int once = count(renderer, *scene, 1), twice = count(renderer, *scene, 2);
    CHECK_MSG(once > 100, "%s: %d pixels", name, once);
    // Where outlines fade, over half a pixel, is a smaller part of what is wider.
    CHECK_MSG(twice > 3.0 * once && twice < 4.4 * once, "%s: %d pixels, at a scale of 2 %d", name,
              once, twice);
}

int main(void) {
    made_city made;
    made_city_create(&made, 300, MC_SCALING_LINEAR);
    mc_gpu *gpu = made_gpu_create(true);
    mc_renderer *renderer;
    mc_renderer_desc desc = {.samples = 1};
    REQUIRE(mc_renderer_create(gpu, &desc, &renderer, NULL) == MC_OK);
    REQUIRE(mc_renderer_set_city(renderer, made.city, NULL) == MC_OK);
    REQUIRE(mc_renderer_set_counts(renderer, made.counts[1], made.counts[1], NULL) == MC_OK);
    mc_scene scene = made_scene(made.city, false, (float)WIDTH / HEIGHT);
    scene.selected.district = scene.hovered.district = 1;
    mc_scene selected = scene, hovered = scene;
    selected.hovered = hovered.selected = MC_STRUCTURE_NONE;
    check(renderer, &selected, "selection");
    check(renderer, &hovered, "hover");
    uint32_t boxes[8], found = 0;
    for (uint32_t b = 0; b < made.city->building_count && found < 8; b += 7)
        if (made.counts[1][b] > 0) boxes[found++] = b;
    mc_frustum frustums[4];
    REQUIRE(found == 8);
    for (uint32_t i = 0; i < 4; i++)
        frustums[i] = (mc_frustum){.from_box = boxes[2 * i],
                                   .to_box = boxes[2 * i + 1],
                                   .kind = MC_FRUSTUM_OUTGOING,
                                   .arc = (float)(i % 2) * 200.0f,
                                   .reveal = 1.0f};
    selected.selected = MC_STRUCTURE_NONE;
    selected.frustums = frustums;
    selected.frustum_count = 4;
    check(renderer, &selected, "frustums");
    mc_renderer_destroy(renderer);
    CHECK(mc_gpu_get_validation_count(gpu) == 0);
    mc_gpu_destroy(gpu);
    made_city_destroy(&made);
    return test_finish();
}
