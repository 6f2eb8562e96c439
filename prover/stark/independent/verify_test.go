package independent

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/big"
	"slices"
)

// verification is one proof being checked: section 9.
type verification struct {
	*proof
	form  form
	rules rules

	preprocessed []digest
	transcript   *transcript
	alpha, beta  ext // of LogUp
	gamma, z     ext
	coefficients [phases][]opened
	betas        []ext
	positions    []uint64
}

// verify says why a proof is refused, or nil. It also returns what happened in the transcript.
func verify(data []byte, machine []byte, r rules) (log []string, err error) {
	f, err := parseForm(machine)
	if err != nil {
		return nil, err
	}
	decoded, err := parseProof(data)
	if err != nil {
		return nil, err
	}
	v := &verification{proof: decoded, form: f, rules: r, transcript: newTranscript()}
	for _, step := range []func() error{v.statement, v.sizes, v.replay, v.sums, v.constraints, v.grind, v.openings, v.queries} {
		if err = step(); err != nil {
			break
		}
	}
	return v.transcript.log, err
}

func (t *transcript) note(what string, values ...any) {
	t.log = append(t.log, fmt.Sprint(append([]any{what}, values...)...))
}

// present says whether the machine has a phase.
func (v *verification) present(phase int) bool {
	return slices.ContainsFunc(v.form.tables, func(t table) bool { return t.width(phase) > 0 })
}

func (v *verification) statement() error {
	v.preprocessed = v.form.preprocessedCap(v.rules, v.params.blowup, v.params.capHeight)
	if v.name != v.form.name || v.digest != keccak(v.form.bytes, digestBytes(v.preprocessed)) {
		return errors.New("another machine")
	}
	if len(v.logHeights) != len(v.form.tables) || len(v.public) != len(v.form.public) {
		return errors.New("too few or too many tables or public values")
	}
	for i, t := range v.form.tables {
		if h := v.logHeights[i]; h < int(t.minLog) || h > int(t.maxLog) || h < v.params.minHeight || h+v.params.blowup > 32 {
			return fmt.Errorf("table %s: log height %d", t.name, h)
		}
	}
	if v.rules.check != nil {
		if err := v.rules.check(v.public); err != nil {
			return err
		}
	}
	for _, b := range v.form.buses {
		sent := new(big.Int)
		for i, t := range v.form.tables {
			for _, interaction := range t.interactions {
				if interaction.bus.index == b.index && interaction.kind == 0 {
					bound := new(big.Int).SetUint64(interaction.bound)
					sent.Add(sent, bound.Lsh(bound, uint(v.logHeights[i])))
				}
			}
		}
		for _, m := range v.messages() {
			if m.bus == b.index && m.kind == 0 {
				sent.Add(sent, new(big.Int).SetUint64(m.multiplicity))
			}
		}
		if sent.Cmp(new(big.Int).SetUint64(p)) >= 0 {
			return fmt.Errorf("bus %s: %v messages", b.name, sent)
		}
	}
	return nil
}

func (v *verification) messages() []message {
	if v.rules.messages == nil {
		return nil
	}
	return v.rules.messages(v.public)
}

// largest is the log size L of the largest extension.
func (v *verification) largest() int { return slices.Max(v.logHeights) + v.params.blowup }

// schedule lists the log arities of the folds.
func (v *verification) schedule() (folds []int) {
	end := v.params.finalLength + v.params.blowup
	stops := map[int]bool{}
	for _, h := range v.logHeights {
		stops[h+v.params.blowup] = true
		end = min(end, h+v.params.blowup)
	}
	fold := 0
	for size := v.largest(); size > end; {
		size, fold = size-1, fold+1
		if fold == v.params.arity || stops[size] || size == end {
			folds, fold = append(folds, fold), 0
		}
	}
	return folds
}

// layer is the shape of a FRI layer's tree.
func (v *verification) layer(i int) []matrix {
	size := v.largest()
	for _, k := range v.schedule()[:i+1] {
		size -= k
	}
	return []matrix{{size, 3 << v.schedule()[i]}}
}

