#include "engine/import/godump/go_program.h"

#include "engine/base/beside.h"
#include "engine/base/memory.h"
#include <dirent.h>
#include <fcntl.h>
#include <gelf.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FILES_MOST 4096 // in a folder

typedef struct symbol {
    uint64_t address, size;
    const char *name; // libelf's
} symbol;

typedef struct symbol_list {
    symbol *items;
    size_t count, capacity;
} symbol_list;

struct mc_go_program {
    int fd;
    Elf *elf;
    symbol_list variables, functions; // by address
    uint64_t bias;                    // what is added to addresses of the file
    bool is_go;
};

void mc_go_program_destroy(mc_go_program *program) {
    if (!program) return;
    if (program->elf) elf_end(program->elf);
    if (program->fd >= 0) close(program->fd);
    mc_free(program->variables.items);
    mc_free(program->functions.items);
    mc_free(program);
}

// ---- its symbols

static int compare_symbols(const void *a, const void *b) {
    const symbol *x = a, *y = b;
    if (x->address != y->address) return x->address < y->address ? -1 : 1;
    return x->size < y->size ? -1 : x->size > y->size; // the larger one is found
}

static bool add_symbol(symbol_list *list, const symbol *added) {
    if (!mc_reserve(&list->items, &list->capacity, list->count + 1, sizeof *list->items))
        return false;
    list->items[list->count++] = *added;
    return true;
}

static void sort_symbols(symbol_list *list) {
    if (list->count > 1) qsort(list->items, list->count, sizeof *list->items, compare_symbols);
}

static bool read_table(mc_go_program *self, Elf_Scn *section, const GElf_Shdr *header) {
    Elf_Data *data = elf_getdata(section, NULL);
    if (!data || header->sh_entsize == 0) return true;
    const uint64_t count = data->d_size / header->sh_entsize;
    for (uint64_t i = 0; i < count && i < INT32_MAX; i++) {
        GElf_Sym entry;
        if (!gelf_getsym(data, (int)i, &entry)) break;
        const int type = GELF_ST_TYPE(entry.st_info);
        if (entry.st_shndx == SHN_UNDEF || (type != STT_OBJECT && type != STT_FUNC)) continue;
        const char *name = elf_strptr(self->elf, header->sh_link, entry.st_name);
        const symbol found = {entry.st_value, entry.st_size, name};
        if (!name || !*name) continue;
        if (!add_symbol(type == STT_FUNC ? &self->functions : &self->variables, &found))
            return false;
    }
    return true;
}

// False: out of memory.
static bool read_symbols(mc_go_program *self) {
    size_t names;
    if (elf_getshdrstrndx(self->elf, &names) != 0) return true;
    for (Elf_Scn *section = NULL; (section = elf_nextscn(self->elf, section)) != NULL;) {
        GElf_Shdr header;
        if (!gelf_getshdr(section, &header)) continue;
        const char *name = elf_strptr(self->elf, names, header.sh_name);
        if (name && strstr(name, "gopclntab")) self->is_go = true;
    }
    for (Elf_Scn *section = NULL; self->is_go && (section = elf_nextscn(self->elf, section));) {
        GElf_Shdr header;
        if (gelf_getshdr(section, &header) && header.sh_type == SHT_SYMTAB &&
            !read_table(self, section, &header))
            return false;
    }
    sort_symbols(&self->variables);
    sort_symbols(&self->functions);
    return true;
}

// The last one that begins at or before an address, if that is in it.
static const symbol *find_symbol(const symbol_list *list, uint64_t address) {
    size_t low = 0, high = list->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (list->items[middle].address <= address)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == 0) return NULL;
    const symbol *found = &list->items[low - 1];
    return address == found->address || address - found->address < found->size ? found : NULL;
}

// Functions of assembly are told apart by their calling convention.
static bool is_name(const char *name, const char *wanted, size_t size) {
    return strncmp(name, wanted, size) == 0 &&
           (name[size] == '\0' || strcmp(name + size, ".abi0") == 0);
}

