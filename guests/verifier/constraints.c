/* Checks the constraints at z against the quotient. The tables' programs are those of guests/verifier/generate; they
 * compute the constraints from the last to the first, for Horner's rule in gamma. */
#include "internal.h"

#include <string.h>

/* A program's state besides the table's values. */
struct machine_state {
    extension folded; /* the constraints so far, by Horner's rule */
    extension fingerprint, numerator, denominator;
    uint64_t is_empty;     /* the batch has no fraction yet */
    const extension *batch;  /* the columns of batches from the last on: three values each */
    extension column; /* the factor of the denominator in the next batch's constraint */
};

/* Copies opened values to the place where the program reads them. */
static extension *copy_opened(const struct verifier *v, extension *to, enum phase phase, uint64_t i) {
    const struct opened *o = &v->opened[phase][i];
    uint64_t count = o->z.count + o->gz.count;
    memcpy(to, &v->values_at[o->at], count * sizeof *to);
    return to + count;
}

/* Evaluates a periodic column at z: its polynomial at z^(n / period). */
static extension periodic_at(const struct periodic *p, extension z, uint64_t log_height) {
    extension x = extension_square_times(z, log_height - p->log_period), value = {{0}};
    for (uint64_t k = 1ull << p->log_period; k-- > 0;) {
        value = extension_multiply(value, x);
        value.c[0] = element_add(value.c[0], p->coefficients[k]);
    }
    return value;
}

/* The values that the instances of a class share at z: z^n, n's inverse and the selectors first, last, transition. */
struct point {
    uint64_t log_height;
    element share;
    extension zn, selectors[3];
};

static enum verifier_error point_begin(struct point *p, const struct verifier *v, uint64_t log_height) {
    extension one = extension_of(1), before_first = extension_subtract(v->z, one);
    extension before_last = extension_subtract(v->z, extension_of(root_inverse(log_height)));
    REQUIRE(!extension_is_zero(before_first) && !extension_is_zero(before_last), VERIFIER_ROWS);
    p->log_height = log_height;
    p->share = inverse_power_of_two(log_height);
    p->zn = extension_square_times(v->z, log_height);
    extension vanishing = extension_subtract(p->zn, one);
    extension both = extension_multiply(vanishing, extension_inverse(extension_multiply(before_first, before_last)));
    p->selectors[0] = extension_multiply(both, before_last);
    p->selectors[1] = extension_multiply(both, before_first);
    p->selectors[2] = before_last;
    return VERIFIER_OK;
}

/* Fills in the values that instance i's program reads, in the order of struct table. */
static void fill_values(struct verifier *v, uint64_t i, const struct point *p) {
    const struct table *t = table_of(v, i);
    extension *to = copy_opened(v, v->table_values, PHASE_MAIN, i);
    if (t->kind != PREPROCESSED_NONE)
        to = copy_opened(v, to, t->kind == PREPROCESSED_FIXED ? PHASE_FIXED : PHASE_PROGRAM, i);
    for (uint64_t k = 0; k < 3; k++) *to++ = p->selectors[k];
    if (t->max_instances == 1)
        for (uint64_t k = 0; k < v->shared.machine->publics; k++) *to++ = extension_of(v->shared.values[k]);
    for (uint64_t k = 0; k < t->periodic; k++) *to++ = periodic_at(&t->periodics[k], v->z, p->log_height);
}

/* Adds a fraction multiplicity / (alpha + bus + fingerprint) to the batch. */
static void add_fraction(const struct verifier *v, struct machine_state *s, extension acc, uint64_t operand,
                         int receives) {
    extension d = extension_add(s->fingerprint, v->shared.alpha), term = acc;
    int is_one = operand >= MULTIPLICITY_ONE;
    d.c[0] = element_add(d.c[0], operand & (MULTIPLICITY_ONE - 1));
    s->fingerprint = extension_of(0);
    if (s->is_empty) {
        if (is_one) term = extension_of(1);
        s->numerator = receives ? extension_subtract(extension_of(0), term) : term;
        s->denominator = d;
        s->is_empty = 0;
        return;
    }
    term = is_one ? s->denominator : extension_multiply(acc, s->denominator);
    s->numerator = extension_multiply(s->numerator, d);
    s->numerator = receives ? extension_subtract(s->numerator, term) : extension_add(s->numerator, term);
    s->denominator = extension_multiply(s->denominator, d);
}

static void assert_zero(const struct verifier *v, struct machine_state *s, extension value) {
    s->folded = extension_add(extension_multiply(s->folded, v->gamma), value);
}

/* Asserts the batch's constraint: column * denominator - numerator. */
static void end_batch(const struct verifier *v, struct machine_state *s) {
    extension value = extension_multiply(s->column, s->denominator);
    assert_zero(v, s, extension_subtract(value, s->numerator));
    s->batch -= 3;
    s->column = extension_join(s->batch);
    s->is_empty = 1;
}

