#include "engine/scene/theme.h"

#include <math.h>
#include <string.h>

// No growth, medium, strong; for the light theme and the dark one. The gray stays apart from the
// districts' blue and never outshines what grows. The second palette changes its lightness in one
// direction all the way, away from the background, and leaves out the red-green pair.
static const float gradients[2][MC_PALETTE_COUNT][3][3] = {
    {
        [MC_PALETTE_HEAT] = {{0.83f, 0.83f, 0.82f}, {0.97f, 0.60f, 0.16f}, {0.83f, 0.12f, 0.10f}},
        [MC_PALETTE_COLOR_BLIND_SAFE] = {{0.88f, 0.87f, 0.84f},
                                         {0.93f, 0.66f, 0.13f},
                                         {0.44f, 0.10f, 0.05f}},
    },
    {
        [MC_PALETTE_HEAT] = {{0.70f, 0.70f, 0.70f}, {0.98f, 0.60f, 0.16f}, {0.88f, 0.14f, 0.11f}},
        [MC_PALETTE_COLOR_BLIND_SAFE] = {{0.46f, 0.46f, 0.48f},
                                         {0.90f, 0.56f, 0.20f},
                                         {1.00f, 0.91f, 0.45f}},
    },
};

// Instead of no growth where buildings are solid: a warm off-white.
static const float solid_colors[2][MC_PALETTE_COUNT][3] = {
    {[MC_PALETTE_HEAT] = {0.925f, 0.900f, 0.860f},
     [MC_PALETTE_COLOR_BLIND_SAFE] = {0.925f, 0.900f, 0.860f}},
    {[MC_PALETTE_HEAT] = {0.640f, 0.620f, 0.590f},
     [MC_PALETTE_COLOR_BLIND_SAFE] = {0.470f, 0.455f, 0.430f}},
};

// Medium, strong: away from the gray as growth is, in the one hue that no deficiency takes for it,
// and darker or lighter than the districts' blue.
static const float shrinking_colors[2][2][3] = {{{0.30f, 0.58f, 0.78f}, {0.03f, 0.25f, 0.55f}},
                                                {{0.45f, 0.72f, 0.92f}, {0.25f, 0.85f, 1.00f}}};

// Incoming, outgoing, chain, from a root, streets, new ones; for the light theme and the dark one.
static const float frustum_colors[2][MC_FRUSTUM_KIND_COUNT][3] = {
    {{0.51f, 0.20f, 0.78f},
     {0.06f, 0.58f, 0.36f},
     {0.80f, 0.08f, 0.47f},
     {0.72f, 0.45f, 0.02f},
     {0.23f, 0.26f, 0.33f},
     {0.93f, 0.55f, 0.02f}},
    {{0.74f, 0.52f, 1.00f},
     {0.28f, 0.82f, 0.56f},
     {1.00f, 0.42f, 0.72f},
     {0.96f, 0.74f, 0.28f},
     {0.78f, 0.82f, 0.90f},
     {1.00f, 0.74f, 0.22f}},
};

// Eight hues that stay apart for all three colour deficiencies (Okabe and Ito, "Color Universal
// Design", 2008; black replaced by gray). The first ones are none of growth's.
static const float category_colors[MC_CLASS_COUNT][3] = {
    {0.000f, 0.620f, 0.451f}, {0.941f, 0.894f, 0.259f}, {0.800f, 0.475f, 0.655f},
    {0.337f, 0.706f, 0.914f}, {0.902f, 0.624f, 0.000f}, {0.000f, 0.447f, 0.698f},
    {0.835f, 0.369f, 0.000f}, {0.600f, 0.600f, 0.600f}};

// New, gone; for the light theme and the dark one, whose gray is as light as the others seem to who
// lacks green.
static const float apart_colors[2][2][3] = {{{0.000f, 0.620f, 0.451f}, {0.800f, 0.475f, 0.655f}},
                                            {{0.080f, 0.590f, 0.380f}, {0.860f, 0.510f, 0.700f}}};

// From light to dark in equal steps, through hues that no deficiency confuses.
static const float level_colors[MC_CLASS_COUNT][3] = {
    {0.960f, 0.910f, 0.690f}, {0.840f, 0.850f, 0.560f}, {0.650f, 0.790f, 0.530f},
    {0.430f, 0.710f, 0.560f}, {0.270f, 0.600f, 0.580f}, {0.200f, 0.480f, 0.560f},
    {0.210f, 0.350f, 0.500f}, {0.220f, 0.210f, 0.390f}};

