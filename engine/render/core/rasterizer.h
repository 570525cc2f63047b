// rasterizer.h - what may draw boxes: the triangle hardware or a compute shader.
#pragma once

typedef enum mc_rasterizer {
    MC_RASTERIZER_AUTO,    // whatever is faster for the city
    MC_RASTERIZER_RASTER,  // the triangle hardware alone
    MC_RASTERIZER_COMPUTE, // the compute rasteriser wherever it is possible: with one sample a
                           // pixel, on a device with 64-bit atomics
} mc_rasterizer;
