// make_heap.c - writes large heaps of other runtimes to stdout, the same bytes each time.
//
// usage: make_heap v8|ruby|go|rows SESSIONS >FILE
// A session is an object with a name, a list of tags and the session it came from; one list that a
// variable of the program holds has them all. Four objects a session (rows: five), six to eleven
// references. Nothing is kept in memory.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAME                                                                            \
    "user-%" PRIu64 " of a shop in a town with a name that is as long as names are in " \
    "snapshots of programs that hold addresses, letters and other texts"

static uint64_t before(uint64_t i) { // an earlier session; of the first itself
    return i == 0 ? 0 : (i * UINT64_C(0x9E3779B97F4A7C15) >> 20) % i;
}

// ---- V8

enum { V8_FIRST = 5, V8_FIELDS = 7 };

static void v8_node(unsigned type, uint64_t name, uint64_t id, unsigned size, uint64_t edges) {
    static const char *separator = "";
    printf("%s%u,%" PRIu64 ",%" PRIu64 ",%u,%" PRIu64 ",0,0\n", separator, type, name, id * 2 + 1,
           size, edges);
    separator = ",";
}

static void v8_edge(unsigned type, uint64_t name, uint64_t to) {
    static const char *separator = "";
    printf("%s%u,%" PRIu64 ",%" PRIu64 "\n", separator, type, name, to * V8_FIELDS);
    separator = ",";
}

static void write_v8(uint64_t count) {
    static const char *const names[] = {"",         "(GC roots)", "(Global handles)",
                                        "global",   "store",      "Array",
                                        "elements", "Session",    "user",
                                        "tags",     "from",       "(object elements)"};
    const uint64_t name_count = sizeof names / sizeof *names;
    printf(
        "{\"snapshot\":{\"meta\":{\"node_fields\":[\"type\",\"name\",\"id\",\"self_size\","
        "\"edge_count\",\"trace_node_id\",\"detachedness\"],\"node_types\":[[\"hidden\",\"array\","
        "\"string\",\"object\",\"code\",\"closure\",\"regexp\",\"number\",\"native\","
        "\"synthetic\",\"concatenated string\",\"sliced string\",\"symbol\",\"bigint\","
        "\"object shape\"],\"string\",\"number\",\"number\",\"number\",\"number\",\"number\"],"
        "\"edge_fields\":[\"type\",\"name_or_index\",\"to_node\"],\"edge_types\":[[\"context\","
        "\"element\",\"property\",\"internal\",\"hidden\",\"shortcut\",\"weak\"],"
        "\"string_or_number\",\"node\"],\"trace_function_info_fields\":[],"
        "\"trace_node_fields\":[],\"sample_fields\":[],\"location_fields\":[]},"
        "\"node_count\":%" PRIu64 ",\"edge_count\":%" PRIu64 ",\"trace_function_count\":0},\n"
        "\"nodes\":[",
        V8_FIRST + 4 * count, 5 + 8 * count);
    v8_node(9, 0, 0, 0, 2);
    v8_node(9, 1, 1, 0, 1);
    v8_node(9, 2, 2, 0, 1);
    v8_node(3, 3, 3, 40, 1);
    v8_node(3, 5, 4, 16, count);
    for (uint64_t i = 0; i < count; i++) {
        const uint64_t id = V8_FIRST + 4 * i;
        v8_node(3, 7, id, 48, 3);
        v8_node(2, name_count + i, id + 1, 136, 0);
        v8_node(3, 5, id + 2, 32, 1);
        v8_node(1, 11, id + 3, 64, 3);
    }
    printf("],\n\"edges\":[");
    v8_edge(1, 1, 1);
    v8_edge(5, 3, 3);
    v8_edge(1, 1, 2);
    v8_edge(1, 1, 3);
    v8_edge(2, 4, 4);
    for (uint64_t i = 0; i < count; i++)
        v8_edge(1, i, V8_FIRST + 4 * i);
    for (uint64_t i = 0; i < count; i++) {
        const uint64_t at = V8_FIRST + 4 * i;
        v8_edge(2, 8, at + 1);
        v8_edge(2, 9, at + 2);
        v8_edge(2, 10, V8_FIRST + 4 * before(i));
        v8_edge(3, 6, at + 3);
        for (unsigned k = 0; k < 3; k++)
            v8_edge(1, k, V8_FIRST + 4 * before(i + k) + 1);
    }
    printf("],\n\"trace_function_infos\":[],\n\"trace_tree\":[],\n\"samples\":[],\n"
           "\"locations\":[],\n\"strings\":[");
    for (uint64_t i = 0; i < name_count; i++)
        printf("%s\"%s\"", i > 0 ? ",\n" : "", names[i]);
    for (uint64_t i = 0; i < count; i++)
        printf(",\n\"" NAME "\"", i);
    printf("]}");
}

