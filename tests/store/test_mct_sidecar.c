// What lies beside an .mct file of unknown origin makes SQLite do nothing but take back what a
// killed writer left.
#include "engine/store/mct/mct.h"
#include "tests/odd_trace.h"
#include <fcntl.h>
#include <signal.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { RACE_COUNT = 1500, NOBODY = 65534 };

static char folder[] = "/tmp/memcity-sidecar-XXXXXX";
static char file[64], journal[80], wal[80], victim[80];
static mc_error error;

static const unsigned char magic[8] = {0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7};

// ---- files

static void add_step(mc_mct_writer *writer, uint32_t step) {
    static mc_step_tree tree;
    odd_trace odd;
    bool present[ODD_NODE_COUNT];
    odd_init(&odd, step + 1, MC_KEY_FULL, 100);
    odd_fill_tree(&odd, step, &tree, present);
    tree.time_ms = step;
    CHECK_MSG(mc_mct_writer_add_step(writer, &tree, "odd", &error) == MC_OK, "%s", error.message);
}

static mc_result create_writer(bool append, mc_mct_writer **writer) {
    mc_mct_writer_desc desc = {.path = file, .append = append};
    return mc_mct_writer_create(&desc, writer, &error);
}

static void write_file(void) {
    mc_mct_writer *writer = NULL;
    unlink(file);
    REQUIRE(create_writer(false, &writer) == MC_OK);
    for (uint32_t step = 0; step < 3; step++)
        add_step(writer, step);
    CHECK(mc_mct_writer_finish(writer, &error) == MC_OK);
    mc_mct_writer_destroy(writer);
}

// *step_count is 0 if it can't be opened.
static mc_result open_file(uint32_t *step_count) {
    mc_mct_open_desc desc = {.path = file};
    mc_trace *trace = NULL;
    mc_result result = mc_mct_open(&desc, &trace, NULL, &error);
    *step_count = trace ? mc_trace_get_step_count(trace) : 0;
    mc_trace_destroy(trace);
    return result;
}

static void write_bytes(const char *path, const void *bytes, size_t size) {
    FILE *stream = fopen(path, "wb");
    REQUIRE(stream);
    REQUIRE(fwrite(bytes, 1, size, stream) == size);
    REQUIRE(fclose(stream) == 0);
}

static bool holds(const char *path, const char *text) {
    char bytes[64] = "";
    FILE *stream = fopen(path, "rb");
    if (!stream) return false;
    size_t size = fread(bytes, 1, sizeof bytes - 1, stream);
    fclose(stream);
    return size == strlen(text) && memcmp(bytes, text, size) == 0;
}

static void put_number(unsigned char *at, uint32_t number) {
    for (int i = 0; i < 4; i++)
        at[i] = (unsigned char)(number >> (24 - 8 * i));
}

// A journal of one sector without records, as SQLite writes it; with `super`, it names a super-
// journal.
static size_t fill_journal(unsigned char *bytes, uint32_t page_count, const char *super) {
    size_t size = 512;
    memset(bytes, 0, size);
    memcpy(bytes, magic, sizeof magic);
    put_number(bytes + 8, 0);
    put_number(bytes + 12, 12345);
    put_number(bytes + 16, page_count);
    put_number(bytes + 20, 512);
    put_number(bytes + 24, 4096);
    if (!super) return size;
    uint32_t length = (uint32_t)strlen(super), checksum = 0;
    for (uint32_t i = 0; i < length; i++)
        checksum += (unsigned char)super[i];
    put_number(bytes + size, 0x40000000 / 4096 + 1);
    memcpy(bytes + size + 4, super, length);
    put_number(bytes + size + 4 + length, length);
    put_number(bytes + size + 8 + length, checksum);
    memcpy(bytes + size + 12 + length, magic, sizeof magic);
    return size + 20 + length;
}

static uint32_t get_page_count(void) {
    struct stat status;
    REQUIRE(stat(file, &status) == 0);
    return (uint32_t)(status.st_size / 4096);
}

static void plant_super_journal(void) {
    unsigned char bytes[1024];
    write_bytes(journal, bytes, fill_journal(bytes, get_page_count(), victim));
}

// ---- what is refused

