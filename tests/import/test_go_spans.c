// Which object of a heap of Go an address is in, beside asking all objects.
#include "engine/base/memory.h"
#include "engine/import/godump/go_spans.h"
#include "tests/test.h"

enum { COUNT = 4000, ASKED = 20000 };
#define FIRST UINT64_C(0xc000000000)

static mc_error error;
static uint64_t addresses[COUNT], sizes[COUNT];
static uint32_t count, state = 5;

static uint32_t draw(uint32_t below) {
    state = state * 1664525u + 1013904223u;
    return (uint32_t)(((uint64_t)state * below) >> 32);
}

static uint32_t ask_all(uint64_t address) {
    for (uint32_t i = 0; i < count; i++)
        if (address >= addresses[i] && address - addresses[i] < sizes[i]) return i;
    return MC_NONE;
}

// Pages of 8 KiB, of which some are left out and some lie before others: of objects of one size,
// with gaps; of any sizes; and single objects over several pages.
static void write_pages(void) {
    static const uint64_t classes[] = {8, 16, 48, 112, 1024, 3072};
    count = 0;
    for (uint64_t page = 0; count + 1100 < COUNT;) {
        const uint64_t begin = FIRST + ((page ^ 1) << 13);
        const uint32_t form = draw(8);
        if (form == 0) { // large, from a page that no other is put before
            page += page & 1;
            addresses[count] = FIRST + (page << 13);
            sizes[count++] = (UINT64_C(8192) << draw(3)) - draw(2) * 8;
            page += 8;
            continue;
        }
        const uint64_t size = classes[draw(6)];
        for (uint64_t at = 0; at + 4096 <= 8192 + 1024;) {
            const uint64_t taken = form < 5 ? size : draw(300);
            if (draw(4) > 0) {
                addresses[count] = begin + at;
                sizes[count++] = taken;
            }
            at += taken > 0 ? taken : 1;
        }
        page += 1 + draw(3) / 2 * 2;
    }
}

static void check_all(const mc_go_spans *spans) {
    static uint64_t asked[ASKED];
    static uint32_t found[ASKED];
    for (uint32_t i = 0; i < ASKED; i++) {
        const uint32_t object = draw(count);
        asked[i] = i % 4 == 0   ? FIRST - 100 + draw(1u << 24)
                   : i % 4 == 1 ? addresses[object] + sizes[object]
                                : addresses[object] + draw((uint32_t)sizes[object] + 1);
        if (i < 4) asked[i] = i % 2 == 0 ? i : UINT64_MAX - i;
    }
    mc_go_spans_find_all(spans, asked, found, ASKED);
    for (uint32_t i = 0; i < ASKED; i++) {
        const uint32_t wanted = ask_all(asked[i]);
        CHECK_MSG(found[i] == wanted && mc_go_spans_find(spans, asked[i]) == wanted,
                  "0x%llx: %u, not %u", (unsigned long long)asked[i], found[i], wanted);
    }
}

int main(void) {
    for (int turn = 0; turn < 20; turn++) {
        mc_go_spans spans = {.addresses = NULL};
        write_pages();
        REQUIRE(mc_go_spans_build(&spans, addresses, sizes, count, &error) == MC_OK);
        check_all(&spans);
        mc_go_spans_deinit(&spans);
        addresses[count] = addresses[count / 2] + sizes[count / 2] / 2; // within another one
        sizes[count] = 8;
        if (sizes[count / 2] > 1)
            CHECK(mc_go_spans_build(&spans, addresses, sizes, count + 1, &error) ==
                  MC_ERROR_BAD_DATA);
        mc_go_spans_deinit(&spans);
    }
    return test_finish();
}
