// heaptrack_import.h - imports recordings of heaptrack: a file is a series of steps.
#pragma once
#include "engine/import/stacks/film_import.h"

extern const mc_film_reader mc_heaptrack_film;
extern const mc_format mc_heaptrack_format;
