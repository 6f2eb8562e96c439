/* Buses: the bounds on their messages, and the balance of claimed sums and public messages. */
#include "internal.h"

/* Public messages add up to numerator / denominator. The total of this fraction and the claimed sums can be compared
 * with 0 without a division. */

/* Adds n 2^log, log at least 1, to a count of messages. It saturates at 2^64 - 1, which no bound allows. */
void count_more(uint64_t *count, uint64_t n, uint64_t log) {
    uint64_t more = n >> (64 - log) == 0 ? n << log : UINT64_MAX;
    *count = *count + more < more ? UINT64_MAX : *count + more;
}

void count_instances(struct verifier *v) {
    struct shared *s = &v->shared;
    for (uint64_t i = 0; i < v->instance_count; i++) {
        const struct table *t = table_of(v, i);
        for (uint64_t k = 0; k < t->bounds; k++) {
            const struct bound *b = &t->bound[k];
            count_more(&s->counts[b->bus][b->direction], b->most, v->instances[i].log_height);
        }
    }
}

enum verifier_error check_buses(const struct verifier *v) {
    const struct shared *s = &v->shared;
    for (uint64_t bus = 0; bus <= s->machine->buses; bus++)
        REQUIRE(s->counts[bus][SEND] < MODULUS && s->counts[bus][RECEIVE] < MODULUS, VERIFIER_BUSES);
    return VERIFIER_OK;
}

/* Returns alpha + bus + the sum of beta^j value_j, for j from 1. */
extension fingerprint(const struct verifier *v, uint64_t bus, const element *values, uint64_t count) {
    extension f = {{0}};
    while (count > 0) {
        f.c[0] = element_add(f.c[0], values[--count]);
        f = extension_multiply(f, v->shared.beta);
    }
    f.c[0] = element_add(f.c[0], bus);
    return extension_add(f, v->shared.alpha);
}

/* Adds the claimed sums of a proof or a shard. It adds instances that count once only for the last shard. */
void add_claimed(struct verifier *v, int last) {
    struct shared *s = &v->shared;
    for (uint64_t i = 0, k = 0; i < v->instance_count; i++) {
        const struct table *t = table_of(v, i);
        if (t->interactions == 0) continue;
        const uint8_t *at = v->claimed.data + 24 * k++;
        if (t->counts_once && !last) continue;
        extension sum = {{load64(at), load64(at + 8), load64(at + 16)}};
        s->claimed = extension_add(s->claimed, sum);
    }
}

enum verifier_error check_balance(struct verifier *v) {
    struct shared *s = &v->shared;
    TRY(add_messages(v));
    extension total = extension_add(s->numerator, extension_multiply(s->claimed, s->denominator));
    return extension_is_zero(total) ? VERIFIER_OK : VERIFIER_SUMS;
}
