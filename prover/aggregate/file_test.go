package aggregate

import (
	"bytes"
	"encoding/binary"
	"reflect"
	"strings"
	"testing"
)

// sample is a batch of a batch and a run.
func sample() *File {
	run := func(exit uint64) *Tree {
		return &Tree{Run: &Statement{ProgramID: [32]byte{1, byte(exit)}, Image: [32]byte{2}, Exit: exit, Cycles: 1000 + exit,
			Input: []byte("in"), Output: []byte("output")}}
	}
	return &File{
		Tree:  &Tree{Children: []*Tree{{Children: []*Tree{run(0), run(1)}}, run(2)}},
		Runs:  3,
		Proof: []byte("proof"),
	}
}

func encoded(t testing.TB, f *File) []byte {
	t.Helper()
	data, err := f.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestFileRoundTrip(t *testing.T) {
	want := sample()
	data := encoded(t, want)
	var have File
	if err := have.UnmarshalBinary(data); err != nil || !reflect.DeepEqual(&have, want) {
		t.Errorf("%+v, %v", have, err)
	}
	if !bytes.Equal(encoded(t, &have), data) {
		t.Error("the decoded file is encoded otherwise")
	}
	for size := range data {
		if err := new(File).UnmarshalBinary(data[:size]); err == nil {
			t.Errorf("the first %d of %d bytes are decoded", size, len(data))
		}
	}
}

func TestFilesOfUnknownFormsAreRefused(t *testing.T) {
	data := encoded(t, sample())
	with := func(at int, value byte) []byte {
		changed := bytes.Clone(data)
		changed[at] = value
		return changed
	}
	deep := append(bytes.Clone(data[:12]), bytes.Repeat([]byte{2}, maxDepth+2)...)
	long := binary.LittleEndian.AppendUint32(append(append(bytes.Clone(data[:12]), 0), make([]byte, 80)...), 1<<16+1)
	for want, file := range map[string][]byte{
		"it begins with":                      with(0, 'D'),
		"version 3, want 1 or 2":              with(8, 3),
		"a batch of one child":                with(12, 1),
		"more than 64 levels":                 deep,
		"public input or output of 65537":     long,
		"a proof of 5 bytes, and 6 follow":    append(bytes.Clone(data), 0),
		"it ends early: 0 bytes are left":     data[:12],
		"a proof of 5 bytes, and 4 follow; w": data[:len(data)-1],
	} {
		if err := new(File).UnmarshalBinary(file); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

func FuzzFile(f *testing.F) {
	f.Add(encoded(f, sample()))
	f.Fuzz(func(t *testing.T, data []byte) {
		var file File
		if file.UnmarshalBinary(data) != nil {
			return
		}
		if again := encoded(t, &file); !bytes.Equal(again, data) {
			t.Errorf("%x is encoded as %x", data, again)
		}
	})
}

// Every change of a tree changes its digest, and its output.
func TestDigestsDiffer(t *testing.T) {
	changes := map[string]func(tree *Tree){
		"nothing":      func(*Tree) {},
		"program":      func(tree *Tree) { tree.Children[1].Run.ProgramID[31] ^= 1 },
		"image":        func(tree *Tree) { tree.Children[1].Run.Image[0] ^= 1 },
		"exit code":    func(tree *Tree) { tree.Children[1].Run.Exit ^= 1 << 63 },
		"cycles":       func(tree *Tree) { tree.Children[1].Run.Cycles++ },
		"input":        func(tree *Tree) { tree.Children[1].Run.Input = nil },
		"output":       func(tree *Tree) { tree.Children[1].Run.Output = []byte("outpuT") },
		"order":        func(tree *Tree) { tree.Children[0], tree.Children[1] = tree.Children[1], tree.Children[0] },
		"order inside": func(tree *Tree) { c := tree.Children[0].Children; c[0], c[1] = c[1], c[0] },
		"flat":         func(tree *Tree) { tree.Children = append(tree.Children[0].Children, tree.Children[1]) },
		"one twice":    func(tree *Tree) { tree.Children = append(tree.Children, tree.Children[1]) },
		"one missing":  func(tree *Tree) { tree.Children[0].Children = tree.Children[0].Children[:1] },
	}
	seen := map[[32]byte]string{}
	for name, change := range changes {
		tree := sample().Tree
		change(tree)
		digest := tree.Digest()
		if other, ok := seen[digest]; ok {
			t.Errorf("%s has the digest of %s", name, other)
		}
		seen[digest] = name
	}
}

// An output that differs from the tree's is refused, and the error gives the reason.
func TestOutputsOfOtherStatements(t *testing.T) {
	self, batch := [32]byte{7}, sample().Tree
	run := batch.Children[1]
	with := func(output []byte, at int, value byte) []byte {
		output[at] = value
		return output
	}
	for _, tc := range []struct {
		tree   *Tree
		output []byte
		want   string
	}{
		{batch, batch.Output(self)[:outputPrefix-1], "an output of 47 bytes, want 80"},
		{batch, batch.Output([32]byte{8}), "the aggregator 08"},
		{run, run.Output([32]byte{8}), "the aggregator 08"},
		{batch, with(batch.Output(self), 32, kindPart), "a part of a run's shards"},
		{batch, run.Output(self), "of kind 1, and the file's of kind 2"},
		{batch, with(batch.Output(self), 40, 4), "about 4 runs, and the file lists 3"},
		{batch, with(batch.Output(self), outputPrefix, 0), "it is about 00"},
		{run, with(run.Output(self), outputPrefix+statementBytes-1, 0), "the file's statements are"},
		{run, append(run.Output(self), 0), "the file's statements are"},
	} {
		if err := tc.tree.difference(self, len(tc.tree.Runs()), tc.output); err == nil ||
			!strings.Contains(err.Error(), tc.want) {
			t.Errorf("%v, want %q", err, tc.want)
		}
	}
	for _, tree := range []*Tree{batch, run} {
		if err := tree.difference(self, len(tree.Runs()), tree.Output(self)); err != nil {
			t.Error(err)
		}
	}
}
