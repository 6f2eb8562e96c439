/* The DEEP codewords at the queries' points, and their folds to the final polynomial: docs/spec/protocol.md, sections 6
 * and 7. */
#include "internal.h"

#include <string.h>

/* y = r^rev(index): bit j of an index stands for the root of order 2^(j+1), whatever the size of the subgroup. roots[j]
 * is that root or its inverse. */
static element point(const element *roots, uint32_t index) {
    element y = 1;
    for (; index > 0; index >>= 1, roots++)
        if (index & 1) y = element_multiply(y, *roots);
    return y;
}

static void list_roots(element roots[MAX_DOMAIN], element last) {
    roots[MAX_DOMAIN - 1] = last;
    for (int j = MAX_DOMAIN - 1; j > 0; j--) roots[j - 1] = element_multiply(roots[j], roots[j]);
}

/* 1/(x - a) for many x of the base field: the product of x's distances to a's conjugates,
 * x^2 - (trace - a) x + adjoint, over the norm of x - a, which is in the base field. */
struct inverter {
    extension linear, adjoint;
    element trace, pairs, norm;
};

static void inverter_begin(struct inverter *n, extension a) {
    element c0 = a.c[0], c1 = a.c[1], c2 = a.c[2];
    n->trace = element_add(c0, element_add(c0, c0));
    n->linear = extension_subtract(extension_of(n->trace), a);
    extension square = extension_multiply(a, a);
    /* The product of two conjugates is e2 - a (trace - a), and e2 = 3 c0^2 - 6 c1 c2. */
    element cross = element_multiply(c1, c2), own = element_multiply(c0, c0);
    cross = element_subtract(own, element_add(cross, cross));
    n->pairs = element_add(cross, element_add(cross, cross));
    n->adjoint = extension_subtract(extension_of(n->pairs), extension_scale(a, n->trace));
    n->adjoint = extension_add(n->adjoint, square);
    n->norm = extension_multiply(a, n->adjoint).c[0];
}

static element inverter_norm(const struct inverter *n, element x) {
    element value = element_add(element_multiply(element_subtract(x, n->trace), x), n->pairs);
    return element_subtract(element_multiply(value, x), n->norm);
}

static extension inverter_at(const struct inverter *n, element x, element inverse_norm) {
    extension e = extension_subtract(n->adjoint, extension_scale(n->linear, x));
    e.c[0] = element_add(e.c[0], element_multiply(x, x));
    return extension_scale(e, inverse_norm);
}

/* Inverts all norms at once: of each the product of those before it is kept. */
static void invert_all(element *values, element *before, uint32_t count) {
    element product = 1;
    for (uint32_t i = 0; i < count; i++) {
        before[i] = product;
        product = element_multiply(product, values[i]);
    }
    element inverse = element_inverse(product);
    while (count-- > 0) {
        element value = values[count];
        values[count] = element_multiply(inverse, before[count]);
        inverse = element_multiply(inverse, value);
    }
}

/* The sums of coefficient * opened value of a class. */
static void sum_opened(struct verifier *v, struct deep_class *deep, uint32_t log_height) {
    deep->at_z = deep->at_gz = extension_of(0);
    for (int phase = 0; phase < PHASES; phase++)
        for (uint32_t i = 0; i < v->entries[phase]; i++) {
            if ((phase == PHASE_QUOTIENT ? v->classes[i] : v->instances[i].log_height) != log_height) continue;
            const struct opened *o = &v->opened[phase][i];
            for (uint32_t k = 0; k < o->z.count + o->gz.count; k++) {
                extension *to = k < o->z.count ? &deep->at_z : &deep->at_gz;
                *to = extension_add(*to, extension_multiply(v->coefficients[o->at + k], v->values_at[o->at + k]));
            }
        }
}

/* A class's codeword at the opened rows, in place of the rows' sums. */
__attribute__((noinline)) /* a part by itself in profiles */
static enum verifier_error evaluate_class(struct verifier *v, uint32_t log_height, const element *roots) {
    uint32_t size = log_height + (uint32_t)v->shared.parameters.blowup, count = v->levels[size].count;
    struct deep_class *deep = &v->deep[size];
    struct inverter z, gz;
    element points[MAX_QUERIES], norms[2 * MAX_QUERIES], before[2 * MAX_QUERIES];
    inverter_begin(&z, v->z);
    inverter_begin(&gz, extension_scale(v->z, root_of_unity((int)log_height)));
    for (uint32_t g = 0; g < count; g++) {
        points[g] = element_multiply(COSET_SHIFT, point(roots, v->levels[size].group[g].index));
        norms[2 * g] = inverter_norm(&z, points[g]);
        norms[2 * g + 1] = inverter_norm(&gz, points[g]);
        REQUIRE(norms[2 * g] != 0 && norms[2 * g + 1] != 0, VERIFIER_POINTS);
    }
    invert_all(norms, before, 2 * count);
    sum_opened(v, deep, log_height);
    for (uint32_t g = 0; g < count; g++) {
        extension here = extension_subtract(deep->row_z[g], deep->at_z);
        extension next = extension_subtract(deep->row_gz[g], deep->at_gz);
        here = extension_multiply(here, inverter_at(&z, points[g], norms[2 * g]));
        if (!extension_is_zero(next)) next = extension_multiply(next, inverter_at(&gz, points[g], norms[2 * g + 1]));
        deep->row_z[g] = extension_add(here, next);
    }
    return VERIFIER_OK;
}

