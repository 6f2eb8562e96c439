package independent

import (
	"errors"
	"fmt"
)

// Section 14: keys, statements and transcripts of protocol 3.

// keyCapHeight is the height of the fixed caps in a key.
const keyCapHeight = 6

// key returns KEY, which is the same for all blowups.
func (m *Machine) key() (Digest, error) {
	m.mutex.Lock()
	known := m.key3
	m.mutex.Unlock()
	if known != nil {
		return *known, nil
	}
	list := items32{listDigest(1, byteItems(m.form.bytes))}
	for blowup := 1; blowup <= 4; blowup++ {
		nodes, err := m.fixedCap(1, blowup, keyCapHeight)
		if err != nil {
			return Digest{}, err
		}
		list = append(list, listDigest(2, digestItems(nodes)))
	}
	made := listDigest(3, list)
	m.mutex.Lock()
	m.key3 = &made
	m.mutex.Unlock()
	return made, nil
}

// id3 returns the program ID, or zeros without a program.
func (h *header) id3(key Digest) Digest {
	if h == nil {
		return Digest{}
	}
	entry := listDigest(15, byteItems(append(le64(h.entry), h.logHeights...)))
	return listDigest(4, items32{key, entry, h.image, h.root()})
}

// root returns the root of the program tree at blowup 16, from the cap at a smaller blowup and the siblings on the
// path.
func (h *header) root() Digest {
	layer := digestItems(h.nodes)
	for len(layer) > 1 {
		var above items32
		for i := 0; i+1 < len(layer); i += 2 {
			above = append(above, blakeHasher{}.node(layer[i], layer[i+1], nil))
		}
		layer = above
	}
	for i := range h.larger.len() {
		layer[0] = blakeHasher{}.node(layer[0], h.larger.at(i), nil)
	}
	return layer[0]
}

// plan returns the plan digest.
func (v *verification) plan() Digest {
	return listDigest(5, append(byteItems(v.params.bytes), byteItems(v.listBytes())...))
}

// statement returns S, for a proof or a number of shards.
func (v *verification) statement(shards int) Digest {
	numbers, lists := append([]uint64(nil), v.values...), [][]uint64(nil)
	numbers = append(numbers, uint64(shards))
	if v.rules.Data != nil {
		var lengths []uint64
		lengths, lists = v.rules.Data(Statement{Values: v.values, Data: v.data})
		numbers = append(numbers, lengths...)
	}
	all := numberItems(numbers...)
	for i, list := range lists {
		all = append(all, listDigest(12+uint64(i), numberItems(list...)))
	}
	return listDigest(7, all)
}

// transcript3 is a chaining value and the number of draws since the last message.
type transcript3 struct {
	state words
	draws uint64
	log   func(string)
}

func newTranscript3(log func(string)) *transcript3 { return &transcript3{state: initial, log: log} }

func (t *transcript3) note(what string, values ...any) {
	if t.log != nil {
		t.log(fmt.Sprint(append([]any{what}, values...)...))
	}
}

func (t *transcript3) message(tag uint64, list items32) {
	t.state, t.draws = chain(t.state, tag, list, 0, 16, 32), 0
	if t.log != nil {
		var text []byte
		for _, item := range list {
			text = append(text, item[:]...)
		}
		t.note("message", tag, len(text), keccak(text))
	}
}

func (t *transcript3) draw() words {
	drawn := compress(t.state, [16]uint32{}, t.draws+255<<32, 0, 64)
	t.draws++
	return drawn
}

func (t *transcript3) extension() (e ext) {
	drawn := t.draw()
	for i := range e {
		if e[i] = uint64(drawn[2*i]) + uint64(drawn[2*i+1])<<32; e[i] >= p {
			refuse("a challenge's coordinate is %d: another salt is needed", e[i])
		}
	}
	t.note("extension", e)
	return e
}

// refusing converts a refusal while sampling into an error.
func refusing(step func()) func() error {
	return func() (err error) {
		defer func() {
			if problem := recover(); problem != nil {
				reason, ok := problem.(malformed)
				if !ok {
					panic(problem)
				}
				err = reason
			}
		}()
		step()
		return nil
	}
}

// begin3 runs the transcript of a single proof up to beta.
func (v *verification) begin3() {
	t := v.transcript3
	t.message(1, items32{v.plan(), v.digest})
	t.message(2, items32{v.program.id3(v.digest), v.statement(1)})
	t.message(3, numberItems(v.salt))
	t.message(5, digestItems(v.caps[main]))
	if len(v.claiming()) > 0 {
		v.alpha = t.extension()
		v.beta = t.extension()
	}
}

