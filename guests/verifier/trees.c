/* Checks opened rows against the caps: docs/spec/protocol.md, sections 4 and 14. A row is read once: while it is
 * hashed, its cells are checked to be elements and added up with the DEEP coefficients. */
#include "internal.h"

#include <string.h>

#define QUERY_BITS 10 /* bits of a query's number */
_Static_assert(MAX_QUERIES == 1 << QUERY_BITS, "a query's number fits");

/* Sorts words by merging sorted runs of 1, 2, 4, ... words. Returns the array with the result: keys or other. */
static uint64_t *sort_words(uint64_t *keys, uint64_t *other, uint64_t count) {
    for (uint64_t run = 1; run < count; run *= 2) {
        uint64_t *to = other;
        for (uint64_t begin = 0; begin < count; begin += 2 * run) {
            uint64_t left = count - begin;
            const uint64_t *a = keys + begin, *b = a + (left < run ? left : run);
            const uint64_t *a_end = b, *b_end = a + (left < 2 * run ? left : 2 * run);
            while (a < a_end && b < b_end) *to++ = *a < *b ? *a++ : *b++;
            while (a < a_end) *to++ = *a++;
            while (b < b_end) *to++ = *b++;
        }
        other = keys;
        keys = to - count;
    }
    return keys;
}

/* Groups the positions of the largest domain. Equal positions are adjacent, the first query's position first. */
static void group_largest(struct verifier *v, uint64_t queries) {
    struct level *top = &v->levels[v->largest];
    uint64_t keys[MAX_QUERIES], other[MAX_QUERIES], mask = MAX_QUERIES - 1;
    for (uint64_t q = 0; q < queries; q++) keys[q] = (v->positions[q] << QUERY_BITS) + q;
    const uint64_t *sorted = sort_words(keys, other, queries);
    uint64_t count = 0, previous = UINT64_MAX;
    for (uint64_t i = 0; i < queries; i++) {
        uint64_t index = sorted[i] >> QUERY_BITS, query = sorted[i] & mask;
        if (index != previous) {
            struct group *next = &top->group[count++];
            next->index = index, next->first = query;
            previous = index;
        }
        top->of_query[query] = count - 1;
    }
    top->count = count;
}

/* Groups the positions of half a domain. */
static void group_halves(struct level *here, const struct level *below) {
    struct group *next = here->group;
    uint64_t previous = UINT64_MAX;
    for (const struct group *g = below->group, *end = g + below->count; g < end; g++) {
        uint64_t index = g->index >> 1;
        if (index != previous) {
            next->index = index, next->first = g->first;
            previous = index, next++;
        } else if (g->first < next[-1].first) next[-1].first = g->first;
    }
    here->count = (uint64_t)(next - here->group);
}

/* Finds each query's group, and each group's row: the number of groups that were drawn before it. */
static void number_rows(struct level *here, const struct level *top, uint64_t shift, uint64_t queries) {
    uint64_t of_top[MAX_QUERIES];
    uint64_t at = 0, row = 0;
    for (uint64_t g = 0; g < top->count; g++) {
        if (here->group[at].index != top->group[g].index >> shift) at++;
        of_top[g] = at;
    }
    for (uint64_t q = 0; q < queries; q++) {
        uint64_t group = of_top[top->of_query[q]];
        here->of_query[q] = group;
        if (here->group[group].first == q) here->group[group].row = row++;
    }
}

/* Groups the positions of every level from the largest domain up to a single node. Only levels with rows, those of
 * layers and classes, get their queries' groups and rows. The largest class has the largest domain. */
void group_positions(struct verifier *v) {
    uint64_t queries = v->shared.parameters.queries, largest = v->largest;
    const struct level *top = &v->levels[largest];
    group_largest(v, queries);
    for (uint64_t l = largest; l-- > 0;) group_halves(&v->levels[l], &v->levels[l + 1]);
    for (uint64_t i = 0; i < v->folds; i++) {
        uint64_t l = layer_log(v, i);
        number_rows(&v->levels[l], top, largest - l, queries);
    }
    for (uint64_t c = 0; c < v->class_count; c++) {
        uint64_t l = v->classes[c] + v->shared.parameters.blowup;
        number_rows(&v->levels[l], top, largest - l, queries);
    }
}

