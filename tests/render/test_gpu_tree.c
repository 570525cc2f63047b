// Sunbursts and icicles as they are drawn, against the CPU reference: every step of the recorded
// traces; that a frame around a node is where the node is; and that a picture that is kept is the
// one that would be drawn.
#include "engine/import/import.h"
#include "engine/render/renderer.h"
#include "engine/scene/flat_pane.h"
#include "tests/gpu_maker.h"

#include "engine/base/memory.h"

enum { SIZE = 220 };

static mc_renderer *renderer;
static uint8_t pixels[SIZE * SIZE * 4];

static uint8_t encode(double c) {
    double encoded = c <= 0.0031308 ? c * 12.92 : 1.055 * pow(c, 1 / 2.4) - 0.055;
    return (uint8_t)lround(fmin(fmax(encoded, 0), 1) * 255);
}

static uint64_t version;

// As the strips of `version`.
static void draw_again(const mc_strips *strips, const mc_flat_plane *plane,
                       const mc_flat_mark *mark) {
    mc_flat_scene flat = {.planes = plane,
                          .marks = mark,
                          .plane_count = 1,
                          .mark_count = mark != NULL,
                          .sums = strips->sums,
                          .spans = strips->spans,
                          .sum_count = mc_strips_get_sum_count(strips),
                          .span_count = mc_strips_get_span_count(strips),
                          .version = version};
    mc_scene scene = {.theme = mc_theme_get(false, MC_PALETTE_HEAT), .flat = &flat};
    scene.hovered = scene.selected = MC_STRUCTURE_NONE;
    mc_error error = {0};
    mc_result result = mc_renderer_render_image(renderer, &scene, NULL, SIZE, SIZE, pixels, &error);
    CHECK_MSG(result == MC_OK, "%s", error.message);
}

static void draw(const mc_strips *strips, const mc_flat_plane *plane, const mc_flat_mark *mark) {
    version++;
    draw_again(strips, plane, mark);
}

// How far a place is from the ends of the segment that it is in and of its row, in pixels.
static double get_distance(const mc_strips *strips, const mc_flat_plane *plane, mc_flat_point at,
                           double length) {
    uint32_t row = (uint32_t)at.row, texel = (uint32_t)(at.along * strips->texel_count);
    if (texel >= strips->texel_count) texel = strips->texel_count - 1;
    const float *span = strips->spans + ((size_t)row * strips->texel_count + texel) * 2;
    double across = fmin(at.row - row, row + 1 - at.row) * (double)plane->row_size;
    double along = fmin(at.along - (double)span[0], (double)span[1] - at.along) * length;
    return fmin(across, along);
}

// One ring of four equal segments.
static mc_strip_source get_four(uint32_t form) {
    static const uint32_t first[] = {1, 5, 5, 5, 5}, child_count[] = {4, 0, 0, 0, 0};
    static const mc_interval spans[] = {{0, 1}, {0, 0.25}, {0.25, 0.5}, {0.5, 0.75}, {0.75, 1}};
    static const uint32_t gray[] = {0xff808080, 0xff808080, 0xff808080, 0xff808080, 0xff808080};
    return (mc_strip_source){.tree = {5, first, child_count},
                             .level_count = 2,
                             .intervals = spans,
                             .colors = gray,
                             .view = {0, 1},
                             .form = form};
}

// The largest difference, of 255, away from lines. *count: how many pixels were compared.
static int compare(const mc_strips *strips, const mc_flat_plane *plane, uint32_t *count) {
    int worst = 0;
    for (uint32_t i = 0; i < SIZE * SIZE; i++) {
        double x = i % SIZE + 0.5, y = i / SIZE + 0.5; // NOLINT: whole rows are meant
        mc_flat_point at = mc_flat_plane_locate(plane, x, y);
        if (!(at.row >= 0 && at.row < strips->row_count && at.along >= 0 && at.along < 1)) continue;
        double length = fmax(mc_flat_plane_get_length(plane, at.row - 0.5), 1);
        if (get_distance(strips, plane, at, length) < 1.5) continue;
        double half = 0.5 / length;
        if (plane->form == MC_FLAT_SUNBURST) half = fmin(half, MC_FLAT_MOST_HALF);
        float mean[4];
        mc_strips_get_mean(strips, (uint32_t)at.row, at.along - half, at.along + half, mean);
        for (uint32_t c = 0; c < 3; c++) {
            int wanted = encode((double)mean[c]), got = pixels[i * 4 + c];
            worst = abs(wanted - got) > worst ? abs(wanted - got) : worst;
        }
        ++*count;
    }
    return worst;
}

