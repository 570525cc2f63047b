#include "app/picture/film.h"
#include "app/picture/flat_of_picture.h"
#include "app/picture/flat_stage.h"
#include "app/picture/stage_options.h"
#include <string.h>

#define PI 3.14159265358979323846
#define FILM_SAMPLES 8 // a pixel: what moves needs fewer than a picture

// What follows an option; NULL: it is not said.
static const char *find_value(const char *option, int argc, const char **argv) {
    const char *value = NULL;
    size_t size = strlen(option);
    for (int i = 0; i < argc && strcmp(argv[i], "--") != 0; i++) {
        if (strcmp(argv[i], option) == 0)
            value = i + 1 < argc ? argv[i + 1] : NULL;
        else if (strncmp(argv[i], option, size) == 0 && argv[i][size] == '=')
            value = argv[i] + size + 1;
    }
    return value;
}

// ---- sunbursts and icicles

typedef struct tree_film {
    mc_flat_stage stage;
    bool has_step, is_drawn; // the picture is what the step looks like at rest
} tree_film;

static int set_tree_step(void *user, uint32_t step) {
    tree_film *film = user;
    int code = mc_flat_stage_set_step(&film->stage, step, film->has_step);
    film->has_step = true;
    film->is_drawn = false;
    return code;
}

static int draw_tree(void *user, double blend, const uint8_t **rgba) {
    tree_film *film = user;
    int code = MC_EXIT_OK;
    if (!film->is_drawn) {
        film->stage.blend = blend;
        mc_flat_stage_put_picture(&film->stage, false);
        code = mc_flat_stage_render(&film->stage);
    }
    film->is_drawn = blend >= 1;
    *rgba = film->stage.pixels;
    return code;
}

static int make_tree_video(tree_film *tree, const mc_film *film) {
    mc_film_subject subject = {.user = tree,
                               .window = tree->stage.desc.window,
                               .width = tree->stage.width,
                               .height = tree->stage.height,
                               .set_step = set_tree_step,
                               .draw = draw_tree};
    return mc_film_make(film, &subject);
}

// Of a view.
static int make_tree_video_of(const mc_stage_options *options, const mc_film *film,
                              const char *const *paths, uint32_t path_count) {
    mc_flat_of_picture flat;
    tree_film tree = {0};
    int code = mc_flat_of_picture_init(&flat, &options->picture, options->size);
    if (code == MC_EXIT_OK)
        code = mc_flat_stage_init(&tree.stage, &flat.options, paths, path_count, &options->input);
    if (code == MC_EXIT_OK) code = make_tree_video(&tree, film);
    mc_flat_stage_deinit(&tree.stage);
    return code;
}

static int check_tree(const mc_film *film, const mc_flat_options *options) {
    uint32_t width, height;
    int code = mc_film_check(film);
    if (code == MC_EXIT_OK) code = mc_stage_check_size(options->size, &width, &height);
    return code == MC_EXIT_OK ? mc_film_check_size(width, height) : code;
}

static int run_tree(int argc, const char **argv) {
    mc_film film = {.step_duration_s = MC_FILM_STEP_DURATION_S};
    mc_flat_options options = mc_flat_options_default();
    mc_input_options input = {0};
    mc_option_list list = {0};
    mc_option_list_add_film(&list, &film);
    mc_option_list_add_flat_picture(&list, &options);
    mc_option_list_add_flat(&list, "as", &options);
    mc_option_list_add_input(&list, &input);
    uint32_t path_count;
    int code;
    if (!mc_command_begin(&list,
                          "memcity video TRACE… --as sunburst|icicle|icicle-down -o FILE.mp4 "
                          "[--size WxH] [--step-duration S] [options]",
                          "Writes a video of a sunburst or icicle, step by step; needs no display, "
                          "but the ffmpeg program.",
                          argc, argv, &path_count, &code))
        return code;
    code = check_tree(&film, &options);
    if (code != MC_EXIT_OK) return code;
    tree_film tree = {0};
    mc_command_catch_interrupts(); // no encoder and nothing half-written stays
    code = mc_flat_stage_init(&tree.stage, &options, argv, path_count, &input);
    if (code == MC_EXIT_OK) code = make_tree_video(&tree, &film);
    mc_flat_stage_deinit(&tree.stage);
    return code;
}

