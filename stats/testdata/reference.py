#!/usr/bin/env python3
"""Draws the cases of the reference tests and computes what Python can: run as

    python3 -m venv venv && venv/bin/pip install numpy scipy
    venv/bin/python reference.py        # writes cases.json, scipy.json and apart.json
    Rscript reference.R                 # reads cases.json, writes r.json

t tests come from SciPy. Exact signed-rank tails are counted here with Python's integers, with SciPy beside them where
its exact method holds (no ties, no zeros), and every Walsh average is formed and sorted for Hodges-Lehmann.
"""
import json
import math
from fractions import Fraction

import numpy as np
import scipy
from scipy import stats

rng = np.random.default_rng(20261121)


def noise(kind, n):
    return {
        "normal": lambda: rng.normal(0, 0.02, n),
        "t3": lambda: rng.standard_t(3, n) * 0.02,
        "cauchy": lambda: np.clip(rng.standard_cauchy(n), -60, 60) * 0.01,
        "exponential": lambda: (rng.exponential(1, n) - 1) * 0.02,
        "uniform": lambda: rng.uniform(-0.03, 0.03, n),
    }[kind]()


def shorten(x):
    return [float(f"{v:.9g}") for v in x]


def orders(n):
    """ABBA or BAAB per block of two pairs."""
    out = []
    while len(out) < n:
        out += ["AB", "BA"] if rng.random() < 0.5 else ["BA", "AB"]
    return out[:n]


cases = []


def case(name, a, b, scale="log", zeros="pratt", alpha=0.05, margin=0.01, with_order=True):
    cases.append({
        "name": f"{len(cases):03d} {name}", "scale": scale, "zeros": zeros, "alpha": alpha, "margin": margin,
        "a": shorten(a), "b": shorten(b), "order": orders(len(a)) if with_order else [],
    })


# Continuous times on the log scale, every size, noise and effect.
for kind in ["normal", "t3", "cauchy", "exponential", "uniform"]:
    for n in [2, 3, 5, 6, 7, 10, 14, 20, 33, 48]:
        effect = rng.choice([0, 0, 0.004, -0.01, 0.03])
        base = rng.choice([0.0123, 0.412, 37.0])
        a = base * np.exp(rng.normal(0, 0.01, n))
        case(f"{kind} n={n}", a, a * np.exp(-effect - noise(kind, n)), alpha=float(rng.choice([0.05, 0.05, 0.01, 0.1])))
for n in [64, 100, 150, 199, 200, 201, 250, 400]:
    for effect in [0, 0.002]:
        a = 0.4 * np.exp(rng.normal(0, 0.01, n))
        case(f"large n={n}", a, a * np.exp(-effect - noise("normal", n)))
# The other scales.
for scale in ["percent", "difference"]:
    for kind in ["normal", "t3", "exponential"]:
        for n in [4, 6, 9, 14, 25, 40]:
            a = 500 + rng.normal(0, 5, n)
            case(f"{scale} {kind} n={n}", a, a * (1 - rng.choice([0, 0.01, 0.03])) + 500 * noise(kind, n), scale)
# Ties and zeros: small whole numbers, whose differences are exact.
for zeros in ["pratt", "wilcox"]:
    for n in [3, 6, 8, 11, 14, 20, 30, 48, 80, 120, 200]:
        for width, shift in [(2, 0), (3, 1), (9, 1), (40, 4)]:
            d = rng.integers(-width, width + 1, n) + shift
            b = rng.integers(1000, 2000, n)
            case(f"ties {zeros} n={n} width={width}", b + d, b, "difference", zeros)
    for n in [230, 300]:
        for width in [4, 60]:
            d = rng.integers(-width, width + 1, n) + 1
            b = rng.integers(1000, 2000, n)
            case(f"ties {zeros} n={n} width={width}", b + d, b, "difference", zeros)
# Degenerate: constant differences, all zero, one sign only, one outlier.
for n in [2, 6, 14]:
    b = rng.integers(1000, 2000, n)
    case(f"constant n={n}", b + 3, b, "difference")
    case(f"all zero n={n}", b, b, "difference")
    case(f"all zero wilcox n={n}", b, b, "difference", "wilcox")
for n in [5, 6, 14, 20]:
    b = 0.4 * np.exp(rng.normal(0, 0.01, n))
    case(f"all positive n={n}", b * np.exp(0.05 + np.abs(noise("normal", n))), b)
    case(f"all negative n={n}", b * np.exp(-0.05 - np.abs(noise("normal", n))), b)
    d = np.abs(noise("normal", n)) + 0.001
    d[0] = -5
    case(f"one outlier n={n}", b * np.exp(d), b)


def differences(c):
    a, b = c["a"], c["b"]
    if c["scale"] == "log":
        return [math.log(x) - math.log(y) for x, y in zip(a, b)]
    if c["scale"] == "percent":
        return [100 * (x - y) / x for x, y in zip(a, b)]
    return [x - y for x, y in zip(a, b)]