/* What the folds of all queries share. */
struct folding {
    element roots[MAX_DOMAIN], inverses[MAX_DOMAIN];
    element pairs[8];                   /* the inverse points of entries 0, 2, 4, ... of a row whose first is 1 */
    extension betas[MAX_LAYERS][5];     /* beta^(2^t) */
};

/* Folds a row by two k times, with beta, beta^2, ...: (f(y) + f(-y))/2 + beta (f(y) - f(-y))/(2y). The halves are taken
 * at the end. The row's points are those of its first times roots of order 2^k. */
static extension fold_row(const struct folding *f, uint32_t layer, int k, const uint8_t *cells, uint32_t row) {
    extension entries[16];
    element inverse = point(f->inverses + k, row);
    memcpy(entries, cells, sizeof(extension) << k);
    for (int t = 0; t < k; t++, inverse = element_multiply(inverse, inverse))
        for (int i = 0; i < 1 << (k - t - 1); i++) {
            extension even = extension_add(entries[2 * i], entries[2 * i + 1]);
            extension odd = extension_subtract(entries[2 * i], entries[2 * i + 1]);
            odd = extension_scale(odd, element_multiply(inverse, f->pairs[i]));
            entries[i] = extension_add(even, extension_multiply(odd, f->betas[layer][t]));
        }
    return extension_scale(entries[0], inverse_power_of_two(k));
}

/* The final polynomial at y. */
static extension final_at(const struct verifier *v, element y) {
    extension value = {{0}};
    for (uint32_t k = v->final.count; k-- > 0;) {
        extension c;
        memcpy(&c, v->final.data + 24 * k, sizeof c);
        value = extension_add(extension_scale(value, y), c);
    }
    return value;
}

/* One query's chain of folds. */
static enum verifier_error check_query(const struct verifier *v, const struct folding *f, uint32_t query) {
    int size = (int)v->largest;
    uint32_t index = v->positions[query], class = 1;
    extension value = v->deep[size].row_z[v->levels[size].of_query[query]];
    for (uint32_t i = 0; i < v->folds; i++) {
        int k = v->schedule[i];
        size -= k;
        const struct level *level = &v->levels[size];
        uint32_t row = level->group[level->of_query[query]].row;
        const uint8_t *cells = v->layers[i].matrix->cells + (((size_t)24 * row) << k);
        REQUIRE(memcmp(cells + 24 * (index & ((1u << k) - 1)), &value, sizeof value) == 0, VERIFIER_FOLD);
        index >>= k;
        value = fold_row(f, i, k, cells, index);
        if (class < v->class_count && v->classes[class] + v->shared.parameters.blowup == size) {
            extension joining = v->deep[size].row_z[level->of_query[query]];
            value = extension_add(value, extension_multiply(joining, f->betas[i][k]));
            class++;
        }
    }
    REQUIRE(extension_equal(final_at(v, point(f->roots, index)), value), VERIFIER_FINAL);
    return VERIFIER_OK;
}

enum verifier_error check_folds(struct verifier *v) {
    struct folding f;
    list_roots(f.roots, root_of_unity(MAX_DOMAIN));
    list_roots(f.inverses, root_inverse(MAX_DOMAIN));
    for (uint32_t i = 0; i < 8; i++) f.pairs[i] = point(f.inverses, 2 * i);
    for (uint32_t i = 0; i < v->folds; i++) {
        f.betas[i][0] = v->betas[i];
        for (int t = 0; t < 4; t++) f.betas[i][t + 1] = extension_multiply(f.betas[i][t], f.betas[i][t]);
    }
    for (uint32_t c = 0; c < v->class_count; c++) TRY(evaluate_class(v, v->classes[c], f.roots));
    for (int q = 0; q < v->shared.parameters.queries; q++) TRY(check_query(v, &f, (uint32_t)q));
    return VERIFIER_OK;
}