/* A leaf chain over the cells of opened rows, which are added up with the DEEP coefficients. */
struct leaf {
    digest cv;
    block pending;
    struct row_sum sum;
};

/* The progress in a leaf. The number of its blocks is known from the start. */
struct progress {
    uint64_t lane, left;
    const uint64_t *end;           /* of the next block, unless it is the last */
    const extension *coefficients; /* of the next block's cells */
};

/* The last words of a leaf's first state: the counter, and the length with flags of the first block and the last. */
#define LEAF_LENGTH 64ull
#define LEAF_FIRST (1ull << 32)
#define LEAF_LAST ((2ull + 8) << 32)
enum { END_INNER, END_FIRST, END_LAST }; /* the sum of the last two for a leaf of one block */
static const uint64_t leaf_ends[4][2] = {
    {0, LEAF_LENGTH}, {0, LEAF_LENGTH | LEAF_FIRST}, {0, LEAF_LENGTH | LEAF_LAST}, {0, LEAF_LENGTH | LEAF_FIRST | LEAF_LAST}};

static inline void leaf_block(struct leaf *l, struct progress *p, const block *m) {
    const uint64_t *end = p->end;
    if (--p->left == 0) end += 2 * END_LAST;
    hash_block(&l->cv, m, end);
    row_add(&l->sum, m->lanes, p->coefficients);
    p->end = leaf_ends[END_INNER];
    p->coefficients += 8;
}

/* Copies up to eight words from a file. */
static inline void copy_words(uint64_t *to, const uint8_t *from, uint64_t count) {
    switch (count) {
    case 8: to[7] = load64(from + 56); /* fall through */
    case 7: to[6] = load64(from + 48); /* fall through */
    case 6: to[5] = load64(from + 40); /* fall through */
    case 5: to[4] = load64(from + 32); /* fall through */
    case 4: to[3] = load64(from + 24); /* fall through */
    case 3: to[2] = load64(from + 16); /* fall through */
    case 2: to[1] = load64(from + 8); /* fall through */
    case 1: to[0] = load64(from);
    }
}

/* Appends a matrix's row. Blocks that are aligned in the file are hashed in place. */
static inline void leaf_row(struct leaf *l, struct progress *p, const uint8_t *cells, uint64_t width) {
    uint64_t space = 8 - p->lane;
    for (; width >= space; p->lane = 0, space = 8) {
        const block *m = &l->pending;
        if (space == 8 && ((uintptr_t)cells & 7) == 0) m = (const block *)(const void *)cells;
        else copy_words(&l->pending.lanes[p->lane], cells, space);
        leaf_block(l, p, m);
        cells += 8 * space, width -= space;
    }
    copy_words(&l->pending.lanes[p->lane], cells, width);
    p->lane += width;
}

static inline void leaf_end(struct leaf *l, struct progress *p) {
    if (p->lane == 0) return;
    while (p->lane < 8) l->pending.lanes[p->lane++] = 0;
    leaf_block(l, p, &l->pending);
}

/* Returns the column of a phase that is number k of the columns opened at gz. */
static uint64_t next_column(const struct table *t, enum phase phase, uint64_t k) {
    switch (phase) {
    case PHASE_MAIN: return t->next_main_columns[k];
    case PHASE_AUXILIARY: return 3u * t->batches - 3 + k;
    default: return t->next_preprocessed_columns[k];
    }
}

/* Hashes the leaf of a group's rows, which the file has in the form that is hashed. */
static enum verifier_error leaf_whole(struct leaf *l, const block *m, uint64_t width, const extension *coefficients) {
    uint64_t end = END_FIRST;
    for (; width > 8; width -= 8, m++, coefficients += 8) {
        hash_block(&l->cv, m, leaf_ends[end]);
        row_add(&l->sum, m->lanes, coefficients);
        end = END_INNER;
    }
    for (uint64_t i = width; i < 8; i++) REQUIRE(m->lanes[i] == 0, VERIFIER_FILE_TRAILING);
    hash_block(&l->cv, m, leaf_ends[end + END_LAST]);
    row_add(&l->sum, m->lanes, coefficients);
    return VERIFIER_OK;
}

