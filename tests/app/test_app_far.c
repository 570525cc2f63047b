// Addresses of what lies elsewhere, quoting, frames, patterns, and names of files that come.
#include "app/answers/what_if_far.h"
#include "app/far/far_file.h"
#include "app/far/far_frame.h"
#include "app/far/far_paths.h"
#include "app/far_address.h"
#include "engine/base/memory.h"
#include "tests/test.h"
#include "tests/trace_maker.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// What the address says, as it is said again, with its path behind a space.
static void check_address(const char *word, const char *wanted) {
    mc_far_place place;
    const char *path;
    mc_text text = {0};
    mc_error error = {0};
    CHECK(mc_far_address_parse(word, &place, &path, &error) == MC_OK);
    mc_far_place_append(&place, &text);
    mc_text_format(&text, " %s", path ? path : "-");
    if (strcmp(mc_text_get(&text), wanted) != 0) {
        fprintf(stderr, "%s: %s, not %s\n", word, mc_text_get(&text), wanted);
        CHECK(false);
    }
    mc_text_deinit(&text);
}

static void check_wrong(const char *word) {
    mc_far_place place;
    const char *path;
    mc_error error = {0};
    if (mc_far_address_parse(word, &place, &path, &error) == MC_ERROR_USAGE) return;
    fprintf(stderr, "%s is taken\n", word);
    CHECK(false);
}

