#include "app/picture/stage_city.h"

#include "app/session/pictured.h"
#include "app/session/walk.h"
#include "app/views/city/city_framing.h"

#define WALK_SHARE 0.14 // of the picture's height

// The first that is selected; MC_NONE: nothing that the city shows.
static uint32_t get_selected(const mc_stage *stage) {
    uint32_t node = mc_selection_get(&stage->selection);
    if (node == MC_NONE) return MC_NONE;
    return mc_city_get_node(stage->city, mc_city_find_node(stage->city, node));
}

// A view that was saved of another trace is no mistake.
static int check_streets(const mc_stage *stage) {
    const mc_picture_options *picture = stage->picture;
    if (!picture->settings.look.streets || picture->is_lenient) return MC_EXIT_OK;
    if (picture->walk) return mc_command_wrong_usage("--walk: without --streets");
    if (get_selected(stage) == MC_NONE)
        return mc_command_wrong_usage("--streets: say of what with --select KEY");
    if (!mc_trace_has_paths(stage->trace))
        mc_message_warn("the trace has no retaining paths: import its heap dumps with --paths");
    return MC_EXIT_OK;
}

static int find_demolished(mc_stage *stage) {
    const mc_option_texts *keys = &stage->picture->demolished;
    for (uint32_t i = 0; stage->desc.input && i < keys->count; i++) {
        uint32_t node;
        int code = mc_command_find_node(stage->trace, "--demolish", keys->items[i], &node);
        if (code != MC_EXIT_OK) return code;
        if (!mc_selection_add(&stage->demolished, node))
            return mc_command_wrong_usage("--demolish: %d at most; name the district around them",
                                          MC_SELECTION_CAPACITY);
    }
    return MC_EXIT_OK;
}

static void tell_walk(const mc_stage *stage) {
    const mc_walk *walk = mc_session_get_walk(stage->session);
    if (walk->count == 0)
        mc_message_warn("nothing grew, there is nowhere to walk");
    else if (walk->end == MC_WALK_END_NO_MAP)
        mc_message_warn("step %u has no references to walk along", walk->desc.step);
}

static int check_references(const mc_stage *stage) {
    if (get_selected(stage) == MC_NONE)
        return mc_command_wrong_usage("--refs: say of what with --select KEY");
    if (!mc_trace_has_references(stage->trace)) mc_message_warn("the trace has no references");
    return MC_EXIT_OK;
}

static int find_highlights(mc_stage *stage) {
    const mc_picture_options *picture = stage->picture;
    mc_style_mapping mapping;
    int code = mc_stage_find_selection(stage);
    if (code == MC_EXIT_OK)
        code = mc_picture_find_mapping(picture, stage->trace, stage->layout.metric, &mapping);
    if (code == MC_EXIT_OK) code = check_streets(stage);
    if (code == MC_EXIT_OK) code = find_demolished(stage);
    if (code == MC_EXIT_OK && picture->walk)
        mc_session_walk_from(stage->session, get_selected(stage));
    if (code == MC_EXIT_OK) code = mc_stage_rest(stage);
    if (code == MC_EXIT_OK && picture->walk) tell_walk(stage);
    if (code == MC_EXIT_OK) code = mc_stage_check_search(stage);
    if (code == MC_EXIT_OK && picture->references > 0) code = check_references(stage);
    return code;
}

// Where to look from, once it is known where GC roots are.
static int place_camera(mc_stage *stage) {
    const mc_settings *settings = &stage->picture->settings;
    mc_camera *camera = &stage->city_view->camera;
    mc_error error = {0};
    mc_session_prepare_picture(stage->session, 1);
    mc_camera_bounds world = mc_camera_bounds_of_city(stage->city);
    mc_camera_viewport viewport = {.width = stage->width, .height = stage->height};
    // What joins the stops of a walk rises above the highest roof.
    if (stage->picture->walk) viewport.top = WALK_SHARE * viewport.height;
    mc_camera_init(camera, &world, viewport);
    mc_city_view_let_go(stage->city_view);
    const char *place = stage->picture->camera;
    if (!place && !settings->is_home)
        mc_camera_set_pose(camera, &settings->pose);
    else if (mc_camera_parse(camera, stage->city, place ? place : "city", &error) != MC_OK)
        return mc_command_wrong_usage("--camera: %s", error.message);
    return MC_EXIT_OK;
}

int mc_stage_begin_city(mc_stage *stage) {
    stage->city_view = mc_city_view_of(stage->session->view);
    stage->city = stage->city_view->city;
    mc_command_tell_hidden(stage->city->hidden_leaf_count, stage->city->hidden_share);
    int code = find_highlights(stage);
    return code == MC_EXIT_OK ? place_camera(stage) : code;
}
