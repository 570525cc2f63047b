#include "engine/import/stacks/symbols.h"

#include "engine/base/beside.h"
#include "engine/base/memory.h"
#include "engine/import/stacks/profile.h"
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// Of the C++ library, which is linked for others.
char *__cxa_demangle(const char *name, char *buffer, size_t *size, int *status);

// Addresses of a compilation unit.
typedef struct unit_range {
    Dwarf_Addr begin, end;
    Dwarf_Die *unit;
} unit_range;

// A file that a profile names, by its path there, and the folder of the profile.
typedef struct file {
    uint32_t key; // in `keys`
    Dwfl *dwfl;   // NULL: it is not to be had
    Dwfl_Module *module;
    unit_range *ranges; // by `begin`; of the units that the file has no table of, once one is asked
    size_t range_count, range_capacity;
    bool has_ranges;
} file;

struct mc_symbols {
    const mc_log *log;
    char **places; // files or folders that the user names
    size_t place_count, place_capacity;
    mc_strings keys;
    file *files;
    size_t file_count, file_capacity;
    mc_profile store; // of names that were found
    mc_text text;     // scratch
};

// ---- which file

static bool add_places(mc_symbols *self, const char *files) {
    while (files && *files) {
        size_t size = strcspn(files, ",");
        if (size > 0) {
            if (!mc_reserve(&self->places, &self->place_capacity, self->place_count + 1,
                            sizeof *self->places))
                return false;
            char *place = mc_alloc(size + 1, 1);
            if (!place) return false;
            memcpy(place, files, size);
            place[size] = '\0';
            self->places[self->place_count++] = place;
        }
        files += size + (files[size] == ',');
    }
    return true;
}

mc_result mc_symbols_create(const char *files, const mc_log *log, mc_symbols **symbols,
                            mc_error *error) {
    mc_symbols *self = *symbols = mc_alloc_zero(1, sizeof *self);
    if (!self) return mc_error_out_of_memory(error);
    self->log = log;
    if (add_places(self, files)) return MC_OK;
    mc_symbols_destroy(self);
    *symbols = NULL;
    return mc_error_out_of_memory(error);
}

void mc_symbols_destroy(mc_symbols *symbols) {
    if (!symbols) return;
    for (size_t i = 0; i < symbols->file_count; i++) {
        if (symbols->files[i].dwfl) dwfl_end(symbols->files[i].dwfl);
        mc_free(symbols->files[i].ranges);
    }
    for (size_t i = 0; i < symbols->place_count; i++)
        mc_free(symbols->places[i]);
    mc_free(symbols->places);
    mc_free(symbols->files);
    mc_strings_deinit(&symbols->keys);
    mc_profile_deinit(&symbols->store);
    mc_text_deinit(&symbols->text);
    mc_free(symbols);
}

static mc_span get_base_name(mc_span path) {
    const char *slash = path.size > 0 ? memrchr(path.at, '/', path.size) : NULL;
    if (!slash) return path;
    return (mc_span){slash + 1, path.size - (size_t)(slash + 1 - path.at)};
}

static bool is_regular(const char *path) {
    struct stat status;
    return stat(path, &status) == 0 && S_ISREG(status.st_mode);
}

