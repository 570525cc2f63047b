// A library is loaded when it is needed, all of its functions or none.
#include "engine/base/library.h"
#include "tests/test.h"
#include <math.h>
#include <string.h>

#define FUNCTIONS(X) X(cos) X(hypot)

typedef struct functions {
    FUNCTIONS(MC_LIBRARY_POINTER)
} functions;

static const char *const names[] = {FUNCTIONS(MC_LIBRARY_NAME)};

static mc_result load(const char *file, const char *const *of, functions *into, mc_error *error) {
    return mc_library_load(file, of, sizeof names / sizeof *names, into, error);
}

int main(void) {
    functions math = {0};
    mc_error error = {0};
    CHECK(load("libm.so.6", names, &math, &error) == MC_OK);
    CHECK(math.cos && math.cos(0) == 1 && math.hypot && math.hypot(3, 4) == 5);

    functions untouched = {0};
    CHECK(load("libmemcity-none.so.1", names, &untouched, &error) == MC_ERROR_UNSUPPORTED);
    CHECK(strstr(error.message, "libmemcity-none.so.1"));
    static const char *const others[] = {"cos", "no_such_function"};
    CHECK(load("libm.so.6", others, &untouched, &error) == MC_ERROR_UNSUPPORTED);
    CHECK(strstr(error.message, "no_such_function()") && strstr(error.message, "libm.so.6"));
    CHECK(!untouched.cos && !untouched.hypot);
    return test_finish();
}
