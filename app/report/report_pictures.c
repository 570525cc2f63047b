#include "app/report/report_pictures.h"

#include "app/picture/stage.h"
#include "app/png_file.h"
#include "app/views/city/city_styles.h"
#include "engine/base/clock.h"
#include <math.h>

#define WIDTH 1600u
#define HEIGHT 900u
// For a phone, whose page is half as many pixels wide.
#define NARROW_SIZE 680u
#define NARROW_TEXT_SCALE 1.7
// Rays of light of a pixel: half as many as a picture alone has look the same on a page. Of a small
// one four pixels become one.
#define RAYS 8u
#define SMALL_RAYS 5u
#define LONG_S 4.0 // from which on how long it takes is said

// How far the pictures of a page are, by what they cost: a small one a fifth of a large one, a
// phone's a third.
typedef struct shooting {
    uint32_t count;
    double cost, done;
    uint64_t start_ns; // of the first
    bool is_told;
} shooting;

enum { LARGE, SMALL, NARROW, SIZE_COUNT };
static const double costs[SIZE_COUNT] = {1, 0.2, 0.35};

// The first says how long all take.
static void note_done(shooting *self, int size) {
    self->done += costs[size];
    if (self->is_told) return;
    self->is_told = true;
    double all_s = (double)(mc_clock_now_ns() - self->start_ns) / 1e9 / self->done * self->cost;
    if (all_s > LONG_S)
        mc_message_say("report: drawing %u pictures, about %.0f s", self->count, ceil(all_s));
}

static shooting plan(const mc_picture_options *picture, uint32_t large, uint32_t small,
                     uint32_t narrow) {
    const uint32_t schemes = picture->settings.look.dark ? 1 : 2; // dark was asked for: alone
    return (shooting){
        .count = schemes * (large + small + narrow),
        .cost = schemes * (large * costs[LARGE] + small * costs[SMALL] + narrow * costs[NARROW]),
        .start_ns = mc_clock_now_ns()};
}

static uint32_t count_steps(mc_step_range window) {
    uint32_t span = window.last_step - window.first_step;
    return span + 1 < MC_REPORT_PICTURE_COUNT ? span + 1 : MC_REPORT_PICTURE_COUNT;
}

// The last step of the window large, then the way there, each step once.
static uint32_t choose_step(mc_step_range window, uint32_t index) {
    uint32_t span = window.last_step - window.first_step;
    if (index == 0) return window.last_step;
    return window.first_step + (uint32_t)((uint64_t)span * (index - 1) / (count_steps(window) - 1));
}

// A quarter of the pixels, each the mean of four in linear light, in their place.
static void halve(uint8_t *rgba, uint32_t width, uint32_t height) {
    float linear[256];
    for (int i = 0; i < 256; i++)
        linear[i] = powf((float)i / 255, 2.2f);
    for (uint32_t y = 0; y < height / 2; y++) {
        for (uint32_t x = 0; x < width / 2; x++) {
            const uint8_t *from = rgba + ((size_t)2 * y * width + 2 * x) * 4;
            uint8_t *to = rgba + ((size_t)y * (width / 2) + x) * 4;
            for (int c = 0; c < 3; c++) {
                const uint8_t *below = from + (size_t)width * 4;
                float sum =
                    linear[from[c]] + linear[from[c + 4]] + linear[below[c]] + linear[below[c + 4]];
                to[c] = (uint8_t)lroundf(powf(sum / 4, 1 / 2.2f) * 255);
            }
            to[3] = 255;
        }
    }
}

static int shoot(mc_stage *stage, uint32_t step, bool is_small, mc_text *png) {
    mc_error error = {0};
    uint32_t part = is_small ? 2 : 1;
    mc_renderer_set_effort(stage->renderer, part * part, is_small ? SMALL_RAYS : RAYS);
    int code = mc_stage_set_step(stage, step);
    if (code == MC_EXIT_OK) code = mc_stage_draw(stage, 1);
    if (code != MC_EXIT_OK) return code;
    if (is_small) halve(stage->pixels, stage->width, stage->height);
    return mc_png_append(png, stage->pixels, stage->width / part, stage->height / part, &error) ==
                   MC_OK
               ? MC_EXIT_OK
               : mc_command_fail(&error);
}

static void note_legend(mc_report_legend *legend, const mc_stage *stage, int scheme) {
    const mc_look *look = &stage->session->settings.look;
    mc_theme theme = mc_theme_get(look->dark, (mc_palette)look->palette);
    mc_city_view_get_legend(stage->city_view, &legend->of[scheme]);
    for (int i = 0; i < 3; i++)
        legend->chain[scheme][i] = theme.frustums[MC_FRUSTUM_CHAIN][i];
}

// A step in one theme or in both. `legend` may be NULL.
static int shoot_both(mc_stage *stage, shooting *all, uint32_t step, bool is_small,
                      mc_report_picture *picture, mc_report_legend *legend) {
    bool is_dark = stage->picture->settings.look.dark; // asked for: alone
    int code = MC_EXIT_OK;
    bool is_narrow = stage->width == NARROW_SIZE;
    picture->step = step;
    for (int scheme = 0; scheme < (is_dark ? 1 : 2) && code == MC_EXIT_OK; scheme++) {
        mc_stage_set_dark(stage, is_dark || scheme == MC_REPORT_DARK);
        code = shoot(stage, step, is_small,
                     is_narrow ? &picture->narrow[scheme] : &picture->png[scheme]);
        if (code == MC_EXIT_OK) note_done(all, is_narrow ? NARROW : is_small ? SMALL : LARGE);
        if (code == MC_EXIT_OK && legend) note_legend(legend, stage, scheme);
        if (code == MC_EXIT_OK && legend && is_dark) note_legend(legend, stage, MC_REPORT_DARK);
    }
    return code;
}

