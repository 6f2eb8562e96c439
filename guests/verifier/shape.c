/* Derives from the list of instances the classes, the folds, and the size of every part of the proof. */
#include "internal.h"

const struct table *table_of(const struct verifier *v, uint64_t instance) {
    return &v->shared.machine->table[v->instances[instance].table];
}

uint64_t width_of(const struct table *t, enum phase phase) {
    switch (phase) {
    case PHASE_FIXED: return t->kind == PREPROCESSED_FIXED ? t->preprocessed : 0;
    case PHASE_PROGRAM: return t->kind == PREPROCESSED_PROGRAM ? t->preprocessed : 0;
    case PHASE_MAIN: return t->main;
    case PHASE_AUXILIARY: return 3u * t->batches;
    default: return QUOTIENT_WIDTH;
    }
}

/* Returns the number of columns of a phase that are read at the next row. */
uint64_t next_of(const struct table *t, enum phase phase) {
    if (width_of(t, phase) == 0) return 0;
    switch (phase) {
    case PHASE_FIXED:
    case PHASE_PROGRAM: return t->next_preprocessed;
    case PHASE_MAIN: return t->next_main;
    case PHASE_AUXILIARY: return 3;
    default: return 0;
    }
}

uint64_t matrix_count(const struct verifier *v, enum phase phase) {
    if (phase == PHASE_QUOTIENT) return v->class_count;
    uint64_t count = 0;
    for (uint64_t i = 0; i < v->instance_count; i++) count += width_of(table_of(v, i), phase) > 0;
    return count;
}

/* Returns the log of a cap's size: the least of the cap height and the matrices' log sizes. */
uint64_t cap_log(const struct verifier *v, enum phase phase) {
    const struct parameters *p = &v->shared.parameters;
    uint64_t log = p->cap_height;
    for (uint64_t i = 0; i < v->instance_count; i++) {
        uint64_t size = v->instances[i].log_height + p->blowup;
        if ((phase == PHASE_QUOTIENT || width_of(table_of(v, i), phase) > 0) && size < log) log = size;
    }
    return log;
}

uint64_t layer_log(const struct verifier *v, uint64_t layer) {
    uint64_t size = v->largest;
    for (uint64_t i = 0; i <= layer; i++) size -= v->schedule[i];
    return size;
}

static int has_class(const struct verifier *v, uint64_t log_height) {
    for (uint64_t c = 0; c < v->class_count; c++)
        if (v->classes[c] == log_height) return 1;
    return 0;
}

/* Each fold has the log arity of the parameters, or less if the next class is nearer. */
void schedule_folds(struct verifier *v) {
    const struct parameters *p = &v->shared.parameters;
    uint64_t smallest = v->classes[v->class_count - 1];
    uint64_t end = (smallest < (uint64_t)p->final_length ? smallest : (uint64_t)p->final_length) + p->blowup;
    uint64_t size = v->largest, fold = 0;
    v->folds = 0;
    while (size > end) {
        size--, fold++;
        if (fold == (uint64_t)p->arity || size == end || has_class(v, size - p->blowup)) {
            v->schedule[v->folds++] = fold;
            fold = 0;
        }
    }
}

/* Reports whether the table, the program and the parameters allow an instance's height. */
static int height_fits(const struct verifier *v, uint64_t i, uint64_t *programs) {
    const struct shared *s = &v->shared;
    const struct table *t = table_of(v, i);
    uint64_t h = v->instances[i].log_height;
    if (h < t->min_log || h > t->max_log || h < s->parameters.min_height || h + s->parameters.blowup > MAX_DOMAIN)
        return 0;
    if (t->kind == PREPROCESSED_PROGRAM && (i == 0 || v->instances[i - 1].table != v->instances[i].table)) {
        uint64_t number = (*programs)++;
        return number < s->header.log_heights.count && s->header.log_heights.data[number] == h;
    }
    return 1;
}

