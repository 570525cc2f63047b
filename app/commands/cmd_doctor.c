#include "app/command.h"
#include "app/format.h"
#include "app/print/print.h"
#include "app/program_files.h"
#include "app/version.h"
#include "engine/base/free_memory.h"
#include "engine/base/program_path.h"
#include "engine/gpu/gpu_list.h"
#include "engine/live/jvm_list.h"
#include "engine/live/nodejs.h"
#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

typedef enum doctor_state { IS_FINE, IS_LIMITED, IS_MISSING } doctor_state;
static const char *const state_names[] = {"ok", "limited", "missing"};

typedef struct doctor {
    mc_print print;
    uint32_t counts[3];
} doctor;

// A finding: `hint` says what to do about it; NULL: nothing.
static void tell(doctor *self, const char *area, const char *subject, doctor_state state,
                 const char *what, const char *hint) {
    bool is_text = self->print.form == MC_PRINT_TEXT;
    self->counts[state]++;
    MC_PRINT_ROW(&self->print, mc_cell_text(area), mc_cell_text(subject),
                 mc_cell_text(state_names[state]), mc_cell_text(what),
                 is_text && !hint ? mc_cell_absent() : mc_cell_text(hint));
}

// What is missing, and the packages of Debian and its kin that have it.
static void tell_missing(doctor *self, const char *area, const char *subject, const char *what,
                         const char *packages) {
    mc_text hint = {0};
    bool has_apt = access("/usr/bin/apt", X_OK) == 0;
    mc_text_format(&hint, "%sapt install %s", has_apt ? "" : "install it; on Debian: ", packages);
    tell(self, area, subject, IS_MISSING, what, mc_text_get(&hint));
    mc_text_deinit(&hint);
}

// ---- what draws

// Whether something can draw.
static bool look_at_devices(doctor *self) {
    mc_gpu_entry entries[MC_GPU_LIST_MOST];
    uint32_t count = 0, usable = 0;
    mc_error error = {0};
    char text[MC_ERROR_MESSAGE_SIZE];
    static const char packages[] = "libvulkan1 mesa-vulkan-drivers";
    if (mc_gpu_list(entries, &count, &error) != MC_OK) {
        tell_missing(self, "drawing", "Vulkan", error.message, packages);
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        const mc_gpu_entry *entry = &entries[i];
        bool is_cpu = strcmp(entry->kind, "CPU") == 0;
        snprintf(text, sizeof text, "%s, Vulkan %" PRIu32 ".%" PRIu32 "%s%.300s", entry->kind,
                 entry->api_major, entry->api_minor, entry->is_usable ? "" : ": ", entry->reason);
        usable += entry->is_usable;
        tell(self, "drawing", entry->name,
             !entry->is_usable ? IS_MISSING
             : is_cpu          ? IS_LIMITED
                               : IS_FINE,
             text,
             !entry->is_usable ? "a newer driver"
             : is_cpu          ? "works, but a GPU is much faster"
                               : NULL);
    }
    if (usable == 0)
        tell_missing(self, "drawing", "Vulkan", "no device that can draw a city", packages);
    return usable > 0;
}

static void look_at_display(doctor *self, bool can_draw) {
    const char *display = getenv("WAYLAND_DISPLAY");
    if (!display || !display[0]) display = getenv("DISPLAY");
    bool has_display = display && display[0];
    tell(self, "drawing", "display", has_display ? IS_FINE : IS_LIMITED,
         has_display ? display
         : can_draw  ? "none: windows can't open; render, video, report and page can draw"
                     : "none: windows can't open; page and report --no-pictures need neither "
                       "display nor Vulkan",
         has_display ? NULL : "ssh -X, or a desktop session");
}

// ---- programs

static void look_at_program(doctor *self, const char *area, const char *name, const char *purpose,
                            const char *packages) {
    mc_text path = {0}, what = {0};
    bool is_there = mc_program_find(name, &path);
    mc_text_format(&what, "%s%s%s", is_there ? path.data : "not in PATH", ": ", purpose);
    if (is_there)
        tell(self, area, name, IS_FINE, mc_text_get(&what), NULL);
    else
        tell_missing(self, area, name, mc_text_get(&what), packages);
    mc_text_deinit(&path);
    mc_text_deinit(&what);
}

