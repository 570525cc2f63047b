// test_sha256 - the hash and its form with a key, against the examples of FIPS 180-4 and RFC 4231.
#include "engine/base/sha256.h"
#include "tests/test.h"

static const char *print(const unsigned char digest[MC_SHA256_SIZE]) {
    static char text[2 * MC_SHA256_SIZE + 1];
    for (int i = 0; i < MC_SHA256_SIZE; i++)
        snprintf(text + 2 * i, 3, "%02x", digest[i]);
    return text;
}

static const char *hash_in_parts(const char *data, size_t size, size_t part) {
    unsigned char digest[MC_SHA256_SIZE];
    mc_sha256 hash;
    mc_sha256_begin(&hash);
    for (size_t at = 0; at < size; at += part)
        mc_sha256_add(&hash, data + at, size - at < part ? size - at : part);
    mc_sha256_end(&hash, digest);
    return print(digest);
}

static const char *hash_with_key(const char *key, size_t key_size, const char *data) {
    unsigned char digest[MC_SHA256_SIZE];
    mc_hmac_sha256(key, key_size, data, strlen(data), digest);
    return print(digest);
}

int main(void) {
    static const char two_blocks[] = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";
    static char million[1000000];
    memset(million, 'a', sizeof million);
    CHECK(strcmp(hash_in_parts("", 0, 1),
                 "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855") == 0);
    CHECK(strcmp(hash_in_parts("abc", 3, 3),
                 "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad") == 0);
    for (size_t part = 1; part <= 56; part++)
        CHECK(strcmp(hash_in_parts(two_blocks, 56, part),
                     "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1") == 0);
    CHECK(strcmp(hash_in_parts(million, sizeof million, 777),
                 "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0") == 0);

    CHECK(strcmp(hash_with_key("Jefe", 4, "what do ya want for nothing?"),
                 "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843") == 0);
    char key[131];
    memset(key, 0xaa, sizeof key);
    CHECK(strcmp(hash_with_key(key, sizeof key,
                               "Test Using Larger Than Block-Size Key - Hash Key First"),
                 "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54") == 0);

    unsigned char a[MC_SHA256_SIZE] = {1}, b[MC_SHA256_SIZE] = {1};
    CHECK(mc_sha256_is_equal(a, b));
    b[MC_SHA256_SIZE - 1] = 0x80;
    CHECK(!mc_sha256_is_equal(a, b));
    return test_finish();
}