static bool is_folder(const char *path) {
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

// "folder/name", if there is such a file.
static bool try_folder(mc_symbols *self, mc_span folder, mc_span name) {
    mc_text_clear(&self->text);
    mc_text_append(&self->text, folder.at, folder.size);
    mc_text_append(&self->text, "/", 1);
    mc_text_append(&self->text, name.at, name.size);
    return !self->text.failed && is_regular(self->text.data);
}

static bool has_name(const char *path, mc_span name) {
    mc_span own = get_base_name((mc_span){path, strlen(path)});
    return own.size == name.size && memcmp(own.at, name.at, name.size) == 0;
}

// Its path in self->text.
static bool find_path(mc_symbols *self, const char *profile_path, mc_span module) {
    mc_span name = get_base_name(module), folder = {profile_path, strlen(profile_path)};
    if (name.size == 0 || name.size > 255 || memchr(name.at, '\0', name.size) ||
        (name.at[0] == '.' && name.size <= 2))
        return false;
    for (size_t i = 0; i < self->place_count; i++) {
        const char *place = self->places[i];
        if (is_folder(place)) {
            if (try_folder(self, (mc_span){place, strlen(place)}, name)) return true;
        } else if (has_name(place, name)) {
            mc_text_clear(&self->text);
            mc_text_append_string(&self->text, place);
            return !self->text.failed;
        }
    }
    mc_span own = get_base_name(folder);
    folder = own.at == folder.at ? (mc_span){".", 1}
                                 : (mc_span){folder.at, (size_t)(own.at - folder.at) - 1};
    if (folder.size == 0) folder = (mc_span){"/", 1};
    return try_folder(self, folder, name) && mc_beside_may_read(self->text.data);
}

// ---- opening

// Debug information of its own may be named by a file; it is not looked for.
static int find_no_debug_info(Dwfl_Module *module, void **user, const char *name, Dwarf_Addr base,
                              const char *file_name, const char *link, GElf_Word crc,
                              char **found) {
    (void)module, (void)user, (void)name, (void)base, (void)file_name, (void)link, (void)crc,
        (void)found;
    return -1;
}

static int find_no_file(Dwfl_Module *module, void **user, const char *name, Dwarf_Addr base,
                        char **found, Elf **elf) {
    (void)module, (void)user, (void)name, (void)base, (void)found, (void)elf;
    return -1;
}

static void open_file(mc_symbols *self, file *f) {
    static const Dwfl_Callbacks callbacks = {.find_elf = find_no_file,
                                             .find_debuginfo = find_no_debug_info,
                                             .section_address = dwfl_offline_section_address};
    int fd = open(self->text.data, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return;
    f->dwfl = dwfl_begin(&callbacks);
    if (f->dwfl) {
        f->module = dwfl_report_offline(f->dwfl, self->text.data, self->text.data, fd);
        dwfl_report_end(f->dwfl, NULL, NULL);
    }
    if (f->module) {
        mc_log_write(self->log, MC_LOG_INFO, "symbols are those of %s", self->text.data);
        return; // the file is libdw's now
    }
    close(fd);
    if (f->dwfl) dwfl_end(f->dwfl);
    f->dwfl = NULL;
}

// NULL: out of memory.
static file *get_file(mc_symbols *self, const char *profile_path, mc_span module) {
    mc_span whole = {profile_path, strlen(profile_path)}, own = get_base_name(whole);
    mc_text_clear(&self->text);
    mc_text_append(&self->text, whole.at, (size_t)(own.at - whole.at));
    mc_text_append(&self->text, "\n", 1);
    mc_text_append(&self->text, module.at, module.size);
    if (self->text.failed) return NULL;
    uint32_t known = self->keys.count;
    uint32_t key = mc_strings_intern(&self->keys, self->text.data, self->text.size);
    if (key == MC_NONE) return NULL;
    if (key < known && key < self->file_count) return &self->files[key];
    if (!mc_reserve(&self->files, &self->file_capacity, (size_t)key + 1, sizeof *self->files))
        return NULL;
    self->files[key] = (file){.key = key};
    self->file_count = (size_t)key + 1;
    if (find_path(self, profile_path, module)) open_file(self, &self->files[key]);
    return &self->files[key];
}

// ---- names

// Where an offset of the file is in memory, as its headers say.
static bool get_address(const file *f, const mc_site_frame *frame, Dwarf_Addr *address) {
    const uint64_t offset = frame->file_offset;
    GElf_Addr bias;
    Elf *elf = dwfl_module_getelf(f->module, &bias);
    size_t count;
    if (elf && frame->is_file_address) *address = offset + bias;
    if (elf && frame->is_file_address) return true;
    if (!elf || elf_getphdrnum(elf, &count) != 0) return false;
    for (size_t i = 0; i < count; i++) {
        GElf_Phdr header;
        if (!gelf_getphdr(elf, (int)i, &header) || header.p_type != PT_LOAD) continue;
        if (offset < header.p_offset || offset - header.p_offset >= header.p_filesz) continue;
        *address = offset - header.p_offset + header.p_vaddr + bias;
        return true;
    }
    return false;
}

// Rust's older names end with a hash that differs from build to build.
static size_t drop_hash(const char *name, size_t size) {
    if (size < 20 || memcmp(name + size - 19, "::h", 3) != 0) return size;
    return strspn(name + size - 16, "0123456789abcdef") == 16 ? size - 19 : size;
}

static mc_span keep_text(mc_symbols *self, const char *text) {
    size_t size = text ? strlen(text) : 0;
    char *kept = size > 0 ? mc_profile_store(&self->store, size + 1) : NULL;
    if (!kept) return (mc_span){NULL, 0};
    memcpy(kept, text, size + 1);
    return (mc_span){kept, size};
}

static mc_span keep_name(mc_symbols *self, const char *name) {
    int status = -1;
    char *plain =
        name && name[0] == '_' && name[1] == 'Z' ? __cxa_demangle(name, NULL, NULL, &status) : NULL;
    if (plain) plain[drop_hash(plain, strlen(plain))] = '\0';
    mc_span kept = keep_text(self, plain ? plain : name);
    free(plain);
    return kept;
}

static const char *get_die_name(Dwarf_Die *die) {
    static const unsigned int names[] = {DW_AT_linkage_name, DW_AT_MIPS_linkage_name, DW_AT_name};
    Dwarf_Attribute attribute;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *name = dwarf_formstring(dwarf_attr_integrate(die, names[i], &attribute));
        if (name) return name;
    }
    return NULL;
}

// Of a call that was inlined: where it stood.
static void set_call_place(mc_symbols *self, Dwarf_Die *unit, Dwarf_Die *die,
                           mc_site_frame *frame) {
    Dwarf_Attribute attribute;
    Dwarf_Word line = 0, number = 0;
    Dwarf_Files *files;
    size_t count;
    frame->file = (mc_span){NULL, 0};
    frame->line = 0;
    if (dwarf_formudata(dwarf_attr(die, DW_AT_call_line, &attribute), &line) == 0 && line < MC_NONE)
        frame->line = (uint32_t)line;
    if (dwarf_formudata(dwarf_attr(die, DW_AT_call_file, &attribute), &number) == 0 &&
        dwarf_getsrcfiles(unit, &files, &count) == 0 && number < count)
        frame->file = keep_text(self, dwarf_filesrc(files, number, NULL, NULL));
}

static int compare_ranges(const void *a, const void *b) {
    const unit_range *x = a, *y = b;
    return x->begin < y->begin ? -1 : x->begin > y->begin;
}

static bool fill_ranges(file *f) {
    Dwarf_Addr bias, base;
    for (Dwarf_Die *unit = NULL; (unit = dwfl_module_nextcu(f->module, unit, &bias)) != NULL;) {
        unit_range range = {.unit = unit};
        for (ptrdiff_t at = 0;
             (at = dwarf_ranges(unit, at, &base, &range.begin, &range.end)) > 0;) {
            if (!mc_reserve(&f->ranges, &f->range_capacity, f->range_count + 1, sizeof *f->ranges))
                return false;
            f->ranges[f->range_count++] = range;
        }
    }
    if (f->range_count > 0) qsort(f->ranges, f->range_count, sizeof *f->ranges, compare_ranges);
    f->has_ranges = true;
    return true;
}

// The compilation unit of an address, which becomes one of the unit's. NULL: there is none. Clang
// writes no table of addresses, unlike gcc. False: out of memory.
static bool find_unit(file *f, Dwarf_Addr *address, Dwarf_Die **unit) {
    Dwarf_Addr bias = 0;
    *unit = dwfl_module_addrdie(f->module, *address, &bias);
    if (!*unit && !dwfl_module_getdwarf(f->module, &bias)) return true;
    *address -= bias;
    if (*unit) return true;
    if (!f->has_ranges && !fill_ranges(f)) return false;
    size_t low = 0, high = f->range_count; // the first that begins behind it
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (f->ranges[middle].begin <= *address)
            low = middle + 1;
        else
            high = middle;
    }
    if (low > 0 && *address < f->ranges[low - 1].end) *unit = f->ranges[low - 1].unit;
    return true;
}