// replay3 runs the transcript from tag 6 to tag 11.
func (v *verification) replay3() {
	t := v.transcript3
	if len(v.claiming()) > 0 {
		t.message(6, digestItems(v.caps[auxiliary]))
		t.message(7, extensionItems(v.claimed))
	}
	v.gamma = t.extension()
	t.message(8, digestItems(v.caps[quotient]))
	v.z = t.extension()
	var values items32
	for _, entries := range v.opened {
		for _, o := range entries {
			values = append(values, extensionItems(v.extensions(o.z))...)
			values = append(values, extensionItems(v.extensions(o.gz))...)
		}
	}
	t.message(9, values)
	draw := func(n int) (list []ext) {
		for range n {
			list = append(list, t.extension())
		}
		return list
	}
	for phase, entries := range v.opened {
		for _, o := range entries {
			drawn := drawnFor{z: draw(v.extensions(o.z).len())}
			drawn.gz = draw(v.extensions(o.gz).len())
			v.coefficients[phase] = append(v.coefficients[phase], drawn)
		}
	}
	for _, nodes := range v.layerCaps {
		t.message(10, digestItems(v.file[nodes.from:nodes.to]))
		v.betas = append(v.betas, t.extension())
	}
	t.message(11, extensionItems(v.final))
}

// grind3 absorbs and checks the nonce and samples the positions, eight per draw.
func (v *verification) grind3() error {
	t := v.transcript3
	if v.params.grinding > 0 {
		t.message(12, numberItems(v.nonce))
		if t.state[0]<<(32-v.params.grinding) != 0 {
			return errors.New("the nonce does not pass")
		}
	}
	for len(v.positions) < v.params.queries {
		drawn := t.draw()
		for _, word := range drawn[:min(8, v.params.queries-len(v.positions))] {
			position := uint64(word) & (1<<v.largest() - 1)
			t.note("position", position)
			v.positions = append(v.positions, position)
		}
	}
	return nil
}

// denominators checks that no denominator at z is zero. For queries see [verification.divisors].
func (v *verification) denominators() error {
	for _, c := range v.classes {
		if v.z == (ext{1}) || v.z.mul(ext{root(c.logHeight)}) == (ext{1}) {
			return errors.New("z is in the first or the last row: another salt is needed")
		}
	}
	return nil
}

// divisors checks that no query's point is z or gz.
func (v *verification) divisors() error {
	for _, c := range v.classes {
		size := c.logHeight + v.params.blowup
		for _, index := range distinct(v.positions, v.largest()-size) {
			x := ext{mul(shift, pow(root(size), reverse(size, index)))}
			if x == v.z || x == v.z.mul(ext{root(c.logHeight)}) {
				return errors.New("z is a query's point: another salt is needed")
			}
		}
	}
	return nil
}

// common3 runs the common transcript of the shards: it sets alpha and beta in every shard and returns K.
func common3(all []*verification, log func(string)) Digest {
	v, t := all[0], newTranscript3(log)
	span := 1
	for span < len(all) {
		span *= 2
	}
	layer := make([]Digest, span)
	for j, shard := range all {
		plan := shard.plan()
		layer[j] = listDigest(6, append(items32{plan}, digestItems(shard.caps[main])...))
	}
	for len(layer) > 1 {
		above := make([]Digest, len(layer)/2)
		for i := range above {
			if layer[2*i] != (Digest{}) { // otherwise both children are absent
				above[i] = blakeHasher{}.node(layer[2*i], layer[2*i+1], nil)
			}
		}
		layer = above
	}
	t.message(1, items32{v.digest, v.program.id3(v.digest)})
	t.message(2, items32{v.statement(len(all)), layer[0]})
	t.message(4, numberItems(uint64(len(all)), uint64(span)))
	t.message(3, numberItems(v.commonSalt))
	alpha := t.extension()
	beta := t.extension()
	for _, shard := range all {
		shard.alpha, shard.beta = alpha, beta
	}
	k := t.draw().digest()
	t.note("branch", k)
	return k
}

// shard3 starts the transcript of shard j.
func (v *verification) shard3(k Digest, j int, log func(string)) {
	v.transcript3 = newTranscript3(log)
	v.transcript3.message(16, items32{k})
	v.transcript3.message(17, numberItems(uint64(j)))
	v.transcript3.message(3, numberItems(v.salt))
}
