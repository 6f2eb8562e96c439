#!/usr/bin/env python3
"""Proven bits, computed apart from the Go package: 60 digits, every m tried.

    python3 reference.py > reference.json        (needs mpmath)

Formulas are those of docs/spec/soundness.md, written down again from the papers.
"""
import json
from mpmath import mp, mpf, log, sqrt, ceil, floor

mp.dps = 60
P = mpf(2) ** 64 - mpf(2) ** 32 + 1
Q = P**3


def bits(error):
    return -log(error, 2)


def gap_unique(n, **_):
    return mpf(n)


def gap_2020(n, m, rho, big, **_):
    first = (m + mpf(1) / 2) ** 7 / (3 * sqrt(rho) ** 3) * mpf(n) ** 2
    return first + (2 * m + 1) / sqrt(rho) * (big + 1)


def gap_2025(n, m, rho, alpha, **_):
    t = m + mpf(1) / 2
    gamma = 1 - alpha
    return (2 * t**5 + 3 * t * gamma * rho) / (3 * rho * sqrt(rho)) * n + t / sqrt(rho)


def gap_2025_same_set(n, m, rho, alpha, **_):
    eta = alpha - sqrt(rho)
    # The theorem's own definition of its multiplicity; nint guards the ceiling of an exact integer.
    doubled = mp.nint(sqrt(rho) / eta)
    assert doubled == 2 * m
    return gap_2025(n, doubled, rho, alpha)


def classes(shape):
    """Log height -> the instances of that height."""
    out = {}
    for t in shape["instances"]:
        out.setdefault(t["log_height"], []).append(t)
    return out


def rounds(shape, gap, alpha, lists, m):
    rho, by_height = mpf(1) / 2 ** shape["log_blowup"], classes(shape)
    big = 2 ** (max(by_height) + shape["log_blowup"])
    g = lambda n: gap(n=n, m=m, rho=rho, alpha=alpha, big=big)
    out = {}
    fractions = shape["public_messages"] + shape["other_fractions"]
    fractions += sum(t["fractions"] * 2 ** t["log_height"] for t in shape["instances"])
    arity = max(1, shape["public_arity"], max(t["arity"] for t in shape["instances"]))
    if fractions:
        out["LogUp challenges"] = bits(lists ** shape["proofs"] * ((fractions - 1) * arity + fractions) / Q)
    most = max(sum(t["constraints"] for t in members) for members in by_height.values())
    if most > 1:
        out["constraint challenge"] = bits(lists * (most - 1) / Q)
    worst = max(max(t["degree"], 3) * 2 ** t["log_height"] + 2 for t in shape["instances"])
    out["out-of-domain point"] = bits(lists * worst / (Q - P))
    out["DEEP coefficients"] = bits(sum(g(2 ** (h + shape["log_blowup"])) + 1 for h in by_height) / Q)
    size = max(by_height) + shape["log_blowup"]
    for i, log_arity in enumerate(shape["schedule"]):
        size -= log_arity
        degree = 2**log_arity - 1 + (1 if size - shape["log_blowup"] in by_height else 0)
        out[f"FRI fold {i+1}"] = bits(degree * g(2**size) / Q)
    out["queries"] = shape["grinding"] + shape["queries"] * -log(alpha, 2)
    return out


def rate_plus(shape):
    k = 2 ** min(classes(shape))
    return mpf(k + 2) / (k * 2 ** shape["log_blowup"])


def unique(shape):
    alpha = (1 + rate_plus(shape)) / 2
    return None if alpha >= 1 else (0, rounds(shape, gap_unique, alpha, 1, 0))


def johnson(shape, gap):
    rho, plus, best = mpf(1) / 2 ** shape["log_blowup"], rate_plus(shape), None
    for m in range(3, 3000):
        alpha = sqrt(rho) * (1 + mpf(1) / (2 * m))
        if alpha <= sqrt(plus):
            break
        if alpha >= 1:
            continue
        list_m = max(3, ceil(sqrt(plus) / (2 * (alpha - sqrt(plus)))))
        terms = rounds(shape, gap, alpha, (list_m + mpf(1) / 2) / sqrt(plus), m)
        if best is None or min(terms.values()) > min(best[1].values()):
            best = (m, terms)
    return best


def instance(name, log_height, openings, constraints, degree, fractions, arity):
    return dict(name=name, log_height=log_height, openings=openings, constraints=constraints,
                degree=degree, fractions=fractions, arity=arity)


