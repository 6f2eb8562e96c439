package independent

import (
	"encoding/binary"
	"fmt"
	"slices"
)

// Section 13: a run in shards.

const (
	magicShards   = "CHIASHRD"
	maxShards     = 256
	maxShardsFile = 1 << 30
)

// parseShards decodes the shards of a file, each with a copy of the common part.
func parseShards(file []byte) (shards []*proof, err error) {
	defer func() {
		if problem := recover(); problem != nil {
			reason, ok := problem.(malformed)
			if !ok {
				panic(problem)
			}
			shards, err = nil, reason
		}
	}()
	if len(file) > maxShardsFile {
		refuse("%d bytes", len(file))
	}
	r := &proofReader{file: file}
	shared := r.machine(magicShards)
	r.statement(shared)
	if shared.params.version == 3 {
		shared.commonSalt = r.elementsOf(1).at(0)
	}
	shards = items(r, "shards", maxShards, 8, func() *proof {
		shard := *shared
		shard.instances = r.instances()
		shard.caps[main] = r.digests("nodes of a cap", maxCapNodes)
		return &shard
	})
	for _, shard := range shards {
		r.afterMain(shard)
	}
	if r.left() > 0 {
		refuse("%d bytes follow the end", r.left())
	}
	if len(shards) < 2 {
		refuse("%d shards", len(shards))
	}
	return shards, nil
}

// verifyShards performs the checks of section 13.
func (m *Machine) verifyShards(file []byte, log func(string)) error {
	decoded, err := parseShards(file)
	if err != nil {
		return err
	}
	var all []*verification
	for j, shard := range decoded {
		v := m.begin(shard)
		if err := inOrder(v.identity, v.list, v.stated, v.lengths); err != nil {
			return fmt.Errorf("shard %d: %w", j, err)
		}
		all = append(all, v)
	}
	if err := bounds(all); err != nil {
		return err
	}
	var k Digest
	draw := func() { k = common(all, log) }
	if all[0].params.version == 3 {
		draw = func() { k = common3(all, log) }
	}
	if err := refusing(draw)(); err != nil {
		return err
	}
	if err := balance(all); err != nil {
		return err
	}
	for j, v := range all {
		if v.params.version == 3 {
			v.shard3(k, j, log)
		} else {
			v.transcript = newTranscript("chiasmus.shard/2", log)
			v.transcript.absorb(16, binary.LittleEndian.AppendUint32(k[:], uint32(j)))
		}
		if err := v.argument(); err != nil {
			return fmt.Errorf("shard %d: %w", j, err)
		}
	}
	return nil
}

// common runs the common transcript: it sets alpha and beta in every shard and returns K.
func common(all []*verification, log func(string)) Digest {
	t := newTranscript("chiasmus.shards/2", log)
	all[0].absorbMachine(t)
	all[0].absorbPublic(t)
	t.absorb(15, binary.LittleEndian.AppendUint32(nil, uint32(len(all))))
	for _, v := range all {
		v.absorbInstances(t)
		t.absorb(5, v.caps[main])
	}
	alpha, beta := t.extension(), t.extension()
	for _, v := range all {
		v.alpha, v.beta = alpha, beta
	}
	return t.branch()
}

// once reports whether only the last shard's instance of the table counts.
func (t *table) once() bool {
	if t.maxInstances != 1 || len(t.interactions) == 0 {
		return false
	}
	answers := t.kind != 0
	for i := range t.interactions {
		answers = answers && slices.ContainsFunc(t.entries, func(e entry) bool { return e.interaction == uint64(i) })
	}
	return !answers
}