// By readers, by who looks for new steps, and by who wants to add some; nothing is touched.
static void check_refused(const char *message) {
    uint32_t step_count;
    mc_mct_state state;
    mc_mct_writer *writer = NULL;
    struct stat before, after;
    REQUIRE(stat(file, &before) == 0);
    alarm(60); // a pipe would be waited for
    for (int i = 0; i < 3; i++) {
        mc_result result = i == 0   ? open_file(&step_count)
                           : i == 1 ? mc_mct_peek(file, &state, &error)
                                    : create_writer(true, &writer);
        CHECK_MSG(result == MC_ERROR_BAD_DATA, "%d: %s", i, error.message);
        CHECK_MSG(strstr(error.message, message), "%d: %s", i, error.message);
        CHECK(strstr(error.message, file));
        mc_mct_writer_destroy(writer);
    }
    alarm(0);
    REQUIRE(stat(file, &after) == 0);
    CHECK(before.st_size == after.st_size && before.st_mtim.tv_sec == after.st_mtim.tv_sec &&
          before.st_mtim.tv_nsec == after.st_mtim.tv_nsec);
    CHECK(holds(victim, "precious"));
}

static void test_journals(void) {
    unsigned char bytes[1024];
    struct stat status;
    plant_super_journal();
    check_refused("names a further file");
    // The same, not hot yet: the next writer would begin over it and leave its end.
    FILE *stream = fopen(journal, "r+b");
    REQUIRE(stream);
    fwrite("\0\0\0\0\0\0\0\0\0\0\0\0", 1, 12, stream);
    fclose(stream);
    check_refused("names a further file");

    write_bytes(journal, "my diary", 8);
    check_refused("not what a writer");
    CHECK(holds(journal, "my diary"));
    size_t size = fill_journal(bytes, get_page_count(), NULL);
    put_number(bytes + 24, 4095);
    write_bytes(journal, bytes, size);
    check_refused("not what a writer");
    write_bytes(journal, magic, sizeof magic);
    check_refused("not what a writer");

    unlink(journal);
    REQUIRE(symlink(victim, journal) == 0);
    check_refused("a link, or no file");
    unlink(journal);
    REQUIRE(link(victim, journal) == 0);
    check_refused("a link, or no file");
    unlink(journal);
    REQUIRE(link(file, journal) == 0);
    check_refused("a link, or no file");
    unlink(journal);
    REQUIRE(mkfifo(journal, 0600) == 0);
    check_refused("a link, or no file");
    unlink(journal);
    REQUIRE(mkdir(journal, 0700) == 0);
    check_refused("a link, or no file");
    rmdir(journal);

    size = fill_journal(bytes, get_page_count(), NULL);
    write_bytes(journal, bytes, size);
    if (geteuid() == 0 && chown(journal, NOBODY, NOBODY) == 0) {
        check_refused("another user");
        // Where others may write, the writer may have been another one.
        REQUIRE(stat(file, &status) == 0 && chmod(file, 0666) == 0);
        uint32_t step_count;
        CHECK_MSG(open_file(&step_count) == MC_OK && step_count == 3, "%s", error.message);
        CHECK(access(journal, F_OK) != 0);
        REQUIRE(chmod(file, status.st_mode & 0777) == 0);
    }
    unlink(journal);
}

static void test_logs(void) {
    uint32_t step_count;
    sqlite3 *db = NULL;
    write_bytes(wal, "a log", 5);
    check_refused("write-ahead log");
    CHECK(holds(wal, "a log"));
    unlink(wal);
    REQUIRE(symlink(victim, wal) == 0);
    check_refused("write-ahead log");
    unlink(wal);
    // One without content is none.
    write_bytes(wal, "", 0);
    CHECK(open_file(&step_count) == MC_OK && step_count == 3);
    unlink(wal);

    // The file itself says so; SQLite has taken the log away.
    REQUIRE(sqlite3_open(file, &db) == SQLITE_OK);
    CHECK(sqlite3_exec(db, "PRAGMA journal_mode = WAL; PRAGMA user_version = 2", NULL, NULL,
                       NULL) == SQLITE_OK);
    sqlite3_close(db);
    REQUIRE(access(wal, F_OK) != 0);
    check_refused("write-ahead log");
    CHECK(access(wal, F_OK) != 0);
    REQUIRE(sqlite3_open(file, &db) == SQLITE_OK);
    CHECK(sqlite3_exec(db, "PRAGMA journal_mode = DELETE", NULL, NULL, NULL) == SQLITE_OK);
    sqlite3_close(db);
    CHECK(open_file(&step_count) == MC_OK && step_count == 3);
}

// ---- what comes after the check

