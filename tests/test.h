// test.h - the few macros that tests share. A failed check prints where and what, and the test goes
// on; main() returns test_finish().
#pragma once
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int test_failure_count;

#define CHECK(condition)                                                            \
    do {                                                                            \
        if (!(condition)) {                                                         \
            test_failure_count++;                                                   \
            fprintf(stderr, "%s:%d: failed: %s\n", __FILE__, __LINE__, #condition); \
        }                                                                           \
    } while (0)

// As CHECK, with a printf-style explanation.
#define CHECK_MSG(condition, ...)                                                   \
    do {                                                                            \
        if (!(condition)) {                                                         \
            test_failure_count++;                                                   \
            fprintf(stderr, "%s:%d: failed: %s: ", __FILE__, __LINE__, #condition); \
            fprintf(stderr, __VA_ARGS__);                                           \
            fputc('\n', stderr);                                                    \
        }                                                                           \
    } while (0)

// Ends the test: what follows would make no sense.
#define REQUIRE(condition)                                                            \
    do {                                                                              \
        if (!(condition)) {                                                           \
            fprintf(stderr, "%s:%d: required: %s\n", __FILE__, __LINE__, #condition); \
            exit(1);                                                                  \
        }                                                                             \
    } while (0)

static inline int test_finish(void) {
    if (test_failure_count > 0) fprintf(stderr, "%d checks failed\n", test_failure_count);
    return test_failure_count > 0;
}
