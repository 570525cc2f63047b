// memray_import.h - recordings of memray as an input format.
#pragma once
#include "engine/import/stacks/film_import.h"

extern const mc_film_reader mc_memray_film;
extern const mc_format mc_memray_format;
