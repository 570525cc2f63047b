#include "app/window/sample.h"

#include "app/program_files.h"

bool mc_sample_append_path(mc_text *path) {
    return mc_program_append_path(path, "shop.mct");
}