static void look_at_programs(doctor *self) {
    static const struct {
        const char *name, *purpose, *packages, *area;
    } programs[] = {
        {"heaptrack", "records C and C++ programs", "heaptrack", "recorders"},
        {"valgrind", "records C and C++ programs (massif, dhat)", "valgrind", "recorders"},
        {"go", "records Go programs (pprof, heap dumps)", "golang-go", "recorders"},
        {"node", "records Node programs (heap snapshots)", "nodejs", "recorders"},
        {"python3", "records Python programs (tracemalloc)", "python3", "recorders"},
        {"ruby", "records Ruby programs (ObjectSpace.dump_all)", "ruby", "recorders"},
        {"ffmpeg", "encodes videos", "ffmpeg", "drawing"},
        {"ssh", "reaches heaps elsewhere (ssh://HOST/PATH)", "openssh-client", "far heaps"},
        {"docker", "reaches heaps in containers (docker://)", "docker.io", "far heaps"},
        {"podman", "reaches heaps in containers (podman://)", "podman", "far heaps"},
        {"kubectl", "reaches heaps in pods (kubectl://)", "kubernetes-client", "far heaps"},
    };
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++)
        look_at_program(self, programs[i].area, programs[i].name, programs[i].purpose,
                        programs[i].packages);
}

// ---- Java

static bool has_jcmd(const char *folder, mc_text *path) {
    mc_text_clear(path);
    mc_text_format(path, "%s/bin/jcmd", folder);
    return !path->failed && access(path->data, X_OK) == 0;
}

static uint32_t look_at_jdk(doctor *self, const char *folder, const char *from) {
    mc_text path = {0};
    bool is_jdk = has_jcmd(folder, &path);
    if (is_jdk) tell(self, "Java", folder, IS_FINE, from, NULL);
    mc_text_deinit(&path);
    return is_jdk;
}

static int is_no_link(const struct dirent *entry) {
    return entry->d_name[0] != '.' && entry->d_type != DT_LNK;
}

static void look_at_jdks(doctor *self) {
    static const char folder[] = "/usr/lib/jvm";
    struct dirent **entries = NULL;
    const char *home = getenv("JAVA_HOME");
    mc_text path = {0};
    uint32_t found = home && home[0] ? look_at_jdk(self, home, "JDK of JAVA_HOME, with jcmd") : 0;
    int count = scandir(folder, &entries, is_no_link, alphasort);
    for (int i = 0; i < count; i++) {
        mc_text_clear(&path);
        mc_text_format(&path, "%s/%s", folder, entries[i]->d_name);
        found += look_at_jdk(self, mc_text_get(&path), "JDK with jcmd");
        free(entries[i]);
    }
    free(entries);
    if (found == 0 && mc_program_find("jcmd", &path))
        tell(self, "Java", mc_text_get(&path), IS_FINE, "jcmd in PATH", NULL);
    else if (found == 0)
        tell_missing(self, "Java", "JDK", "no jcmd: running Java programs can't be recorded",
                     "default-jdk-headless");
    mc_text_deinit(&path);
}

static void look_at_agent(doctor *self) {
    mc_text path = {0};
    bool is_there = mc_program_append_library(&path, "libmemcity-agent.so");
    tell(self, "Java", "agent", is_there ? IS_FINE : IS_MISSING,
         is_there ? mc_text_get(&path) : "not beside the program: run and attach can't record",
         is_there ? NULL : "build memcity where a JDK's headers are");
    mc_text_deinit(&path);
}

static void tell_count(doctor *self, const char *area, uint32_t count) {
    char text[64];
    snprintf(text, sizeof text, "%" PRIu32 " of this user", count);
    tell(self, area, "running programs", IS_FINE, text, NULL);
}

static void look_at_recordable(doctor *self) {
    enum { MOST = 64 };
    mc_program programs[MOST];
    tell_count(self, "Java", mc_jvm_list(programs, MOST));
    tell_count(self, "Node", mc_nodejs_list(programs, MOST));
}

// ---- permissions

// -100: there is no such setting.
static int read_setting(const char *path) {
    int value = -100;
    FILE *file = fopen(path, "r");
    if (!file) return value;
    if (fscanf(file, "%d", &value) != 1) value = -100;
    fclose(file);
    return value;
}

