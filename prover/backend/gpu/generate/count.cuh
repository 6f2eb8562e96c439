// How a message finds its place in a lookup table and is counted there.
#pragma once
#include "lookup.cuh"

// index_place is the place, from the first on, that an index gives a message, or p - 1, which is none.
DEVICE Fp index_place(const Lookup &lookup, u64 value, u64 choice) {
    const Fp none = fp(0xffffffff00000000ull);
    const u64 at = value - lookup.base;
    if (value < lookup.base || at % lookup.stride != 0 || at / lookup.stride >= lookup.entry_count) return none;
    const u32 entry = lookup.entries[at / lookup.stride];
    if (entry == 0xffffffffu) return none;
    if ((entry & 1) == 0) return fp(entry >> 1);
    return choice > 1 ? none : fp((entry >> 1) + choice);
}

// count_message counts a message unless its multiplicity is zero. distance is that of the place that it belongs to from the first that answers. All
// threads of a warp call it together, and of those that count one for the same place one adds for all: programs ask for few places very often, and
// additions to one word wait for each other.
template <u32 ARITY> DEVICE void count_message(const Lookup &lookup, Fp distance, const u64 (&values)[ARITY], Fp multiplicity, u64 id) {
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
    const u32 once = __ballot_sync(FULL_WARP, amount == 1);
    const u32 same = __match_any_sync(FULL_WARP, low(place)) & once, below = (1u << threadIdx.x % 32) - 1;
    if (amount == 1) {
        if ((same & below) == 0) atomicAdd(&lookup.counts[place], static_cast<u64>(__popc(same)));
        return;
    }
    if (low(amount) != 0) atomicAdd(&lookup.counts[place], static_cast<u64>(low(amount)));
    if (high(amount) != 0) atomicAdd(&lookup.counts[lookup.places + place], static_cast<u64>(high(amount)));
}
