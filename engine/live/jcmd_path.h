// jcmd_path.h - which jcmd is run to ask a JVM.
//
// That of the target's own JDK is the best one, for another may not understand it. But where it
// lies is what the target says, so it is run only if that can't be used against whoever asks: the
// target is ours, sees the files that we see, and nobody else can change the JDK. Else it is that
// of JAVA_HOME, or of PATH. Threads: any.
#pragma once
#include "engine/base/base.h"

#define MC_JCMD_REASON_SIZE 512

// `library`: the target's libjvm.so, as the target names it. `*path` is the caller's, to free with
// mc_free(). `reason` says why it is not that of the target's JDK, if there is one, else it is "".
// MC_ERROR_UNSUPPORTED: there is none that may be run.
mc_result mc_jcmd_find(uint32_t pid, const char *library, char **path,
                       char reason[MC_JCMD_REASON_SIZE], mc_error *error);
