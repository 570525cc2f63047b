#include "app/version.h"

const char mc_version[] = MC_VERSION;
