#include "app/window/icon.h"

#include <assert.h>
#include <math.h>
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

enum { POLYGON_COUNT = sizeof polygons / sizeof *polygons };

typedef struct bounds {
    float low[2], high[2];
} bounds;

static bounds get_bounds(const polygon *p) {
    bounds b = {{p->corners[0][0], p->corners[0][1]}, {p->corners[0][0], p->corners[0][1]}};
    for (uint32_t i = 1; i < p->count; i++)
        for (uint32_t k = 0; k < 2; k++) {
            b.low[k] = fminf(b.low[k], p->corners[i][k]);
            b.high[k] = fmaxf(b.high[k], p->corners[i][k]);
        }
    return b;
}

static bool contains(const polygon *p, float x, float y) {
    bool is_inside = false;
    for (uint32_t i = 0, k = p->count - 1; i < p->count; k = i++) {
        const float *a = p->corners[i], *b = p->corners[k];
        if ((a[1] > y) != (b[1] > y) && x < (b[0] - a[0]) * (y - a[1]) / (b[1] - a[1]) + a[0])
            is_inside = !is_inside;
    }
    return is_inside;
}

// Those that a row of samples may meet, the uppermost first.
static uint32_t list_met(const bounds *of_polygons, float y, uint8_t met[POLYGON_COUNT]) {
    uint32_t count = 0;
    for (uint32_t i = POLYGON_COUNT; i-- > 0;)
        if (y >= of_polygons[i].low[1] && y <= of_polygons[i].high[1]) met[count++] = (uint8_t)i;
    return count;
}

typedef struct sums {
    uint32_t color[3], hits;
} sums;

static void add_row(const bounds *of_polygons, float y, float step, uint32_t size, sums *row) {
    uint8_t met[POLYGON_COUNT];
    uint32_t count = list_met(of_polygons, y, met);
    for (uint32_t column = 0; column < size * SAMPLES; column++) {
        float x = ((float)column + 0.5f) * step;
        for (uint32_t i = 0; i < count; i++) {
            const bounds *box = &of_polygons[met[i]];
            const polygon *p = &polygons[met[i]];
            if (x < box->low[0] || x > box->high[0] || !contains(p, x, y)) continue;
            sums *pixel = &row[column / SAMPLES];
            for (uint32_t c = 0; c < 3; c++)
                pixel->color[c] += p->color >> (16 - 8 * c) & 0xff;
            pixel->hits++;
            break;
        }
    }
}

void mc_icon_draw(uint32_t size, uint8_t *rgba) {
    assert(size > 0 && size <= MC_ICON_SIZE_MOST);
    float step = SIDE / (float)(size * SAMPLES);
    bounds of_polygons[POLYGON_COUNT];
    for (uint32_t i = 0; i < POLYGON_COUNT; i++)
        of_polygons[i] = get_bounds(&polygons[i]);
    for (uint32_t y = 0; y < size; y++) {
        sums row[MC_ICON_SIZE_MOST] = {0};
        for (uint32_t s = 0; s < SAMPLES; s++)
            add_row(of_polygons, ((float)(y * SAMPLES + s) + 0.5f) * step, step, size, row);
        for (uint32_t x = 0; x < size; x++, rgba += 4) {
            uint32_t hits = row[x].hits;
            for (uint32_t c = 0; c < 3; c++)
                rgba[c] = (uint8_t)(hits > 0 ? row[x].color[c] / hits : 0);
            rgba[3] = (uint8_t)(hits * 255 / (SAMPLES * SAMPLES));
        }
    }
}
