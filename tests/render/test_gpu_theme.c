// The themes' colours, as people with the three colour vision deficiencies see them.
#include "engine/scene/theme.h"
#include "tests/test.h"

// Machado, Oliveira, Fernandes, "A Physiologically-based Model for Simulation of Color Vision
// Deficiency", 2009: full severity, linear light, rows. The first is normal vision.
static const double visions[4][3][3] = {
    {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
    {{0.152286, 1.052583, -0.204868},
     {0.114503, 0.786281, 0.099216},
     {-0.003882, -0.048116, 1.051998}},
    {{0.367322, 0.860646, -0.227968},
     {0.280085, 0.672501, 0.047413},
     {-0.011820, 0.042940, 0.968881}},
    {{1.255528, -0.076749, -0.178779},
     {-0.078411, 0.930809, 0.147602},
     {0.004733, 0.691367, 0.303900}},
};

typedef struct lab {
    double l, a, b;
} lab;

static double decode(double c) {
    return c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
}

static double lab_curve(double t) {
    return t > 216.0 / 24389.0 ? cbrt(t) : (24389.0 / 27.0 * t + 16.0) / 116.0;
}

// CIELAB of an encoded colour as a vision sees it, white D65.
static lab see(const float color[3], int vision) {
    double linear[3], seen[3];
    for (int i = 0; i < 3; i++)
        linear[i] = decode((double)color[i]);
    for (int i = 0; i < 3; i++) {
        const double *row = visions[vision][i];
        double sum = row[0] * linear[0] + row[1] * linear[1] + row[2] * linear[2];
        seen[i] = sum < 0.0 ? 0.0 : sum > 1.0 ? 1.0 : sum;
    }
    double x = 0.4124 * seen[0] + 0.3576 * seen[1] + 0.1805 * seen[2];
    double y = 0.2126 * seen[0] + 0.7152 * seen[1] + 0.0722 * seen[2];
    double z = 0.0193 * seen[0] + 0.1192 * seen[1] + 0.9505 * seen[2];
    double fx = lab_curve(x / 0.9505), fy = lab_curve(y), fz = lab_curve(z / 1.089);
    return (lab){116.0 * fy - 16.0, 500.0 * (fx - fy), 200.0 * (fy - fz)};
}

static double differ(lab p, lab q) {
    return sqrt((p.l - q.l) * (p.l - q.l) + (p.a - q.a) * (p.a - q.a) + (p.b - q.b) * (p.b - q.b));
}

static void get_gradient(const mc_theme *theme, double at, float color[3]) {
    int low = at < 0.5 ? 0 : 1;
    float t = (float)(at * 2.0 - low);
    for (int i = 0; i < 3; i++)
        color[i] = theme->gradient[low][i] * (1.0f - t) + theme->gradient[low + 1][i] * t;
}

static void test_theme(bool dark, mc_palette palette) {
    mc_theme theme = mc_theme_get(dark, palette);
    for (int vision = 0; vision < 4; vision++) {
        bool safe = palette == MC_PALETTE_COLOR_BLIND_SAFE;
        if (vision > 0 && !safe) continue;
        double last = see(theme.gradient[0], vision).l, direction = dark ? 1.0 : -1.0;
        for (int i = 1; i <= 16 && safe; i++) {
            float color[3];
            get_gradient(&theme, i / 16.0, color);
            double l = see(color, vision).l;
            CHECK_MSG((l - last) * direction > 0.8, "lightness %g after %g, vision %d, step %d", l,
                      last, vision, i);
            last = l;
        }
        // No growth, medium, strong, the selection's rim and the districts are told apart.
        const float *colors[] = {theme.gradient[0],   theme.gradient[1],
                                 theme.gradient[2],   theme.selection_outline,
                                 theme.district_root, theme.district_deepest};
        for (int i = 0; i < 4; i++)
            for (int j = i + 1; j < 6; j++) {
                double difference = differ(see(colors[i], vision), see(colors[j], vision));
                CHECK_MSG(difference > 15.0, "colours %d and %d: %g (dark %d, vision %d)", i, j,
                          difference, dark, vision);
            }
        CHECK(see(theme.district_root, vision).l + 25.0 < see(theme.district_deepest, vision).l);
    }
}

// Of two traces: the same, grew, shrank, new and gone are told apart, by all eyes where the palette
// is made for them.
static void test_differences(bool dark, mc_palette palette) {
    mc_theme theme = mc_theme_get(dark, palette);
    const float *colors[] = {theme.gradient[0], theme.gradient[2], theme.shrinking[1],
                             theme.new_color, theme.gone_color};
    for (int vision = 0; vision < (palette == MC_PALETTE_COLOR_BLIND_SAFE ? 4 : 1); vision++)
        for (int i = 0; i < 5; i++)
            for (int j = i + 1; j < 5; j++) {
                double difference = differ(see(colors[i], vision), see(colors[j], vision));
                CHECK_MSG(difference > 15.0, "differences %d and %d: %g (dark %d, vision %d)", i, j,
                          difference, dark, vision);
            }
}

static void test_apply(void) {
    mc_theme theme = mc_theme_get(false, MC_PALETTE_HEAT);
    mc_update_params params = {.building_count = 7};
    mc_theme_apply(&theme, &params);
    CHECK(params.building_count == 7);
    CHECK(params.gradient[2].r == theme.gradient[2][0] && params.gradient[2].opacity == 1.0f);
}

int main(void) {
    for (int palette = 0; palette < MC_PALETTE_COUNT; palette++) {
        test_theme(false, (mc_palette)palette);
        test_theme(true, (mc_palette)palette);
        test_differences(false, (mc_palette)palette);
        test_differences(true, (mc_palette)palette);
    }
    test_apply();
    return test_finish();
}