// ---- Ruby

#define RUBY_FLAGS \
    "\"flags\":{\"wb_protected\":true,\"old\":true,\"uncollectible\":true,\"marked\":true}}\n"
#define RUBY_SITE                                                                 \
    "\"file\":\"/srv/shop/app/models/session.rb\",\"line\":%u,\"method\":\"%s\"," \
    "\"generation\":%" PRIu64 ","

static uint64_t ruby_address(uint64_t i) {
    return UINT64_C(0x7f0000000000) + 40 * i;
}

static void write_ruby(uint64_t count) {
    const uint64_t class = ruby_address(0), array = ruby_address(1), first = 2;
    printf("{\"type\":\"ROOT\", \"root\":\"vm\", \"references\":[\"0x%" PRIx64 "\"]}\n"
           "{\"type\":\"ROOT\", \"root\":\"global_tbl\", \"references\":[\"0x%" PRIx64 "\"]}\n"
           "{\"address\":\"0x%" PRIx64 "\", \"type\":\"CLASS\", \"class\":\"0x%" PRIx64 "\", "
           "\"name\":\"Session\", \"references\":[], \"memsize\":600, " RUBY_FLAGS,
           class, array, class, class);
    printf("{\"address\":\"0x%" PRIx64 "\", \"type\":\"ARRAY\", \"class\":\"0x%" PRIx64
           "\", \"length\":%" PRIu64 ", \"references\":[",
           array, class, count);
    for (uint64_t i = 0; i < count; i++)
        printf("%s\"0x%" PRIx64 "\"", i > 0 ? ", " : "", ruby_address(first + 4 * i));
    printf("], " RUBY_SITE "\"memsize\":%" PRIu64 ", " RUBY_FLAGS, 4u, "initialize", UINT64_C(3),
           40 + 8 * count);
    for (uint64_t i = 0; i < count; i++) {
        const uint64_t at = first + 4 * i, generation = 3 + i / 10000;
        printf("{\"address\":\"0x%" PRIx64 "\", \"type\":\"OBJECT\", \"class\":\"0x%" PRIx64
               "\", \"ivars\":3, \"references\":[\"0x%" PRIx64 "\", \"0x%" PRIx64 "\", \"0x%" PRIx64
               "\"], " RUBY_SITE "\"memsize\":40, " RUBY_FLAGS,
               ruby_address(at), class, ruby_address(at + 1), ruby_address(at + 2),
               ruby_address(first + 4 * before(i)), 12u, "open", generation);
        printf("{\"address\":\"0x%" PRIx64 "\", \"type\":\"STRING\", \"class\":\"0x%" PRIx64
               "\", \"bytesize\":130, \"value\":\"" NAME "\", \"encoding\":\"UTF-8\", " RUBY_SITE
               "\"memsize\":171, " RUBY_FLAGS,
               ruby_address(at + 1), class, i, 13u, "name", generation);
        printf("{\"address\":\"0x%" PRIx64 "\", \"type\":\"ARRAY\", \"class\":\"0x%" PRIx64
               "\", \"length\":2, \"embedded\":true, \"references\":[\"0x%" PRIx64
               "\", \"0x%" PRIx64 "\"], " RUBY_SITE "\"memsize\":40, " RUBY_FLAGS,
               ruby_address(at + 2), class, ruby_address(at + 3),
               ruby_address(first + 4 * before(i) + 1), 14u, "tags", generation);
        printf("{\"address\":\"0x%" PRIx64 "\", \"type\":\"HASH\", \"class\":\"0x%" PRIx64
               "\", \"size\":1, \"references\":[\"0x%" PRIx64 "\"], " RUBY_SITE
               "\"memsize\":192, " RUBY_FLAGS,
               ruby_address(at + 3), class, ruby_address(first + 4 * before(i + 1) + 1), 15u,
               "more", generation);
    }
}

// ---- Go

static void go_number(uint64_t value) {
    for (; value > 127; value >>= 7)
        putchar_unlocked((int)(value & 127) | 128);
    putchar_unlocked((int)value);
}

static void go_text(const void *bytes, size_t size) {
    go_number(size);
    fwrite_unlocked(bytes, 1, size, stdout);
}

