// far_pipe.h - pipes to a program that is started.
//
// Threads: any.
#pragma once

// Ends with numbers above those that the program's own are copied to, closed in every program that
// is started. Returns 0, or errno; then `pair` may have one end, to be closed.
int mc_far_pipe_make(int pair[2]);
void mc_far_pipe_close(int *fd); // and makes it -1, which is fine
