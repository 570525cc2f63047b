// device_types.h - what every pipeline is told of the device; read by C and by GLSL alike.
#ifndef MC_DEVICE_TYPES_H
#define MC_DEVICE_TYPES_H

// Numbers of specialization constants; the passes' own are 0, 1, ...
#define MC_CONSTANT_READS_TEXELS 100 // bool: columns, see columns.glsl
#define MC_CONSTANT_SUBPIXELS 101    // float: steps of the triangle hardware's grid in a pixel
#define MC_DEVICE_CONSTANT_COUNT 2

#endif
