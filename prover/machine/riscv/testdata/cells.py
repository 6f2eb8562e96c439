#!/usr/bin/env python3
"""Digests of all cells that the executable model of the machine (machine_model.py of the design) fills for programs.

    go test ./prover/machine/riscv -run TestCellsAreTheModels -cells DIR
    python3 prover/machine/riscv/testdata/cells.py FOLDER-OF-MODEL DIR > prover/machine/riscv/testdata/cells.json

For each NAME.elf in DIR (inputs NAME.private, NAME.public) and each table with rows it writes their number and the first 80 bits of
the SHA-256 of their text: the names of the columns in alphabetical order, then a row a line, cells in decimal.
"""
import hashlib, json, os, sys
sys.path.insert(0, sys.argv[1])
import machine_model as m

SKIPPED = ('IMG',)                                # preprocessed, and not filled
PREPROCESSED = ('idx', 'sel')                     # of REG

def main(folder):
    out = {}
    for f in sorted(os.listdir(folder)):
        if not f.endswith('.elf'): continue
        name = f[:-4]
        read = lambda ext: open(os.path.join(folder, name + ext), 'rb').read()
        entry, segs = m.load_elf(read('.elf'))
        s = m.Machine(entry, segs, read('.private'), read('.public')).run()
        out[name] = {}
        for table, t in m.TABLES.items():
            if table in SKIPPED: continue
            rows = s.rows.get(table, [])
            cols = sorted(c for c in t.cols if table != 'REG' or c not in PREPROCESSED)
            lines = [' '.join(str(getattr(r, c) % m.P) for c in cols) for r in rows]
            if table == 'REFRESH': lines.sort()
            text = '\n'.join([' '.join(cols)] + lines) + '\n'
            open(os.path.join(folder, f'{name}.{table}.model'), 'w').write(text)
            if rows: out[name][table] = f'{len(rows)} {hashlib.sha256(text.encode()).hexdigest()[:20]}'
    print(json.dumps(out, indent=0).replace(',\n"', ', "').replace('}, "', '},\n"'))

main(sys.argv[2])