/* Checks the order of the list and the number of each table's instances, and sets classes and folds. */
enum verifier_error check_instances(struct verifier *v) {
    const struct machine *m = v->shared.machine;
    uint64_t at = 0, programs = 0;
    for (uint64_t table = 0; table < m->tables; table++) {
        uint64_t count = 0;
        for (; at < v->instance_count && v->instances[at].table == table; at++, count++) {
            REQUIRE(count == 0 || v->instances[at].log_height <= v->instances[at - 1].log_height, VERIFIER_INSTANCES);
            REQUIRE(height_fits(v, at, &programs), VERIFIER_INSTANCES);
        }
        REQUIRE(count >= m->table[table].min_instances && count <= m->table[table].max_instances, VERIFIER_INSTANCES);
    }
    REQUIRE(at > 0 && at == v->instance_count && programs == m->programs, VERIFIER_INSTANCES);
    v->class_count = 0;
    for (uint64_t h = MAX_DOMAIN + 1; h-- > 0;)
        for (uint64_t i = 0; i < v->instance_count; i++)
            if (v->instances[i].log_height == h) {
                v->classes[v->class_count++] = h;
                break;
            }
    v->largest = v->classes[0] + (uint64_t)v->shared.parameters.blowup;
    schedule_folds(v);
    v->claiming = 0;
    v->columns = QUOTIENT_WIDTH * v->class_count;
    for (uint64_t i = 0; i < v->instance_count; i++) {
        const struct table *t = table_of(v, i);
        v->claiming += t->interactions > 0;
        for (uint64_t phase = 0; phase < PHASE_QUOTIENT; phase++) v->columns += width_of(t, phase);
    }
    REQUIRE(v->columns <= MAX_COLUMNS && v->columns * (uint64_t)v->shared.parameters.queries <= MAX_OPENED_CELLS,
            VERIFIER_SIZE);
    return VERIFIER_OK;
}

static int entries_fit(struct verifier *v, enum phase phase, uint64_t *at) {
    int present = matrix_count(v, phase) > 0;
    uint64_t entries = !present ? 0 : phase == PHASE_QUOTIENT ? v->class_count : v->instance_count;
    if (v->entries[phase] != entries) return 0;
    if (!present && v->trees[phase].matrices + v->trees[phase].siblings.count > 0) return 0;
    for (uint64_t i = 0; i < entries; i++) {
        struct opened *o = &v->opened[phase][i];
        uint64_t width = QUOTIENT_WIDTH, next = 0;
        if (phase != PHASE_QUOTIENT) width = width_of(table_of(v, i), phase), next = next_of(table_of(v, i), phase);
        if (o->z.count != width || o->gz.count != next) return 0;
        o->at = *at;
        *at += width + next;
    }
    return 1;
}

/* Checks that lists have the lengths that follow from the instances. check_trees checks the openings. */
enum verifier_error check_lengths(struct verifier *v) {
    uint64_t at = 0, last = v->largest;
    int has_auxiliary = matrix_count(v, PHASE_AUXILIARY) > 0, has_main = matrix_count(v, PHASE_MAIN) > 0;
    REQUIRE(v->main_cap.count == (has_main ? 1ull << cap_log(v, PHASE_MAIN) : 0), VERIFIER_SHAPE);
    REQUIRE(v->auxiliary_cap.count == (has_auxiliary ? 1ull << cap_log(v, PHASE_AUXILIARY) : 0), VERIFIER_SHAPE);
    REQUIRE(v->quotient_cap.count == 1ull << cap_log(v, PHASE_QUOTIENT), VERIFIER_SHAPE);
    REQUIRE(v->claimed.count == v->claiming, VERIFIER_SHAPE);
    for (uint64_t phase = 0; phase < PHASES; phase++) REQUIRE(entries_fit(v, phase, &at), VERIFIER_SHAPE);
    REQUIRE(v->layer_cap_count == v->folds && v->layer_count == v->folds, VERIFIER_SHAPE);
    for (uint64_t i = 0; i < v->folds; i++) {
        last -= v->schedule[i];
        uint64_t log = (uint64_t)v->shared.parameters.cap_height;
        if (last < log) log = last;
        REQUIRE(v->layer_caps[i].count == 1ull << log, VERIFIER_SHAPE);
    }
    REQUIRE(v->final.count == 1ull << (last - (uint64_t)v->shared.parameters.blowup), VERIFIER_SHAPE);
    return VERIFIER_OK;
}
