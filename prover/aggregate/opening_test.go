package aggregate

import (
	"bytes"
	"encoding/binary"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// An opening has the digest and the output of the whole file, shows the requested parts, and contains nothing of the
// hidden parts.
func TestOpenings(t *testing.T) {
	whole := sample()
	whole.Tree.Children[1].Run.Output = []byte("a secret of run 2")
	for _, tc := range []struct {
		numbers   []int
		positions []string
	}{{[]int{0}, []string{"0.0"}}, {[]int{1}, []string{"0.1"}}, {[]int{2}, []string{"1"}}, {[]int{1, 2},
		[]string{"0.1", "1"}}, {[]int{2, 0}, []string{"0.0", "1"}}} {
		opened, err := whole.Open(tc.numbers...)
		if err != nil {
			t.Fatal(err)
		}
		data := encoded(t, opened)
		var have File
		if err := have.UnmarshalBinary(data); err != nil || !reflect.DeepEqual(&have, opened) {
			t.Errorf("%v: %+v, %v", tc.numbers, have, err)
		}
		self := [32]byte{7}
		if have.Tree.Digest() != whole.Tree.Digest() || have.Runs != 3 ||
			have.Tree.difference(self, have.Runs, whole.Tree.Output(self)) != nil {
			t.Errorf("%v: the opening states something else than the file", tc.numbers)
		}
		if !slices.Equal(have.Tree.Positions(), tc.positions) || len(have.Tree.Runs()) != len(tc.positions) {
			t.Errorf("%v: positions %q, want %q", tc.numbers, have.Tree.Positions(), tc.positions)
		}
		if shows := slices.Contains(tc.numbers, 2); bytes.Contains(data, []byte("a secret")) != shows {
			t.Errorf("%v: whether run 2's output is in the file: %v, want %v", tc.numbers, !shows, shows)
		}
		for size := range data {
			if err := new(File).UnmarshalBinary(data[:size]); err == nil {
				t.Errorf("%v: the first %d of %d bytes are decoded", tc.numbers, size, len(data))
			}
		}
	}
	for want, numbers := range map[string][]int{
		"no run to open":            nil,
		"no run 3: want 0 to 2":     {3},
		"no run -1: want 0 to 2":    {-1},
		"every run is to be opened": {0, 1, 2},
	} {
		if _, err := whole.Open(numbers...); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v, want %q", numbers, err, want)
		}
	}
	opened, err := whole.Open(0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := opened.Open(0); err == nil || !strings.Contains(err.Error(), "it is an opening") {
		t.Errorf("an opening's opening: %v", err)
	}
	if _, err := Stated(encoded(t, opened)); err == nil || !strings.Contains(err.Error(), "it is an opening") {
		t.Errorf("an opening as a child: %v", err)
	}
}

// Every changed opening is refused: it differs from the proof's statement.
func TestChangedOpenings(t *testing.T) {
	self, output := [32]byte{7}, sample().Tree.Output([32]byte{7})
	changes := map[string]func(f *File){
		"another output":  func(f *File) { f.Tree.Children[0].Children[1].Run.Output = []byte("other") },
		"another program": func(f *File) { f.Tree.Children[0].Children[1].Run.ProgramID[0] ^= 1 },
		"another exit":    func(f *File) { f.Tree.Children[0].Children[1].Run.Exit++ },
		"another index": func(f *File) {
			c := f.Tree.Children[0].Children
			c[0], c[1] = c[1], c[0]
		},
		"another branch":         func(f *File) { c := f.Tree.Children; c[0], c[1] = c[1], c[0] },
		"another hidden digest":  func(f *File) { f.Tree.Children[1].Hidden[5] ^= 1 },
		"a hidden tree left out": func(f *File) { f.Tree.Children = f.Tree.Children[:1] },
		"a level left out":       func(f *File) { f.Tree = f.Tree.Children[0] },
		"a run hidden as a batch's digest": func(f *File) {
			f.Tree.Children[0] = &Tree{Children: []*Tree{f.Tree.Children[0], f.Tree.Children[1]}}
		},
		"more runs":  func(f *File) { f.Runs++ },
		"fewer runs": func(f *File) { f.Runs-- },
	}
	for name, change := range changes {
		opened, err := sample().Open(1)
		if err != nil {
			t.Fatal(err)
		}
		must := opened.Tree.difference(self, opened.Runs, output)
		change(opened)
		if err := opened.Tree.difference(self, opened.Runs, output); must != nil || err == nil {
			t.Errorf("%s: %v before, and %v after", name, must, err)
		}
	}
	// A run of another proof cannot replace a digest.
	other, err := sample().Open(1)
	if err != nil {
		t.Fatal(err)
	}
	other.Tree.Children[1] = &Tree{Run: &Statement{ProgramID: [32]byte{66}}}
	if other.Tree.difference(self, other.Runs, output) == nil {
		t.Error("a run that was not aggregated is shown")
	}
}

func TestOpeningsOfUnknownForms(t *testing.T) {
	opening := func(runs int, tree *Tree) []byte {
		text := binary.LittleEndian.AppendUint32([]byte(fileMagic), openingVersion)
		text = tree.append(binary.LittleEndian.AppendUint32(text, uint32(runs)))
		return binary.LittleEndian.AppendUint64(text, 0)
	}
	run, hidden := sample().Tree.Children[1], &Tree{Hidden: new([32]byte)}
	both := &Tree{Children: []*Tree{run, hidden}}
	for want, data := range map[string][]byte{
		"an opening that shows no run":     opening(2, hidden),
		"an opening that hides nothing":    opening(2, run),
		"an opening of 1 runs that shows":  opening(1, both),
		"of 65537 runs that shows 1, want": opening(maxRuns+1, both),
		"a batch of one child":             append(append([]byte(fileMagic), 1, 0, 0, 0, 1), make([]byte, 60)...),
	} {
		if err := new(File).UnmarshalBinary(data); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	if err := new(File).UnmarshalBinary(opening(2, both)); err != nil {
		t.Error(err)
	}
}
