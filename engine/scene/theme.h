// theme.h - the colours of the picture, sRGB-encoded 0 to 1.
#pragma once
#include "shaders/shared/city_types.h"
#include <stdbool.h>

typedef enum mc_palette {
    MC_PALETTE_HEAT,
    MC_PALETTE_COLOR_BLIND_SAFE,
    MC_PALETTE_COUNT
} mc_palette;

typedef struct mc_theme {
    bool dark;
    float background_top[3], background_bottom[3];
    float district_root[3], district_deepest[3]; // dark blue to light blue, by level
    // Of methods: packages, by level, and the blocks of their classes.
    float package_root[3], package_deepest[3], block[3];
    float gradient[3][3];  // buildings: no growth, medium, strong
    float solid[3];        // instead of the gradient's first colour where buildings are solid
    float shrinking[2][3]; // medium, strong; apart from growth for all eyes
    float new_color[3], gone_color[3]; // what one of two traces alone has; apart from all of these
    float
        unknown[3]; // what is not known: none of the gradient's, neither gray nor a district's blue
    float selection_outline[3], hover_outline[3]; // rims; faces keep their colour
    float frustums[MC_FRUSTUM_KIND_COUNT][3];
    float categories[MC_CLASS_COUNT][3]; // of classes without an order, safe for colour-blind eyes
    float levels[MC_CLASS_COUNT][3];     // of classes in an order: from the first to the last
    float shadow;                        // opacity of the shadows around buildings' feet, 0: none
} mc_theme;

mc_theme mc_theme_get(bool dark, mc_palette palette);

// How far two colours are apart in lightness, 1 to 21 (WCAG 2.1).
float mc_theme_get_contrast(const float a[3], const float b[3]);

// Text has at least so much contrast with what is behind it.
#define MC_THEME_LEAST_CONTRAST 4.5f

// The colour of text without a plate on a surface of which shadows leave at least `least_light`:
// the theme's own ink or the other one. False: neither has enough contrast; `ink` is then the one
// that has more.
bool mc_theme_choose_ink(const mc_theme *theme, const float surface[3], float least_light,
                         float ink[3]);

// RGBA8, R in the lowest byte, of a color from 0 to 1, which is clamped.
uint32_t mc_theme_pack(const float color[3], uint32_t alpha);

// Likewise the colour of what grew by `share` of the largest growth, which is clamped to 0 to 1.
uint32_t mc_theme_pack_growth(const mc_theme *theme, double share);

// Puts the theme's building colours into `params`.
void mc_theme_apply(const mc_theme *theme, mc_update_params *params);
