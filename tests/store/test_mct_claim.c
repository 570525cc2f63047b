// Who may write an .mct file, what is taken for nothing, and that no journal of a file before ever
// meets the one that replaces it.
#include "engine/base/clock.h"
#include "engine/store/mct/mct.h"
#include "engine/store/mct/mct_claim.h"
#include "tests/odd_trace.h"
#include <signal.h>
#include <sqlite3.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { KILL_COUNT = 200, OLD_STEPS = 40, NEW_STEPS = 5, WRITER_COUNT = 8 };

static char folder[] = "/tmp/memcity-claim-XXXXXX";
static char file[64], journal[80], hot[64], hot_journal[64], part[80];
static mc_error error;

// ---- files

static mc_result write_steps(const char *path, mc_mct_sync sync, uint32_t step_count) {
    static mc_step_tree tree;
    mc_mct_writer_desc desc = {.path = path, .sync = sync};
    mc_mct_writer *writer = NULL;
    odd_trace odd;
    bool present[ODD_NODE_COUNT];
    odd_init(&odd, step_count, MC_KEY_FULL, step_count);
    mc_result result = mc_mct_writer_create(&desc, &writer, &error);
    for (uint32_t step = 0; step < step_count && result == MC_OK; step++) {
        odd_fill_tree(&odd, step, &tree, present);
        tree.time_ms = step;
        result = mc_mct_writer_add_step(writer, &tree, "odd", &error);
        if (result == MC_OK) result = mc_mct_writer_commit(writer, &error);
    }
    if (result == MC_OK) result = mc_mct_writer_finish(writer, &error);
    mc_mct_writer_destroy(writer);
    return result;
}

// 0: it can't be read, or not all of it.
static uint32_t count_steps(const char *path) {
    mc_mct_open_desc desc = {.path = path};
    mc_trace *trace = NULL;
    uint64_t values[ODD_NODE_COUNT * 2];
    if (mc_mct_open(&desc, &trace, NULL, &error) != MC_OK) return 0;
    uint32_t count = mc_trace_get_step_count(trace);
    CHECK(mc_trace_get_nodes(trace)->count <= ODD_NODE_COUNT * 2);
    for (uint32_t step = 0; step < count; step++)
        CHECK_MSG(mc_trace_read_column(trace, step, MC_METRIC_BYTES, values, &error) == MC_OK, "%s",
                  error.message);
    mc_trace_destroy(trace);
    return count;
}

static void write_bytes(const char *path, const void *bytes, size_t size) {
    FILE *stream = fopen(path, "wb");
    REQUIRE(stream);
    REQUIRE(fwrite(bytes, 1, size, stream) == size);
    REQUIRE(fclose(stream) == 0);
}

static bool copy(const char *from, const char *to) {
    static char bytes[1 << 22];
    FILE *stream = fopen(from, "rb");
    if (!stream) return false;
    size_t size = fread(bytes, 1, sizeof bytes, stream);
    REQUIRE(size < sizeof bytes);
    fclose(stream);
    write_bytes(to, bytes, size);
    return true;
}

static bool is_there(const char *path) {
    struct stat status;
    return lstat(path, &status) == 0;
}

static void run_sql(const char *path, const char *sql) {
    sqlite3 *db = NULL;
    REQUIRE(sqlite3_open(path, &db) == SQLITE_OK);
    CHECK_MSG(sqlite3_exec(db, sql, NULL, NULL, NULL) == SQLITE_OK, "%s", sqlite3_errmsg(db));
    sqlite3_close(db);
}

// A file of OLD_STEPS whose writer was killed while it changed pages, kept as `hot`.
static void make_hot(const char *sql) {
    sqlite3 *db = NULL;
    REQUIRE(sqlite3_open(file, &db) == SQLITE_OK);
    REQUIRE(sqlite3_exec(db, "PRAGMA cache_size = 1; PRAGMA synchronous = OFF; BEGIN", NULL, NULL,
                         NULL) == SQLITE_OK);
    REQUIRE(sqlite3_exec(db, sql, NULL, NULL, NULL) == SQLITE_OK);
    REQUIRE(copy(file, hot) && copy(journal, hot_journal));
    sqlite3_close(db);
    unlink(file);
}

static void put_hot(void) {
    REQUIRE(copy(hot, file) && copy(hot_journal, journal));
}

