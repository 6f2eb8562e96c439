package independent

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
)

// verification is the state of verifying one proof: section 9.
type verification struct {
	*proof
	form    *form
	rules   *Rules
	machine *Machine

	values       []uint64  // public
	messages     []Message // the verifier's
	classes      []class
	transcript   *transcript
	transcript3  *transcript3 // of version 3
	alpha, beta  ext          // of LogUp
	gamma, z     ext
	coefficients [phases][]drawnFor
	betas        []ext
	positions    []uint64
}

// class is the instances of one height.
type class struct {
	logHeight int
	members   []int
}

// drawnFor has the DEEP coefficients of an entry.
type drawnFor struct{ z, gz []ext }

// Verify returns an error if a proof file is invalid.
func (m *Machine) Verify(file []byte) error { return m.verify(file, nil) }

// Trace returns Verify, and also returns the events of the transcript, one line each.
func (m *Machine) Trace(file []byte) (lines []string, err error) {
	err = m.verify(file, func(line string) { lines = append(lines, line) })
	return lines, err
}

func (m *Machine) verify(file []byte, log func(string)) error {
	if bytes.HasPrefix(file, []byte(magicShards)) {
		return m.verifyShards(file, log)
	}
	decoded, err := parseProof(file)
	if err != nil {
		return err
	}
	v := m.begin(decoded)
	begin := v.first
	if v.params.version == 3 {
		v.transcript3, begin = newTranscript3(log), refusing(v.begin3)
	} else {
		v.transcript = newTranscript("chiasmus.stark/2", log)
	}
	return inOrder(
		v.identity, v.list, v.stated, func() error { return bounds([]*verification{v}) }, v.lengths, begin,
		func() error { return balance([]*verification{v}) }, v.argument,
	)
}

// argument performs the checks after the balance.
func (v *verification) argument() error {
	if v.params.version == 3 {
		return inOrder(refusing(v.replay3), v.denominators, v.constraints, v.grind3, v.divisors, v.openings, v.queries)
	}
	return inOrder(v.replay, v.constraints, v.grind, v.openings, v.queries)
}

func (m *Machine) begin(decoded *proof) *verification {
	return &verification{proof: decoded, form: &m.form, rules: &m.rules, machine: m}
}

