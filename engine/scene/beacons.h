// beacons.h - columns of light over nodes of interest that are too small in the picture to be
// found: the selection, a walk's stops, the largest hits of a search, the nodes that grew the most.
//
// A beacon has the same size on the screen wherever it stands, and fades out as its building
// becomes large enough to be seen. Cost: that of the few nodes in the settings. Threads: any.
#pragma once
#include "engine/scene/labels.h"
#include "engine/scene/theme.h"

// For what names are wanted for. Of districts only the selection has one.
// `pixel_scale` as of the scene that they are drawn in.
void mc_beacons_fill(mc_beacons *beacons, const mc_label_scene *scene,
                     const mc_label_request *settings, const mc_theme *theme, float pixel_scale);