static void remove_all(void) {
    unlink(file);
    unlink(journal);
    unlink(part);
}

// ---- one at a time

static void test_exclusive(void) {
    mc_mct_claim first, second;
    REQUIRE(mc_mct_claim_begin(&first, file, &error) == MC_OK);
    CHECK(first.is_empty && is_there(file));
    CHECK(mc_mct_claim_begin(&second, file, &error) == MC_ERROR_IO);
    CHECK(strstr(error.message, "another memcity writes to it") && strstr(error.message, file));
    mc_mct_claim_end(&second, false);
    mc_mct_claim_end(&first, false);
    CHECK(!is_there(file));
    REQUIRE(mc_mct_claim_begin(&first, file, &error) == MC_OK);
    CHECK(write_steps(file, MC_MCT_SYNC_START, NEW_STEPS) == MC_OK);
    CHECK(mc_mct_claim_sync(&first, &error) == MC_OK);
    mc_mct_claim_end(&first, true);
    REQUIRE(mc_mct_claim_begin(&first, file, &error) == MC_OK);
    CHECK(!first.is_empty);
    mc_mct_claim_end(&first, false); // it was there
    mc_mct_claim_end(&first, false);
    CHECK(count_steps(file) == NEW_STEPS);
    // A killed holder's claim ends with it.
    pid_t child = fork();
    REQUIRE(child >= 0);
    if (child == 0) {
        if (mc_mct_claim_begin(&first, file, &error) == MC_OK) kill(getpid(), SIGKILL);
        _exit(1);
    }
    int status;
    REQUIRE(waitpid(child, &status, 0) == child && WIFSIGNALED(status));
    REQUIRE(mc_mct_claim_begin(&first, file, &error) == MC_OK);
    mc_mct_claim_end(&first, true);
    remove_all();
}

typedef struct score_board {
    _Atomic int holders, most, claimed, refused;
} score_board;

// Makes, replaces and removes the file as fast as it can; counts who else thinks that it is his.
static void contend(score_board *board, uint32_t seed) {
    char mine[96];
    snprintf(mine, sizeof mine, "%s/%u", folder, seed);
    for (uint32_t i = 0; i < 300; i++) {
        mc_mct_claim claim;
        if (mc_mct_claim_begin(&claim, file, &error) != MC_OK) {
            board->refused++;
            continue;
        }
        int holders = ++board->holders;
        if (holders > board->most) board->most = holders;
        board->claimed++;
        usleep((i * 7919u + seed) % 100);
        mc_file_target target = {0};
        bool replaces = (i + seed) % 3 == 0;
        if (replaces && mc_file_target_begin(&target, file, &error) == MC_OK) {
            board->holders--; // with the name the claim is gone
            CHECK(rename(target.temporary_path, file) == 0);
            mc_file_target_discard(&target);
        } else {
            board->holders--;
        }
        mc_mct_claim_end(&claim, false);
    }
    _exit(test_failure_count > 0);
}

