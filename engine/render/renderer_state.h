// renderer_state.h - the state of a renderer; for the files of this folder only.
#pragma once
#include "engine/render/city/background_pass.h"
#include "engine/render/city/beacon_pass.h"
#include "engine/render/city/box_windows.h"
#include "engine/render/city/city_buffers.h"
#include "engine/render/city/city_pass.h"
#include "engine/render/city/cull_pass.h"
#include "engine/render/city/draw_lists.h"
#include "engine/render/city/frustum_pass.h"
#include "engine/render/city/glass_pass.h"
#include "engine/render/city/kept_boxes.h"
#include "engine/render/city/layer_pass.h"
#include "engine/render/city/light_pass.h"
#include "engine/render/city/outline_pass.h"
#include "engine/render/city/shadow_pass.h"
#include "engine/render/city/splat_pass.h"
#include "engine/render/city/style_buffers.h"
#include "engine/render/city/transition_buffer.h"
#include "engine/render/city/update_pass.h"
#include "engine/render/core/bindings.h"
#include "engine/render/core/enlarge_pass.h"
#include "engine/render/core/pace.h"
#include "engine/render/core/rasterizer.h"
#include "engine/render/core/refine_pass.h"
#include "engine/render/core/target.h"
#include "engine/render/core/ui_pass.h"
#include "engine/render/flat/flat_pass.h"

// What a frame of the window has drawn of the city.
typedef enum drawn_kind { DRAWN_NOT, DRAWN_WHOLE, DRAWN_HALF } drawn_kind;

// What of a scene is in the window's mean.
typedef struct still_picture {
    uint64_t key;    // of what was drawn last; see get_key()
    uint32_t rounds; // that are in the mean; 0: it was drawn, but not refined
} still_picture;

typedef struct mc_renderer {
    mc_gpu *gpu;
    uint32_t samples, rounds;
    uint32_t image_rounds, image_rays; // of the images of our own
    mc_rasterizer rasterizer;
    mc_frames frames;
    mc_bindings bindings;
    mc_box_windows windows;
    mc_buffer uniforms[2 * MC_FRAME_COUNT]; // as sets of bindings
    mc_buffer param_buffers[MC_FRAME_COUNT];
    mc_update_pass update;
    mc_splat_pass splat;
    mc_cull_pass cull;
    mc_glass_pass glass;
    mc_light_pass light;
    mc_layer_pass layers;
    mc_city_pass city;
    mc_background_pass background;
    mc_shadow_pass shadow;
    mc_frustum_pass frustum;
    mc_outline_pass outline;
    mc_beacon_pass beacon;
    mc_flat_pass flat;
    mc_refine_pass refine;
    mc_enlarge_pass enlarge;
    mc_ui_pass ui;
    mc_city_buffers buffers;
    mc_style_buffers styles;
    mc_transition_buffer transition;
    mc_buffer glass_boxes; // of the glass pass
    uint64_t glass_key;    // of the scene whose glass the boxes and kept lists have; 0: of none
    mc_draw_lists lists;
    mc_kept_boxes kept;
    mc_city_markers markers; // that are in the buffers
    mc_target window, image;
    mc_target half; // of the city, while the camera moves
    mc_pace pace;
    mc_moving moving;
    drawn_kind kinds[MC_FRAME_COUNT]; // by the frames in flight
    bool was_half;                    // the window's last frame
    still_picture still;
    bool can_refine; // the window shows a city
    // What the boxes on the GPU were made of.
    bool updated;
    bool is_settled; // what has the same count at both steps is as at rest, to the bit
    mc_update_params params;
    uint64_t counts_version, style_version;
} mc_renderer;
