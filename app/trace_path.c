#include "app/trace_path.h"

#include "engine/base/memory.h"
#include "engine/import/websocket/ws_address.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool mc_trace_path_is_there(const char *path) {
    return mc_ws_is_address(path) || access(path, F_OK) == 0;
}

char *mc_trace_path_make_whole(const char *path) {
    if (mc_ws_is_address(path)) return mc_copy_string(path);
    char *whole = realpath(path, NULL), *copy = whole ? mc_copy_string(whole) : NULL;
    free(whole);
    return copy;
}

const char *mc_trace_path_get_label(const char *path) {
    const char *slash = mc_ws_is_address(path) ? NULL : strrchr(path, '/');
    return slash && slash[1] ? slash + 1 : path;
}