// From the inside out; each scope's place is where the one inside was called.
static uint32_t find_scopes(mc_symbols *self, Dwarf_Die *unit, Dwarf_Addr address,
                            mc_site_frame place, mc_site_frame found[MC_SYMBOLS_MOST]) {
    Dwarf_Die *scopes = NULL;
    int scope_count = dwarf_getscopes(unit, address, &scopes);
    // Those of an inlined function lie around where it was declared: those around its call count.
    for (int i = 0; i < scope_count; i++)
        if (dwarf_tag(&scopes[i]) == DW_TAG_inlined_subroutine) {
            Dwarf_Die *around = NULL;
            int count = dwarf_getscopes_die(&scopes[i], &around);
            free(scopes);
            scopes = around;
            scope_count = count;
            break;
        }
    uint32_t count = 0;
    for (int i = 0; i < scope_count && count < MC_SYMBOLS_MOST; i++) {
        int tag = dwarf_tag(&scopes[i]);
        if (tag != DW_TAG_inlined_subroutine && tag != DW_TAG_subprogram) continue;
        place.function = keep_name(self, get_die_name(&scopes[i]));
        if (place.function.size > 0) found[count++] = place;
        if (tag == DW_TAG_subprogram) break;
        set_call_place(self, unit, &scopes[i], &place);
    }
    free(scopes);
    return count;
}

static void set_line(mc_symbols *self, Dwarf_Die *unit, Dwarf_Addr address, mc_site_frame *place) {
    int line = 0;
    Dwarf_Line *found = dwarf_getsrc_die(unit, address);
    const char *name = found ? dwarf_linesrc(found, NULL, NULL) : NULL;
    if (!name) return;
    place->file = keep_text(self, name);
    if (dwarf_lineno(found, &line) == 0 && line > 0) place->line = (uint32_t)line;
}

uint32_t mc_symbols_find(mc_symbols *symbols, const char *profile_path,
                         const mc_site_frame *address, mc_site_frame found[MC_SYMBOLS_MOST]) {
    Dwarf_Addr at, in_unit;
    Dwarf_Die *unit;
    if (!address->has_file_offset) return 0;
    file *f = get_file(symbols, profile_path, address->module);
    if (!f) return MC_NONE;
    if (!f->module || !get_address(f, address, &at)) return 0;
    mc_site_frame place = {.module = address->module, .address = address->address};
    in_unit = at;
    if (!find_unit(f, &in_unit, &unit)) return MC_NONE;
    if (unit) set_line(symbols, unit, in_unit, &place);
    uint32_t count = unit ? find_scopes(symbols, unit, in_unit, place, found) : 0;
    if (count > 0) return count;
    place.function = keep_name(symbols, dwfl_module_addrname(f->module, at));
    if (place.function.size == 0) return 0;
    found[0] = place;
    return 1;
}