static void test_trace(const char *name) {
    char path[512];
    snprintf(path, sizeof path, "%s/traces/%s", MC_TEST_BINARY_DIR, name);
    const char *pointer = path;
    const mc_import_desc import = {.paths = &pointer, .path_count = 1, .no_references = true};
    mc_trace *trace = NULL;
    REQUIRE(mc_import_trace(&import, &trace, NULL, NULL) == MC_OK);
    const mc_node_columns *nodes = mc_trace_get_nodes(trace);
    mc_tree_desc desc = {.metric = MC_METRIC_BYTES, .window = mc_step_range_whole(trace)};
    mc_tree *tree = NULL;
    mc_flat_pane pane;
    mc_strips strips = {0};
    REQUIRE(mc_tree_create(trace, &desc, &tree, NULL) == MC_OK);
    REQUIRE(mc_flat_pane_init(&pane, tree, NULL) == MC_OK);
    uint64_t *values = mc_alloc(nodes->count, sizeof *values);
    REQUIRE(values);
    mc_theme theme = mc_theme_get(false, MC_PALETTE_HEAT);
    mc_flat_color_desc colors = {.theme = &theme, .nodes = nodes, .solid_entry = MC_NONE};
    mc_flat_color(tree, &colors, pane.now.colors);
    for (uint32_t step = 0; step < mc_trace_get_step_count(trace); step++) {
        REQUIRE(mc_trace_read_counts(trace, step, MC_METRIC_BYTES, values, NULL) == MC_OK);
        mc_flat_pane_show(&pane, values, 0, 0, false);
        for (uint32_t form = 0; form < MC_FLAT_FORM_COUNT; form++) {
            mc_flat_rect rect = {0, 0, SIZE, SIZE};
            bool is_round = form == MC_FLAT_SUNBURST;
            uint32_t texels = is_round ? 2048 : SIZE, count = 0;
            REQUIRE(mc_flat_pane_build(&pane, 1, form, texels, &strips, NULL) == MC_OK);
            mc_flat_plane plane = mc_flat_pane_get_plane(&pane, 1, form, rect, 1, &strips);
            draw(&strips, &plane, NULL);
            int worst = compare(&strips, &plane, &count);
            // A ring's texel may be the next one where the GPU's arc tangent rounds otherwise.
            CHECK_MSG(worst <= (is_round ? 24 : 2), "%s, step %u, form %u: %d of 255", name, step,
                      form, worst);
            CHECK_MSG(count > SIZE * SIZE / 8, "%s, step %u: %u pixels", name, step, count);
        }
    }
    mc_free(values);
    mc_strips_deinit(&strips);
    mc_flat_pane_deinit(&pane);
    mc_tree_destroy(tree);
    mc_trace_destroy(trace);
}

// The second of four has a frame, which is blue at its edge and nowhere else; what is thinner than
// a pixel has one that can be seen.
static void test_mark(void) {
    mc_strip_source source = get_four(MC_FLAT_ICICLE);
    mc_strips strips = {0};
    REQUIRE(mc_strips_build(&strips, &source, SIZE, NULL) == MC_OK);
    mc_flat_plane plane = mc_flat_plane_get(MC_FLAT_ICICLE, (mc_flat_rect){0, 0, SIZE, SIZE}, 2, 1);
    plane.row_count = 2;
    plane.texel_count = SIZE;
    for (int thin = 0; thin < 2; thin++) {
        float from = 0.25f, to = thin ? 0.2501f : 0.5f;
        mc_flat_rect bounds = mc_flat_plane_get_bounds(&plane, 1, (double)from, (double)to);
        mc_flat_mark mark = {.x0 = (float)bounds.x0,
                             .y0 = (float)bounds.y0,
                             .x1 = (float)bounds.x1,
                             .y1 = (float)bounds.y1,
                             .row_size = plane.row_size,
                             .row_length = plane.row_length,
                             .form = MC_FLAT_ICICLE,
                             .row = 1,
                             .from = from,
                             .to = to,
                             .width = 3,
                             .b = 1,
                             .opacity = 1};
        draw(&strips, &plane, &mark);
        uint32_t blue = 0;
        for (uint32_t i = 0; i < SIZE * SIZE; i++)
            blue += pixels[i * 4 + 2] > 200 && pixels[i * 4] < 60;
        uint32_t side = SIZE / 2, high = SIZE / 4; // 110 by 55, three pixels wide
        uint32_t wanted = thin ? side * 5 / 2 : 2 * 3 * (side + high) - 36;
        CHECK_MSG(blue > wanted * 7 / 10 && blue < wanted * 13 / 10, "%u pixels, not %u", blue,
                  wanted);
    }
    mc_strips_deinit(&strips);
}

