#include "app/commands/methods.h"

#include "app/command.h"

int mc_command_refuse_methods(const char *command) {
    return mc_command_wrong_usage("%s: this is a trace of methods, which nothing holds and which "
                                  "do not pile up; `memcity top` lists the highest, and who runs "
                                  "in them",
                                  command);
}
