#include "engine/import/format/lookalike.h"

#include <string.h>

typedef struct magic {
    const char *bytes;
    size_t size, offset;
    const char *text;
} magic;

#define AT(offset, literal, text) \
    { (literal), sizeof(literal) - 1, (offset), (text) }

static const magic magics[] = {
    AT(0,
       "\x7f"
       "ELF",
       "a core file, a program or a library"),
    AT(0, "\x04\x22\x4d\x18",
       "data packed by LZ4, as bytehound has it (its export to heaptrack's "
       "format is read)"),
    AT(4, "!FastSerialization.1", "a .nettrace of .NET (dotnet-gcdump's .gcdump is read)"),
    AT(0, "Nettrace", "a .nettrace of .NET"),
    AT(0, "=erl_crash_dump:", "a crash dump of Erlang"),
    AT(0, "PERFILE2", "perf.data (perf script | stackcollapse-perf.pl is read)"),
    AT(0, "# callgrind format", "a callgrind file"),
    AT(0, "version: 1\ncreator: callgrind", "a callgrind file"),
    AT(0, "<?xml", "XML"),
    AT(0, "<!DOCTYPE html", "a page of HTML"),
    AT(0, "<html", "a page of HTML"),
    AT(0, "PK\x03\x04", "a .zip, .jar or another packed folder; unpack it"),
    AT(0,
       "\xfd"
       "7zXZ",
       "data packed by xz; unpack it"),
    AT(0, "BZh", "data packed by bzip2; unpack it"),
    AT(0, "\x89PNG", "a picture"),
    AT(257, "ustar", "a .tar archive; unpack it"),
    AT(0, "MDMP", "a minidump of Windows"),
    AT(0, "\x80\x04", "a pickle of Python, but not a snapshot of tracemalloc"),
    AT(0, "\x80\x05", "a pickle of Python, but not a snapshot of tracemalloc"),
    // A CPU profile of gperftools: words 0, 3, 0.
    AT(0, "\0\0\0\0\0\0\0\0\3\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0",
       "a CPU profile of gperftools (google-pprof --collapsed is read)"),
};

const char *mc_lookalike_find(const unsigned char *data, size_t size) {
    for (size_t i = 0; i < sizeof magics / sizeof *magics; i++) {
        const magic *m = &magics[i];
        if (size >= m->offset + m->size && memcmp(data + m->offset, m->bytes, m->size) == 0)
            return m->text;
    }
    return NULL;
}
