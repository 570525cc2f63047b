// Files get their name when they are whole; what is left by a killed program goes, what another one
// is writing stays.
#include "engine/base/file.h"
#include "engine/base/memory.h"
#include "tests/test.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

enum { KILL_COUNT = 200 };

static char folder[] = "/tmp/memcity-file-XXXXXX";
static mc_error error;

static const char *get_path(const char *name) {
    static char paths[4][300];
    static int next;
    char *path = paths[next++ % 4];
    snprintf(path, sizeof paths[0], "%s/%s", folder, name);
    return path;
}

static bool is_there(const char *name) {
    struct stat status;
    return lstat(get_path(name), &status) == 0;
}

static bool holds(const char *name, const char *text) {
    char bytes[64] = "";
    FILE *file = fopen(get_path(name), "rb");
    if (!file) return false;
    size_t size = fread(bytes, 1, sizeof bytes - 1, file);
    fclose(file);
    return size == strlen(text) && memcmp(bytes, text, size) == 0;
}

static unsigned get_mode(const char *name) {
    struct stat status;
    REQUIRE(stat(get_path(name), &status) == 0);
    return status.st_mode & 07777;
}

static uint32_t count_entries(void) {
    DIR *stream = opendir(folder);
    uint32_t count = 0;
    REQUIRE(stream);
    while (readdir(stream))
        count++;
    closedir(stream);
    return count - 2;
}

static void write_text(const char *name, const char *text) {
    CHECK_MSG(mc_file_write(get_path(name), text, strlen(text), &error) == MC_OK, "%s",
              error.message);
}

static void remove_all(void) {
    DIR *stream = opendir(folder);
    struct dirent *entry;
    REQUIRE(stream);
    while ((entry = readdir(stream))) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
        if (unlink(get_path(entry->d_name)) != 0) rmdir(get_path(entry->d_name));
    }
    closedir(stream);
}

static void test_whole_or_not_there(void) {
    mc_file_writer writer;
    umask(022);
    write_text("a", "first");
    CHECK(holds("a", "first") && get_mode("a") == 0644);
    chmod(get_path("a"), 0640);
    REQUIRE(mc_file_writer_begin(&writer, get_path("a"), &error) == MC_OK);
    fputs("second", writer.stream);
    CHECK(holds("a", "first"));
    mc_file_writer_discard(&writer);
    mc_file_writer_discard(&writer);
    CHECK(holds("a", "first") && count_entries() == 1);
    write_text("a", "third");
    CHECK(holds("a", "third") && get_mode("a") == 0640);
    // What only its owner may read is so from its first byte on.
    chmod(get_path("a"), 0600);
    REQUIRE(mc_file_writer_begin(&writer, get_path("a"), &error) == MC_OK);
    CHECK(get_mode("a.memcity.part") == 0600);
    mc_file_writer_discard(&writer);
    remove_all();
}

static void test_links(void) {
    write_text("a", "first");
    REQUIRE(symlink("a", get_path("link")) == 0 && symlink("new", get_path("dangling")) == 0);
    REQUIRE(symlink("loop", get_path("loop")) == 0);
    write_text("link", "second");
    write_text("dangling", "third");
    CHECK(holds("a", "second") && holds("new", "third"));
    struct stat status;
    CHECK(lstat(get_path("link"), &status) == 0 && S_ISLNK(status.st_mode));
    CHECK(lstat(get_path("dangling"), &status) == 0 && S_ISLNK(status.st_mode));
    CHECK(mc_file_write(get_path("loop"), "", 0, &error) == MC_ERROR_IO);
    CHECK(count_entries() == 5);
    remove_all();
}

static void test_wrong_names(void) {
    CHECK(mc_file_write("", "", 0, &error) == MC_ERROR_IO);
    CHECK(mc_file_write(folder, "", 0, &error) == MC_ERROR_IO && strstr(error.message, "a folder"));
    CHECK(mc_file_write(get_path("no/such"), "", 0, &error) == MC_ERROR_IO);
    CHECK(mc_file_write(get_path("new/"), "", 0, &error) == MC_ERROR_IO);
    // The name of the temporary file is not longer than names may be.
    char name[256];
    memset(name, 'n', 255);
    name[255] = '\0';
    write_text(name, "long");
    CHECK(holds(name, "long"));
    name[200] = '\0'; // a name of its own
    CHECK(!is_there(name) && count_entries() == 1);
    remove_all();
}

