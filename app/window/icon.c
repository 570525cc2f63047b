#include "app/window/icon.h"

#include <assert.h>
#include <string.h>

#define CORNERS_MOST 8
#define SIDE 128.0f // of the drawing
#define SAMPLES 3   // of a pixel, in each direction

typedef struct polygon {
    uint32_t color; // 0xrrggbb
    uint32_t count;
    float corners[CORNERS_MOST][2];
} polygon;

// The first one is at the bottom.
static const polygon polygons[] = {
#include "icon.inc"
};

static bool contains(const polygon *p, float x, float y) {
    bool is_inside = false;
    for (uint32_t i = 0, k = p->count - 1; i < p->count; k = i++) {
        const float *a = p->corners[i], *b = p->corners[k];
        if ((a[1] > y) != (b[1] > y) && x < (b[0] - a[0]) * (y - a[1]) / (b[1] - a[1]) + a[0])
            is_inside = !is_inside;
    }
    return is_inside;
}

// The uppermost one at a point; NULL: none.
static const polygon *find(float x, float y) {
    for (size_t i = sizeof polygons / sizeof *polygons; i-- > 0;)
        if (contains(&polygons[i], x, y)) return &polygons[i];
    return NULL;
}

void mc_icon_draw(uint32_t size, uint8_t *rgba) {
    assert(size > 0 && size <= MC_ICON_SIZE_MOST);
    float step = SIDE / (float)(size * SAMPLES);
    for (uint32_t pixel = 0; pixel < size * size; pixel++) {
        uint32_t sums[3] = {0}, hits = 0;
        for (uint32_t s = 0; s < SAMPLES * SAMPLES; s++) {
            uint32_t column = pixel % size * SAMPLES + s % SAMPLES;
            uint32_t row = pixel / size * SAMPLES + s / SAMPLES;
            float x = ((float)column + 0.5f) * step, y = ((float)row + 0.5f) * step;
            const polygon *p = find(x, y);
            if (!p) continue;
            hits++;
            for (uint32_t c = 0; c < 3; c++)
                sums[c] += p->color >> (16 - 8 * c) & 0xff;
        }
        for (uint32_t c = 0; c < 3; c++)
            rgba[4 * pixel + c] = (uint8_t)(hits > 0 ? sums[c] / hits : 0);
        rgba[4 * pixel + 3] = (uint8_t)(hits * 255 / (SAMPLES * SAMPLES));
    }
}