static pid_t start_planting(void) {
    pid_t child = fork();
    REQUIRE(child >= 0);
    if (child > 0) return child;
    unsigned char bytes[1024];
    char made[80];
    size_t size = fill_journal(bytes, get_page_count(), victim);
    snprintf(made, sizeof made, "%s/made", folder);
    for (uint32_t i = 0;; i++) {
        write_bytes(made, bytes, size); // so that it appears as a whole
        if (rename(made, journal) != 0) _exit(1);
        usleep(20);
        unlink(journal);
        usleep(i * 37 % 500);
    }
}

// A journal that comes between the check and SQLite's own look does no harm, either.
static void test_race(void) {
    uint32_t step_count, opened = 0;
    pid_t child = start_planting();
    uint32_t count = 0;
    for (uint32_t i = 0; i < RACE_COUNT || (opened == 0 && i < 1000 * RACE_COUNT); i++, count++) {
        mc_mct_writer *writer = NULL;
        opened +=
            i % 4 > 0 ? open_file(&step_count) == MC_OK : create_writer(true, &writer) == MC_OK;
        mc_mct_writer_destroy(writer);
        if (!holds(victim, "precious")) break;
    }
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    CHECK(holds(victim, "precious"));
    unlink(journal);
    printf("%u of %u were opened\n", opened, count);
    CHECK(opened > 0);
    CHECK_MSG(open_file(&step_count) == MC_OK && step_count == 3, "%s", error.message);
}

// Beside a writer that has the file open already.
static void test_planted_later(void) {
    static mc_step_tree tree;
    odd_trace odd;
    bool present[ODD_NODE_COUNT];
    uint32_t step_count;
    mc_mct_writer *writer = NULL;
    REQUIRE(create_writer(true, &writer) == MC_OK);
    add_step(writer, 3);
    CHECK(mc_mct_writer_commit(writer, &error) == MC_OK);
    plant_super_journal();
    odd_init(&odd, 5, MC_KEY_FULL, 100);
    odd_fill_tree(&odd, 4, &tree, present);
    tree.time_ms = 4;
    CHECK(mc_mct_writer_add_step(writer, &tree, "odd", &error) == MC_ERROR_BAD_DATA);
    CHECK_MSG(strstr(error.message, "names a further file"), "%s", error.message);
    mc_mct_writer_destroy(writer);
    CHECK(holds(victim, "precious"));
    unlink(journal);
    CHECK(open_file(&step_count) == MC_OK && step_count == 4);
    mc_step_tree_deinit(&tree);
    write_file();
}

// ---- what is taken back

static void copy(const char *from, const char *to) {
    static char bytes[1 << 22];
    FILE *stream = fopen(from, "rb");
    REQUIRE(stream);
    size_t size = fread(bytes, 1, sizeof bytes, stream);
    REQUIRE(size > 0 && size < sizeof bytes);
    fclose(stream);
    write_bytes(to, bytes, size);
}

// As a writer leaves both that is killed while it changes pages.
static void make_hot_journal(void) {
    char kept[80], kept_journal[80];
    sqlite3 *db = NULL;
    snprintf(kept, sizeof kept, "%s/kept", folder);
    snprintf(kept_journal, sizeof kept_journal, "%s/kept.journal", folder);
    REQUIRE(sqlite3_open(file, &db) == SQLITE_OK);
    REQUIRE(
        sqlite3_exec(db,
                     "PRAGMA cache_size = 1; PRAGMA synchronous = OFF; BEGIN; DELETE FROM "
                     "step_column; DELETE FROM step; UPDATE strings SET bytes = zeroblob(50000)",
                     NULL, NULL, NULL) == SQLITE_OK);
    copy(file, kept);
    copy(journal, kept_journal);
    sqlite3_close(db);
    REQUIRE(rename(kept, file) == 0 && rename(kept_journal, journal) == 0);
}

