#include "app/commands/methods.h"

#include "app/command.h"

int mc_command_refuse_methods(const char *command) {
    return mc_command_wrong_usage("%s: this is a trace of methods, not of a heap; `memcity top` "
                                  "lists the highest methods and their threads",
                                  command);
}
