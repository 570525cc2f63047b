// Bookmarks: files in a folder, called as they are, renamed and deleted.
#include "app/session/bookmarks.h"
#include "app/session/view_file.h"
#include "engine/base/memory.h"
#include "tests/test.h"
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char home[] = "/tmp/memcity-test-XXXXXX";

static void save(const char *name, uint32_t step, char **path) {
    mc_error error = {0};
    mc_text made = {0};
    mc_view_file view;
    mc_view_file_init(&view);
    view.settings.step = step;
    REQUIRE(mc_bookmark_append_path(&made, name, &error) == MC_OK);
    CHECK(mc_view_file_write(&view, made.data, &error) == MC_OK);
    mc_view_file_deinit(&view);
    *path = made.data;
}

static void set_age(const char *path, time_t seconds) {
    struct timespec times[2] = {{.tv_sec = 1000000000 - seconds}, {.tv_sec = 1000000000 - seconds}};
    CHECK(utimensat(AT_FDCWD, path, times, 0) == 0);
}

static bool is_listed(uint32_t count, uint32_t index, const char *name, const char *detail) {
    mc_bookmarks bookmarks;
    mc_bookmarks_read(&bookmarks);
    bool fits = bookmarks.count == count;
    if (fits && index < count)
        fits = strcmp(bookmarks.items[index].name, name) == 0 &&
               strcmp(bookmarks.items[index].detail, detail) == 0;
    mc_bookmarks_deinit(&bookmarks);
    return fits;
}

static void check_list(void) {
    char *old = NULL, *new = NULL, *odd = NULL;
    CHECK(is_listed(0, 0, "", "")); // there is no folder yet
    char folder[64];
    for (const char *const *part =
             (const char *const[]){"", "/memcity", "/memcity/bookmarks", NULL};
         *part; part++) {
        snprintf(folder, sizeof folder, "%s%s", home, *part);
        CHECK(mkdir(folder, 0700) == 0 || !**part);
    }
    save("Sessions at noon", 3, &old);
    save("../x\n/y", 4, &new);
    CHECK_MSG(strstr(new, "/bookmarks/_._x__y.json"), "%s", new);
    save(".hidden", 5, &odd);
    CHECK(strstr(odd, "/_hidden.json"));
    set_age(old, 30);
    set_age(new, 20);
    set_age(odd, 10);
    CHECK(is_listed(3, 0, "_hidden", "step 5"));
    CHECK(is_listed(3, 2, "Sessions at noon", "step 3"));
    FILE *file = fopen(odd, "w"); // the user's, but no view
    REQUIRE(file && fputs("{", file) >= 0 && fclose(file) == 0);
    CHECK(is_listed(3, 0, "_hidden", "damaged"));

    mc_error error = {0};
    CHECK(mc_bookmark_rename(old, "_hidden", &error) == MC_ERROR_IO); // not over another one
    CHECK(strstr(error.message, "already") && is_listed(3, 0, "_hidden", "damaged"));
    CHECK(mc_bookmark_rename(old, "   ", &error) == MC_ERROR_BAD_DATA);
    CHECK(mc_bookmark_rename(old, "Sitzungen, später", &error) == MC_OK);
    CHECK(is_listed(3, 2, "Sitzungen, später", "step 3"));
    CHECK(mc_bookmark_rename(old, "nobody", &error) == MC_ERROR_IO); // it is gone
    CHECK(mc_bookmark_delete(odd, &error) == MC_OK &&
          is_listed(2, 1, "Sitzungen, später", "step 3"));
    CHECK(mc_bookmark_delete(odd, &error) == MC_ERROR_IO && strstr(error.message, "can't delete"));
    mc_free(old);
    mc_free(new);
    mc_free(odd);
}

// As long as it may be, and cut between two characters.
static void check_long(void) {
    char name[400], *path = NULL;
    for (size_t i = 0; i + 2 < sizeof name; i += 2)
        memcpy(name + i, "ä", 3);
    save(name + 0, 1, &path);
    CHECK(strlen(strrchr(path, '/') + 1) == 120 + strlen(".json"));
    mc_error error = {0};
    CHECK(mc_bookmark_delete(path, &error) == MC_OK);
    mc_free(path);
}

static void check_no_home(void) {
    mc_error error = {0};
    mc_text path = {0};
    unsetenv("XDG_DATA_HOME");
    unsetenv("HOME");
    CHECK(mc_bookmark_append_path(&path, "a", &error) == MC_ERROR_UNSUPPORTED);
    CHECK(is_listed(0, 0, "", ""));
    mc_text_deinit(&path);
}

int main(void) {
    REQUIRE(mkdtemp(home));
    setenv("XDG_DATA_HOME", home, 1);
    check_list();
    check_long();
    check_no_home();
    char command[64];
    snprintf(command, sizeof command, "rm -r %s", home);
    CHECK(system(command) == 0);
    return test_finish();
}
