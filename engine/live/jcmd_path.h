// jcmd_path.h - chooses the jcmd to run for a JVM.
//
// The jcmd of the target's own JDK is best, because another one may not understand the JVM. But the
// target itself tells where its JDK lies, so that jcmd is run only if this can't be abused against
// the caller: the target belongs to our user and sees the same files, and nobody else can change
// the JDK. Otherwise it is the one of JAVA_HOME, or of PATH. Threads: any.
#pragma once
#include "engine/base/base.h"

#define MC_JCMD_REASON_SIZE 512

// `library`: the target's libjvm.so, as the target names it. `*path` is the caller's, to free with
// mc_free(). `reason` says why it is not that of the target's JDK, if there is one, else it is "".
// MC_ERROR_UNSUPPORTED: there is none that may be run.
mc_result mc_jcmd_find(uint32_t pid, const char *library, char **path,
                       char reason[MC_JCMD_REASON_SIZE], mc_error *error);