// Nobody makes this program write where a link leads that has the temporary file's name.
static void test_planted(void) {
    write_text("victim", "precious");
    REQUIRE(symlink("victim", get_path("a.memcity.part")) == 0);
    REQUIRE(link(get_path("victim"), get_path("a.memcity-2.part")) == 0);
    REQUIRE(mkdir(get_path("a.memcity-3.part"), 0777) == 0);
    REQUIRE(mkfifo(get_path("a.memcity-4.part"), 0600) == 0);
    write_text("a", "new");
    CHECK(holds("a", "new") && holds("victim", "precious"));
    CHECK(is_there("a.memcity.part") && is_there("a.memcity-3.part") &&
          is_there("a.memcity-4.part"));
    remove_all();
}

// ---- several programs

// Begins to write, says so, and waits for its end.
static pid_t start_writer(const char *name) {
    int ends[2];
    char byte;
    REQUIRE(pipe(ends) == 0);
    pid_t child = fork();
    REQUIRE(child >= 0);
    if (child == 0) {
        mc_file_writer writer;
        REQUIRE(mc_file_writer_begin(&writer, get_path(name), &error) == MC_OK);
        fputs("half", writer.stream);
        fflush(writer.stream);
        if (write(ends[1], "", 1) == 1) pause();
        _exit(1);
    }
    REQUIRE(read(ends[0], &byte, 1) == 1);
    close(ends[0]);
    close(ends[1]);
    return child;
}

static void end_writer(pid_t child) {
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
}

static void test_leftovers(void) {
    pid_t first = start_writer("a"), second = start_writer("a"), other = start_writer("b");
    CHECK(is_there("a.memcity.part") && is_there("a.memcity-2.part"));
    write_text("a", "whole");
    CHECK(is_there("a.memcity.part") && is_there("a.memcity-2.part") && count_entries() == 4);
    end_writer(first);
    end_writer(other);
    write_text("a", "again");
    CHECK(!is_there("a.memcity.part") && is_there("a.memcity-2.part"));
    CHECK(is_there("b.memcity.part")); // it belongs to another name
    end_writer(second);
    write_text("a", "once more");
    CHECK(!is_there("a.memcity-2.part") && holds("a", "once more"));
    remove_all();
}

static void test_many_writers(void) {
    mc_file_writer writers[32], one_more;
    for (int i = 0; i < 32; i++) {
        REQUIRE(mc_file_writer_begin(&writers[i], get_path("a"), &error) == MC_OK);
        fprintf(writers[i].stream, "%d", i);
    }
    CHECK(mc_file_writer_begin(&one_more, get_path("a"), &error) == MC_ERROR_IO);
    for (int i = 0; i < 32; i++)
        CHECK(mc_file_writer_commit(&writers[i], &error) == MC_OK);
    CHECK(holds("a", "31") && count_entries() == 1);
    remove_all();
}

// Killed at any moment, among others that write the same file: it is always whole, and the last one
// leaves nothing else.
static void test_kills(void) {
    write_text("a", "whole");
    for (uint32_t run = 0; run < KILL_COUNT; run++) {
        pid_t children[3];
        for (int i = 0; i < 3; i++) {
            children[i] = fork();
            REQUIRE(children[i] >= 0);
            if (children[i] > 0) continue;
            for (;;)
                REQUIRE(mc_file_write(get_path("a"), "whole", 5, &error) == MC_OK);
        }
        usleep(run * 7919u % 5000);
        for (int i = 0; i < 3; i++)
            end_writer(children[i]);
        CHECK(holds("a", "whole"));
    }
    write_text("a", "last");
    CHECK(holds("a", "last") && count_entries() == 1);
    remove_all();
}

// ---- a name that no file has

// What this process asks for by `number` fails from now on with `code`.
static void take_away(long number, int code) {
    struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)number, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (uint32_t)code),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {sizeof filter / sizeof *filter, filter};
    REQUIRE(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0);
    REQUIRE(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0);
}

static void name_new(void) {
    mc_file_target target;
    bool is_taken;
    for (int i = 0; i < 2; i++) {
        REQUIRE(mc_file_target_begin(&target, get_path("a"), &error) == MC_OK);
        REQUIRE(write(target.fd, i == 0 ? "first" : "other", 5) == 5);
        mc_result result = mc_file_target_commit_new(&target, MC_FILE_SYNC_NONE, &is_taken, &error);
        CHECK_MSG(result == (i == 0 ? MC_OK : MC_ERROR_IO), "%s", error.message);
        CHECK(is_taken == (i == 1));
        mc_file_target_discard(&target);
        CHECK(holds("a", "first") && count_entries() == 1);
    }
    remove_all();
}

