// methods.h - the error of heap commands for a trace of methods.
#pragma once

// Prints that a command is for heaps, and which one to use instead. Returns the exit code.
int mc_command_refuse_methods(const char *command);
