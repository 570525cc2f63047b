// jfr_recording.h - has a running JVM record itself (JFR), and takes the recording.
//
// The JVM's own jcmd starts a recording, dumps it with the references that hold old objects, and
// stops it, whatever happens meanwhile. The file comes by way of a folder that only the program's
// user can enter (dump_place.h). Threads: the main thread.
#pragma once
#include "engine/base/base.h"

typedef struct mc_jfr_recording_desc {
    uint32_t pid;
    const char *output;    // the file
    const char *jcmd;      // NULL: to be found
    const char *temporary; // the folder into which the JVM writes
    int64_t duration_ms;   // -1: until the user ends it
    uint64_t timeout_ms;   // of a request
    bool is_quiet;
} mc_jfr_recording_desc;

// Returns the exit code.
int mc_jfr_recording_run(const mc_jfr_recording_desc *desc);
