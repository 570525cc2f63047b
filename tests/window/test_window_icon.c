// The icon that the window gives to its manager: the city of the file, in each size.
#include "app/window/icon.h"
#include "tests/test.h"
#include <stdlib.h>

int main(void) {
    static const uint32_t sizes[] = {16, 32, 48, 128};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        uint32_t size = sizes[i], opaque = 0, reddish = 0;
        uint8_t *rgba = malloc((size_t)size * size * 4);
        REQUIRE(rgba);
        mc_icon_draw(size, rgba);
        for (uint32_t p = 0; p < size * size; p++) {
            const uint8_t *c = rgba + (size_t)p * 4;
            opaque += c[3] == 255;
            reddish += c[3] == 255 && c[0] > 150 && c[2] < 80;
        }
        CHECK(rgba[3] == 0); // the corner is free
        CHECK_MSG(opaque > size * size / 4 && opaque < size * size * 3 / 4, "%u of %u", opaque,
                  size);
        CHECK_MSG(reddish > size * size / 100, "%u of %u", reddish, size);
        free(rgba);
    }
    return test_finish();
}