// inOrder runs steps up to the first that fails.
func inOrder(steps ...func() error) error {
	for _, step := range steps {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// identity checks that parameters, machine and program are the required ones.
func (v *verification) identity() (err error) {
	if v.rules.Params != nil && !bytes.Equal(v.params.bytes, v.rules.Params) {
		return errors.New("other parameters")
	}
	hash, isThree := byte(0), v.params.version == 3
	if isThree {
		hash = 1
	}
	if v.caps[fixed], err = v.machine.fixedCap(hash, v.params.blowup, v.params.capHeight); err != nil {
		return err
	}
	want := Digest{}
	if !isThree {
		want = keccak(v.form.bytes, v.caps[fixed])
	} else if want, err = v.machine.key(); err != nil {
		return err
	}
	if v.name != v.form.name || v.digest != want {
		return errors.New("another machine")
	}
	if v.form.hasProgram() != (v.program != nil) {
		return errors.New("the machine runs no programs and the proof has one, or the reverse")
	}
	if v.program != nil {
		id := v.program.id(v.digest, v.params.blowup, v.params.capHeight)
		if isThree {
			if err := v.programCap(); err != nil {
				return err
			}
			id = v.program.id3(v.digest)
		}
		if id != v.rules.Program {
			return errors.New("another program")
		}
		v.caps[program] = v.program.nodes
	}
	return nil
}

// programCap checks that the cap has the height that parameters and heights determine. Otherwise it might be another
// layer of the tree.
func (v *verification) programCap() error {
	height := v.params.capHeight
	for _, h := range v.program.logHeights {
		height = min(height, int(h)+v.params.blowup)
	}
	if v.program.nodes.len() != 1<<height {
		return fmt.Errorf("the program's cap has %d nodes", v.program.nodes.len())
	}
	return nil
}

// list checks that the list of instances is in order and within its limits.
func (v *verification) list() error {
	if len(v.instances) < 1 {
		return errors.New("no instances")
	}
	counts := make([]uint64, len(v.form.tables))
	programs := 0
	for i, in := range v.instances {
		if in.table >= len(v.form.tables) {
			return fmt.Errorf("instance %d of table %d", i, in.table)
		}
		t := &v.form.tables[in.table]
		h := in.logHeight
		if h < int(t.minLog) || h > int(t.maxLog) || h < v.params.minHeight || h+v.params.blowup > v.params.largest() {
			return fmt.Errorf("table %s: log height %d", t.name, h)
		}
		if i > 0 {
			if before := v.instances[i-1]; before.table > in.table || before.table == in.table && before.logHeight < h {
				return fmt.Errorf("instance %d is out of order", i)
			}
		}
		counts[in.table]++
		if t.kind == programColumns && counts[in.table] == 1 {
			if programs >= len(v.program.logHeights) || int(v.program.logHeights[programs]) != h {
				return fmt.Errorf("table %s: log height %d is not the program's", t.name, h)
			}
			programs++
		}
	}
	for i, t := range v.form.tables {
		if counts[i] < t.minInstances || counts[i] > t.maxInstances {
			return fmt.Errorf("table %s: %d instances", t.name, counts[i])
		}
	}
	if v.program != nil && programs != len(v.program.logHeights) {
		return errors.New("the program header has heights for more tables than the machine has")
	}
	return v.sort()
}

// sort determines the classes and checks the limits that follow from the list.
func (v *verification) sort() error {
	for h := 31; h >= 0; h-- {
		c := class{logHeight: h}
		for i, in := range v.instances {
			if in.logHeight == h {
				c.members = append(c.members, i)
			}
		}
		if len(c.members) > 0 {
			v.classes = append(v.classes, c)
		}
	}
	columns := 0
	for phase := range phases {
		shapes, _ := v.matrices(phase)
		for _, m := range shapes {
			columns += m.width
		}
	}
	if columns > maxColumns || columns*v.params.queries > maxOpenedCells {
		return fmt.Errorf("%d columns and %d queries", columns, v.params.queries)
	}
	return nil
}

// stated checks that public values and data are allowed.
func (v *verification) stated() error {
	if v.public.len() != len(v.form.public) || !v.form.hasData && len(v.data) > 0 {
		return errors.New("too few or too many public values, or data where there is none")
	}
	said := Statement{Data: v.data}
	for i := range v.public.len() {
		said.Values = append(said.Values, v.public.at(i))
	}
	if v.program != nil {
		said.Entry = v.program.entry
	}
	v.values = said.Values
	if v.rules.Check != nil {
		if err := v.rules.Check(said); err != nil {
			return err
		}
	}
	if v.rules.Messages != nil {
		v.messages = v.rules.Messages(said)
	}
	return nil
}

// table returns the table of an instance.
func (v *verification) table(i int) *table { return &v.form.tables[v.instances[i].table] }

// matrices returns the shapes in a phase's tree, and the entries (instances, or classes of the quotient) that they
// belong to.
func (v *verification) matrices(phase int) (shapes []matrix, entries []int) {
	if phase == quotient {
		for i, c := range v.classes {
			shapes, entries = append(shapes, matrix{c.logHeight + v.params.blowup, 6}), append(entries, i)
		}
		return shapes, entries
	}
	for i, in := range v.instances {
		if w := v.table(i).width(phase); w > 0 {
			shapes, entries = append(shapes, matrix{in.logHeight + v.params.blowup, w}), append(entries, i)
		}
	}
	return shapes, entries
}

// claiming returns the instances with interactions.
func (v *verification) claiming() (list []int) {
	for i := range v.instances {
		if len(v.table(i).interactions) > 0 {
			list = append(list, i)
		}
	}
	return list
}

// largest returns M, the log size of the largest extension.
func (v *verification) largest() int { return v.classes[0].logHeight + v.params.blowup }

// schedule lists the log arities of the folds.
func (v *verification) schedule() (folds []int) {
	end := min(v.params.finalLength, v.classes[len(v.classes)-1].logHeight) + v.params.blowup
	fold := 0
	for size := v.largest(); size > end; {
		size, fold = size-1, fold+1
		stop := slices.ContainsFunc(v.classes, func(c class) bool { return c.logHeight+v.params.blowup == size })
		if fold == v.params.arity || stop || size == end {
			folds, fold = append(folds, fold), 0
		}
	}
	return folds
}

// layer returns the shape of a FRI layer's tree.
func (v *verification) layer(i int) []matrix {
	size := v.largest()
	for _, k := range v.schedule()[:i+1] {
		size -= k
	}
	return []matrix{{size, 3 << v.schedule()[i]}}
}

// lengths checks the length of every list except the openings', which are checked with their trees.
func (v *verification) lengths() error {
	var wrong error
	check := func(what string, have, want int) {
		if have != want && wrong == nil {
			wrong = fmt.Errorf("%d %s, want %d", have, what, want)
		}
	}
	for phase := range phases {
		shapes, _ := v.matrices(phase)
		nodes, entries := 0, 0
		if len(shapes) > 0 {
			nodes, entries = 1<<capLog(shapes, v.params.capHeight), len(v.instances)
		}
		if phase == quotient {
			entries = len(v.classes)
		}
		check("cap nodes", v.caps[phase].len(), nodes)
		check("opened entries", len(v.opened[phase]), entries)
		for i, o := range v.opened[phase][:min(entries, len(v.opened[phase]))] {
			z, gz := 6, 0
			if phase != quotient {
				z, gz = v.table(i).width(phase), len(v.table(i).next(phase))
			}
			check("values at z", v.extensions(o.z).len(), z)
			check("values at gz", v.extensions(o.gz).len(), gz)
		}
		if len(shapes) == 0 {
			check("opened matrices and siblings", len(v.trees[phase].ranges)+v.trees[phase].siblings().len(), 0)
		}
	}
	check("claimed sums", v.claimed.len(), len(v.claiming()))
	folds := v.schedule()
	check("FRI caps", len(v.layerCaps), len(folds))
	check("FRI openings", len(v.layers), len(folds))
	last := v.largest()
	for _, k := range folds {
		last -= k
	}
	check("final coefficients", v.final.len(), 1<<(last-v.params.blowup))
	return wrong
}

// first runs the transcript of section 3 up to step 6.
func (v *verification) first() error {
	t := v.transcript
	v.absorbMachine(t)
	v.absorbInstances(t)
	v.absorbPublic(t)
	t.absorb(5, v.caps[main])
	if len(v.claiming()) > 0 {
		v.alpha, v.beta = t.extension(), t.extension()
	}
	return nil
}

// absorbMachine performs steps 1 and 2.
func (v *verification) absorbMachine(t *transcript) {
	t.absorb(1, v.params.bytes)
	t.absorb(2, v.digest[:])
	if v.program != nil {
		t.absorb(13, v.rules.Program[:])
	}
}

// absorbInstances performs step 3.
func (v *verification) absorbInstances(t *transcript) { t.absorb(3, v.listBytes()) }

// listBytes encodes the list of instances.
func (v *verification) listBytes() (list []byte) {
	for _, in := range v.instances {
		list = append(binary.LittleEndian.AppendUint16(list, uint16(in.table)), byte(in.logHeight))
	}
	return list
}

// absorbPublic performs step 4.
func (v *verification) absorbPublic(t *transcript) {
	t.absorb(4, v.public)
	if v.form.hasData {
		t.absorb(14, v.data)
	}
}

// replay runs the transcript of section 3 from step 7 to 14.
func (v *verification) replay() error {
	t := v.transcript
	if len(v.claiming()) > 0 {
		t.absorb(6, v.caps[auxiliary])
		t.absorb(7, v.claimed)
	}
	v.gamma = t.extension()
	t.absorb(8, v.caps[quotient])
	for v.z[1] == 0 && v.z[2] == 0 {
		v.z = t.extension()
	}
	var values [][]byte
	for _, entries := range v.opened {
		for _, o := range entries {
			values = append(values, v.extensions(o.z), v.extensions(o.gz))
		}
	}
	t.absorb(9, values...)
	for phase, entries := range v.opened {
		for _, o := range entries {
			drawn := drawnFor{z: t.extensions(v.extensions(o.z).len())}
			drawn.gz = t.extensions(v.extensions(o.gz).len())
			v.coefficients[phase] = append(v.coefficients[phase], drawn)
		}
	}
	for _, nodes := range v.layerCaps {
		t.absorb(10, v.file[nodes.from:nodes.to])
		v.betas = append(v.betas, t.extension())
	}
	t.absorb(11, v.final)
	return nil
}

// grind checks the nonce and samples the positions: steps 15 and 16.
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