static const symbol *find_name(const symbol_list *list, const char *name, size_t size) {
    for (size_t i = 0; i < list->count; i++)
        if (is_name(list->items[i].name, name, size)) return &list->items[i];
    return NULL;
}

const char *mc_go_program_get_variable(const mc_go_program *self, uint64_t address) {
    const symbol *found = find_symbol(&self->variables, address - self->bias);
    return found ? found->name : NULL;
}

const char *mc_go_program_get_function(const mc_go_program *self, uint64_t address) {
    const symbol *found = find_symbol(&self->functions, address - self->bias);
    return found ? found->name : NULL;
}

// ---- whether it is the one

static bool is_generic(mc_span name) {
    return name.size > 0 && memchr(name.at, '[', name.size) != NULL; // "[...]" for what is meant
}

static bool fits_segment(const mc_go_program *self, const char *begin_name, const char *end_name,
                         uint64_t address, uint64_t size) {
    const symbol *begin = find_name(&self->variables, begin_name, strlen(begin_name));
    const symbol *end = find_name(&self->variables, end_name, strlen(end_name));
    if (size == 0 || !begin || !end) return true;
    return begin->address + self->bias == address && end->address - begin->address == size;
}

static bool has_symbol(const symbol_list *list, uint64_t address, mc_span name) {
    const symbol *found = find_symbol(list, address);
    return found && found->address == address && is_name(found->name, name.at, name.size);
}

// Finds the bias, too.
static bool fits(mc_go_program *self, const mc_go_clues *clues) {
    uint32_t known = 0;
    self->bias = 0;
    for (uint32_t i = 0; i < clues->function_count; i++) {
        const mc_span name = clues->functions[i].name;
        const uint64_t address = clues->functions[i].address;
        if (has_symbol(&self->functions, address - self->bias, name)) {
            known++;
            continue;
        }
        const symbol *found = find_name(&self->functions, name.at, name.size);
        if (!found && is_generic(name)) continue;
        if (!found || known > 0) return false;
        self->bias = address - found->address;
        known++;
    }
    return (known > 0 || clues->function_count == 0) &&
           fits_segment(self, "runtime.data", "runtime.edata", clues->data_address,
                        clues->data_size) &&
           fits_segment(self, "runtime.bss", "runtime.ebss", clues->bss_address, clues->bss_size);
}

// ---- which file

// *program: NULL: it can't be opened, or is no ELF file.
static mc_result open_program(const char *path, mc_go_program **program, mc_error *error) {
    mc_go_program *self = *program = mc_alloc_zero(1, sizeof *self);
    struct stat status;
    if (!self) return mc_error_out_of_memory(error);
    self->fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    bool is_file = self->fd >= 0 && fstat(self->fd, &status) == 0 && S_ISREG(status.st_mode);
    if (is_file && elf_version(EV_CURRENT) != EV_NONE)
        self->elf = elf_begin(self->fd, ELF_C_READ_MMAP, NULL);
    if (self->elf && elf_kind(self->elf) == ELF_K_ELF)
        return read_symbols(self) ? MC_OK : mc_error_out_of_memory(error);
    mc_go_program_destroy(self);
    *program = NULL;
    return MC_OK;
}

static void drop(mc_go_program **program) {
    mc_go_program_destroy(*program);
    *program = NULL;
}

static mc_result try_file(const mc_go_clues *clues, const char *path, const mc_log *log,
                          mc_go_program **program, const char **why_not, mc_error *error) {
    mc_result result = open_program(path, program, error);
    if (result != MC_OK || !*program) {
        drop(program);
        *why_not = "it can't be read, or is no ELF file";
        return result;
    }
    if (!(*program)->is_go)
        *why_not = "it is no program of Go";
    else if ((*program)->functions.count == 0)
        *why_not = "it has no symbols (built with -ldflags=-s?)";
    else if (!fits(*program, clues))
        *why_not = "its functions or variables lie elsewhere: another build, or another program";
    else {
        mc_log_write(log, MC_LOG_INFO, "global variables are named as in %s", path);
        return MC_OK;
    }
    drop(program);
    return MC_OK;
}

