#include "app/picture/film.h"
#include "app/picture/stage_options.h"
#include <string.h>

#define PI 3.14159265358979323846
#define FILM_SAMPLES 8 // a pixel: what moves needs fewer than a picture
#define FILM_RAYS 8u   // of light, likewise

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

typedef struct shooting {
    mc_stage stage;
    double turn_rad; // of the camera around the city, a frame
} shooting;

static int set_step(void *user, uint32_t step) {
    shooting *self = user;
    return mc_stage_set_step(&self->stage, step);
}

static int draw(void *user, double blend, const uint8_t **rgba) {
    shooting *self = user;
    int code = mc_stage_draw(&self->stage, blend);
    if (self->turn_rad != 0) mc_stage_turn(&self->stage, self->turn_rad);
    *rgba = self->stage.pixels;
    return code;
}

static int make_video(mc_stage_options *options, const mc_film *film, const char *const *paths,
                      uint32_t path_count, double turn_deg) {
    uint32_t width, height;
    shooting self = {.turn_rad = 0};
    int code = mc_film_check(film);
    if (code == MC_EXIT_OK) code = mc_stage_options_check(options, &width, &height);
    if (code == MC_EXIT_OK) code = mc_film_check_size(width, height);
    if (code != MC_EXIT_OK) return code;
    mc_command_catch_interrupts(); // no encoder and nothing half-written stays
    code = mc_stage_open(&self.stage, options, paths, path_count, width, height);
    if (code == MC_EXIT_OK) {
        if (self.stage.city) mc_renderer_set_effort(self.stage.renderer, 1, FILM_RAYS);
        mc_film_subject subject = {.user = &self,
                                   .window = self.stage.layout.window,
                                   .width = width,
                                   .height = height,
                                   .set_step = set_step,
                                   .draw = draw};
        uint64_t frame_count = mc_film_get_frame_count(film, subject.window);
        if (self.stage.city) self.turn_rad = turn_deg * PI / 180.0 / (double)frame_count;
        code = mc_film_make(film, &subject);
    }
    mc_stage_deinit(&self.stage);
    return code;
}

static int run_tree(int argc, const char **argv) {
    mc_film film = {.step_duration_s = MC_FILM_STEP_DURATION_S};
    mc_stage_options options;
    mc_option_list list = {0};
    mc_stage_options_init_flat(&options, MC_FLAT_SUNBURST);
    mc_option_list_add_film(&list, &film);
    mc_option_list_add_flat_picture(&list, &options);
    mc_option_list_add_flat(&list, "as", &options);
    mc_option_list_add_input(&list, &options.input);
    uint32_t path_count;
    int code;
    if (!mc_command_begin(&list,
                          "memcity video TRACE… --as sunburst|icicle|icicle-down -o FILE.mp4 "
                          "[--size WxH] [--step-duration S] [options]",
                          "Writes a video of a sunburst or icicle, step by step; needs no display, "
                          "but the ffmpeg program.",
                          argc, argv, &path_count, &code))
        return code;
    return make_video(&options, &film, argv, path_count, 0);
}

static int run_any(int argc, const char **argv) {
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
    code = make_video(&options, &film, paths, path_count, turn_deg);
end:
    mc_stage_options_deinit(&options);
    return code;
}

// Trees have options of their own, some of the same names; a view has what it takes for both.
int mc_command_video(int argc, const char **argv) {
    const char *form = find_value("--as", argc, argv);
    bool has_view = find_value("--view", argc, argv) != NULL;
    for (size_t i = 1; form && !has_view && mc_picture_view_names[i]; i++)
        if (strcmp(form, mc_picture_view_names[i]) == 0) return run_tree(argc, argv);
    return run_any(argc, argv);
}