def shape(log_blowup, queries, grinding, instances, schedule, public_messages=0, public_arity=0, proofs=1,
          other_fractions=0):
    return dict(log_blowup=log_blowup, queries=queries, grinding=grinding, instances=instances, schedule=schedule,
                public_messages=public_messages, public_arity=public_arity, proofs=proofs,
                other_fractions=other_fractions)


keccak = lambda h: [instance("sponge", h - 2, 900, 700, 3, 180, 100), instance("keccak-f", h, 2679, 3200, 3, 2, 100),
                    instance("xor", 8, 12, 8, 2, 1, 3)]


def programs(top, queries, grinding=20, arity=100, **more):
    """The largest RISC-V proof: every height up to the top, 2^31 fractions, 2^15 constraints in the top class."""
    heights = [instance("family", top, 60, 2**14, 3, 2 ** (30 - top), arity)] * 2
    heights += [instance("family", h, 60, 40, 3, 0, arity) for h in range(top - 1, 7, -1)]
    return shape(1, queries, grinding, heights, [1] * (top - 8) + [3], 32775, 5, **more)


SHAPES = {
    "one table, 2^19 rows, blowup 2": shape(1, 219, 20, [instance("fib", 19, 2679, 4, 2, 0, 0)], [3] * 5),
    "keccak-like, blowup 2": shape(1, 219, 20, keccak(19), [2, 3, 3, 3, 3, 3], 1),
    "keccak-like, blowup 4": shape(2, 110, 20, keccak(18), [2, 3, 3, 2], 1),
    "keccak-like, too large for 128": shape(1, 219, 20, keccak(28), [2, 3, 3, 3, 3, 3, 3, 3], 1),
    "100 bits": shape(1, 163, 20, keccak(16), [2, 3, 3], 1),
    "a table of 2^7 rows": shape(1, 219, 20, [instance("t", 7, 20, 10, 3, 0, 0)], [3]),
    "unique decoding wins": shape(1, 400, 20, [instance("t", 31, 20, 10, 3, 100, 300)], [4, 4, 4]),
    "programs, 219 queries": programs(24, 219),
    "programs, 220 queries": programs(24, 220),
    "programs, 220 queries, no accelerators": programs(24, 220, arity=8),
    "programs, 219 queries, 21 bits of grinding": programs(24, 219, 21),
    "programs, 219 queries, 22 bits of grinding": programs(24, 219, 22),
    "programs, 219 queries, heights to 2^22": programs(22, 219),
    "programs, 221 queries, heights to 2^25": programs(25, 221),
    "programs, 221 queries, heights to 2^26": programs(26, 221),
    "two of programs, 219 queries": programs(24, 219, proofs=2, other_fractions=2**31),
    "many of programs, 263 queries": programs(24, 263, proofs=1024, other_fractions=2**41 - 2**31),
    "public messages only are long": shape(1, 219, 20, [instance("t", 20, 20, 10, 3, 1, 2)], [3], 1000, 500),
    "test preset": shape(1, 4, 8, [instance("fib", 5, 9, 4, 2, 0, 0)], [2, 1]),
}


def main():
    out = {"queries": {}, "batching_2^20_m_106": {}, "shapes": {}}
    for blowup in (2, 4):
        alpha = sqrt(mpf(1) / blowup) + mpf(1) / 300
        out["queries"][f"johnson, blowup {blowup}"] = int(ceil(108 / -log(alpha, 2)))
    out["queries"]["unique, blowup 2"] = int(ceil(108 / -log(mpf(3) / 4, 2)))
    # The smallest m whose alpha gives 108 bits with 219 queries.
    m = 3
    while 219 * -log(sqrt(mpf(1) / 2) * (1 + mpf(1) / (2 * m)), 2) < 108:
        m += 1
    out["smallest m"] = m
    half = mpf(1) / 2
    alpha = sqrt(half) * (1 + mpf(1) / 212)
    for name, gap in (("2020", gap_2020), ("2025", gap_2025), ("2025 same set", gap_2025_same_set)):
        out["batching_2^20_m_106"][name] = float(bits(gap(n=2**20, m=106, rho=half, alpha=alpha, big=2**20) / Q))
    for name, s in SHAPES.items():
        result = {}
        for regime, best in (("Johnson", johnson(s, gap_2025_same_set)), ("Johnson, bound of 2020", johnson(s, gap_2020)),
                             ("unique decoding", unique(s))):
            if best is not None:
                result[regime] = {"m": best[0], "bits": float(min(best[1].values())),
                                  "terms": {k: float(v) for k, v in best[1].items()}}
        proven = max((r["bits"] for r in result.values()), default=0)
        out["shapes"][name] = {"shape": s, "regimes": result, "proven": int(floor(min(proven, 128)))}
    print(json.dumps(out, indent=1))


main()
