// remote_tab.h - one of the tabs of a server of traces, as it is shown to who chooses.
#pragma once
#include "engine/base/base.h"

#define MC_REMOTE_TAB_NAME_SIZE 120

typedef struct mc_remote_tab {
    int32_t id;
    char name[MC_REMOTE_TAB_NAME_SIZE]; // printable; may be empty
} mc_remote_tab;