static int compare_names(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

typedef struct name_list {
    char **items;
    size_t count, capacity;
} name_list;

static void list_names(const char *folder, name_list *names) {
    DIR *stream = opendir(folder);
    struct dirent *entry;
    while (stream && names->count < FILES_MOST && (entry = readdir(stream)) != NULL) {
        if (entry->d_name[0] == '.' ||
            (entry->d_type != DT_REG && entry->d_type != DT_LNK && entry->d_type != DT_UNKNOWN))
            continue;
        if (!mc_reserve(&names->items, &names->capacity, names->count + 1, sizeof *names->items))
            break;
        if (!(names->items[names->count] = mc_copy_string(entry->d_name))) break;
        names->count++;
    }
    if (stream) closedir(stream);
    if (names->count > 1) qsort(names->items, names->count, sizeof *names->items, compare_names);
}

static mc_result try_folder(const mc_go_clues *clues, const char *folder, const mc_log *log,
                            mc_go_program **program, mc_error *error) {
    name_list names = {0};
    mc_text path = {0};
    const char *why_not;
    mc_result result = MC_OK;
    list_names(folder, &names);
    for (size_t i = 0; i < names.count && result == MC_OK && !*program; i++) {
        mc_text_clear(&path);
        mc_text_format(&path, "%s/%s", folder, names.items[i]);
        if (path.failed)
            result = mc_error_out_of_memory(error);
        else if (mc_beside_may_read(path.data))
            result = try_file(clues, path.data, log, program, &why_not, error);
    }
    for (size_t i = 0; i < names.count; i++)
        mc_free(names.items[i]);
    mc_free(names.items);
    mc_text_deinit(&path);
    return result;
}

static bool is_folder(const char *path) {
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

// The first of those that are named that fits.
static mc_result try_named(const mc_go_clues *clues, const char *binaries, const mc_log *log,
                           mc_go_program **program, mc_error *error) {
    mc_text path = {0};
    const char *why_not = "the list is empty";
    mc_result result = MC_OK;
    while (result == MC_OK && !*program && *binaries) {
        const size_t size = strcspn(binaries, ",");
        mc_text_clear(&path);
        mc_text_append(&path, binaries, size);
        binaries += size + (binaries[size] == ',');
        if (path.failed)
            result = mc_error_out_of_memory(error);
        else if (size > 0 && is_folder(mc_text_get(&path))) {
            why_not = "no file in it is the program, with its symbols";
            result = try_folder(clues, mc_text_get(&path), log, program, error);
        } else if (size > 0)
            result = try_file(clues, mc_text_get(&path), log, program, &why_not, error);
    }
    if (result == MC_OK && !*program)
        result =
            mc_fail(error, MC_ERROR_UNSUPPORTED, "%s is not the program that wrote the dump: %s",
                    mc_text_get(&path), why_not);
    mc_text_deinit(&path);
    return result;
}

mc_result mc_go_program_find(const mc_go_clues *clues, const char *path, const char *binaries,
                             const mc_log *log, mc_go_program **program, mc_error *error) {
    *program = NULL;
    if (binaries) return try_named(clues, binaries, log, program, error);
    if (!path || clues->function_count == 0) return MC_OK;
    const char *slash = strrchr(path, '/');
    mc_text folder = {0};
    if (slash)
        mc_text_append(&folder, path, slash == path ? 1 : (size_t)(slash - path));
    else
        mc_text_append(&folder, ".", 1);
    mc_result result = folder.failed ? mc_error_out_of_memory(error)
                                     : try_folder(clues, mc_text_get(&folder), log, program, error);
    mc_text_deinit(&folder);
    return result;
}
