// remote_tab.h - a tab of a server of traces, as shown to the user for choosing one.
#pragma once
#include "engine/base/base.h"

#define MC_REMOTE_TAB_NAME_SIZE 120

typedef struct mc_remote_tab {
    int32_t id;
    char name[MC_REMOTE_TAB_NAME_SIZE]; // printable; may be empty
} mc_remote_tab;
