#include "engine/import/pseudonyms/name_cipher.h"

#include "engine/base/file.h"
#include "engine/base/memory.h"
#include <nettle/siv-cmac.h>
#include <string.h>

#define KEY_SIZE SIV_CMAC_AES128_KEY_SIZE
#define TAG_SIZE SIV_DIGEST_SIZE

static const char separators[] = "./$#[]";
static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
static const uint8_t nonce[] = "memcity name"; // one for all: equal names become equal ones

typedef struct place {
    size_t offset, size; // in `results`
} place;

struct mc_name_cipher {
    struct siv_cmac_aes128_ctx context;
    bool restores;
    mc_strings names; // that have been met
    place *places;    // of each, what it became
    size_t place_capacity;
    mc_text results;
    unsigned char *scratch;
    size_t scratch_capacity;
    mc_name_cipher_report report;
};

// ---- the key

static int read_digit(unsigned char letter) {
    if (letter >= '0' && letter <= '9') return letter - '0';
    if (letter >= 'a' && letter <= 'f') return letter - 'a' + 10;
    return letter >= 'A' && letter <= 'F' ? letter - 'A' + 10 : -1;
}

static bool read_key(const mc_file_map *file, uint8_t key[KEY_SIZE]) {
    size_t size = file->size;
    while (size > 0 && (file->data[size - 1] == '\n' || file->data[size - 1] == '\r'))
        size--;
    if (size != 2 * (size_t)KEY_SIZE) return false;
    for (size_t i = 0; i < KEY_SIZE; i++) {
        int high = read_digit(file->data[2 * i]), low = read_digit(file->data[2 * i + 1]);
        if (high < 0 || low < 0) return false;
        key[i] = (uint8_t)(high << 4 | low);
    }
    return true;
}

mc_result mc_name_cipher_create(const char *key_path, bool restores, mc_name_cipher **cipher,
                                mc_error *error) {
    mc_file_map file = {0};
    uint8_t key[KEY_SIZE];
    *cipher = NULL;
    mc_result result = mc_file_map_open(&file, key_path, error);
    if (result != MC_OK) return result;
    bool is_key = read_key(&file, key);
    mc_file_map_close(&file);
    if (!is_key)
        return mc_fail(error, MC_ERROR_BAD_DATA,
                       "%s: expected a key, 64 hexadecimal digits (openssl rand -hex 32 "
                       "makes one)",
                       key_path);
    mc_name_cipher *self = mc_alloc_zero(1, sizeof *self);
    if (self) {
        siv_cmac_aes128_set_key(&self->context, key);
        self->restores = restores;
        *cipher = self;
    }
    memset(key, 0, sizeof key);
    return self ? MC_OK : mc_error_out_of_memory(error);
}

void mc_name_cipher_destroy(mc_name_cipher *self) {
    if (!self) return;
    mc_strings_deinit(&self->names);
    mc_text_deinit(&self->results);
    mc_free(self->places);
    mc_free(self->scratch);
    mc_free(self);
}

bool mc_name_cipher_restores(const mc_name_cipher *self) {
    return self->restores;
}

// ---- letters

static void append_letters(mc_text *out, const unsigned char *bytes, size_t size) {
    uint32_t bits = 0, count = 0;
    for (size_t i = 0; i < size; i++) {
        bits = bits << 8 | bytes[i];
        for (count += 8; count >= 6; count -= 6)
            mc_text_append(out, &letters[bits >> (count - 6) & 63], 1);
    }
    if (count > 0) mc_text_append(out, &letters[bits << (6 - count) & 63], 1);
}

// How many bytes; SIZE_MAX: these are no such letters.
static size_t read_letters(const char *text, size_t size, unsigned char *out) {
    uint32_t bits = 0, count = 0;
    size_t read = 0;
    for (size_t i = 0; i < size; i++) {
        const char *found = text[i] ? strchr(letters, text[i]) : NULL;
        if (!found) return SIZE_MAX;
        bits = bits << 6 | (uint32_t)(found - letters);
        count += 6;
        if (count < 8) continue;
        count -= 8;
        out[read++] = (unsigned char)(bits >> count);
    }
    return read;
}

// ---- parts

static bool hide(mc_name_cipher *self, const char *part, size_t size) {
    if (!mc_reserve(&self->scratch, &self->scratch_capacity, size + TAG_SIZE, 1)) return false;
    siv_cmac_aes128_encrypt_message(&self->context, sizeof nonce - 1, nonce, 0, NULL,
                                    size + TAG_SIZE, self->scratch, (const uint8_t *)part);
    append_letters(&self->results, self->scratch, size + TAG_SIZE);
    return true;
}

static bool restore(mc_name_cipher *self, const char *part, size_t size) {
    if (!mc_reserve(&self->scratch, &self->scratch_capacity, 2 * size + 1, 1)) return false;
    unsigned char *packed = self->scratch, *shown = self->scratch + size;
    size_t packed_size = read_letters(part, size, packed);
    bool is_ours = packed_size != SIZE_MAX && packed_size > TAG_SIZE &&
                   siv_cmac_aes128_decrypt_message(&self->context, sizeof nonce - 1, nonce, 0, NULL,
                                                   packed_size - TAG_SIZE, shown, packed) == 1;
    self->report.restored_count += is_ours;
    self->report.other_count += !is_ours;
    if (is_ours)
        mc_text_append(&self->results, (const char *)shown, packed_size - TAG_SIZE);
    else
        mc_text_append(&self->results, part, size);
    return true;
}

static bool append_parts(mc_name_cipher *self, const char *name, size_t size) {
    size_t begin = 0;
    for (size_t i = 0; i <= size; i++) {
        if (i < size && (name[i] == '\0' || !strchr(separators, name[i]))) continue;
        if (i > begin && !(self->restores ? restore : hide)(self, name + begin, i - begin))
            return false;
        if (i < size) mc_text_append(&self->results, name + i, 1);
        begin = i + 1;
    }
    return !self->results.failed;
}

bool mc_name_cipher_append(mc_name_cipher *self, const char *name, size_t size, mc_text *out) {
    uint32_t count = self->names.count, index = mc_strings_intern(&self->names, name, size);
    if (index == MC_NONE ||
        !mc_reserve(&self->places, &self->place_capacity, (size_t)index + 1, sizeof(place)))
        return false;
    if (index == count) {
        self->places[index].offset = self->results.size;
        if (!append_parts(self, name, size)) return false;
        self->places[index].size = self->results.size - self->places[index].offset;
    }
    const place *known = &self->places[index];
    mc_text_append(out, self->results.data ? self->results.data + known->offset : "", known->size);
    return !out->failed;
}

mc_name_cipher_report mc_name_cipher_get_report(const mc_name_cipher *self) {
    return self->report;
}
