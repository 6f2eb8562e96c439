#!/usr/bin/env python3
"""Digests of what the executable model of the machine (machine_model.py of the design) says of programs.

    go test ./prover/machine/riscv/replay -run Model -model-programs DIR
    python3 prover/machine/riscv/replay/testdata/model.py FOLDER-OF-MODEL DIR > prover/machine/riscv/replay/testdata/model.json

For each NAME.elf in DIR (inputs NAME.private, NAME.public) and each table it writes the number of rows and the SHA-256 of
their text, a row a line, in the order of time; the text itself goes to NAME.TABLE.model beside the program.
"""
import hashlib, json, os, sys
sys.path.insert(0, sys.argv[1])
import machine_model as m

def pair(r, lo, hi): return getattr(r, lo) | getattr(r, hi) << 32
def octets(r, name, lo=0): return sum(getattr(r, f'{name}{lo + i}') << 8 * i for i in range(8))

def line(name, t, r):
    k = [getattr(r, c) for c in t.K if c]
    has = set(t.cols)
    if name == 'UNAL':
        return [r.ts, r.pc, r.rd, r.rs1, r.rs2, r.imm, r.sg, r.a, r.c, r.mp0, r.mp1, r.pts1, r.pts2, pair(r, 'o0', 'o1'), pair(r, 'r0', 'r1'),
                octets(r, 'x'), octets(r, 'x', 8), pair(r, 'N0', 'N1'), pair(r, 'N2', 'N3')]
    if name == 'HALT': return [r.ts, r.pc, pair(r, 'e0', 'e1'), r.pts1, r.pts2]
    if name in ('LD', 'LW', 'LBH'):
        return [r.ts, r.pc, r.rd, r.rs1, *k, r.a, pair(r, 'v0', 'v1'), r.mp, r.pts1, r.ptsd, pair(r, 'o0', 'o1')]
    if name in ('SD', 'SW', 'SBH'):
        new = pair(r, 'v0', 'v1') if name == 'SD' else pair(r, 'n0', 'n1')
        return [r.ts, r.pc, r.rs1, r.rs2, *k, r.a, pair(r, 'v0', 'v1'), r.mp, pair(r, 'm0', 'm1'), new, r.pts1, r.pts2]
    out = [r.ts, r.pc] + [getattr(r, c) for c in ('rd', 'rs1', 'rs2') if c in has] + k
    if name == 'LOGR': out += [octets(r, 'x'), octets(r, 'y')]
    else:
        if 'alo' in has: out.append(pair(r, 'alo', 'ahi') if 'ahi' in has else r.alo)
        if 'blo' in has: out.append(pair(r, 'blo', 'bhi'))
    out += [getattr(r, c) for c in ('pt0', 'pt1', 'pt3') if c in has]
    if 'old_lo' in has: out.append(pair(r, 'old_lo', 'old_hi'))
    return out

def tables(s):
    for name, t in m.TABLES.items():
        rows = s.rows.get(name, [])
        if name == 'IMG': continue
        if name == 'REG': lines = [[r.idx, r.fts, pair(r, 'lo', 'hi')] for r in rows[:33]]
        elif name == 'REFRESH': lines = sorted([r.idx, r.pts, pair(r, 'lo', 'hi')] for r in rows)
        elif name == 'MB': lines = [[r.w, r.fts, pair(r, 'lo', 'hi')] for r in rows]
        elif name == 'PRIV': lines = [[r.w, m.val(r.c0, r.c1) | m.val(r.c2, r.c3) << 32] for r in rows if r.m]
        else: lines = [line(name, t, r) for r in rows]
        yield name, lines
    yield 'PROGRAM', [list(q) for q in s.prog]
    yield 'IMAGE', [[w, v] for w, v in s.image.items()]

def main(folder):
    out = {}
    for f in sorted(os.listdir(folder)):
        if not f.endswith('.elf'): continue
        name = f[:-4]
        read = lambda ext: open(os.path.join(folder, name + ext), 'rb').read() if os.path.exists(os.path.join(folder, name + ext)) else b''
        entry, segs = m.load_elf(read('.elf'))
        s = m.Machine(entry, segs, read('.private'), read('.public')).run()
        errors, _ = m.check(s)
        assert not errors, (name, errors)
        result = dict(cycles=s.cycles, exit=s.exit, output=hashlib.sha256(s.output).hexdigest(), image=m.image_digest(entry, segs), tables={})
        for table, lines in tables(s):
            text = ''.join(' '.join(map(str, l)) + '\n' for l in lines)
            open(os.path.join(folder, f'{name}.{table}.model'), 'w').write(text)
            result['tables'][table] = [len(lines), hashlib.sha256(text.encode()).hexdigest()]
        out[name] = result
    json.dump(out, sys.stdout, indent=1)
    print()

main(sys.argv[2])