static void test_hot_journal(void) {
    uint32_t step_count;
    mc_mct_state state;
    mc_mct_writer *writer = NULL;
    char link_name[80];
    make_hot_journal();
    CHECK_MSG(open_file(&step_count) == MC_OK && step_count == 3, "%s", error.message);
    CHECK(access(journal, F_OK) != 0);
    make_hot_journal();
    CHECK(mc_mct_peek(file, &state, &error) == MC_OK && state.step_count == 3);
    make_hot_journal();
    CHECK_MSG(create_writer(true, &writer) == MC_OK, "%s", error.message);
    mc_mct_writer_destroy(writer);
    CHECK(open_file(&step_count) == MC_OK && step_count == 3);
    // By a link it is the journal beside the file.
    make_hot_journal();
    snprintf(link_name, sizeof link_name, "%s/link", folder);
    REQUIRE(symlink(file, link_name) == 0);
    CHECK(mc_mct_peek(link_name, &state, &error) == MC_OK && state.step_count == 3);
    unlink(link_name);
    // What is not hot is left to the next writer.
    unsigned char bytes[1024];
    size_t size = fill_journal(bytes, get_page_count(), NULL);
    memset(bytes, 0, 12);
    write_bytes(journal, bytes, size);
    CHECK(open_file(&step_count) == MC_OK && step_count == 3 && access(journal, F_OK) == 0);
    memset(bytes, 0, sizeof bytes);
    write_bytes(journal, bytes, size);
    CHECK(open_file(&step_count) == MC_OK && step_count == 3);
    CHECK(create_writer(true, &writer) == MC_OK);
    add_step(writer, 3);
    CHECK(mc_mct_writer_finish(writer, &error) == MC_OK);
    mc_mct_writer_destroy(writer);
    CHECK(access(journal, F_OK) != 0);
    write_file();
}

// What a killed writer of somebody else's database has left is left to him.
static void test_foreign_database(void) {
    sqlite3 *db = NULL;
    REQUIRE(sqlite3_open(file, &db) == SQLITE_OK);
    CHECK(sqlite3_exec(db, "PRAGMA application_id = 7", NULL, NULL, NULL) == SQLITE_OK);
    sqlite3_close(db);
    make_hot_journal();
    check_refused("no .mct file (its application_id is 0x7");
    CHECK(access(journal, F_OK) == 0);
    unlink(journal);
    write_file();
}

// Whoever may not write says so.
static void test_read_only(void) {
    if (geteuid() == 0) return; // to whom it means nothing
    uint32_t step_count;
    make_hot_journal();
    REQUIRE(chmod(folder, 0500) == 0);
    CHECK(open_file(&step_count) == MC_ERROR_IO);
    CHECK_MSG(strstr(error.message, "Permission denied"), "%s", error.message);
    REQUIRE(chmod(folder, 0700) == 0 && chmod(file, 0400) == 0);
    CHECK(open_file(&step_count) == MC_ERROR_IO);
    CHECK_MSG(strstr(error.message, "to take that back"), "%s", error.message);
    REQUIRE(chmod(file, 0600) == 0);
    CHECK(open_file(&step_count) == MC_OK && step_count == 3);
}

// ---- names

static void test_names(void) {
    static const char *const names[] = {
        ":memory:", "file:a?mode=memory", "file:b.mct", "a%20b?c=d", "?", "-journal"};
    char before[200];
    REQUIRE(getcwd(before, sizeof before) && chdir(folder) == 0);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        mc_mct_writer_desc desc = {.path = names[i]};
        mc_mct_open_desc open = {.path = names[i]};
        mc_mct_writer *writer = NULL;
        mc_trace *trace = NULL;
        CHECK_MSG(mc_mct_writer_create(&desc, &writer, &error) == MC_OK, "%s", error.message);
        add_step(writer, 0);
        CHECK(mc_mct_writer_finish(writer, &error) == MC_OK);
        mc_mct_writer_destroy(writer);
        CHECK_MSG(access(names[i], F_OK) == 0, "there is no %s", names[i]);
        CHECK_MSG(mc_mct_open(&open, &trace, NULL, &error) == MC_OK, "%s", error.message);
        mc_trace_destroy(trace);
        unlink(names[i]);
    }
    mc_mct_writer *writer = NULL;
    mc_mct_writer_desc nameless = {.path = ""};
    CHECK(mc_mct_writer_create(&nameless, &writer, &error) == MC_ERROR_IO && !writer);
    REQUIRE(chdir(before) == 0);
}

int main(void) {
    REQUIRE(mkdtemp(folder));
    snprintf(file, sizeof file, "%s/t.mct", folder);
    snprintf(journal, sizeof journal, "%s-journal", file);
    snprintf(wal, sizeof wal, "%s-wal", file);
    snprintf(victim, sizeof victim, "%s/victim", folder);
    write_bytes(victim, "precious", 8);
    write_file();
    test_journals();
    test_logs();
    test_race();
    test_planted_later();
    test_hot_journal();
    test_foreign_database();
    test_read_only();
    test_names();
    char made[80];
    snprintf(made, sizeof made, "%s/made", folder);
    unlink(made);
    unlink(file);
    unlink(victim);
    CHECK(rmdir(folder) == 0);
    return test_finish();
}
