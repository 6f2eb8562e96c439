/* The DEEP codewords at the queries' points, and their folds to the final polynomial: docs/spec/protocol.md, sections 6
 * and 7. */
#include "internal.h"

#include <string.h>

/* Returns y = r^rev(index): bit j of an index selects the root of order 2^(j+1), for every size of the subgroup.
 * roots[j] is this root or its inverse. */
static element point(const element *roots, uint64_t index) {
    element y = 1;
    for (; index > 0; index >>= 1, roots++)
        if (index & 1) y = element_multiply(y, *roots);
    return y;
}

static void list_roots(element roots[MAX_DOMAIN], element last) {
    roots[MAX_DOMAIN - 1] = last;
    for (uint64_t j = MAX_DOMAIN - 1; j > 0; j--) roots[j - 1] = element_multiply(roots[j], roots[j]);
}

/* Inverts all values with one inversion. before gets the product of the values before each. */
static void invert_all(extension *values, extension *before, uint64_t count) {
    extension product = extension_of(1);
    for (uint64_t i = 0; i < count; i++) {
        before[i] = product;
        product = extension_multiply(product, values[i]);
    }
    extension inverse = extension_inverse(product);
    while (count-- > 0) {
        extension value = values[count];
        values[count] = extension_multiply(inverse, before[count]);
        inverse = extension_multiply(inverse, value);
    }
}

/* Computes a class's sums of coefficient * opened value. */
static void sum_opened(struct verifier *v, struct deep_class *deep, uint64_t log_height) {
    deep->at_z = deep->at_gz = extension_of(0);
    for (uint64_t phase = 0; phase < PHASES; phase++)
        for (uint64_t i = 0; i < v->entries[phase]; i++) {
            if ((phase == PHASE_QUOTIENT ? v->classes[i] : v->instances[i].log_height) != log_height) continue;
            const struct opened *o = &v->opened[phase][i];
            for (uint64_t k = 0; k < o->z.count + o->gz.count; k++)
                add_product(k < o->z.count ? &deep->at_z : &deep->at_gz, &v->coefficients[o->at + k],
                            &v->values_at[o->at + k]);
        }
}

/* Replaces the rows' sums by the class's codeword. points are the queries' points in its domain. */
__attribute__((noinline)) /* a separate entry in profiles */
static enum verifier_error evaluate_class(struct verifier *v, uint64_t log_height, const element *points) {
    uint64_t size = log_height + (uint64_t)v->shared.parameters.blowup, count = v->levels[size].count;
    struct deep_class *deep = &v->deep[size];
    extension z = v->z, gz = extension_scale(v->z, root_of_unity(log_height));
    extension *distances = v->distances; /* to z and to gz, in turn */
    for (uint64_t g = 0; g < count; g++) {
        element x = element_multiply(COSET_SHIFT, points[v->levels[size].group[g].first]);
        distances[2 * g] = extension_subtract(extension_of(x), z);
        distances[2 * g + 1] = extension_subtract(extension_of(x), gz);
        REQUIRE(!extension_is_zero(distances[2 * g]) && !extension_is_zero(distances[2 * g + 1]), VERIFIER_POINTS);
    }
    invert_all(distances, v->products_before, 2 * count);
    sum_opened(v, deep, log_height);
    for (uint64_t g = 0; g < count; g++) {
        extension here = extension_subtract(deep->row_z[g], deep->at_z);
        extension next = extension_subtract(deep->row_gz[g], deep->at_gz);
        deep->row_z[g] = extension_multiply(here, distances[2 * g]);
        if (!extension_is_zero(next)) add_product(&deep->row_z[g], &next, &distances[2 * g + 1]);
    }
    return VERIFIER_OK;
}

#define MAX_ARITY 4 /* log entries of a layer's row */

/* The values that the folds of all queries share. */
struct folding {
    element roots[MAX_DOMAIN], inverses[MAX_DOMAIN];
    element turns[16];                  /* the points of a row's entries, the first being 1 */
    extension betas[MAX_LAYERS][5];     /* beta^(2^t) */
    /* By log entries k: coefficient t of the polynomial through a row's entries, the first at the point 1, is the sum
     * of weights[k][t][j] times entry j. Zeros follow the 2^k weights. */
    element weights[MAX_ARITY + 1][16][16];
};

/* Fills in the weights of entries j: (1/x)^t / 2^k for the entry's point x. */
static void fill_weights(struct folding *f, uint64_t k) {
    element share = inverse_power_of_two(k);
    for (uint64_t j = 0; j < 1ull << k; j++) {
        element weight = share, inverse = point(f->inverses, j);
        for (uint64_t t = 0; t < 1ull << k; t++) {
            f->weights[k][t][j] = weight;
            weight = element_multiply(weight, inverse);
        }
    }
}

/* Folds a row by two k times, with beta, beta^2, ...: (f(y) + f(-y))/2 + beta (f(y) - f(-y))/(2y). This is the value at
 * beta / y of the polynomial through the entries at their points divided by y, the first point. */