static int draw_steps(mc_report_pictures *pictures, shooting *all, mc_stage *stage,
                      mc_step_range window) {
    const uint32_t count = count_steps(window);
    for (uint32_t i = 0; i < count; i++) {
        int code = shoot_both(stage, all, choose_step(window, i), i > 0, &pictures->items[i],
                              i == 0 ? &pictures->legend : NULL);
        if (code != MC_EXIT_OK) return code;
        // The others are shown small: names would only be specks.
        mc_picture_overlay_destroy(stage->overlay);
        stage->overlay = NULL;
        pictures->count++;
    }
    return MC_EXIT_OK;
}

static mc_stage_desc describe_stage(mc_trace *trace, const mc_picture_options *picture,
                                    bool is_narrow) {
    return (mc_stage_desc){.trace = trace,
                           .keeps_trace = true,
                           .picture = picture,
                           .width = is_narrow ? NARROW_SIZE : WIDTH,
                           .height = is_narrow ? NARROW_SIZE : HEIGHT,
                           .text_scale = is_narrow ? NARROW_TEXT_SCALE : 0};
}

// The same for a phone, where names in the large one would only be specks.
static int draw_narrow(mc_report_picture *out, shooting *all, mc_trace *trace,
                       const mc_picture_options *picture) {
    mc_stage stage;
    mc_stage_desc desc = describe_stage(trace, picture, true);
    int code = mc_stage_init(&stage, &desc);
    if (code == MC_EXIT_OK) code = shoot_both(&stage, all, out->step, false, out, NULL);
    mc_stage_deinit(&stage);
    return code;
}

// What is drawn on a stage of its own, which has the trace only meanwhile.
static int draw(mc_report_pictures *pictures, shooting *all, mc_trace *trace,
                const mc_picture_options *picture, mc_step_range window) {
    mc_stage stage;
    mc_stage_desc desc = describe_stage(trace, picture, false);
    int code = mc_stage_init(&stage, &desc);
    if (code == MC_EXIT_OK)
        code = pictures->has_walk
                   ? shoot_both(&stage, all, window.last_step, false, &pictures->walk, NULL)
                   : draw_steps(pictures, all, &stage, window);
    mc_stage_deinit(&stage);
    mc_report_picture *large = pictures->has_walk ? &pictures->walk : &pictures->items[0];
    return code == MC_EXIT_OK ? draw_narrow(large, all, trace, picture) : code;
}

int mc_report_pictures_draw(mc_report_pictures *pictures, mc_trace *trace,
                            const mc_picture_options *picture, mc_step_range window,
                            bool wants_walk) {
    mc_picture_options options = *picture;
    wants_walk = wants_walk && !picture->walk;
    const uint32_t large = wants_walk ? 2 : 1;
    shooting all = plan(picture, large, count_steps(window) - 1, large);
    int code = draw(pictures, &all, trace, picture, window);
    if (code != MC_EXIT_OK || !wants_walk) return code;
    options.walk = pictures->has_walk = true;
    options.references = 0;
    options.search = NULL;
    options.settings.search_is_regex = false;
    return draw(pictures, &all, trace, &options, window);
}

int mc_report_pair_pictures_draw(mc_report_pair_pictures *pictures, mc_trace *trace,
                                 const mc_picture_options *picture, uint32_t step) {
    shooting all = plan(picture, 1, MC_PAIR_BOTH - 1, 1);
    int code = MC_EXIT_OK;
    for (uint32_t show = 0; show < MC_PAIR_BOTH && code == MC_EXIT_OK; show++) {
        bool is_small = show != MC_PAIR_DIFFERENCE;
        mc_picture_options options = *picture;
        options.settings.layout.pair = show;
        options.settings.look.names = picture->settings.look.names && !is_small;
        mc_stage stage;
        mc_stage_desc desc = describe_stage(trace, &options, false);
        code = mc_stage_init(&stage, &desc);
        if (code == MC_EXIT_OK)
            code = shoot_both(&stage, &all, step, is_small, &pictures->items[show],
                              &pictures->legends[show]);
        mc_stage_deinit(&stage);
        if (code == MC_EXIT_OK && !is_small)
            code = draw_narrow(&pictures->items[show], &all, trace, &options);
    }
    return code;
}

static void deinit_picture(mc_report_picture *picture) {
    for (int scheme = 0; scheme < MC_REPORT_SCHEME_COUNT; scheme++) {
        mc_text_deinit(&picture->png[scheme]);
        mc_text_deinit(&picture->narrow[scheme]);
    }
}

void mc_report_pair_pictures_deinit(mc_report_pair_pictures *pictures) {
    for (uint32_t show = 0; show < MC_PAIR_BOTH; show++)
        deinit_picture(&pictures->items[show]);
}

void mc_report_pictures_deinit(mc_report_pictures *pictures) {
    for (uint32_t i = 0; i < MC_REPORT_PICTURE_COUNT; i++)
        deinit_picture(&pictures->items[i]);
    deinit_picture(&pictures->walk);
}