// Frames around segments come and go over what was drawn before, in each of the frames in flight;
// another plane or other strips are drawn anew.
static void test_kept(void) {
    static uint8_t without[sizeof pixels], with[sizeof pixels];
    const uint32_t first = 1, child_count = 0, blue = 0xffff0000, red = 0xff0000ff;
    const mc_interval span = {0, 1};
    mc_strip_source source = {.tree = {1, &first, &child_count},
                              .level_count = 1,
                              .intervals = &span,
                              .colors = &blue,
                              .view = {0, 1},
                              .form = MC_FLAT_SUNBURST};
    mc_strips strips = {0};
    REQUIRE(mc_strips_build(&strips, &source, 1024, NULL) == MC_OK);
    mc_flat_plane plane =
        mc_flat_plane_get(MC_FLAT_SUNBURST, (mc_flat_rect){0, 0, SIZE, SIZE}, 1, 1);
    plane.row_count = 1;
    plane.texel_count = 1024;
    mc_flat_mark mark = {.x1 = SIZE,
                         .y1 = SIZE,
                         .origin_x = plane.origin_x,
                         .origin_y = plane.origin_y,
                         .row_size = plane.row_size,
                         .to = 1,
                         .width = 3,
                         .g = 1,
                         .opacity = 1};
    draw(&strips, &plane, NULL);
    memcpy(without, pixels, sizeof pixels);
    draw(&strips, &plane, &mark);
    memcpy(with, pixels, sizeof pixels);
    CHECK(memcmp(with, without, sizeof with) != 0);
    for (int i = 0; i < 3; i++) {
        draw_again(&strips, &plane, NULL);
        CHECK(memcmp(pixels, without, sizeof pixels) == 0);
        draw_again(&strips, &plane, &mark);
        CHECK(memcmp(pixels, with, sizeof pixels) == 0);
    }
    plane.row_size /= 2;
    draw_again(&strips, &plane, NULL);
    CHECK(memcmp(pixels, without, sizeof pixels) != 0);
    source.colors = &red;
    plane.row_size *= 2;
    REQUIRE(mc_strips_build(&strips, &source, 1024, NULL) == MC_OK);
    draw(&strips, &plane, NULL);
    const uint8_t *middle = pixels + (SIZE / 2 * SIZE + SIZE / 2) * 4;
    CHECK(middle[0] == 255 && middle[2] == 0);
    mc_strips_deinit(&strips);
}

// On the way to other levels a row ends within itself: the disc is full where it is whole, and
// nothing is drawn beyond it.
static void test_end_row(void) {
    const uint32_t first[] = {1, 2}, child_count[] = {1, 0}, gray[] = {0xff808080, 0xff808080};
    const mc_interval spans[] = {{0, 1}, {0, 1}};
    mc_strip_source source = {.tree = {2, first, child_count},
                              .level_count = 2,
                              .intervals = spans,
                              .colors = gray,
                              .view = {0, 1},
                              .form = MC_FLAT_SUNBURST};
    mc_strips strips = {0};
    REQUIRE(mc_strips_build(&strips, &source, 1024, NULL) == MC_OK);
    mc_flat_plane plane =
        mc_flat_plane_get(MC_FLAT_SUNBURST, (mc_flat_rect){0, 0, SIZE, SIZE}, 1.5, 1);
    plane.row_count = 2;
    plane.texel_count = 1024;
    plane.line_r = plane.line_g = plane.line_b = 1; // the ground
    draw(&strips, &plane, NULL);
    uint32_t count = 0, wanted = (uint32_t)(SIZE * SIZE * 0.7853981633974483);
    for (uint32_t i = 0; i < SIZE * SIZE; i++)
        count += pixels[i * 4] < 180; // not the ground
    CHECK_MSG(count > wanted * 98 / 100 && count < wanted * 102 / 100, "%u pixels, not %u", count,
              wanted);
    mc_strips_deinit(&strips);
}