static void test_contention(void) {
    score_board *board =
        mmap(NULL, sizeof *board, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    REQUIRE(board != MAP_FAILED);
    for (uint32_t i = 0; i < WRITER_COUNT; i++) {
        pid_t child = fork();
        REQUIRE(child >= 0);
        if (child == 0) contend(board, i);
    }
    int status;
    for (uint32_t i = 0; i < WRITER_COUNT; i++)
        CHECK(wait(&status) > 0 && status == 0);
    CHECK_MSG(board->most == 1, "%d at a time", board->most);
    CHECK(board->claimed > 0 && board->refused > 0);
    munmap(board, sizeof *board);
    remove_all();
}

// ---- what is there

static void check_empty(const char *what) {
    mc_mct_claim claim;
    mc_result result = mc_mct_claim_begin(&claim, file, &error);
    CHECK_MSG(result == MC_OK && claim.is_empty, "%s: %s", what, error.message);
    CHECK_MSG(!is_there(journal), "%s", what);
    CHECK_MSG(write_steps(file, MC_MCT_SYNC_START, NEW_STEPS) == MC_OK, "%s: %s", what,
              error.message);
    mc_mct_claim_end(&claim, true);
    CHECK_MSG(count_steps(file) == NEW_STEPS, "%s: %s", what, error.message);
    remove_all();
}

static void test_leftovers(void) {
    static const char zeros[5 * 4096];
    check_empty("nothing");
    write_bytes(file, "", 0);
    check_empty("an empty file");
    write_bytes(file, zeros, sizeof zeros);
    check_empty("a file of zeros");
    run_sql(file, "PRAGMA application_id = 0x4d435459");
    check_empty("a header without tables");
    // Journals of files that are not there any more.
    REQUIRE(copy(hot_journal, journal));
    check_empty("a journal without a file");
    REQUIRE(copy(hot_journal, journal));
    write_bytes(file, "", 0);
    check_empty("a journal of an empty file");
    REQUIRE(copy(hot_journal, journal));
    write_bytes(file, zeros, sizeof zeros);
    check_empty("a journal of a file of zeros");
    // Killed while the first pages were written.
    char kept_hot[80], kept_journal[80];
    snprintf(kept_hot, sizeof kept_hot, "%s.kept", hot);
    snprintf(kept_journal, sizeof kept_journal, "%s.kept", hot_journal);
    REQUIRE(rename(hot, kept_hot) == 0 && rename(hot_journal, kept_journal) == 0);
    make_hot("PRAGMA application_id = 0x4d435459; CREATE TABLE a(b); INSERT INTO a "
             "VALUES(zeroblob(100000)); INSERT INTO a VALUES(zeroblob(100000))");
    put_hot();
    check_empty("a first transaction that was killed");
    REQUIRE(rename(kept_hot, hot) == 0 && rename(kept_journal, hot_journal) == 0);
    // One that was killed later is a trace.
    mc_mct_claim claim;
    put_hot();
    CHECK(mc_mct_claim_begin(&claim, file, &error) == MC_OK && !claim.is_empty);
    mc_mct_claim_end(&claim, false);
    CHECK(!is_there(journal) && count_steps(file) == OLD_STEPS);
    remove_all();
}

static void check_refused(const char *what, mc_result expected) {
    mc_mct_claim claim;
    struct stat before, after;
    REQUIRE(lstat(file, &before) == 0);
    alarm(60);
    CHECK_MSG(mc_mct_claim_begin(&claim, file, &error) == expected, "%s: %s", what, error.message);
    alarm(0);
    CHECK_MSG(lstat(file, &after) == 0 && before.st_size == after.st_size &&
                  before.st_ino == after.st_ino,
              "%s", what);
    CHECK_MSG(strstr(error.message, file), "%s: %s", what, error.message);
}

static void test_others(void) {
    write_bytes(file, "precious", 8);
    check_refused("a text", MC_ERROR_IO);
    REQUIRE(copy(hot_journal, journal));
    check_refused("a text beside a journal", MC_ERROR_IO);
    CHECK(is_there(journal));
    remove_all();
    run_sql(file, "CREATE TABLE a(b)");
    check_refused("a database of somebody else", MC_ERROR_IO);
    REQUIRE(copy(hot_journal, journal));
    check_refused("a database of somebody else, and a journal", MC_ERROR_IO);
    CHECK(is_there(journal));
    remove_all();
    REQUIRE(mkfifo(file, 0600) == 0);
    check_refused("a pipe", MC_ERROR_IO);
    remove_all();
    REQUIRE(mkdir(file, 0700) == 0);
    check_refused("a folder", MC_ERROR_IO);
    rmdir(file);
    write_bytes(file, "", 0);
    write_bytes(journal, "my diary", 8);
    check_refused("a foreign file called as the journal", MC_ERROR_BAD_DATA);
    CHECK(is_there(journal));
    remove_all();
    mc_mct_claim claim;
    char missing[80];
    snprintf(missing, sizeof missing, "%s/no/such.mct", folder);
    CHECK(mc_mct_claim_begin(&claim, missing, &error) == MC_ERROR_IO);
    CHECK(mc_mct_claim_begin(&claim, "", &error) == MC_ERROR_IO);
}

// ---- replacing

static mc_result replace(void) {
    mc_mct_claim claim;
    mc_file_target target = {0};
    mc_result result = mc_mct_claim_begin(&claim, file, &error);
    if (result == MC_OK) result = mc_file_target_begin(&target, claim.path, &error);
    if (result == MC_OK) result = write_steps(target.temporary_path, MC_MCT_SYNC_NEVER, NEW_STEPS);
    if (result == MC_OK) result = mc_mct_claim_replace(&claim, &target, &error);
    mc_file_target_discard(&target);
    mc_mct_claim_end(&claim, result == MC_OK);
    return result;
}

static void test_replace(void) {
    // With a journal that is hot, one that is not, and one that can't be taken back.
    for (int kind = 0; kind < 4; kind++) {
        put_hot();
        if (kind == 1) unlink(journal);
        if (kind == 2) {
            FILE *stream = fopen(journal, "r+b");
            REQUIRE(stream);
            fwrite("\0\0\0\0\0\0\0\0\0\0\0\0", 1, 12, stream);
            fclose(stream);
        }
        // The file's first page, but for its header, is nonsense, and so it is in the journal.
        if (kind == 3) {
            FILE *stream = fopen(file, "r+b");
            REQUIRE(stream && fseek(stream, 100, SEEK_SET) == 0);
            for (int i = 0; i < 3000; i++)
                fputc(0xff, stream);
            fclose(stream);
            unlink(journal);
        }
        CHECK_MSG(replace() == MC_OK, "%d: %s", kind, error.message);
        CHECK(count_steps(file) == NEW_STEPS && !is_there(journal) && !is_there(part));
        remove_all();
    }
    // Somebody has put another file there meanwhile.
    mc_mct_claim claim;
    mc_file_target target = {0};
    put_hot();
    REQUIRE(mc_mct_claim_begin(&claim, file, &error) == MC_OK);
    REQUIRE(mc_file_target_begin(&target, file, &error) == MC_OK);
    unlink(file);
    write_bytes(file, "precious", 8);
    CHECK(mc_mct_claim_replace(&claim, &target, &error) == MC_ERROR_IO);
    CHECK(strstr(error.message, "another file"));
    // Or a journal that is none.
    unlink(file);
    write_bytes(journal, "my diary", 8);
    CHECK(mc_mct_claim_replace(&claim, &target, &error) == MC_ERROR_BAD_DATA);
    CHECK(is_there(journal));
    unlink(journal);
    // Or has taken it away, and left its journal.
    REQUIRE(copy(hot_journal, journal));
    CHECK(write_steps(target.temporary_path, MC_MCT_SYNC_NEVER, NEW_STEPS) == MC_OK);
    CHECK_MSG(mc_mct_claim_replace(&claim, &target, &error) == MC_OK, "%s", error.message);
    mc_file_target_discard(&target);
    mc_mct_claim_end(&claim, true);
    CHECK(count_steps(file) == NEW_STEPS && !is_there(journal));
    remove_all();
}

// Another program writes to the file without a claim.
static void test_foreign_writer(void) {
    mc_mct_claim claim;
    mc_file_target target = {0};
    sqlite3 *db = NULL;
    REQUIRE(copy(hot, file) && copy(hot_journal, journal));
    REQUIRE(mc_mct_claim_begin(&claim, file, &error) == MC_OK);
    REQUIRE(mc_file_target_begin(&target, file, &error) == MC_OK);
    CHECK(write_steps(target.temporary_path, MC_MCT_SYNC_NEVER, NEW_STEPS) == MC_OK);
    int ends[2];
    char byte;
    REQUIRE(pipe(ends) == 0);
    pid_t child = fork();
    REQUIRE(child >= 0);
    if (child == 0) {
        // Its transaction ends while the other one waits.
        REQUIRE(sqlite3_open(file, &db) == SQLITE_OK);
        REQUIRE(sqlite3_exec(db, "PRAGMA cache_size = 1; BEGIN; DELETE FROM step_column", NULL,
                             NULL, NULL) == SQLITE_OK);
        if (write(ends[1], "", 1) != 1) _exit(1);
        usleep(300000);
        _exit(sqlite3_exec(db, "COMMIT", NULL, NULL, NULL) != SQLITE_OK);
    }
    REQUIRE(read(ends[0], &byte, 1) == 1);
    CHECK(is_there(journal));
    CHECK_MSG(mc_mct_claim_replace(&claim, &target, &error) == MC_OK, "%s", error.message);
    int status;
    CHECK(waitpid(child, &status, 0) == child && status == 0);
    close(ends[0]);
    close(ends[1]);
    mc_file_target_discard(&target);
    mc_mct_claim_end(&claim, true);
    CHECK(count_steps(file) == NEW_STEPS && !is_there(journal));
    remove_all();
}

typedef struct kills {
    uint32_t old_count, new_count, none_count; // what was there afterwards
} kills;

// At moments up to `most_us` behind the beginning.
static void kill_at_moments(uint64_t most_us, kills *found) {
    for (uint32_t run = 0; run < KILL_COUNT; run++) {
        remove_all();
        uint32_t kind = run % 3;
        if (kind == 0) put_hot();
        if (kind == 1) REQUIRE(copy(hot_journal, journal)); // of a file that is gone
        if (kind == 2) write_bytes(file, "", 0);
        pid_t child = fork();
        REQUIRE(child >= 0);
        if (child == 0) {
            mc_mct_claim claim;
            if (kind == 0) _exit(replace() != MC_OK);
            REQUIRE(mc_mct_claim_begin(&claim, file, &error) == MC_OK && claim.is_empty);
            REQUIRE(write_steps(file, MC_MCT_SYNC_START, NEW_STEPS) == MC_OK);
            mc_mct_claim_end(&claim, run % 2 == 0);
            _exit(0);
        }
        usleep((useconds_t)(run * 7919u % KILL_COUNT * most_us / KILL_COUNT));
        kill(child, SIGKILL);
        waitpid(child, NULL, 0);
        uint32_t count = count_steps(file);
        if (kind == 0) {
            CHECK_MSG(count == OLD_STEPS || count == NEW_STEPS, "%u steps: %s", count,
                      error.message);
            found->old_count += count == OLD_STEPS;
            found->new_count += count == NEW_STEPS;
        } else {
            CHECK_MSG(count <= NEW_STEPS, "%u steps", count);
            found->none_count += count == 0;
        }
        // Whatever was left does not stand in the way.
        mc_mct_claim claim;
        bool has_steps = count > 0;
        CHECK_MSG(mc_mct_claim_begin(&claim, file, &error) == MC_OK, "%s", error.message);
        CHECK(!has_steps || !claim.is_empty);
        if (claim.is_empty)
            CHECK_MSG(write_steps(file, MC_MCT_SYNC_START, NEW_STEPS) == MC_OK, "%s",
                      error.message);
        mc_mct_claim_end(&claim, true);
        CHECK_MSG(replace() == MC_OK, "%s", error.message);
        CHECK_MSG(count_steps(file) == NEW_STEPS, "%s", error.message);
        CHECK(!is_there(part) && !is_there(journal));
    }
}

// Killed at any moment: the old file or the new one, whole, and the next run leaves nothing else.
static void test_kills(void) {
    kills found = {0};
    // As long as it takes here, and half as long again; longer if that was a quiet moment.
    put_hot();
    uint64_t begin_ns = mc_clock_now_ns();
    CHECK(replace() == MC_OK);
    uint64_t most_us = (mc_clock_now_ns() - begin_ns) * 3 / 2000 + 1;
    for (uint32_t round = 0; round < 6 && (round == 0 || found.new_count == 0); round++)
        kill_at_moments(most_us << round, &found);
    printf("old %u, new %u, none %u\n", found.old_count, found.new_count, found.none_count);
    CHECK_MSG(found.old_count > 0 && found.new_count > 0 && found.none_count > 0,
              "old %u, new %u, none %u: the test says nothing", found.old_count, found.new_count,
              found.none_count);
    remove_all();
}

int main(void) {
    REQUIRE(mkdtemp(folder));
    snprintf(file, sizeof file, "%s/t.mct", folder);
    snprintf(journal, sizeof journal, "%s-journal", file);
    snprintf(part, sizeof part, "%s.memcity.part", file);
    snprintf(hot, sizeof hot, "%s/hot", folder);
    snprintf(hot_journal, sizeof hot_journal, "%s/hot.journal", folder);
    test_exclusive();
    test_contention();
    CHECK(write_steps(file, MC_MCT_SYNC_START, OLD_STEPS) == MC_OK);
    make_hot("DELETE FROM step_column; DELETE FROM step; UPDATE strings SET bytes = "
             "zeroblob(50000)");
    test_leftovers();
    test_others();
    test_replace();
    test_foreign_writer();
    test_kills();
    unlink(hot);
    unlink(hot_journal);
    CHECK(rmdir(folder) == 0);
    return test_finish();
}
