#include "engine/live/other_runtime.h"

#include "engine/live/process.h"
#include <fcntl.h>
#include <gelf.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const struct {
    const char *program, *hint; // program: how its name begins
} programs[] = {
    {"node", "; it is one of Node: `memcity record --pid` takes its snapshots"},
    {"ruby", "; it is one of Ruby: have it call ObjectSpace.dump_all and open what that writes "
             "(docs/reference/runtimes.md)"},
    {"python", "; it is one of Python: memcity agent python prints what writes its objects "
               "(docs/reference/runtimes.md)"}};

static bool is_go(const char *path) {
    bool is_found = false;
    size_t names;
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return false;
    Elf *elf = elf_version(EV_CURRENT) != EV_NONE ? elf_begin(fd, ELF_C_READ_MMAP, NULL) : NULL;
    if (elf && elf_getshdrstrndx(elf, &names) == 0)
        for (Elf_Scn *section = NULL; !is_found && (section = elf_nextscn(elf, section)) != NULL;) {
            GElf_Shdr header;
            const char *name =
                gelf_getshdr(section, &header) ? elf_strptr(elf, names, header.sh_name) : NULL;
            is_found = name && strcmp(name, ".go.buildinfo") == 0;
        }
    if (elf) elf_end(elf);
    close(fd);
    return is_found;
}

const char *mc_other_runtime_find(uint32_t pid) {
    char path[64], name[MC_PROCESS_NAME_SIZE];
    if (!mc_process_read_file_name(pid, name)) return "";
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++)
        if (strncmp(name, programs[i].program, strlen(programs[i].program)) == 0)
            return programs[i].hint;
    snprintf(path, sizeof path, "/proc/%" PRIu32 "/exe", pid);
    return is_go(path) ? "; it is one of Go: have it call debug.WriteHeapDump and open what that "
                         "writes (docs/reference/runtimes.md)"
                       : "";
}