// File systems lack renames that replace nothing, and also links.
static void test_new_names(void) {
    for (int lacking = 0; lacking < 3; lacking++) {
        int status;
        pid_t child = fork();
        REQUIRE(child >= 0);
        if (child == 0) {
            if (lacking > 0) take_away(SYS_renameat2, EINVAL);
            if (lacking > 1) take_away(SYS_linkat, EPERM);
#ifdef SYS_link
            if (lacking > 1) take_away(SYS_link, EPERM);
#endif
            name_new();
            _exit(test_finish());
        }
        REQUIRE(waitpid(child, &status, 0) == child);
        CHECK_MSG(WIFEXITED(status) && WEXITSTATUS(status) == 0, "lacking %d", lacking);
    }
}

// ---- what is no regular file

static void test_pipe(void) {
    char bytes[8] = "";
    REQUIRE(mkfifo(get_path("pipe"), 0600) == 0);
    CHECK(mc_file_write(get_path("pipe"), "text", 4, &error) == MC_ERROR_IO);
    CHECK(strstr(error.message, "nobody reads"));
    int end = open(get_path("pipe"), O_RDONLY | O_NONBLOCK);
    REQUIRE(end >= 0);
    write_text("pipe", "text");
    CHECK(read(end, bytes, sizeof bytes) == 4 && strcmp(bytes, "text") == 0);
    close(end);
    CHECK(count_entries() == 1);
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    snprintf(address.sun_path, sizeof address.sun_path, "%s", get_path("socket"));
    int listening = socket(AF_UNIX, SOCK_STREAM, 0);
    REQUIRE(bind(listening, (struct sockaddr *)&address, sizeof address) == 0);
    CHECK(mc_file_write(get_path("socket"), "text", 4, &error) == MC_ERROR_IO);
    close(listening);
    remove_all();
}

static void test_descriptors(void) {
    char name[64];
    int fd = open(get_path("out"), O_WRONLY | O_CREAT | O_APPEND, 0600);
    REQUIRE(fd >= 0);
    REQUIRE(write(fd, "begin ", 6) == 6);
    snprintf(name, sizeof name, "/dev/fd/%d", fd);
    CHECK(mc_file_is_descriptor(name) && mc_file_is_descriptor("/dev/stdout"));
    CHECK(!mc_file_is_descriptor("/dev/fd/") && !mc_file_is_descriptor("/dev/fd/1x") &&
          !mc_file_is_descriptor("/dev/fd/-1") && !mc_file_is_descriptor("/dev/null"));
    // It goes on where the descriptor is, and the descriptor stays open.
    CHECK(mc_file_write(name, "end", 3, &error) == MC_OK);
    CHECK(holds("out", "begin end") && count_entries() == 1);
    CHECK(close(fd) == 0);
    CHECK(mc_file_write(name, "end", 3, &error) == MC_ERROR_IO);
    CHECK(mc_file_write("/dev/null", "end", 3, &error) == MC_OK);
    CHECK(mc_file_write("/dev/full", "end", 3, &error) == MC_ERROR_IO);
    remove_all();
}

// ---- folders, memory

static void test_parents(void) {
    write_text("file", "");
    CHECK(mc_file_make_parents(get_path("a/b/c"), 0700, &error) == MC_OK);
    CHECK(is_there("a/b") && !is_there("a/b/c") && get_mode("a") == 0700);
    CHECK(mc_file_make_parents(get_path("a/b/c/"), 0700, &error) == MC_OK && is_there("a/b/c"));
    CHECK(mc_file_make_parents(get_path("file/b/c"), 0700, &error) == MC_ERROR_IO);
    CHECK(mc_file_make_parents("", 0700, &error) == MC_OK);
    CHECK(mc_file_make_parents("/", 0700, &error) == MC_OK);
    rmdir(get_path("a/b/c"));
    rmdir(get_path("a/b"));
    remove_all();
}

static void test_failing_allocations(void) {
    bool is_done = false;
    REQUIRE(symlink("a", get_path("dangling")) == 0);
    for (uint64_t n = 0; !is_done; n++) {
        mc_memory_fail_after(n);
        mc_result result = mc_file_write(get_path("dangling"), "text", 4, &error);
        mc_memory_fail_after(UINT64_MAX);
        is_done = result == MC_OK && holds("a", "text");
        CHECK_MSG(is_done || result == MC_ERROR_OUT_OF_MEMORY, "%s", error.message);
        CHECK(count_entries() == 1u + is_done);
    }
    remove_all();
}

int main(void) {
    REQUIRE(mkdtemp(folder));
    test_whole_or_not_there();
    test_links();
    test_wrong_names();
    test_planted();
    test_leftovers();
    test_many_writers();
    test_kills();
    test_new_names();
    test_pipe();
    test_descriptors();
    test_parents();
    test_failing_allocations();
    CHECK(rmdir(folder) == 0);
    return test_finish();
}
