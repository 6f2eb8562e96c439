/* Reads the file: docs/spec/protocol.md, sections 8, 13 and 14. A count is checked before the counted items are read.
 * All elements are checked here, except the elements of opened rows, which are checked when they are hashed. */
#include "internal.h"

#include <string.h>

static enum verifier_error take(struct reader *r, size_t size, const uint8_t **bytes) {
    size_t left = (size_t)(r->end - r->at), whole = in_words(r) ? whole_words(size) : size;
    REQUIRE(size <= left && whole <= left, VERIFIER_FILE_ENDS);
    *bytes = r->at;
    r->at += whole;
    if (whole > size) REQUIRE(load64(r->at - 8) >> (64 - 8 * (whole - size)) == 0, VERIFIER_FILE_TRAILING);
    return VERIFIER_OK;
}

/* Reads a number of 32 bits. */
static enum verifier_error read_small(struct reader *r, uint64_t *number) {
    const uint8_t *bytes;
    TRY(take(r, 4, &bytes));
    *number = in_words(r) ? load64(bytes) : load32(bytes);
    return VERIFIER_OK;
}

/* size is the size of a counted item, 1 to 128 bytes. The items must fit in the rest of the file. */
enum verifier_error read_count(struct reader *r, uint64_t most, uint64_t size, uint64_t *count) {
    uint64_t number;
    TRY(read_small(r, &number));
    REQUIRE(number <= most, VERIFIER_FILE_COUNT);
    REQUIRE(number * size <= (uint64_t)(r->end - r->at), VERIFIER_FILE_ENDS);
    *count = (uint64_t)number;
    return VERIFIER_OK;
}

static enum verifier_error read_list(struct reader *r, uint64_t most, uint64_t size, struct list *list) {
    TRY(read_count(r, most, size, &list->count));
    return take(r, (size_t)list->count * size, &list->data);
}

static enum verifier_error check_elements(const uint8_t *at, uint64_t count) {
    for (; count > 0; count--, at += 8) REQUIRE(load64(at) < MODULUS, VERIFIER_FILE_ELEMENT);
    return VERIFIER_OK;
}

static enum verifier_error read_extensions(struct reader *r, uint64_t most, struct list *list) {
    TRY(read_list(r, most, 24, list));
    return check_elements(list->data, 3 * list->count);
}

enum verifier_error read_number(struct reader *r, uint64_t *number) {
    const uint8_t *bytes;
    TRY(take(r, 8, &bytes));
    *number = load64(bytes);
    REQUIRE(*number < MODULUS, VERIFIER_FILE_ELEMENT);
    return VERIFIER_OK;
}

static enum verifier_error read_parameters(struct parameters *p, struct reader *r) {
    const uint8_t *b;
    TRY(take(r, 9, &b));
    memcpy(p->bytes, b, 9);
    p->blowup = b[0], p->queries = b[1] | b[2] << 8, p->grinding = b[3], p->arity = b[4];
    p->final_length = b[5], p->cap_height = b[6], p->min_height = b[7];
    REQUIRE(b[8] == 1 && p->blowup >= 1 && p->blowup <= MAX_LOG_BLOWUP && p->queries >= 1 &&
                p->queries <= MAX_QUERIES && p->grinding <= 32 && p->arity >= 1 && p->arity <= 4 &&
                p->final_length <= 10 && p->cap_height <= 10 && p->min_height >= 1 &&
                p->min_height <= MAX_DOMAIN - p->blowup,
            VERIFIER_PARAMETERS);
    return VERIFIER_OK;
}

/* Reads a file's beginning: version, parameters and machine. */
enum verifier_error read_machine(struct verifier *v, struct reader *r, int shards) {
    const uint8_t *bytes;
    uint64_t version;
    struct list name;
    TRY(take(r, 8, &bytes));
    REQUIRE(memcmp(bytes, shards ? "CHIASHRD" : "CHIASMUS", 8) == 0, VERIFIER_FILE_MAGIC);
    v->words = r->words;
    TRY(read_small(r, &version));
    REQUIRE(version == 3, VERIFIER_FILE_VERSION);
    TRY(read_parameters(&v->shared.parameters, r));
    TRY(read_list(r, MAX_NAME, 1, &name));
    TRY(take(r, 32, &bytes));
    return find_machine(v, name.data, name.count, bytes);
}

