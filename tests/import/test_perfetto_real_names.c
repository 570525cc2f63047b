// What a trace of Perfetto says of short names: types, fields, methods; by the files of apps; where
// several things are said; and what is too long, or too much.
#include "engine/import/perfetto/perfetto_real_names.h"
#include "tests/test.h"
#include <string.h>

static unsigned char bytes[1 << 18]; // which names point into
static size_t size;

static size_t begin(uint32_t number) {
    bytes[size++] = (unsigned char)(number << 3 | MC_PROTO_BYTES);
    size += 3; // its length, in three bytes
    return size;
}

static void end(size_t at) {
    const size_t length = size - at;
    bytes[at - 3] = (unsigned char)(0x80 | (length & 127));
    bytes[at - 2] = (unsigned char)(0x80 | (length >> 7 & 127));
    bytes[at - 1] = (unsigned char)(length >> 14);
}

static void put(uint32_t number, const char *text) {
    size_t at = begin(number);
    memcpy(bytes + size, text, strlen(text));
    size += strlen(text);
    end(at);
}

static void put_pair(uint32_t number, const char *name, const char *real) {
    size_t at = begin(number);
    put(1, name);
    put(2, real);
    end(at);
}

// Of a class that has a field and two methods.
static void add(mc_perfetto_real_names *names, const char *package, const char *name,
                const char *real) {
    const unsigned char *wrong;
    const size_t first = size;
    size_t mapping = begin(1);
    put(1, package);
    size_t class = begin(3);
    put(1, name);
    put(2, real);
    put_pair(3, "x", "count");
    put_pair(3, "y", "org.other.Base.size");
    put_pair(4, "m", "run");
    put_pair(4, "m", "run");
    put_pair(4, "n", "open");
    put_pair(4, "n", "close");
    end(class);
    end(mapping);
    mc_proto trace = mc_proto_begin(bytes + first, bytes + size);
    mc_proto_field field;
    REQUIRE(mc_proto_next(&trace, &field));
    CHECK(mc_perfetto_real_names_add(names, &field, &wrong) && !wrong);
}

static mc_span get_span(const char *text) {
    return (mc_span){text, strlen(text)};
}

static void check_type(mc_perfetto_real_names *names, const char *type, const char *path,
                       const char *wanted) {
    mc_text text = {0};
    mc_perfetto_real_names_write_type(names, get_span(type), get_span(path), &text);
    CHECK_MSG(strcmp(mc_text_get(&text), wanted) == 0, "%s in %s: %s", type, path,
              mc_text_get(&text));
    mc_text_deinit(&text);
}

static void check_member(mc_perfetto_real_names *names, const char *member, bool is_method,
                         const char *wanted) {
    mc_text text = {0};
    mc_perfetto_real_names_write_member(names, get_span(member), is_method, get_span(""), &text);
    CHECK_MSG(strcmp(mc_text_get(&text), wanted) == 0, "%s: %s", member, mc_text_get(&text));
    mc_text_deinit(&text);
}

static void test_names(mc_perfetto_real_names *names) {
    check_type(names, "a.b", "", "com.acme.Cart");
    check_type(names, "a.b[][]", "", "com.acme.Cart[][]");
    check_type(names, "a.c", "", "");
    check_type(names, "", "", "");
    check_type(names, "[]", "", "");
    check_member(names, "a.b.x", false, "com.acme.Cart.count");
    check_member(names, "a.b.x", true, "com.acme.Cart.x"); // is a field
    check_member(names, "a.b.y", false, "org.other.Base.size");
    check_member(names, "a.b.m", true, "com.acme.Cart.run");
    check_member(names, "a.b.n", true, "com.acme.Cart.n"); // is two
    check_member(names, "a.b.", true, "com.acme.Cart.");
    check_member(names, "x", false, "");
    check_member(names, ".x", false, "");
}

static void test_files(mc_perfetto_real_names *names) {
    static const struct {
        const char *path;
        bool is;
    } paths[] = {{"base.apk!classes.dex", true},
                 {"/memfd:jit-cache (deleted)", true},
                 {"/data/app/~~Zx0==/com.acme.shop-1zG==/base.apk", true},
                 {"/data/app/com.acme.shop-1/oat/arm64/base.odex", true},
                 {"/data/user/0/com.acme.shop/code_cache/x.dex", true},
                 {"/data/app/~~Zx0==/com.acme.shop-1zG==/lib/arm64/libshop.so", false},
                 {"/data/app/~~Zx0==/com.acme.shopping-1zG==/base.apk", false},
                 {"/data/app/~~Zx0==/org.com.acme.shop-1zG==/base.apk", false},
                 {"/data/user_de/0/com.google.android.gms/app_chimera/m/Dynamite.apk", false},
                 {"/system/framework/framework.jar", false},
                 {"/com.acme.shop", false},
                 {"/", false}};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++)
        check_type(names, "a.b", paths[i].path, paths[i].is ? "com.acme.Cart" : "");
    names->needs_path = true;
    check_type(names, "a.b", "/memfd:jit-cache (deleted)", "");
    check_type(names, "a.b", paths[2].path, "com.acme.Cart");
    names->needs_path = false;
}

static void test_several(mc_perfetto_real_names *names) {
    add(names, "com.other", "a.b", "org.other.List");
    check_type(names, "a.b", "", "");
    check_type(names, "a.b", "/data/app/com.acme.shop-1/base.apk", "com.acme.Cart");
    check_type(names, "a.b", "/data/app/com.other-1/base.apk", "org.other.List");
    char real[16];
    for (int i = 0; i < 100; i++) {
        snprintf(real, sizeof real, "Real%d", i);
        add(names, "com.many", "many", real);
    }
    check_type(names, "many", "", "");
    CHECK_MSG(names->count < 300, "%zu", names->count);
}

static void test_limits(mc_perfetto_real_names *names) {
    char longest[600];
    memset(longest, 'l', sizeof longest - 1);
    longest[sizeof longest - 1] = '\0';
    add(names, "", "long", longest);
    check_type(names, "long", "", "");
    add(names, "a/b", "folder", "Folder"); // is no package
    check_type(names, "folder", "", "");
    add(names, "", "short", "Some");
    names->left = 8;
    check_type(names, "short", "", "Some");
    check_type(names, "short", "", "Some");
    check_type(names, "short", "", "");
    check_member(names, "short.x", false, "");
}

int main(void) {
    mc_perfetto_real_names names = {0};
    mc_perfetto_real_names_begin(&names, 1000);
    check_type(&names, "a.b", "", "");
    add(&names, "com.acme.shop", "a.b", "com.acme.Cart");
    test_names(&names);
    test_files(&names);
    test_several(&names);
    test_limits(&names);
    mc_perfetto_real_names_deinit(&names);
    return test_finish();
}