mc_theme mc_theme_get(bool dark, mc_palette palette) {
    mc_theme theme = {
        .dark = dark,
        .background_top = {0.965f, 0.972f, 0.980f},
        .background_bottom = {0.855f, 0.875f, 0.900f},
        .district_root = {0.400f, 0.490f, 0.620f},
        .district_deepest = {0.720f, 0.820f, 0.920f},
        .package_root = {0.165f, 0.325f, 0.235f},
        .package_deepest = {0.655f, 0.815f, 0.640f},
        .block = {0.965f, 0.780f, 0.560f},
        .unknown = {0.52f, 0.49f, 0.60f},
        .selection_outline = {0.03f, 0.28f, 0.80f},
        .hover_outline = {0.13f, 0.17f, 0.24f},
        .shadow = 0.5f,
    };
    if (dark) {
        mc_theme night = {
            .dark = true,
            .background_top = {0.070f, 0.078f, 0.095f},
            .background_bottom = {0.145f, 0.160f, 0.190f},
            .district_root = {0.160f, 0.215f, 0.310f},
            .district_deepest = {0.380f, 0.480f, 0.600f},
            .package_root = {0.085f, 0.190f, 0.140f},
            .package_deepest = {0.330f, 0.510f, 0.370f},
            .block = {0.560f, 0.365f, 0.180f},
            .unknown = {0.36f, 0.33f, 0.44f},
            .selection_outline = {0.62f, 0.80f, 1.0f},
            .hover_outline = {0.93f, 0.95f, 0.98f},
            .shadow = 0.6f,
        };
        theme = night;
    }
    memcpy(theme.frustums, frustum_colors[dark], sizeof theme.frustums);
    memcpy(theme.categories, category_colors, sizeof theme.categories);
    memcpy(theme.levels, level_colors, sizeof theme.levels);
    memcpy(theme.gradient, gradients[dark][palette], sizeof theme.gradient);
    memcpy(theme.solid, solid_colors[dark][palette], sizeof theme.solid);
    memcpy(theme.shrinking, shrinking_colors[dark], sizeof theme.shrinking);
    memcpy(theme.new_color, apart_colors[dark][0], sizeof theme.new_color);
    memcpy(theme.gone_color, apart_colors[dark][1], sizeof theme.gone_color);
    return theme;
}

static float get_luminance(const float color[3], float light) {
    static const float weights[3] = {0.2126f, 0.7152f, 0.0722f};
    float sum = 0;
    for (int i = 0; i < 3; i++) {
        float c = color[i];
        c = c <= 0.04045f ? c / 12.92f : powf((c + 0.055f) / 1.055f, 2.4f);
        sum += weights[i] * c * light;
    }
    return sum;
}

static float get_ratio(float a, float b) {
    return (fmaxf(a, b) + 0.05f) / (fminf(a, b) + 0.05f);
}

float mc_theme_get_contrast(const float a[3], const float b[3]) {
    return get_ratio(get_luminance(a, 1), get_luminance(b, 1));
}

bool mc_theme_choose_ink(const mc_theme *theme, const float surface[3], float least_light,
                         float ink[3]) {
    static const float inks[2][3] = {{0.055f, 0.075f, 0.106f}, {1, 1, 1}};
    float found[2];
    for (int i = 0; i < 2; i++) {
        float own = get_luminance(inks[i], 1);
        found[i] = fminf(get_ratio(own, get_luminance(surface, 1)),
                         get_ratio(own, get_luminance(surface, least_light)));
    }
    int best = theme->dark;
    if (found[best] < MC_THEME_LEAST_CONTRAST && found[1 - best] > found[best]) best = 1 - best;
    memcpy(ink, inks[best], sizeof inks[best]);
    return found[best] >= MC_THEME_LEAST_CONTRAST;
}

uint32_t mc_theme_pack(const float color[3], uint32_t alpha) {
    uint32_t packed = alpha << 24;
    for (int i = 0; i < 3; i++)
        packed |= (uint32_t)lroundf(fminf(fmaxf(color[i], 0), 1) * 255) << (8 * i);
    return packed;
}

uint32_t mc_theme_pack_growth(const mc_theme *theme, double share) {
    float at = (float)fmin(fmax(share, 0), 1) * 2, mix = at <= 1 ? at : at - 1, color[3];
    const float *low = theme->gradient[at <= 1 ? 0 : 1], *high = theme->gradient[at <= 1 ? 1 : 2];
    for (int i = 0; i < 3; i++)
        color[i] = low[i] + (high[i] - low[i]) * mix;
    return mc_theme_pack(color, 255);
}

void mc_theme_apply(const mc_theme *theme, mc_update_params *params) {
    for (int i = 0; i < 3; i++) {
        const float *color = theme->gradient[i];
        params->gradient[i] = (mc_color){color[0], color[1], color[2], 1.0f};
    }
    for (int i = 0; i < 2; i++) {
        const float *color = theme->shrinking[i];
        params->shrinking[i] = (mc_color){color[0], color[1], color[2], 1.0f};
    }
    params->unknown_red = theme->unknown[0];
    params->unknown_green = theme->unknown[1];
    params->unknown_blue = theme->unknown[2];
}
