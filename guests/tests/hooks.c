/* A program's own functions replace the kit's, even if it uses other functions of the same file. */
#include "zkvm.h"
#include "zkvm_accelerators.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static char block[64];
static int allocations, hashes;

void *malloc(size_t size) {
    allocations++;
    return size <= sizeof block ? block : NULL;
}

void free(void *p) { (void)p; }

zkvm_status zkvm_sha256(const uint8_t *data, size_t len, zkvm_sha256_hash *output) {
    (void)data;
    hashes++;
    memset(output->data, (int)len, sizeof output->data);
    return ZKVM_EOK;
}

void abort(void) { zkvm_exit(allocations == 1 && hashes == 1 ? 7 : 1); }

int main(void) {
    zkvm_sha256_hash sum;
    zkvm_keccak256_hash keccak;
    assert(malloc(8) == block);
    zkvm_keccak256((const uint8_t *)block, 8, &keccak); /* in the same file of the kit as zkvm_sha256 */
    zkvm_sha256(keccak.data, 3, &sum);
    assert(sum.data[0] == 3 && keccak.data[0] != 3);
    abort();
}
