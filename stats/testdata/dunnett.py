#!/usr/bin/env python3
"""Computes two-sided critical values of Dunnett's test at 5 %: run as

    python3 -m venv venv && venv/bin/pip install numpy scipy
    venv/bin/python dunnett.py          # writes dunnett.json

They are those of the multivariate t distribution with correlation 1/2 (C. W. Dunnett, "New tables for multiple
comparisons with a control", Biometrics 20, 1964), by integration over the common normal and the common scale. For 10
degrees of freedom the table has 2.23 2.57 2.76 2.89 2.99 3.07 3.14 3.19, from 1 to 8 heads.
"""
import json
import math

import numpy as np
from scipy import optimize, special, stats

NODES, WEIGHTS = np.polynomial.hermite_e.hermegauss(80)
WEIGHTS = WEIGHTS / WEIGHTS.sum()
LEGENDRE, AREAS = np.polynomial.legendre.leggauss(200)


def inside(c, k, df):
    low, high = stats.chi2.ppf([1e-14, 1 - 1e-14], df)
    x = (high - low) / 2 * LEGENDRE + (high + low) / 2
    scale = c * np.sqrt(x / df)[:, None]
    z = NODES[None, :]
    each = special.ndtr(math.sqrt(2) * scale + z) - special.ndtr(-math.sqrt(2) * scale + z)
    given = (each**k * WEIGHTS).sum(axis=1)
    return (given * stats.chi2.pdf(x, df) * AREAS).sum() * (high - low) / 2


table = [
    {"heads": k, "df": df, "critical": round(optimize.brentq(lambda c: inside(c, k, df) - 0.95, 1, 12), 6)}
    for k in range(1, 9)
    for df in (5, 6, 10, 13, 20, 23, 40)
]
with open("dunnett.json", "w") as out:
    out.write("[\n" + ",\n".join("  " + json.dumps(row) for row in table) + "\n]\n")
