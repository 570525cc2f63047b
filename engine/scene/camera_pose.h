// camera_pose.h - the pose of a camera in plain numbers, as it is stored. See camera.h.
//
// Read by C and C++ alike.
#pragma once

typedef struct mc_camera_pose {
    double target[3];
    double distance; // from the eye to the target, > 0
    double azimuth_rad, elevation_rad;
} mc_camera_pose;

// An axis-aligned box.
typedef struct mc_camera_bounds {
    double min[3], max[3];
} mc_camera_bounds;

// The picture in pixels, and what is covered at its sides.
typedef struct mc_camera_viewport {
    double width, height;
    double left, top, right, bottom;
} mc_camera_viewport;