/* A matrix of a phase's tree. */
struct matrix {
    const struct matrix *other;  /* the next one of the level, or null */
    uint64_t width, next;        /* columns, and the number of them opened at gz */
    uint64_t before;             /* columns of the level's matrices before it */
    const uint8_t *cells;        /* of the opened rows; null where the tree has leaves */
    const uint64_t *next_cells;  /* places in a row, or in a leaf, of the cells opened at gz */
};

struct tree {
    enum phase phase;
    uint64_t count;
    const struct opening *opening;
    struct matrix matrix[MAX_INSTANCES];
    /* By log size: the first matrix, columns of all of them, and their coefficients at z and at gz, in order. Zeros
     * follow these up to a whole block. */
    const struct matrix *first[LEVELS];
    uint64_t width[LEVELS];
    const extension *at_z[LEVELS], *at_gz[LEVELS];
    uint64_t any_next[LEVELS];
    const uint8_t *leaves[LEVELS]; /* of a file in words: the level's leaves, in the order of rows */
    uint64_t leaf_bytes[LEVELS];   /* of each of them */
};

static extension *zeros_to_block(const extension *first, extension *to) {
    while ((to - first) % 8 != 0) *to++ = extension_of(0);
    return to;
}

/* Puts the coefficients of each level's columns in the order in which their cells are hashed. */
static void order_coefficients(struct verifier *v, struct tree *tree, const struct opened *const *opened) {
    extension *z = v->row_coefficients, *gz = v->next_coefficients;
    for (uint64_t c = 0; c < v->class_count; c++) {
        uint64_t level = v->classes[c] + v->shared.parameters.blowup;
        extension *z_first = z, *gz_first = gz;
        for (const struct matrix *m = tree->first[level]; m; m = m->other) {
            const extension *from = &v->coefficients[opened[m - tree->matrix]->at];
            for (uint64_t k = 0; k < m->width; k++) *z++ = *from++;
            for (uint64_t k = 0; k < m->next; k++) *gz++ = *from++;
        }
        tree->at_z[level] = z_first, tree->at_gz[level] = gz_first;
        tree->any_next[level] = gz > gz_first;
        z = zeros_to_block(z_first, z), gz = zeros_to_block(gz_first, gz);
    }
}

/* Finds each level's leaves in a file in words: the largest domain comes first. */
static enum verifier_error list_leaves(const struct verifier *v, struct tree *tree) {
    const uint8_t *at = tree->opening->leaves.data;
    uint64_t left = 8 * tree->opening->leaves.count;
    for (uint64_t l = LEVELS; l-- > 0;) {
        if (tree->width[l] == 0) continue;
        uint64_t size = (tree->width[l] + 7) / 8 * sizeof(block);
        tree->leaves[l] = at, tree->leaf_bytes[l] = size;
        size *= v->levels[l].count; /* at most 2^10 of 2^17 bytes */
        REQUIRE(size <= left, VERIFIER_OPENING);
        at += size, left -= size;
    }
    REQUIRE(left == 0, VERIFIER_OPENING);
    return VERIFIER_OK;
}

