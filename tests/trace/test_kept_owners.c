// Which owners of a series are kept: those that are large, or were, and what their ways come from;
// the sums stay the same.
#include "engine/trace/kept_owners.h"
#include "tests/test.h"

#include "engine/base/memory.h"

static uint32_t intern(mc_step_owners *owners, const char *text) {
    return mc_strings_intern(&owners->names, text, strlen(text));
}

static uint32_t add(mc_step_owners *owners, uint32_t parent, const char *field, uint64_t bytes) {
    uint32_t number = (uint32_t)owners->owner_count;
    mc_owner owner = {.parent = parent,
                      .root = parent == MC_NONE ? MC_ROOT_STATIC : 0,
                      .field = field ? intern(owners, field) : MC_NONE,
                      .class = intern(owners, field ? "Node" : MC_OWNERS_REST_CLASS),
                      .place = MC_NONE};
    mc_owner_sum sum = {.owner = number, .example = MC_NONE, .objects = 1};
    sum.retained_objects = sum.retained_bytes = bytes;
    REQUIRE(mc_step_owners_add(owners, owner) && mc_step_owners_add_sum(owners, sum));
    return number;
}

static const mc_owner_sum *find(const mc_step_owners *owners, const char *field) {
    for (size_t i = 0; i < owners->owner_count; i++) {
        const mc_owner *owner = &owners->owners[i];
        const char *text =
            owner->field == MC_NONE ? "" : mc_strings_get(&owners->names, owner->field, NULL);
        if (strcmp(text, field) == 0) return &owners->sums[i];
    }
    return NULL;
}

static uint64_t sum_roots(const mc_step_owners *owners) {
    uint64_t bytes = 0;
    for (size_t i = 0; i < owners->owner_count; i++) {
        CHECK(owners->sums[i].owner == i);
        CHECK(owners->owners[i].parent == MC_NONE || owners->owners[i].parent < i);
        if (owners->owners[i].parent == MC_NONE) bytes += owners->sums[i].retained_bytes;
    }
    return bytes;
}

// `grown`: what a path retains that begins small.
static void make(mc_step_owners *owners, uint64_t grown) {
    mc_step_owners_reset(owners);
    uint32_t large = add(owners, MC_NONE, "large", 1000000);
    uint32_t below = add(owners, large, "below", 900000);
    add(owners, below, "small below", 20);
    uint32_t small = add(owners, MC_NONE, "small", 10);
    add(owners, small, "source", 5);
    add(owners, MC_NONE, "lost", 7);
    uint32_t grows = add(owners, MC_NONE, "grows", grown);
    add(owners, grows, "with it", grown - 1);
    REQUIRE(mc_step_owners_add_way(
        owners, (mc_owner_way){below, small + 1, intern(owners, "Node.next"), 3}));
    REQUIRE(mc_step_owners_add_way(
        owners, (mc_owner_way){small + 2, below, intern(owners, "Node.next"), 3}));
}

static void test_series(void) {
    mc_kept_owners kept = {0};
    mc_step_owners owners = {0};
    const uint64_t grown[] = {20, 5000, 30};
    for (int step = 0; step < 3; step++) {
        make(&owners, grown[step]);
        uint64_t before = sum_roots(&owners);
        REQUIRE(mc_kept_owners_choose(&kept, &owners));
        CHECK(sum_roots(&owners) == before);
        CHECK(find(&owners, "large") && find(&owners, "below"));
        CHECK(!find(&owners, "small below") && !find(&owners, "lost"));
        CHECK(find(&owners, "small") && find(&owners, "source")); // a way comes from there
        CHECK((find(&owners, "grows") != NULL) == (step > 0));
        CHECK((find(&owners, "with it") != NULL) == (step > 0));
        const mc_owner_sum *rest = find(&owners, "");
        CHECK(rest && rest->retained_bytes == (step > 0 ? 7 : 27) &&
              rest->objects == (step > 0 ? 1 : 2));
        REQUIRE(owners.way_count == 1);
        CHECK(find(&owners, "below")->owner == owners.ways[0].owner);
        CHECK(find(&owners, "source")->owner == owners.ways[0].from);
    }
    mc_step_owners_deinit(&owners);
    mc_kept_owners_deinit(&kept);
}

static void test_most(void) {
    mc_kept_owners kept = {0};
    mc_step_owners owners = {0};
    char name[32];
    uint32_t above = MC_NONE; // a long path of equals, and more beside it than are kept
    for (int i = 0; i < 3000; i++) {
        snprintf(name, sizeof name, "f%d", i);
        above = add(&owners, above, name, 100000);
    }
    uint64_t before = sum_roots(&owners);
    REQUIRE(mc_kept_owners_choose(&kept, &owners));
    CHECK(owners.owner_count == 2000 && sum_roots(&owners) == before);
    mc_step_owners_deinit(&owners);
    mc_kept_owners_deinit(&kept);
}

static void test_no_memory(void) {
    bool is_done = false;
    for (uint64_t n = 0; !is_done && n < 1000; n++) {
        mc_kept_owners kept = {0};
        mc_step_owners owners = {0};
        make(&owners, 20);
        mc_memory_fail_after(n);
        is_done = mc_kept_owners_choose(&kept, &owners);
        mc_memory_fail_after(UINT64_MAX);
        mc_step_owners_deinit(&owners);
        mc_kept_owners_deinit(&kept);
    }
    CHECK(is_done);
}

int main(void) {
    test_series();
    test_most();
    test_no_memory();
    return test_finish();
}
