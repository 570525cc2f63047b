// rows_command.h - reads rows from a command: `--rows-from 'clickhouse-client -q "…"'`.
//
// A pipe ends the same way whether its writer finished or was killed, so a server that dies in the
// middle of its answer would leave a trace that looks complete. So memcity runs the command itself,
// through the shell, and checks its exit status: the rows are complete only if it is a success. The
// command inherits stderr. Threads: the main thread.
#pragma once
#include "app/command.h"
#include <sys/types.h>

typedef struct mc_rows_command {
    const char *text; // command for the shell; NULL: none was started
    pid_t process;
} mc_rows_command;

// Starts it, and makes its output `fd`, which may be the standard input. Returns MC_EXIT_OK, or the
// exit code after saying why not.
int mc_rows_command_begin(mc_rows_command *command, const char *text, int fd);
// All was read, or (`is_whole` is false) nobody wants more of it: then it is asked to end, if it
// has not. Waits for it. Returns MC_EXIT_OK if it ended well or was asked to, else the exit code
// after saying how it ended. Does nothing if none was begun, or it is called once more.
int mc_rows_command_end(mc_rows_command *command, int fd, bool is_whole);