/* Lists the tree's matrices, in order, and checks the numbers and widths of their rows. */
static enum verifier_error list_matrices(struct verifier *v, enum phase phase, struct tree *tree) {
    const struct opened *opened[MAX_INSTANCES];
    struct matrix *last[LEVELS];
    uint64_t *next_cells = v->next_cells;
    tree->phase = phase;
    tree->count = 0;
    tree->opening = &v->trees[phase];
    memset(tree->width, 0, sizeof tree->width);
    memset(tree->first, 0, sizeof tree->first);
    for (uint64_t i = 0; i < v->entries[phase]; i++) {
        const struct table *t = phase == PHASE_QUOTIENT ? NULL : table_of(v, i);
        uint64_t width = t ? width_of(t, phase) : QUOTIENT_WIDTH;
        if (width == 0) continue;
        REQUIRE(tree->count < tree->opening->matrices, VERIFIER_OPENING);
        const struct rows *rows = &tree->opening->matrix[tree->count];
        uint64_t log_size = (t ? v->instances[i].log_height : v->classes[i]) + v->shared.parameters.blowup;
        REQUIRE(rows->columns == width && rows->count == v->levels[log_size].count, VERIFIER_OPENING);
        const struct opened *o = &v->opened[phase][i];
        opened[tree->count] = o;
        struct matrix *m = &tree->matrix[tree->count++];
        *m = (struct matrix){NULL, width, o->gz.count, tree->width[log_size], rows->cells, next_cells};
        if (tree->first[log_size]) last[log_size]->other = m;
        else tree->first[log_size] = m;
        last[log_size] = m;
        uint64_t before = has_leaves(v) ? m->before : 0;
        for (uint64_t k = 0; k < o->gz.count; k++) *next_cells++ = 8 * (before + next_column(t, phase, k));
        tree->width[log_size] += width;
    }
    REQUIRE(tree->count == tree->opening->matrices, VERIFIER_OPENING);
    order_coefficients(v, tree, opened);
    return has_leaves(v) ? list_leaves(v, tree) : VERIFIER_OK;
}

/* Adds up the cells of a group's rows that are opened at gz. */
static void add_next(const struct tree *tree, uint64_t level, uint64_t row, const uint8_t *leaf, extension *total) {
    struct row_sum sum = {*total, 0};
    const extension *coefficients = tree->at_gz[level];
    uint64_t lanes[8], *lane = lanes;
    for (const struct matrix *m = tree->first[level]; m; m = m->other) {
        const uint8_t *cells = leaf ? leaf : m->cells + (size_t)8 * m->width * row;
        for (const uint64_t *at = m->next_cells, *end = at + m->next; at < end; at++) {
            *lane++ = load64(cells + *at);
            if (lane < lanes + 8) continue;
            row_add(&sum, lanes, coefficients);
            coefficients += 8;
            lane = lanes;
        }
    }
    if (lane > lanes) {
        while (lane < lanes + 8) *lane++ = 0;
        row_add(&sum, lanes, coefficients);
    }
    *total = sum.total;
}

/* Hashes a group's rows at a level with rows, and keeps their contribution to the DEEP codeword. */
__attribute__((noinline)) /* a separate entry in profiles */
static enum verifier_error hash_rows(struct verifier *v, const struct tree *tree, uint64_t level, uint64_t group,
                                     digest *result) {
    struct deep_class *deep = &v->deep[level];
    uint64_t row = v->levels[level].group[group].row;
    struct leaf leaf;
    const uint8_t *whole = NULL;
    leaf.cv = hash_initial;
    leaf.sum = (struct row_sum){deep->row_z[group], 0};
    if (has_leaves(v)) {
        whole = tree->leaves[level] + tree->leaf_bytes[level] * row;
        TRY(leaf_whole(&leaf, (const block *)(const void *)whole, tree->width[level], tree->at_z[level]));
    } else {
        struct progress progress = {0, (tree->width[level] + 7) / 8, leaf_ends[END_FIRST], tree->at_z[level]};
        for (const struct matrix *m = tree->first[level]; m; m = m->other)
            leaf_row(&leaf, &progress, m->cells + (size_t)8 * m->width * row, m->width);
        leaf_end(&leaf, &progress);
    }
    deep->row_z[group] = leaf.sum.total;
    if (tree->any_next[level]) add_next(tree, level, row, whole, &deep->row_gz[group]);
    *result = leaf.cv;
    return leaf.sum.refused ? VERIFIER_FILE_ELEMENT : VERIFIER_OK;
}