static extension fold_row(const struct folding *f, uint64_t layer, uint64_t k, const extension *entries,
                          element inverse) {
    extension at = extension_scale(f->betas[layer][0], inverse), value = {{0}};
    for (uint64_t t = 1ull << k; t-- > 0;) {
        struct row_sum s = {{{0}}, 0};
        for (uint64_t j = 0; j < 1ull << k; j += 8) row_add(&s, &f->weights[k][t][j], entries + j);
        add_product(&s.total, &value, &at);
        value = s.total;
    }
    return value;
}

/* Evaluates the final polynomial at y, eight coefficients at a time. */
static extension final_at(const struct verifier *v, element y) {
    element powers[9] = {1};
    for (uint64_t i = 0; i < 8; i++) powers[i + 1] = element_multiply(powers[i], y);
    struct row_sum s = {{{0}}, 0};
    for (uint64_t k = (v->final.count + 7) / 8; k-- > 0;) {
        s.total = extension_scale(s.total, powers[8]);
        row_add(&s, powers, &v->final_coefficients[8 * k]);
    }
    return s.total;
}

/* Checks one query's chain of folds. inverse is the inverse of its point. */
static enum verifier_error check_query(const struct verifier *v, const struct folding *f, uint64_t query,
                                       element inverse) {
    uint64_t size = v->largest;
    uint64_t index = v->positions[query], class = 1;
    extension value = v->deep[size].row_z[v->levels[size].of_query[query]];
    extension entries[16] = {{{0}}};
    for (uint64_t i = 0; i < v->folds; i++) {
        uint64_t k = v->schedule[i];
        size -= k;
        const struct level *level = &v->levels[size];
        uint64_t row = level->group[level->of_query[query]].row, entry = index << (64 - k) >> (64 - k);
        const uint8_t *cells = v->layers[i].matrix->cells + (((size_t)24 * row) << k);
        for (uint64_t j = 0; j < 1ull << k; j++, cells += 24)
            entries[j] = (extension){{load64(cells), load64(cells + 8), load64(cells + 16)}};
        REQUIRE(extension_equal(entries[entry], value), VERIFIER_FOLD);
        index >>= k;
        value = fold_row(f, i, k, entries, element_multiply(inverse, f->turns[entry]));
        for (uint64_t t = 0; t < k; t++) inverse = element_multiply(inverse, inverse);
        if (class < v->class_count && v->classes[class] + v->shared.parameters.blowup == size) {
            add_product(&value, &v->deep[size].row_z[level->of_query[query]], &f->betas[i][k]);
            class++;
        }
    }
    REQUIRE(extension_equal(final_at(v, point(f->roots, index)), value), VERIFIER_FINAL);
    return VERIFIER_OK;
}

/* Evaluates all codewords at the queries' points. A point's square is the point of its index in half the domain. */
static enum verifier_error evaluate_classes(struct verifier *v, const struct folding *f) {
    uint64_t queries = v->shared.parameters.queries;
    uint64_t log = v->classes[0];
    element points[MAX_QUERIES];
    for (uint64_t q = 0; q < queries; q++) points[q] = point(f->roots, v->positions[q]);
    for (uint64_t c = 0; c < v->class_count; c++) {
        for (; log > v->classes[c]; log--)
            for (uint64_t q = 0; q < queries; q++) points[q] = element_multiply(points[q], points[q]);
        TRY(evaluate_class(v, log, points));
    }
    return VERIFIER_OK;
}

/* Loads the final coefficients, with zeros up to a multiple of eight. */
static void load_final(struct verifier *v) {
    const uint8_t *at = v->final.data;
    for (uint64_t k = 0; k < v->final.count; k++, at += 24)
        v->final_coefficients[k] = (extension){{load64(at), load64(at + 8), load64(at + 16)}};
    for (uint64_t k = v->final.count; k % 8 != 0; k++) v->final_coefficients[k] = extension_of(0);
}

enum verifier_error check_folds(struct verifier *v) {
    struct folding f;
    list_roots(f.roots, root_of_unity(MAX_DOMAIN));
    list_roots(f.inverses, root_inverse(MAX_DOMAIN));
    for (uint64_t i = 0; i < 16; i++) f.turns[i] = point(f.roots, i);
    memset(f.weights, 0, sizeof f.weights);
    for (uint64_t i = 0; i < v->folds; i++) {
        uint64_t k = v->schedule[i];
        if (f.weights[k][0][0] == 0) fill_weights(&f, k);
        f.betas[i][0] = v->betas[i];
        for (uint64_t t = 0; t < 4; t++) f.betas[i][t + 1] = extension_multiply(f.betas[i][t], f.betas[i][t]);
    }
    load_final(v);
    TRY(evaluate_classes(v, &f));
    for (uint64_t q = 0; q < v->shared.parameters.queries; q++)
        TRY(check_query(v, &f, (uint64_t)q, point(f.inverses, v->positions[q])));
    return VERIFIER_OK;
}
