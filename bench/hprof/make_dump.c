// make_dump.c - writes a heap dump of any size to stdout, the same bytes each time: objects that
// reference any others at random, the hardest case for whoever follows references.
//
// usage: make_dump OBJECTS >FILE
//
// A record of 49 bytes an object, so 200 million objects are 9.8 GB. Of each eight objects five are
// of one of 40 classes with three references, one has two, one is an array of three, and one is a
// byte[]: 2.5 references an object. A thousand of them are roots; from these nine of ten are
// reached. Nothing is kept in memory.
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    BLOCK = 8,         // objects
    OBJECT_BYTES = 32, // that each takes in the program, but the last one
    BLOCK_BYTES = 272
};

// ids of what is no part of a block
enum { OBJECT_CLASS = 0x1000, PAIR_CLASS = 0x2000, ARRAY_CLASS = 0x3000, NODE_CLASS = 0x4000 };
enum { NODE_CLASSES = 40, CLASS_BYTES = 0x100, TRACE = 1, ROOTS = 1000 };
enum { TYPE_OBJECT = 2, TYPE_BYTE = 8, TYPE_LONG = 11 };
enum { TAG_STRING = 1, TAG_CLASS = 2, TAG_TRACE = 5, TAG_SEGMENT = 0x1c, TAG_END = 0x2c };

static const uint64_t first_id = UINT64_C(0x600000000);
static uint64_t object_count, random_state = 1;

// ---- bytes

static unsigned char segment[1 << 20];
static size_t segment_size;

static void put(uint64_t value, int byte_count) {
    for (int i = byte_count - 1; i >= 0; i--)
        segment[segment_size++] = (unsigned char)(value >> 8 * i);
}

static void write_all(const void *bytes, size_t size) {
    if (fwrite(bytes, 1, size, stdout) == size) return;
    perror("make_dump");
    exit(1);
}

static void end_record(int tag) {
    unsigned char header[9] = {(unsigned char)tag};
    for (int i = 0; i < 4; i++)
        header[5 + i] = (unsigned char)(segment_size >> (24 - 8 * i));
    write_all(header, sizeof header);
    write_all(segment, segment_size);
    segment_size = 0;
}

static void put_text(uint64_t id, const char *text) {
    put(id, 8);
    memcpy(segment + segment_size, text, strlen(text));
    segment_size += strlen(text);
    end_record(TAG_STRING);
}

// ---- objects

static uint64_t get_id(uint64_t object) {
    return first_id + object / BLOCK * BLOCK_BYTES + object % BLOCK * OBJECT_BYTES;
}

static uint64_t get_any(void) {
    random_state = random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return get_id((random_state >> 32) * object_count >> 32);
}

static void put_references(int count) {
    for (int i = 0; i < count; i++)
        put(get_any(), 8);
}

static void put_head(int tag, uint64_t object) {
    put((uint64_t)tag, 1);
    put(get_id(object), 8);
    put(TRACE, 4);
}

static void put_instance(uint64_t object, uint64_t class, int reference_count) {
    put_head(0x21, object);
    put(class, 8);
    put(24, 4);
    put_references(reference_count);
    for (int i = reference_count; i < 3; i++)
        put(object, 8);
}

static void put_array(uint64_t object) {
    put_head(0x22, object);
    put(3, 4);
    put(ARRAY_CLASS, 8);
    put_references(3);
}

static void put_bytes(uint64_t object) {
    put_head(0x23, object);
    put(31, 4);
    put(TYPE_BYTE, 1);
    memset(segment + segment_size, 'x', 31);
    segment_size += 31;
}

static void put_object(uint64_t object) {
    switch (object % BLOCK) {
    case 5: put_instance(object, PAIR_CLASS, 2); break;
    case 6: put_array(object); break;
    case 7: put_bytes(object); break;
    default:
        put_instance(object,
                     NODE_CLASS +
                         (object * UINT64_C(0x9E3779B97F4A7C15) >> 32) % NODE_CLASSES * CLASS_BYTES,
                     3);
    }
}

// ---- classes

static uint64_t class_number = 1;

static uint64_t get_class_name(uint64_t class) {
    return class + 1;
}

// Fields have the names 1, 2 and 3.
static void put_class(uint64_t class, uint64_t super, int reference_count, int long_count) {
    put(0x20, 1);
    put(class, 8);
    put(TRACE, 4);
    put(super, 8);
    for (int i = 0; i < 5; i++)
        put(0, 8);
    put((uint64_t)(reference_count + long_count) * 8, 4);
    put(0, 2);
    put(0, 2);
    put((uint64_t)(reference_count + long_count), 2);
    for (int i = 0; i < reference_count + long_count; i++) {
        put((uint64_t)i + 1, 8);
        put(i < reference_count ? TYPE_OBJECT : TYPE_LONG, 1);
    }
}

static void write_class_name(uint64_t class, const char *name) {
    put_text(get_class_name(class), name);
    put(class_number++, 4);
    put(class, 8);
    put(TRACE, 4);
    put(get_class_name(class), 8);
    end_record(TAG_CLASS);
}

static void write_names(void) {
    static const char *const fields[] = {"first", "second", "third"};
    for (uint64_t i = 0; i < 3; i++)
        put_text(i + 1, fields[i]);
    write_class_name(OBJECT_CLASS, "java/lang/Object");
    write_class_name(PAIR_CLASS, "net/graph/Pair");
    write_class_name(ARRAY_CLASS, "[Ljava/lang/Object;");
    for (unsigned i = 0; i < NODE_CLASSES; i++) {
        char name[32];
        snprintf(name, sizeof name, "net/graph/p%u/Node%u", i % 5, i);
        write_class_name(NODE_CLASS + i * CLASS_BYTES, name);
    }
}

static void put_classes(void) {
    put_class(OBJECT_CLASS, 0, 0, 0);
    put_class(PAIR_CLASS, OBJECT_CLASS, 2, 1);
    put_class(ARRAY_CLASS, OBJECT_CLASS, 0, 0);
    for (unsigned i = 0; i < NODE_CLASSES; i++)
        put_class(NODE_CLASS + i * CLASS_BYTES, OBJECT_CLASS, 3, 0);
}

static void put_roots(void) {
    for (uint64_t i = 0; i < ROOTS && i < object_count; i++) {
        put(0x01, 1); // global JNI reference
        put(get_id(i * (object_count / ROOTS)), 8);
        put(1, 8);
    }
}

int main(int argument_count, char **arguments) {
    static const char magic[] = "JAVA PROFILE 1.0.2";
    object_count = argument_count == 2 ? strtoull(arguments[1], NULL, 10) : 0;
    if (object_count < ROOTS || object_count >> 32) {
        fprintf(stderr, "usage: make_dump OBJECTS >FILE, at least %d and less than 2^32\n", ROOTS);
        return 2;
    }
    put(8, 4);
    put(UINT64_C(1700000000000), 8);
    write_all(magic, sizeof magic);
    write_all(segment, segment_size);
    segment_size = 0;
    write_names();
    put(TRACE, 4);
    put(0, 4);
    put(0, 4);
    end_record(TAG_TRACE);
    put_classes();
    put_roots();
    for (uint64_t i = 0; i < object_count; i++) {
        put_object(i);
        if (segment_size > sizeof segment - 256) end_record(TAG_SEGMENT);
    }
    end_record(TAG_SEGMENT);
    end_record(TAG_END);
    if (fflush(stdout) == 0) return 0;
    perror("make_dump");
    return 1;
}