// sizes checks the length of every list but the openings', which are checked against their trees.
func (v *verification) sizes() error {
	var wrong []string
	check := func(what string, have, want int) {
		if have != want {
			wrong = append(wrong, fmt.Sprintf("%d %s, want %d", have, what, want))
		}
	}
	for phase := range phases {
		shapes, _ := v.form.matrices(phase, v.logHeights, v.params.blowup)
		nodes, tables := 0, 0
		if len(shapes) > 0 {
			nodes, tables = 1<<capLog(shapes, v.params.capHeight), len(v.form.tables)
		}
		if phase != preprocessed {
			check("cap nodes", len(v.caps[phase]), nodes)
		}
		if phase == auxiliary {
			check("claimed sums", len(v.claimed), tables)
		}
		check("opened tables", len(v.opened[phase]), tables)
		for i := range min(tables, len(v.opened[phase])) {
			check("values at z", len(v.opened[phase][i].z), v.form.tables[i].width(phase))
			check("values at gz", len(v.opened[phase][i].gz), len(v.form.tables[i].next(phase)))
		}
		if len(shapes) == 0 {
			check("opened matrices and siblings", len(v.trees[phase].rows)+len(v.trees[phase].siblings), 0)
		}
	}
	folds := v.schedule()
	check("FRI caps", len(v.layerCaps), len(folds))
	check("FRI openings", len(v.layers), len(folds))
	last := v.largest()
	for _, k := range folds {
		last -= k
	}
	check("final coefficients", len(v.final), 1<<(last-v.params.blowup))
	if len(wrong) > 0 {
		return errors.New(wrong[0])
	}
	return nil
}

// replay is section 3's table up to step 15.
func (v *verification) replay() error {
	t := v.transcript
	t.absorb(1, v.params.bytes)
	t.absorb(2, v.digest[:])
	var heights []byte
	for _, h := range v.logHeights {
		heights = append(heights, byte(h))
	}
	t.absorb(3, heights)
	t.absorb(4, le64(v.public...))
	t.absorb(5, digestBytes(v.caps[main]))
	if v.present(auxiliary) {
		v.alpha, v.beta = t.extension(), t.extension()
		t.absorb(6, digestBytes(v.caps[auxiliary]))
		t.absorb(7, extBytes(v.claimed))
	}
	v.gamma = t.extension()
	t.absorb(8, digestBytes(v.caps[quotient]))
	for v.z[1] == 0 && v.z[2] == 0 {
		v.z = t.extension()
	}
	var values []byte
	for _, tables := range v.opened {
		for _, o := range tables {
			values = append(append(values, extBytes(o.z)...), extBytes(o.gz)...)
		}
	}
	t.absorb(9, values)
	for phase, tables := range v.opened {
		for _, o := range tables {
			drawn := opened{make([]ext, len(o.z)), make([]ext, len(o.gz))}
			for _, list := range [][]ext{drawn.z, drawn.gz} {
				for i := range list {
					list[i] = t.extension()
				}
			}
			v.coefficients[phase] = append(v.coefficients[phase], drawn)
		}
	}
	for _, nodes := range v.layerCaps {
		t.absorb(10, digestBytes(nodes))
		v.betas = append(v.betas, t.extension())
	}
	t.absorb(11, extBytes(v.final))
	return nil
}

func (v *verification) fingerprint(bus uint64, values []ext) ext {
	d, power := v.alpha.add(ext{bus}), v.beta
	for _, value := range values {
		d, power = d.add(power.mul(value)), power.mul(v.beta)
	}
	return d
}

// sums: all claimed sums and the public messages cancel.
func (v *verification) sums() error {
	total := ext{}
	for _, m := range v.messages() {
		values := make([]ext, len(m.values))
		for i, value := range m.values {
			values[i] = ext{value}
		}
		d := v.fingerprint(m.bus, values)
		if d == (ext{}) {
			return errors.New("a public message's fingerprint is zero")
		}
		term := d.inverse().mul(ext{m.multiplicity})
		if m.kind == 1 {
			term = ext{}.sub(term)
		}
		total = total.add(term)
	}
	for i, claimed := range v.claimed {
		if len(v.form.tables[i].interactions) == 0 && claimed != (ext{}) {
			return errors.New("a sum of a table without interactions")
		}
		total = total.add(claimed)
	}
	if total != (ext{}) {
		return errors.New("the claimed sums do not cancel")
	}
	return nil
}

