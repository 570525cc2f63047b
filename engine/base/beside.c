#include "engine/base/beside.h"

#include <sys/stat.h>

static bool follows_no_links;

void mc_beside_follow_no_links(void) {
    follows_no_links = true;
}

bool mc_beside_may_read(const char *path) {
    struct stat status;
    return !follows_no_links || (lstat(path, &status) == 0 && !S_ISLNK(status.st_mode));
}
