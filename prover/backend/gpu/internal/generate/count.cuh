// How the index of a message in a lookup table is found and counted.
#pragma once
#include "lookup.cuh"

// index_place is the position, relative to the first, that an index gives a message, or p - 1 for none.
DEVICE Fp index_place(const Lookup &lookup, u64 value, u64 choice) {
    const Fp none = fp(0xffffffff00000000ull);
    const u64 at = value - lookup.base;
    if (value < lookup.base || at % lookup.stride != 0 || at / lookup.stride >= lookup.entry_count) return none;
    const u32 entry = lookup.entries[at / lookup.stride];
    if (entry == 0xffffffffu) return none;
    if ((entry & 1) == 0) return fp(entry >> 1);
    return choice > 1 ? none : fp((entry >> 1) + choice);
}

// Each block counts a lookup table of few entries in shared memory, and then adds its counts to the global ones:
// millions of additions to a few words of global memory would wait for each other. A block's counts of messages sent
// once fit 32 bits.
#define FEW_PLACES 256

// Programs look up a few entries all the time, and additions to one word wait for each other. So the first entries,
// which are small numbers in a range table, have several copies of their low sums, which blocks use in turn.
DEVICE u64 *low_sum(const Lookup &lookup, u64 place) {
    const u64 copy = blockIdx.x & lookup.copy_mask;
    if (copy == 0 || place >= lookup.copied) return lookup.counts + place;
    return lookup.counts + 2 * lookup.places + (copy - 1) * lookup.copied + place;
}

DEVICE bool few_places(const Lookup &lookup) { return lookup.length <= FEW_PLACES; }

DEVICE void clear_counts(const Lookup &lookup, u32 *own) {
    if (!few_places(lookup)) return;
    for (u32 i = threadIdx.x; i < lookup.length; i += blockDim.x) own[i] = 0;
    __syncthreads();
}

DEVICE void add_counts(const Lookup &lookup, const u32 *own) {
    if (!few_places(lookup)) return;
    __syncthreads();
    for (u32 i = threadIdx.x; i < lookup.length; i += blockDim.x) {
        if (own[i] != 0) atomicAdd(low_sum(lookup, lookup.first + i), static_cast<u64>(own[i]));
    }
}

// count_message counts a message unless its multiplicity is zero. distance is the message's place relative to the first
// place that answers. All threads of a warp call it together. Of the threads that count one message each at the same
// place, one adds for all: programs look up a few entries very often, and additions to one word wait for each other.
// own holds the block's counts.
template <u32 ARITY>
DEVICE void count_message(const Lookup &lookup, u32 *own, Fp distance, const u64 (&values)[ARITY], Fp multiplicity,
    u64 id) {
    const bool sent = multiplicity.value != 0;
    const u64 place = (distance + fp(lookup.first)).value;
    bool found = sent && place >= lookup.first && place < lookup.first + lookup.length;
    for (u32 j = 0; found && j < ARITY; j++) found = lookup.contents[j * lookup.places + place] == values[j];
    if (sent && !found) {
        atomicMin(lookup.miss, id);
        if (id == lookup.wanted) {
            for (u32 j = 0; j < ARITY; j++) lookup.message[j] = values[j];
        }
    }
    const u64 amount = found ? multiplicity.value : 0;
    if (few_places(lookup)) {
        if (amount == 1) {
            atomicAdd(&own[place - lookup.first], 1u);
            return;
        }
    } else {
        const u32 once = __ballot_sync(FULL_WARP, amount == 1);
        const u32 same = __match_any_sync(FULL_WARP, low(place)) & once, below = (1u << threadIdx.x % 32) - 1;
        if (amount == 1) {
            if ((same & below) == 0) atomicAdd(low_sum(lookup, place), static_cast<u64>(__popc(same)));
            return;
        }
    }
    if (low(amount) != 0) atomicAdd(low_sum(lookup, place), static_cast<u64>(low(amount)));
    if (high(amount) != 0) atomicAdd(&lookup.counts[lookup.places + place], static_cast<u64>(high(amount)));
}