// constraints: for each table those at z are the quotient times z^n - 1.
func (v *verification) constraints() error {
	for i := range v.form.tables {
		zn := v.z.pow(1 << v.logHeights[i])
		q := v.opened[quotient][i].z
		left, power := ext{}, ext{1}
		for _, value := range v.values(i) {
			left, power = left.add(power.mul(value)), power.mul(v.gamma)
		}
		right := join(q[:3]).add(zn.mul(join(q[3:]))).mul(zn.sub(ext{1}))
		if left != right {
			return fmt.Errorf("table %s: the constraints are not the quotient's", v.form.tables[i].name)
		}
	}
	return nil
}

// values are the constraints of a table at z, its own and then LogUp's: section 5.
func (v *verification) values(i int) (values []ext) {
	t := &v.form.tables[i]
	vanishing := v.z.pow(1 << v.logHeights[i]).sub(ext{1})
	last := ext{inverse(root(v.logHeights[i]))}
	selectors := []ext{
		vanishing.mul(v.z.sub(ext{1}).inverse()),
		vanishing.mul(v.z.sub(last).inverse()),
		v.z.sub(last),
	}
	at := func(phase int, n node) ext {
		if n.next == 0 {
			return v.opened[phase][i].z[n.column]
		}
		return v.opened[phase][i].gz[slices.Index(t.next(phase), n.column)]
	}
	nodes := make([]ext, len(t.nodes))
	for k, n := range t.nodes {
		switch n.op {
		case 0:
			nodes[k] = ext{n.value}
		case 1:
			nodes[k] = at(main, n)
		case 2:
			nodes[k] = at(preprocessed, n)
		case 3:
			nodes[k] = ext{v.public[n.column]}
		case 4, 5, 6:
			nodes[k] = selectors[n.op-4]
		case 7:
			nodes[k] = nodes[n.a].add(nodes[n.b])
		case 8:
			nodes[k] = nodes[n.a].sub(nodes[n.b])
		case 9:
			nodes[k] = nodes[n.a].mul(nodes[n.b])
		}
	}
	for _, constraint := range t.constraints {
		values = append(values, nodes[constraint])
	}
	if len(t.interactions) == 0 {
		return values
	}
	columns := v.opened[auxiliary][i].z
	total := ext{}
	for b, batch := range t.batches {
		h := join(columns[3*b : 3*b+3])
		total = total.add(h)
		values = append(values, v.batch(t, batch, h, nodes))
	}
	sum, next := join(columns[len(columns)-3:]), join(v.opened[auxiliary][i].gz)
	return append(values,
		selectors[0].mul(sum),
		selectors[2].mul(next.sub(sum).sub(total)),
		selectors[1].mul(sum.add(total).sub(v.claimed[i])),
	)
}

func (v *verification) batch(t *table, batch []uint64, h ext, nodes []ext) ext {
	var d, m []ext
	for _, k := range batch {
		interaction := t.interactions[k]
		var message []ext
		for _, value := range interaction.values {
			message = append(message, nodes[value])
		}
		d = append(d, v.fingerprint(interaction.bus.index, message))
		multiplicity := nodes[interaction.multiplicity]
		if interaction.kind == 1 {
			multiplicity = ext{}.sub(multiplicity)
		}
		m = append(m, multiplicity)
	}
	value := h
	for _, factor := range d {
		value = value.mul(factor)
	}
	for i := range m {
		term := m[i]
		for j := range d {
			if j != i {
				term = term.mul(d[j])
			}
		}
		value = value.sub(term)
	}
	return value
}

// grind checks the nonce and draws the positions: steps 15 and 16.
func (v *verification) grind() error {
	seed := v.transcript.seed()
	if v.params.grinding > 0 {
		hash := keccak(seed[:], le64(v.nonce))
		if binary.LittleEndian.Uint64(hash[:])>>(64-v.params.grinding) != 0 {
			return errors.New("the nonce does not pass")
		}
		v.transcript.absorb(12, le64(v.nonce))
	}
	for range v.params.queries {
		v.positions = append(v.positions, v.transcript.position(v.largest()))
	}
	return nil
}