// However short it is, and wherever it begins: all pixels within it have its colour, those outside
// the ground's.
static void test_short(uint32_t form) {
    mc_strip_source source = get_four(form);
    mc_strips strips = {0};
    mc_theme theme = mc_theme_get(false, MC_PALETTE_HEAT);
    int ground = (int)lround((double)theme.background_top[0] * 255);
    for (int i = 0; i < 150; i++) {
        double length = 1 + i * 0.31, begin = 20 + i * 0.173;
        bool is_down = form == MC_FLAT_ICICLE_DOWN;
        mc_flat_rect rect = {is_down ? begin : 0, is_down ? 0 : begin,
                             is_down ? begin + length : SIZE, is_down ? SIZE : begin + length};
        uint32_t texels = mc_strips_choose_texels(length, false), wrong = 0;
        REQUIRE(mc_strips_build(&strips, &source, texels, NULL) == MC_OK);
        mc_flat_plane plane = mc_flat_plane_get(form, rect, 2, 1);
        plane.row_count = 2;
        plane.texel_count = strips.texel_count;
        plane.line_r = plane.line_g = plane.line_b = 1;
        draw(&strips, &plane, NULL);
        for (uint32_t along = 0; along < SIZE; along++) {
            const uint8_t *pixel = pixels + (size_t)(is_down ? along : along * SIZE) * 4;
            double middle = along + 0.5;
            bool is_in = middle > begin + 0.51 && middle < begin + length - 0.51;
            bool is_out = middle < begin - 0.51 || middle > begin + length + 0.51;
            wrong += is_in && abs(pixel[0] - 0x80) > 2;
            wrong += is_out && abs(pixel[0] - ground) > 2;
        }
        CHECK_MSG(wrong == 0, "form %u, %.2f pixels from %.2f: %u are wrong", form, length, begin,
                  wrong);
    }
    mc_strips_deinit(&strips);
}

// On the way from an icicle to a sunburst all is where the CPU reference has it, which begins as
// the one and ends as the other.
static void test_bent(void) {
    mc_strip_source source = get_four(MC_FLAT_BENT);
    mc_strips strips = {0};
    mc_flat_rect rect = {0, 0, SIZE, SIZE};
    mc_flat_plane icicle = mc_flat_plane_get(MC_FLAT_ICICLE, rect, 2, 1);
    mc_flat_plane sunburst = mc_flat_plane_get(MC_FLAT_SUNBURST, rect, 2, 1);
    icicle.row_count = sunburst.row_count = 2;
    REQUIRE(mc_strips_build(&strips, &source, 4096, NULL) == MC_OK);
    icicle.texel_count = sunburst.texel_count = strips.texel_count;
    for (int i = 0; i <= 10; i++) {
        mc_flat_plane plane = mc_flat_plane_bend(&icicle, &sunburst, i / 10.0);
        uint32_t count = 0, lost = 0;
        draw(&strips, &plane, NULL);
        int worst = compare(&strips, &plane, &count);
        CHECK_MSG(worst <= 2 && count > SIZE * SIZE / 8, "way %d: %d of 255, %u pixels", i, worst,
                  count);
        for (int k = 0; k < 100; k++) { // there and back
            int row = k % 10, place = k / 10;
            mc_flat_point at = {0.05 + 1.9 * row / 9, 0.005 + 0.99 * place / 9}, back;
            double x, y, wanted_x, wanted_y;
            mc_flat_plane_place(&plane, at, &x, &y);
            back = mc_flat_plane_locate(&plane, x, y);
            lost += fabs(back.row - at.row) > 1e-3 || fabs(back.along - at.along) > 1e-3;
            if (i > 0 && i < 10) continue;
            mc_flat_plane_place(i > 0 ? &sunburst : &icicle, at, &wanted_x, &wanted_y);
            lost += hypot(x - wanted_x, y - wanted_y) > (i > 0 ? 0.1 : 20); // nearly straight
        }
        CHECK_MSG(lost == 0, "way %d: %u places are lost", i, lost);
    }
    mc_strips_deinit(&strips);
}

int main(void) {
    mc_error error = {0};
    mc_renderer_desc desc = {.samples = 1, .rasterizer = MC_RASTERIZER_RASTER};
    mc_gpu *gpu = made_gpu_create(true);
    REQUIRE(mc_renderer_create(gpu, &desc, &renderer, &error) == MC_OK);
    test_mark();
    test_kept();
    test_end_row();
    test_bent();
    test_short(MC_FLAT_ICICLE);
    test_short(MC_FLAT_ICICLE_DOWN);
    test_trace("httpclient-3.0.1");
    test_trace("javac-daemon");
    CHECK(mc_gpu_get_validation_count(gpu) == 0);
    mc_renderer_destroy(renderer);
    mc_gpu_destroy(gpu);
    return test_finish();
}
