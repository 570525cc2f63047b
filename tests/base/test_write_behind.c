// What is handed on is written, whole and where it belongs; what can't be written is told.
#include "engine/base/memory.h"
#include "engine/base/write_behind.h"
#include "tests/test.h"
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BUFFER_SIZE 5000u
#define CHUNKS 300u

static unsigned char get_byte(size_t offset) {
    return (unsigned char)(offset * 31 ^ offset >> 8);
}

// Sizes from 0 to all of a buffer.
static size_t get_size(uint32_t i) {
    return i % 7 == 0 ? BUFFER_SIZE : (size_t)i * 977 % BUFFER_SIZE;
}

static int open_file(void) {
    char path[] = "/tmp/write-behind-XXXXXX";
    int fd = mkstemp(path);
    REQUIRE(fd >= 0);
    unlink(path);
    return fd;
}

// Returns how many bytes were handed on.
static size_t hand_on(mc_write_behind *writer, size_t begin) {
    size_t at = begin;
    for (uint32_t i = 0; i < CHUNKS; i++) {
        unsigned char *buffer = mc_write_behind_get_buffer(writer);
        CHECK(buffer == mc_write_behind_get_buffer(writer));
        for (size_t k = 0; k < get_size(i); k++)
            buffer[k] = get_byte(at + k);
        if (!mc_write_behind_submit(writer, get_size(i), at)) break;
        at += get_size(i);
    }
    return at - begin;
}

static void test_bytes(void) {
    const size_t begin = 100; // what lies before stays
    mc_write_behind *writer;
    mc_error error;
    int fd = open_file();
    REQUIRE(mc_write_behind_create(fd, BUFFER_SIZE, &writer, &error) == MC_OK);
    size_t size = hand_on(writer, begin), wrong = 0;
    CHECK(mc_write_behind_finish(writer) == 0);
    CHECK(lseek(fd, 0, SEEK_END) == (off_t)(begin + size));
    unsigned char *bytes = malloc(begin + size);
    REQUIRE(bytes && pread(fd, bytes, begin + size, 0) == (ssize_t)(begin + size));
    for (size_t i = 0; i < begin + size; i++)
        wrong += bytes[i] != (i < begin ? 0 : get_byte(i));
    CHECK(wrong == 0);
    free(bytes);
    // It goes on where it has finished.
    mc_write_behind_get_buffer(writer)[0] = 'x';
    CHECK(mc_write_behind_submit(writer, 1, 0));
    CHECK(mc_write_behind_finish(writer) == 0);
    char first = 0;
    CHECK(pread(fd, &first, 1, 0) == 1 && first == 'x');
    mc_write_behind_destroy(writer);
    close(fd);
}

static void test_failure(void) {
    mc_write_behind *writer;
    mc_error error;
    int fd = open("/dev/full", O_WRONLY);
    REQUIRE(fd >= 0);
    REQUIRE(mc_write_behind_create(fd, BUFFER_SIZE, &writer, &error) == MC_OK);
    (void)hand_on(writer, 0); // it ends, whenever it is told
    CHECK(mc_write_behind_finish(writer) == ENOSPC);
    (void)mc_write_behind_get_buffer(writer);
    CHECK(!mc_write_behind_submit(writer, 1, 0));
    mc_write_behind_destroy(writer);
    close(fd);
    mc_write_behind_destroy(NULL);
}

static void test_memory(void) {
    mc_result result = MC_ERROR_OUT_OF_MEMORY;
    int fd = open_file();
    for (uint64_t n = 0; n < 20 && result != MC_OK; n++) {
        mc_write_behind *writer;
        mc_error error;
        mc_memory_fail_after(n);
        result = mc_write_behind_create(fd, BUFFER_SIZE, &writer, &error);
        mc_memory_fail_after(UINT64_MAX);
        CHECK((result == MC_OK) == (writer != NULL));
        if (result != MC_OK) CHECK(result == MC_ERROR_OUT_OF_MEMORY);
        mc_write_behind_destroy(writer); // with nothing to write
    }
    CHECK(result == MC_OK);
    close(fd);
}

int main(void) {
    test_bytes();
    test_failure();
    test_memory();
    return test_finish();
}