static void look_at_permissions(doctor *self) {
    static const char ptrace[] = "/proc/sys/kernel/yama/ptrace_scope",
                      perf[] = "/proc/sys/kernel/perf_event_paranoid";
    char text[128];
    bool is_root = geteuid() == 0;
    int scope = read_setting(ptrace), paranoid = read_setting(perf);
    bool may_trace = is_root || scope <= 0;
    snprintf(text, sizeof text, scope == -100 ? "not restricted" : "ptrace_scope is %d%s", scope,
             is_root ? ", but this is root" : "");
    tell(self, "permissions", "ptrace", may_trace ? IS_FINE : IS_LIMITED, text,
         may_trace ? NULL
                   : "heaptrack --pid needs sysctl kernel.yama.ptrace_scope=0; starting programs "
                     "under it works as it is");
    bool may_sample = is_root || paranoid <= 2;
    snprintf(text, sizeof text,
             paranoid == -100 ? "the kernel has no perf events" : "perf_event_paranoid is %d%s",
             paranoid, is_root ? ", but this is root" : "");
    tell(self, "permissions", "perf", may_sample && paranoid != -100 ? IS_FINE : IS_LIMITED, text,
         may_sample ? NULL
                    : "profilers need sysctl kernel.perf_event_paranoid=2; memcity does not");
}

// ---- room

static void look_at_room(doctor *self) {
    const char *temporary = getenv("TMPDIR");
    const char *const folders[] = {".", temporary && temporary[0] ? temporary : "/tmp"};
    const uint64_t little = (uint64_t)4 << 30;
    char size[MC_FORMAT_SIZE], text[128];
    for (size_t i = 0; i < 2; i++) {
        struct statvfs status;
        bool is_known = statvfs(folders[i], &status) == 0;
        uint64_t room = is_known ? (uint64_t)status.f_bavail * status.f_frsize : 0;
        snprintf(text, sizeof text, "%s free", mc_format_bytes(size, room));
        tell(self, "room", i == 0 ? "this folder" : folders[i],
             room >= little ? IS_FINE : IS_LIMITED, is_known ? text : "can't be asked",
             room >= little ? NULL : "a heap dump takes about what the heap uses");
    }
    uint64_t memory = mc_free_memory_get();
    snprintf(text, sizeof text, "%s free",
             memory > 0 ? mc_format_bytes(size, memory) : "an unknown size is");
    tell(self, "room", "memory", memory >= little ? IS_FINE : IS_LIMITED, text,
         memory >= little
             ? NULL
             : "the objects of large dumps take 16 bytes each, 4 a reference, and 30 % "
               "more while they are linked");
}

// ----

int mc_command_doctor(int argc, const char **argv) {
    bool json = false, tsv = false;
    uint32_t count;
    int code;
    mc_option_list list = {0};
    mc_option_list_add_flag(&list, "json", &json, "print a JSON array");
    mc_option_list_add_flag(&list, "tsv", &tsv, "print tab-separated values");
    if (!mc_command_begin_counted(
            &list, "memcity doctor [--json|--tsv]",
            "Says what this machine can do: Vulkan devices, JDKs, programs that record other "
            "runtimes,\npermissions, room for heap dumps; and what to install or set where "
            "something is missing.\nChanges nothing.",
            0, 0, argc, argv, &count, &code))
        return code;
    mc_text out = {0};
    doctor self = {.print = mc_print_to(&out, json, tsv)};
    const mc_column columns[] = {
        {"area", "", .width = -12},
        {"subject", "", .before = " ", .width = -34},
        {"state", "", .before = " ", .width = -8},
        {"what", "", .before = " "},
        {"hint", "", .before = "\n                                                          → "},
    };
    self.print.lines = MC_LINES_BETWEEN;
    if (self.print.form == MC_PRINT_TEXT) mc_text_format(&out, "memcity %s\n", mc_version);
    MC_PRINT_BEGIN_ROWS(&self.print, NULL, columns);
    look_at_display(&self, look_at_devices(&self));
    look_at_jdks(&self);
    look_at_agent(&self);
    look_at_recordable(&self);
    look_at_programs(&self);
    look_at_permissions(&self);
    look_at_room(&self);
    mc_print_end_rows(&self.print);
    mc_print_end(&self.print);
    if (self.print.form == MC_PRINT_TEXT)
        mc_text_format(&out, "%" PRIu32 " ok, %" PRIu32 " limited, %" PRIu32 " missing\n",
                       self.counts[IS_FINE], self.counts[IS_LIMITED], self.counts[IS_MISSING]);
    return mc_command_print(&out);
}