static void run(const struct verifier *v, const struct table *t, extension *values, struct machine_state *s) {
    extension acc = {{0}};
    const element *constants = t->constants;
    const uint64_t *at = t->program;
    for (uint64_t words = 0, left = 0;; left--, words >>= 16) {
        if (left == 0) words = *at++, left = 4;
        uint64_t operand = low_bits(words, 12);
        switch (low_bits(words, 16) >> 12) {
        case OP_LOAD: acc = values[operand]; break;
        case OP_STORE: values[operand] = acc; break;
        case OP_ADD: acc = extension_add(acc, values[operand]); break;
        case OP_SUBTRACT: acc = extension_subtract(acc, values[operand]); break;
        case OP_SUBTRACT_FROM: acc = extension_subtract(values[operand], acc); break;
        case OP_MULTIPLY: acc = extension_multiply(acc, values[operand]); break;
        case OP_CONSTANT: acc = extension_of(constants[operand]); break;
        case OP_ADD_CONSTANT: acc.c[0] = element_add(acc.c[0], constants[operand]); break;
        case OP_SUBTRACT_FROM_CONSTANT: acc = extension_subtract(extension_of(constants[operand]), acc); break;
        case OP_SCALE: acc = extension_scale(acc, constants[operand]); break;
        case OP_DOUBLE_ADD: acc = extension_add(extension_add(acc, acc), values[operand]); break;
        case OP_VALUE:
            s->fingerprint = extension_multiply(extension_add(s->fingerprint, values[operand]), v->shared.beta);
            break;
        case OP_VALUE_CONSTANT:
            s->fingerprint.c[0] = element_add(s->fingerprint.c[0], constants[operand]);
            s->fingerprint = extension_multiply(s->fingerprint, v->shared.beta);
            break;
        case OP_SEND: add_fraction(v, s, acc, operand, 0); break;
        case OP_RECEIVE: add_fraction(v, s, acc, operand, 1); break;
        default:
            switch (operand) {
            case SPECIAL_END: return;
            case SPECIAL_ASSERT: assert_zero(v, s, acc); break;
            case SPECIAL_VALUE:
                s->fingerprint = extension_multiply(extension_add(s->fingerprint, acc), v->shared.beta);
                break;
            case SPECIAL_BATCH: end_batch(v, s); break;
            case SPECIAL_DOUBLE: acc = extension_add(acc, acc); break;
            case SPECIAL_SQUARE: acc = extension_multiply(acc, acc); break;
            }
        }
    }
}

/* Returns the column of the last batch: S' - S less the other columns, plus the claimed sum over n. */
static extension last_column(const struct verifier *v, uint64_t i, const uint8_t *claimed, element share) {
    const struct table *t = table_of(v, i);
    const struct opened *o = &v->opened[PHASE_AUXILIARY][i];
    extension sum = {{load64(claimed), load64(claimed + 8), load64(claimed + 16)}};
    extension left = extension_scale(sum, share);
    left = extension_add(left, extension_join(&v->values_at[o->at + o->z.count]));
    for (uint64_t b = 0; b < t->batches; b++)
        left = extension_subtract(left, extension_join(&v->values_at[o->at + 3 * b]));
    return left;
}

/* Folds an instance's constraints. */
static void fold_instance(struct verifier *v, uint64_t i, const struct point *p, extension *folded) {
    const struct table *t = table_of(v, i);
    struct machine_state s = {.folded = *folded, .is_empty = 1};
    static const extension none[3];
    uint64_t claim = 0;
    for (uint64_t k = 0; k < i; k++) claim += table_of(v, k)->interactions > 0;
    fill_values(v, i, p);
    s.batch = none + 3;
    if (t->batches > 0) {
        s.batch = &v->values_at[v->opened[PHASE_AUXILIARY][i].at + 3 * (t->batches - 1)];
        s.column = last_column(v, i, v->claimed.data + 24 * claim, p->share);
    }
    run(v, t, v->table_values, &s);
    *folded = s.folded;
}

/* Checks that the constraints at z of every class are its quotient times z^n - 1. */
enum verifier_error check_constraints(struct verifier *v) {
    for (uint64_t c = 0; c < v->class_count; c++) {
        extension folded = {{0}};
        struct point p;
        TRY(point_begin(&p, v, v->classes[c]));
        for (uint64_t i = v->instance_count; i-- > 0;)
            if (v->instances[i].log_height == v->classes[c]) fold_instance(v, i, &p, &folded);
        const extension *q = &v->values_at[v->opened[PHASE_QUOTIENT][c].at];
        extension quotient = extension_add(extension_join(q), extension_multiply(p.zn, extension_join(q + 3)));
        extension vanishing = extension_subtract(p.zn, extension_of(1));
        REQUIRE(extension_equal(folded, extension_multiply(quotient, vanishing)), VERIFIER_QUOTIENT);
    }
    return VERIFIER_OK;
}
