// methods.h - what commands of heaps say of methods.
#pragma once

// Says that a command is of heaps, and what to ask instead. Returns the exit code.
int mc_command_refuse_methods(const char *command);