enum verifier_error read_instances(struct verifier *v, struct reader *r) {
    struct list list;
    TRY(read_list(r, MAX_INSTANCES, 3, &list));
    v->instance_count = list.count;
    for (uint64_t i = 0; i < list.count; i++) {
        const uint8_t *b = list.data + 3 * i;
        v->instances[i] = (struct instance){(uint64_t)(b[0] + (b[1] << 8)), b[2]};
    }
    return VERIFIER_OK;
}

/* Reads the program and the claim. */
enum verifier_error read_statement(struct verifier *v, struct reader *r) {
    struct shared *s = &v->shared;
    uint64_t headers;
    const uint8_t *bytes;
    TRY(read_count(r, 1, 48, &headers));
    s->header.present = headers == 1;
    if (headers == 1) {
        TRY(take(r, 8, &bytes));
        s->header.entry = load64(bytes);
        TRY(take(r, 32, &s->header.image));
        TRY(read_list(r, MAX_HEADERS, 1, &s->header.log_heights));
        TRY(read_list(r, MAX_CAP, 32, &s->header.cap));
        TRY(take(r, 32 * (size_t)(MAX_LOG_BLOWUP - s->parameters.blowup), &s->header.siblings));
    }
    TRY(read_list(r, MAX_PUBLIC, 8, &s->public_values));
    TRY(check_elements(s->public_values.data, s->public_values.count));
    for (uint64_t i = 0; i < s->public_values.count; i++) s->values[i] = load64(s->public_values.data + 8 * i);
    return read_list(r, MAX_DATA, 1, &s->data);
}

enum verifier_error read_main_cap(struct verifier *v, struct reader *r) {
    return read_list(r, MAX_CAP, 32, &v->main_cap);
}

static enum verifier_error read_opening(struct reader *r, uint64_t most, struct rows *matrix, struct opening *o,
                                        int is_tree) {
    int leaves = is_tree && in_words(r);
    o->matrix = matrix;
    TRY(read_count(r, most, 16, &o->matrices));
    for (uint64_t i = 0; i < o->matrices; i++) {
        uint64_t rows, columns;
        TRY(read_small(r, &rows));
        TRY(read_small(r, &columns));
        REQUIRE(rows > 0 && columns > 0 && rows <= MAX_ROWS && columns <= MAX_COLUMNS - r->columns,
                VERIFIER_FILE_COUNT);
        r->columns += columns;
        matrix[i] = (struct rows){NULL, (uint64_t)rows, (uint64_t)columns};
        if (!leaves) TRY(take(r, (size_t)8 * rows * columns, &matrix[i].cells));
    }
    if (leaves) TRY(read_list(r, MAX_LEAVES, 8, &o->leaves));
    return read_list(r, MAX_FILE, 32, &o->siblings);
}

static enum verifier_error read_openings(struct verifier *v, struct reader *r) {
    r->columns = 0;
    for (uint64_t phase = 0; phase < PHASES; phase++)
        TRY(read_opening(r, MAX_INSTANCES, v->matrices[phase], &v->trees[phase], 1));
    r->columns = 0;
    TRY(read_count(r, MAX_LAYERS, 8, &v->layer_count));
    for (uint64_t i = 0; i < v->layer_count; i++) TRY(read_opening(r, 1, &v->layer_rows[i], &v->layers[i], 0));
    return VERIFIER_OK;
}

/* Reads everything after the main cap. */
enum verifier_error read_rest(struct verifier *v, struct reader *r) {
    TRY(read_number(r, &v->salt));
    TRY(read_list(r, MAX_CAP, 32, &v->auxiliary_cap));
    TRY(read_list(r, MAX_CAP, 32, &v->quotient_cap));
    TRY(read_extensions(r, MAX_INSTANCES, &v->claimed));
    for (uint64_t phase = 0; phase < PHASES; phase++) {
        TRY(read_count(r, MAX_INSTANCES, 8, &v->entries[phase]));
        for (uint64_t i = 0; i < v->entries[phase]; i++) {
            TRY(read_extensions(r, MAX_COLUMNS, &v->opened[phase][i].z));
            TRY(read_extensions(r, MAX_COLUMNS, &v->opened[phase][i].gz));
        }
    }
    TRY(read_count(r, MAX_LAYERS, 4, &v->layer_cap_count));
    for (uint64_t i = 0; i < v->layer_cap_count; i++) TRY(read_list(r, MAX_CAP, 32, &v->layer_caps[i]));
    TRY(read_extensions(r, MAX_FINAL, &v->final));
    v->nonce = 0;
    if (v->shared.parameters.grinding > 0) TRY(read_number(r, &v->nonce));
    return read_openings(v, r);
}
