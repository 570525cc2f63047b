// The memory that is left: never more than the limits of the process leave it.
#include "engine/base/free_memory.h"
#include "tests/test.h"
#include <sys/resource.h>

int main(void) {
    struct rlimit data, space, limit;
    const uint64_t free_bytes = mc_free_memory_get();
    REQUIRE(free_bytes > 0);
    REQUIRE(getrlimit(RLIMIT_DATA, &data) == 0 && getrlimit(RLIMIT_AS, &space) == 0);
    limit = (struct rlimit){free_bytes / 2, data.rlim_max};
    REQUIRE(setrlimit(RLIMIT_DATA, &limit) == 0);
    CHECK(mc_free_memory_get() > 0 && mc_free_memory_get() <= free_bytes / 2);
    limit.rlim_cur = 1; // less than is in use
    REQUIRE(setrlimit(RLIMIT_DATA, &limit) == 0);
    CHECK(mc_free_memory_get() == 1);
    REQUIRE(setrlimit(RLIMIT_DATA, &data) == 0);
    limit = (struct rlimit){free_bytes / 2, space.rlim_max};
    REQUIRE(setrlimit(RLIMIT_AS, &limit) == 0);
    CHECK(mc_free_memory_get() > 0 && mc_free_memory_get() <= free_bytes / 2);
    REQUIRE(setrlimit(RLIMIT_AS, &space) == 0);
    return test_finish();
}
