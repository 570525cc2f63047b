#include "app/views/views.h"

#include "app/views/city/city_view.h"
#include "app/views/flat/flat_view.h"

const mc_view_kind *const mc_views[] = {&mc_city_view_kind, &mc_sunburst_view_kind,
                                        &mc_icicle_view_kind, NULL};