/* Hashes from the leaves' digests in v->layer to the cap, using all siblings. tree is null for an FRI layer. */
static enum verifier_error climb(struct verifier *v, const struct tree *tree, uint64_t top, uint64_t end,
                                 struct list cap, struct list siblings, enum verifier_error error) {
    uint64_t used = 0;
    for (uint64_t l = top; l > end; l--) {
        const struct level *here = &v->levels[l];
        uint64_t out = 0;
        uint64_t joins = tree && tree->width[l - 1] > 0;
        for (uint64_t g = 0; g < here->count; out++) {
            uint64_t index = here->group[g].index;
            block children;
            children.halves[index & 1] = v->layer[g++];
            if (g < here->count && here->group[g].index == (index | 1) && index % 2 == 0)
                children.halves[1] = v->layer[g++];
            else {
                REQUIRE(used < siblings.count, error);
                copy_words(&children.lanes[4 * (~index & 1)], siblings.data + 32 * (size_t)used++, 4);
            }
            digest rows;
            if (joins) TRY(hash_rows(v, tree, l - 1, out, &rows));
            hash_node(&v->layer[out], &children, joins ? &rows : NULL);
        }
    }
    REQUIRE(used == siblings.count, error);
    for (uint64_t g = 0; g < v->levels[end].count; g++)
        REQUIRE(memcmp(cap.data + 32 * (size_t)v->levels[end].group[g].index, &v->layer[g], 32) == 0, error);
    return VERIFIER_OK;
}

static enum verifier_error check_phase(struct verifier *v, enum phase phase, struct list cap) {
    struct tree tree;
    uint64_t top = LEVELS - 1, end = cap_log(v, phase);
    TRY(list_matrices(v, phase, &tree));
    REQUIRE(cap.count == 1ull << end, VERIFIER_OPENING);
    while (tree.width[top] == 0) top--;
    for (uint64_t g = 0; g < v->levels[top].count; g++) TRY(hash_rows(v, &tree, top, g, &v->layer[g]));
    return climb(v, &tree, top, end, cap, tree.opening->siblings, VERIFIER_OPENING);
}

/* Hashes a leaf of an FRI layer: two elements of the extension per block. */
static enum verifier_error hash_layer_row(const uint8_t *cells, uint64_t entries, digest *result) {
    block m = {.lanes = {0}};
    uint64_t end[2] = {1, LEAF_LENGTH | LEAF_FIRST};
    digest cv = hash_initial;
    for (uint64_t i = 0; i < entries; i += 2) {
        for (uint64_t k = 0; k < 6; k++, cells += 8) {
            uint64_t x = load64(cells);
            REQUIRE(x < MODULUS, VERIFIER_FILE_ELEMENT);
            m.lanes[k < 3 ? k : k + 1] = x;
        }
        if (i + 2 == entries) end[1] += LEAF_LAST;
        hash_block(&cv, &m, end);
        end[1] = LEAF_LENGTH;
    }
    *result = cv;
    return VERIFIER_OK;
}

static enum verifier_error check_layer(struct verifier *v, uint64_t layer) {
    const struct opening *o = &v->layers[layer];
    uint64_t top = layer_log(v, layer), cap_height = v->shared.parameters.cap_height;
    const struct level *level = &v->levels[top];
    uint64_t entries = 1ull << v->schedule[layer];
    REQUIRE(o->matrices == 1 && o->matrix->columns == 3 * entries && o->matrix->count == level->count, VERIFIER_LAYER);
    for (uint64_t g = 0; g < level->count; g++)
        TRY(hash_layer_row(o->matrix->cells + (size_t)24 * entries * level->group[g].row, entries, &v->layer[g]));
    return climb(v, NULL, top, cap_height < top ? cap_height : top, v->layer_caps[layer], o->siblings,
                 VERIFIER_LAYER);
}

enum verifier_error check_trees(struct verifier *v) {
    const struct shared *s = &v->shared;
    struct list caps[PHASES] = {s->fixed_cap, s->header.cap, v->main_cap, v->auxiliary_cap, v->quotient_cap};
    for (uint64_t c = 0; c < v->class_count; c++) {
        uint64_t log = v->classes[c] + s->parameters.blowup;
        memset(v->deep[log].row_z, 0, v->levels[log].count * sizeof(extension));
        memset(v->deep[log].row_gz, 0, v->levels[log].count * sizeof(extension));
    }
    for (uint64_t phase = 0; phase < PHASES; phase++)
        if (matrix_count(v, phase) > 0) TRY(check_phase(v, phase, caps[phase]));
    for (uint64_t i = 0; i < v->folds; i++) TRY(check_layer(v, i));
    return VERIFIER_OK;
}