// ---- the city

typedef struct city_film {
    mc_stage stage;
    double turn_rad; // of the camera around the city, a frame
} city_film;

static int set_city_step(void *user, uint32_t step) {
    city_film *film = user;
    return mc_stage_set_step(&film->stage, step);
}

static int draw_city(void *user, double blend, const uint8_t **rgba) {
    city_film *film = user;
    int code = mc_stage_draw(&film->stage, (float)blend);
    mc_stage_turn(&film->stage, film->turn_rad);
    *rgba = film->stage.pixels;
    return code;
}

static int make_city_video(city_film *city, const mc_film *film, double turn_deg) {
    mc_film_subject subject = {.user = city,
                               .window = city->stage.city->desc.window,
                               .width = city->stage.width,
                               .height = city->stage.height,
                               .set_step = set_city_step,
                               .draw = draw_city};
    uint64_t frame_count = mc_film_get_frame_count(film, subject.window);
    city->turn_rad = turn_deg * PI / 180.0 / (double)frame_count;
    return mc_film_make(film, &subject);
}

static int run_city(int argc, const char **argv) {
    uint32_t width = 0, height = 0;
    double turn_deg = 0;
    mc_film film = {.step_duration_s = MC_FILM_STEP_DURATION_S};
    mc_stage_options options;
    mc_stage_options_init(&options, 1280, 720);
    options.view.step_duration_s = &film.step_duration_s;
    options.picture.samples = FILM_SAMPLES;
    mc_option_list list = {0};
    mc_option_list_add_film(&list, &film);
    mc_option_list_add_size(&list, "size", options.size, "of the picture, even numbers (1280x720)");
    mc_option_list_add_double(&list, "turn", &turn_deg, "DEG",
                              "angle by which the camera orbits the city (0)");
    mc_option_list_add_choice(
        &list, "as", &options.picture.settings.view, mc_picture_view_names, "V",
        "visualization; all but the city take the options of memcity tree unless --view is given, "
        "see video --as sunburst --help (city, or that of the view)");
    mc_option_list_add_stage(&list, &options);
    uint32_t path_count;
    const char *const *paths;
    int code;
    city_film city = {0};
    mc_view_option_usage usage = {
        .list = &list,
        .synopsis = "memcity video TRACE… -o FILE.mp4 [--size WxH] [--step-duration S] [options]\n"
                    "       memcity video TRACE… --as sunburst|icicle -o FILE.mp4 [options of "
                    "tree]\n"
                    "       memcity video --view FILE -o FILE.mp4 [TRACE…] [options]",
        .text =
            "Writes a video of the city, a sunburst or an icicle, step by step; needs no display, "
            "but the\nffmpeg program. Use --labels --legend to draw it as the window shows it.",
        .least_path_count = 1};
    if (!mc_view_option_begin(&options.view, &usage, argc, argv, &paths, &path_count, &code))
        goto end;
    code = mc_film_check(&film);
    if (code == MC_EXIT_OK) code = mc_stage_options_check(&options, &width, &height);
    if (code == MC_EXIT_OK) code = mc_film_check_size(width, height);
    if (code != MC_EXIT_OK) goto end;

    mc_command_catch_interrupts(); // no encoder and nothing half-written stays
    if (options.picture.settings.view != 0) {
        code = make_tree_video_of(&options, &film, paths, path_count);
        goto end;
    }
    code = mc_stage_open(&city.stage, &options, paths, path_count, width, height);
    if (code == MC_EXIT_OK) code = make_city_video(&city, &film, turn_deg);
end:
    mc_stage_deinit(&city.stage);
    mc_stage_options_deinit(&options);
    return code;
}

// Trees have options of their own, some of the same names; a view has what it takes for both.
int mc_command_video(int argc, const char **argv) {
    const char *form = find_value("--as", argc, argv);
    bool has_view = find_value("--view", argc, argv) != NULL;
    for (size_t i = 1; form && !has_view && mc_picture_view_names[i]; i++)
        if (strcmp(form, mc_picture_view_names[i]) == 0) return run_tree(argc, argv);
    return run_city(argc, argv);
}
