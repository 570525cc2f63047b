#include "app/base64.h"

#include <nettle/base64.h>

void mc_base64_append(const void *bytes, size_t size, mc_text *out) {
    enum { PART_SIZE = 3 << 10 }; // of threes, so that only the end is padded
    char digits[BASE64_ENCODE_RAW_LENGTH(PART_SIZE)];
    const uint8_t *at = bytes;
    for (size_t done = 0; done < size; done += PART_SIZE) {
        size_t part = size - done < PART_SIZE ? size - done : PART_SIZE;
        base64_encode_raw(digits, part, at + done);
        mc_text_append(out, digits, BASE64_ENCODE_RAW_LENGTH(part));
    }
}

size_t mc_base64_get_size(size_t size) {
    return BASE64_ENCODE_RAW_LENGTH(size);
}