def exact_wilcoxon(d, zeros):
    """Twice the midranks are integers; the generating polynomial of their subset sums is counted exactly."""
    if zeros == "wilcox":
        d = [x for x in d if x != 0]
    size = sorted(abs(x) for x in d)
    first, last = {}, {}
    for i, x in enumerate(size, 1):
        first.setdefault(x, i)
        last[x] = i
    rank = {x: first[x] + last[x] for x in first}
    plus = sum(rank[abs(x)] for x in d if x > 0)
    minus = sum(rank[abs(x)] for x in d if x < 0)
    weights = [rank[abs(x)] for x in d if x != 0]
    out = {"n": len(d), "w_plus": plus / 2, "w_minus": minus / 2,
           "ties": sum(1 for x in d if x != 0 and first[abs(x)] != last[abs(x)])}
    if len(d) <= 200:
        counts = [1]
        for w in weights:
            longer = counts + [0] * w
            for s, c in enumerate(counts):
                longer[s + w] += c
            counts = longer
        tail = Fraction(2 * sum(counts[: min(plus, minus) + 1]), 2 ** len(weights))
        out["p_exact"] = float(min(tail, 1))
    return out


def scipy_wilcoxon(d, zeros, n):
    nonzero = [x for x in d if x != 0]
    if not nonzero:
        return {}
    with np.errstate(all="ignore"):
        normal = stats.wilcoxon(d, zero_method=zeros, correction=True, method="asymptotic" if scipy.__version__ >= "1.13" else "approx")
    out = {"p_normal": float(normal.pvalue)}
    # With few distinct values SciPy's correction can pass the mean, where ours stops; its |z| is then of no use.
    out["z_size"] = abs(float(normal.zstatistic))
    if len(set(map(abs, d))) == len(d) and len(nonzero) == len(d) and n <= 200:
        out["p_scipy_exact"] = float(stats.wilcoxon(d, method="exact").pvalue)
    return out


def pseudomedian(d):
    walsh = sorted((d[i] + d[j]) / 2 for i in range(len(d)) for j in range(i, len(d)))
    m = len(walsh)
    return (walsh[(m - 1) // 2] + walsh[m // 2]) / 2


results = []
for c in cases:
    d = differences(c)
    r = {"name": c["name"], "mean": math.fsum(d) / len(d), "median": float(np.median(d))}
    if len(set(d)) > 1:
        t = stats.ttest_1samp(d, 0)
        ci = t.confidence_interval(1 - c["alpha"])
        r |= {"t": float(t.statistic), "p": float(t.pvalue), "ci": [float(ci.low), float(ci.high)], "sd": float(np.std(d, ddof=1))}
    r["wilcoxon"] = exact_wilcoxon(d, c["zeros"])
    r["wilcoxon"] |= scipy_wilcoxon(d, c["zeros"], len(d))
    r["pseudomedian"] = pseudomedian(d)
    results.append(r)


# Samples that were measured apart: Welch's t and Mann and Whitney's test, drawn from a generator of their own so that the
# cases above stay as they are.
rng = np.random.default_rng(20261123)
apart = []


def samples(name, a, b, alpha=0.05):
    a, b = shorten(a), shorten(b)
    ties = len(set(a + b)) < len(a) + len(b)
    row = {"name": f"{len(apart):03d} {name}", "a": a, "b": b, "alpha": alpha}
    t = stats.ttest_ind(a, b, equal_var=False)
    ci = t.confidence_interval(1 - alpha)
    row |= {"t": float(t.statistic), "df": float(t.df), "p": float(t.pvalue), "ci": [float(ci.low), float(ci.high)]}
    normal = stats.mannwhitneyu(a, b, method="asymptotic", use_continuity=True)
    row |= {"u": float(normal.statistic), "p_normal": float(normal.pvalue)}
    if not ties:
        row["p_exact"] = float(stats.mannwhitneyu(a, b, method="exact").pvalue)
    apart.append(row)


for kind in ["normal", "t3", "exponential", "uniform"]:
    for n, m in [(2, 2), (2, 5), (3, 4), (5, 5), (7, 3), (10, 10), (10, 30), (25, 12), (50, 50), (60, 20), (100, 150)]:
        shift = rng.choice([0, 0, 0.01, 0.03])
        samples(f"{kind} {n} and {m}", 1 + noise(kind, n), 1 + shift + rng.choice([1, 3]) * noise(kind, m),
                float(rng.choice([0.05, 0.01, 0.1])))
for n, m in [(4, 4), (8, 6), (20, 20), (51, 40), (80, 120)]:
    for width in [2, 5, 40]:
        samples(f"ties {n} and {m} width {width}", rng.integers(100, 101 + width, n), rng.integers(101, 102 + width, m))
samples("separate", [1, 2, 3, 4, 5, 6], [11, 12, 13, 14, 15])


def write(name, rows):
    with open(name, "w") as f:
        f.write("[\n" + ",\n".join(json.dumps(x, separators=(",", ":")) for x in rows) + "\n]\n")


write("cases.json", cases)
write("scipy.json", results)
write("apart.json", apart)
print(len(cases), "cases, scipy", scipy.__version__)