static void test_addresses(void) {
    check_address("ssh://prod/a.hprof", "ssh://prod /a.hprof");
    check_address("ssh://me@prod:22/a b/*.hprof", "ssh://me@prod:22 /a b/*.hprof");
    check_address("ssh://me@corp@prod/~/a", "ssh://me@corp@prod ~/a");
    check_address("ssh://[fe80::1]:2222/a", "ssh://[fe80::1]:2222 /a");
    check_address("ssh://prod", "ssh://prod -");
    check_address("ssh://prod/-x", "ssh://prod /-x");
    check_address("docker://0a1b/a", "docker://0a1b /a");
    check_address("podman://0a1b", "podman://0a1b -");
    check_address("kubectl://pod-1/app/tmp/a", "kubectl://pod-1/app /tmp/a");
    check_address("kubectl://ns@pod-1//tmp/a", "kubectl://ns@pod-1/ /tmp/a");
    check_address("kubectl://pod-1", "kubectl://pod-1/ -");
    // what another program could take for an option, or a shell for more than a name
    static const char *const wrong[] = {"ssh://-oProxyCommand=x/a",
                                        "ssh://-l@prod/a",
                                        "ssh:///a",
                                        "ssh://prod:/a",
                                        "ssh://prod:22x/a",
                                        "ssh://prod:123456/a",
                                        "ssh://@prod/a",
                                        "ssh://a b/c",
                                        "ssh://a;b/c",
                                        "ssh://$(a)/c",
                                        "ssh://[x]/c",
                                        "ssh://[::1/c",
                                        "ssh://a\nb/c",
                                        "docker://-i/a",
                                        "docker:///a",
                                        "kubectl:///a/b",
                                        "kubectl://pod/-c/a",
                                        "kubectl://-n@pod/c/a",
                                        "podman://a`b`c/d",
                                        "ssh://[::1]x/c"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        check_wrong(wrong[i]);
    CHECK(!mc_far_is_address("a.hprof") && !mc_far_is_address("ws://localhost:1"));
}

// No word of the address is an option of the program that goes there.
static void test_words(void) {
    mc_far_place place;
    const char *path;
    mc_far_words words;
    CHECK(mc_far_address_parse("ssh://me@prod:22/a", &place, &path, NULL) == MC_OK);
    mc_far_words_make(&place, "echo \"$a\"", &words);
    size_t count = 0, end = 0;
    for (; words.items[count]; count++)
        if (strcmp(words.items[count], "--") == 0) end = count;
    CHECK(end == count - 3 && strcmp(words.items[end + 1], "prod") == 0);
    CHECK(strcmp(words.items[end + 2], "exec sh -c 'echo \"$a\"'") == 0);
    mc_far_words_deinit(&words);
}

// A shell reads back what was quoted.
static void test_quoting(void) {
    static const char *const names[] = {"",        "plain",      "a b",    "it's",     "$(touch x)",
                                        "a\nb",    "*?[a]",      "\\",     "`x`",      "\"",
                                        "~/a;b&c", "\xc3\xa4\t", "a=b!c$", "-n'\\''x", "''"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        mc_text command = {0};
        char read[64] = "";
        mc_text_append_string(&command, "printf '%s' ");
        mc_far_quote(names[i], &command);
        FILE *shell = popen(mc_text_get(&command), "r");
        CHECK(shell != NULL);
        size_t size = fread(read, 1, sizeof read - 1, shell);
        pclose(shell);
        CHECK(size == strlen(names[i]) && strcmp(read, names[i]) == 0);
        mc_text_deinit(&command);
    }
}

// Frames arrive as they were sent, in whatever pieces; what is no frame ends the stream.
static void test_frames(void) {
    int pair[2];
    CHECK(pipe(pair) == 0);
    mc_far_stream stream;
    mc_far_stream_init(&stream, pair[0], pair[1]);
    CHECK(mc_far_stream_send_text(&stream, MC_FAR_WORD, "ab"));
    CHECK(mc_far_stream_send(&stream, MC_FAR_RUN, "", 0));
    unsigned char sent[64];
    ssize_t size = read(pair[0], sent, sizeof sent);
    CHECK(size == 12);
    char kind;
    const char *bytes;
    size_t length;
    for (ssize_t at = 0; at < size; at++) {
        CHECK(write(pair[1], sent + at, 1) == 1);
        CHECK(mc_far_stream_fill(&stream));
        bool is_whole = mc_far_stream_take(&stream, &kind, &bytes, &length);
        CHECK(is_whole == (at == 6 || at == 11));
        if (at == 6) CHECK(kind == MC_FAR_WORD && length == 2 && memcmp(bytes, "ab", 2) == 0);
        if (at == 11) CHECK(kind == MC_FAR_RUN && length == 0);
    }
    static const unsigned char large[] = {'O', 0xff, 0xff, 0xff, 0xff};
    CHECK(write(pair[1], large, sizeof large) == (ssize_t)sizeof large);
    CHECK(mc_far_stream_fill(&stream));
    CHECK(!mc_far_stream_take(&stream, &kind, &bytes, &length) && stream.is_ended);
    mc_far_stream_deinit(&stream);
    close(pair[0]);
    close(pair[1]);
}

static void test_below(void) {
    static const char *const inside[] = {"a", "a/b", "..a", "a/...", "-x"};
    static const char *const outside[] = {"", "/a", "..", "a/..", "a/../b", "./a", "a//b", "a/"};
    for (size_t i = 0; i < sizeof inside / sizeof *inside; i++)
        CHECK(mc_far_file_is_below(inside[i], strlen(inside[i])));
    for (size_t i = 0; i < sizeof outside / sizeof *outside; i++)
        CHECK(!mc_far_file_is_below(outside[i], strlen(outside[i])));
    CHECK(!mc_far_file_is_below("a\0b", 3));
    // nobody has asked for these
    const char *const outputs[] = {"out"};
    mc_far_file file = {.is_open = false};
    CHECK(mc_far_file_begin(&file, outputs, 1, "\1", 1, NULL) == MC_ERROR_BAD_DATA);
    CHECK(mc_far_file_begin(&file, outputs, 1, "\0../x", 5, NULL) == MC_ERROR_BAD_DATA);
    CHECK(mc_far_file_write(&file, "x", 1, NULL) == MC_ERROR_BAD_DATA);
    CHECK(mc_far_file_commit(&file, NULL) == MC_ERROR_BAD_DATA);
}

static void make_file(const char *folder, const char *name) {
    char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *made = fopen(path, "w");
    CHECK(made != NULL);
    fclose(made);
}

static uint32_t count_paths(const char *folder, const char *pattern) {
    mc_text whole = {0}, paths = {0};
    uint32_t count = 0;
    mc_text_format(&whole, "%s/%s", folder, pattern);
    mc_result result = mc_far_paths_expand(mc_text_get(&whole), &paths, &count, NULL);
    CHECK(result == MC_OK || (result == MC_ERROR_IO && count == 0));
    mc_text_deinit(&whole);
    mc_text_deinit(&paths);
    return count;
}

static void test_patterns(void) {
    char folder[] = "/tmp/memcity-test-far-XXXXXX", command[128];
    CHECK(mkdtemp(folder) != NULL);
    static const char *const names[] = {"a.hprof", "b.hprof", "[ab].hprof", "x y.hprof", "$(c)"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        make_file(folder, names[i]);
    CHECK(count_paths(folder, "*.hprof") == 4);
    CHECK(count_paths(folder, "[ab].hprof") == 1); // a file of this very name
    CHECK(count_paths(folder, "[a-b].hprof") == 2);
    CHECK(count_paths(folder, "x y.hprof") == 1 && count_paths(folder, "$(c)") == 1);
    CHECK(count_paths(folder, "c") == 0 && count_paths(folder, "*.mct") == 0);
    setenv("HOME", folder, 1);
    mc_text paths = {0};
    uint32_t count = 0;
    CHECK(mc_far_paths_expand("~/?.hprof", &paths, &count, NULL) == MC_OK && count == 2);
    mc_text_deinit(&paths);
    snprintf(command, sizeof command, "rm -r %s", folder);
    CHECK(system(command) == 0); // NOLINT(cert-env33-c)
}

// The answer of memcity whatif, whole, cut at each byte, and with other values than there may be.
static void test_fallen(void) {
    static const char answer[] =
        "{\"steps\":[{\"dump\":\"a\",\"time_ms\":0,\"objects\":9,\"bytes\":9,\"leaves\":[]},"
        "{\"dump\":\"b\",\"time_ms\":1,\"objects\":6,\"bytes\":60,\"retained\":{\"objects\":1},"
        "\"leaves\":[{\"key\":\"Heap#d#a\",\"objects\":2,\"bytes\":50},"
        "{\"key\":\"Heap#e#c\",\"objects\":4,\"bytes\":10},"
        "{\"key\":\"Heap#none\",\"objects\":1,\"bytes\":1}]}]}";
    static const char *const wrong[] = {
        "[]",
        "{\"objects\":-1}",
        "{\"leaves\":[{\"objects\":1}]}",
        "{\"leaves\":[{\"key\":\"a\",\"objects\":99999999999999999999}]}",
        "{\"leaves\":{}}",
        "{\"steps\":[{\"steps\":[]}]}"};
    static const test_leaf leaves[] = {{"d", "a", {5, 5}}, {"d", "b", {5, 5}}, {"e", "c", {5, 5}}};
    mc_trace *trace = test_make_trace(leaves, 3, 2);
    mc_what_if found = {0};
    mc_error error = {0};
    REQUIRE(mc_what_if_read(trace, 1, answer, sizeof answer - 1, &found, &error) == MC_OK);
    CHECK(found.objects == 6 && found.bytes == 60 && found.leaf_count == 2);
    CHECK(found.leaves[0] == test_find(trace, "Heap#d#a"));
    CHECK(found.node_bytes[test_find(trace, "Heap#d")] == 50);
    CHECK(found.node_objects[test_find(trace, "Heap#e")] == 4 && found.node_bytes[0] == 60);
    CHECK(found.node_objects[test_find(trace, "Heap#d#b")] == 0);
    for (size_t size = 0; size + 1 < sizeof answer; size++) {
        char *cut = malloc(size + 1); // exactly as large, for the sanitizer
        REQUIRE(cut);
        memcpy(cut, answer, size);
        error = (mc_error){0};
        CHECK(mc_what_if_read(trace, 1, cut, size, &found, &error) != MC_OK && error.code != MC_OK);
        CHECK(!found.leaves);
        free(cut);
    }
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        CHECK_MSG(mc_what_if_read(trace, 0, wrong[i], strlen(wrong[i]), &found, &error) != MC_OK,
                  "%s", wrong[i]);
    mc_what_if_deinit(&found);
    mc_trace_destroy(trace);
}

int main(void) {
    test_addresses();
    test_words();
    test_quoting();
    test_frames();
    test_below();
    test_patterns();
    test_fallen();
    return test_finish();
}