// `words`: of them those in `pointers` are some, a bit each.
static void go_object(uint64_t address, const uint64_t *words, unsigned count, unsigned pointers) {
    go_number(1);
    go_number(address);
    go_text(words, count * sizeof *words);
    for (unsigned i = 0; i < count && i < 32; i++) {
        if (!(pointers >> i & 1)) continue;
        go_number(1);
        go_number(8 * (uint64_t)i);
    }
    go_number(0);
}

static void write_go(uint64_t count) {
    enum { BODY = 256, SESSION = 64, NAME_SIZE = 16, TAGS = 64, ALL = BODY + SESSION + 16 + TAGS };
    const uint64_t heap = UINT64_C(0xc000000000), list = heap + ALL * count;
    static const char head[] = "go1.7 heap dump\n";
    uint64_t words[BODY / 8] = {0};
    fwrite(head, 1, sizeof head - 1, stdout);
    go_number(6);
    go_number(0);
    go_number(8);
    go_number(heap);
    go_number(list + 8 * count);
    go_text("amd64", 5);
    go_text("go1.19", 6);
    go_number(2);
    for (uint64_t i = 0; i < count; i++) {
        const uint64_t at = heap + ALL * i;
        const uint64_t session[SESSION / 8] = {at + SESSION, 13, at + SESSION + NAME_SIZE, BODY,
                                               BODY,         0,  heap + ALL * before(i),   i};
        const uint64_t tags[TAGS / 8] = {heap + ALL * before(i + 1) + SESSION, 2, i, i};
        words[0] = i;
        go_object(at, session, SESSION / 8, 1u | 1u << 2 | 1u << 6);
        go_object(at + SESSION, words, NAME_SIZE / 8, 0);
        go_object(at + SESSION + NAME_SIZE, words, BODY / 8, 0);
        go_object(at + SESSION + NAME_SIZE + BODY, tags, TAGS / 8, 1u);
    }
    go_number(1); // what has all sessions
    go_number(list);
    go_number(8 * count);
    for (uint64_t i = 0; i < count; i++) {
        const uint64_t at = heap + ALL * i;
        fwrite_unlocked(&at, sizeof at, 1, stdout);
    }
    for (uint64_t i = 0; i < count; i++) {
        go_number(1);
        go_number(8 * i);
    }
    go_number(0);
    go_number(12);
    go_number(UINT64_C(0x500000));
    go_text(&list, sizeof list);
    go_number(1);
    go_number(0);
    go_number(0);
    go_number(10);
    for (unsigned i = 0; i < 24 + 256 + 1; i++)
        go_number(0);
    go_number(0);
}

// ---- rows

static void write_rows(uint64_t count) {
    static const char *const types[] = {"shop.Session", "str", "list", "dict", "bytes"};
    printf("#memcity graph 1\nid\ttype\tsize\n0\tlist\t%" PRIu64 "\n", 8 * count);
    for (uint64_t i = 0; i < count; i++)
        for (uint64_t k = 0; k < 5; k++)
            printf("%" PRIu64 "\t%s\t%u\n", 1 + 5 * i + k, types[k], 40 + 8 * (unsigned)k);
    printf("from\tto\tfield\n");
    for (uint64_t i = 0; i < count; i++)
        printf("0\t%" PRIu64 "\t\n", 1 + 5 * i);
    for (uint64_t i = 0; i < count; i++) {
        static const char *const fields[] = {"name", "tags", "more", "body"};
        const uint64_t at = 1 + 5 * i;
        for (uint64_t k = 1; k < 5; k++)
            printf("%" PRIu64 "\t%" PRIu64 "\t%s\n", at, at + k, fields[k - 1]);
        printf("%" PRIu64 "\t%" PRIu64 "\tfrom\n", at, 1 + 5 * before(i));
        for (uint64_t k = 0; k < 6; k++)
            printf("%" PRIu64 "\t%" PRIu64 "\t\n", at + 2 + k % 2, 2 + 5 * before(i + k));
    }
    printf("root\tkind\tname\n0\tglobal\tshop.sessions\n");
}

int main(int argc, char **argv) {
    static const struct {
        const char *name;
        void (*write)(uint64_t count);
    } kinds[] = {{"v8", write_v8}, {"ruby", write_ruby}, {"go", write_go}, {"rows", write_rows}};
    const uint64_t count = argc == 3 ? strtoull(argv[2], NULL, 10) : 0;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds && count > 0; i++) {
        if (strcmp(argv[1], kinds[i].name) != 0) continue;
        kinds[i].write(count);
        return fflush(stdout) == 0 && !ferror(stdout) ? 0 : 1;
    }
    fprintf(stderr, "usage: make_heap v8|ruby|go|rows SESSIONS >FILE\n");
    return 2;
}
