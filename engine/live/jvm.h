// jvm.h - a running Java program, and queries about its heap through its JDK's `jcmd`.
//
// Threads: the main thread.
#pragma once
#include "engine/live/child.h"
#include "engine/live/dump_place.h"
#include "engine/live/jcmd_path.h"

typedef struct mc_jvm {
    uint32_t pid;
    uint64_t start_ticks;                  // tells it from a later process with the same number
    char name[64];                         // of the program that runs, for messages
    char *jcmd;                            // path or name
    char jcmd_reason[MC_JCMD_REASON_SIZE]; // why it is not that of the program's JDK
    uint64_t timeout_ms;
    bool (*should_stop)(void);
} mc_jvm;

// `jcmd`: NULL: to be found (jcmd_path.h). MC_ERROR_UNSUPPORTED: there is no such process, it is no
// JVM (a request would kill it), or belongs to somebody else. The JVM is to be deinitialised in any
// case.
mc_result mc_jvm_init(mc_jvm *jvm, uint32_t pid, const char *jcmd, mc_error *error);
void mc_jvm_deinit(mc_jvm *jvm);

// Whether a process has a JVM's library, as one of Java has; its maps are read.
bool mc_jvm_has_library(uint32_t pid);

bool mc_jvm_is_alive(const mc_jvm *jvm);

// Puts the class histogram's text into `text`. With `all`, objects that nobody references count,
// too, and the JVM need not collect them first. MC_ERROR_IO: what jcmd said went wrong, or that it
// took too long; MC_ERROR_CANCELLED: should_stop() said so.
mc_result mc_jvm_read_histogram(const mc_jvm *jvm, bool all, mc_text *text, mc_error *error);

// Puts what the JVM answers to a command of jcmd, with an argument or NULL, into `text`. Errors as
// above; MC_ERROR_UNSUPPORTED: it does not know the command.
mc_result mc_jvm_ask(const mc_jvm *jvm, const char *command, const char *argument, mc_text *text,
                     mc_error *error);

// The maximum heap size (-Xmx, or the JVM's choice) in bytes; 0: the JVM does not report it. Errors
// as above.
mc_result mc_jvm_read_heap_limit(const mc_jvm *jvm, uint64_t *limit, mc_error *error);

// Makes the JVM write a complete heap dump, and opens it. Errors as above.
mc_result mc_jvm_write_dump(const mc_jvm *jvm, bool all, mc_dump *dump, mc_error *error);

// Loads an agent's library (an absolute path, as the JVM sees it) into the JVM, with its options.
// `*code` is what its Agent_OnAttach() has returned. Errors as above; MC_ERROR_UNSUPPORTED: the JVM
// does not do that.
mc_result mc_jvm_load_agent(const mc_jvm *jvm, const char *library, const char *options, int *code,
                            mc_error *error);
