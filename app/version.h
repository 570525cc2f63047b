// version.h - the version of the program.
#pragma once

extern const char mc_version[];
