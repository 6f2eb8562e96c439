/* A counter that verifies a proof of its predecessor. The private input is the program's own id (32 bytes) and a proof
 * of the count before, or nothing for 0. The public output is the id and the count (8 bytes, little endian). A verifier
 * of a proof compares the id in its output with the id of the proven program. Then the ids of all predecessors are the
 * same, so the program has run that many times, each time with a proof of the run before. */
#include "zkvm.h"
#include "zkvm_verify.h"

#include <string.h>

/* Exit codes beyond the numbers of the verifier's checks. */
enum { NO_ID = 100, FAILED, NO_COUNT, OTHER_ID };

struct count {
    uint8_t id[32];
    uint64_t number;
};

/* Takes the count from a proof of this same program. */
static int predecessor(const uint8_t *proof, size_t size, const uint8_t id[32], uint64_t *number) {
    zkvm_verified stated;
    struct count before;
    int check = zkvm_verify(proof, size, id, &stated);
    if (check) return check;
    if (stated.exit != 0) return FAILED;
    if (stated.output_size != sizeof before) return NO_COUNT;
    memcpy(&before, stated.output, sizeof before);
    if (memcmp(before.id, id, sizeof before.id) != 0) return OTHER_ID;
    *number = before.number;
    return 0;
}

int main(void) {
    const uint8_t *input;
    size_t size;
    struct count count = {{0}, 0};
    read_input(&input, &size);
    if (size < sizeof count.id) return NO_ID;
    memcpy(count.id, input, sizeof count.id);
    if (size > sizeof count.id) {
        int check = predecessor(input + sizeof count.id, size - sizeof count.id, count.id, &count.number);
        if (check) return check;
        count.number++;
    }
    write_output((const uint8_t *)&count, sizeof count);
    return 0;
}
