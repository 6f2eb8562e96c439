package verify

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/machine/tour"
	"github.com/chiasmus/chiasmus/prover/merkle"
	"github.com/chiasmus/chiasmus/prover/protocol"
	"github.com/chiasmus/chiasmus/prover/setup"
)

// resized tries a list with one element less and with one more.
func resized[T any](list *[]T, try func(change string)) {
	before := *list
	if len(before) > 0 {
		*list = before[:len(before)-1]
		try("one less")
	}
	*list = append(slices.Clone(before), *new(T))
	try("one more")
	*list = before
}

// Every list of a proof has one valid size. Any other size is refused before an element is read.
func TestSizesAreExact(t *testing.T) {
	v := verified(t)
	p := v.proof
	trying := func(format string, args ...any) func(change string) {
		return func(change string) {
			t.Helper()
			refusedBy(t, v.sizes(), CheckShape, "%s: %s", fmt.Sprintf(format, args...), change)
		}
	}
	resized(&p.MainCap, trying("main cap"))
	resized(&p.AuxiliaryCap, trying("auxiliary cap"))
	resized(&p.QuotientCap, trying("quotient cap"))
	resized(&p.Claimed, trying("claimed sums"))
	resized(&p.Final, trying("final polynomial"))
	resized(&p.LayerCaps, trying("FRI caps"))
	resized(&p.Layers, trying("FRI layers"))
	for i := range p.LayerCaps {
		resized(&p.LayerCaps[i], trying("FRI cap %d", i))
	}
	for phase := range p.Openings {
		resized(&p.Openings[phase], trying("openings of %s", protocol.Phase(phase)))
		for i := range p.Openings[phase] {
			resized(&p.Openings[phase][i].Current, trying("values at z of %s, entry %d", protocol.Phase(phase), i))
			resized(&p.Openings[phase][i].Next, trying("values at gz of %s, entry %d", protocol.Phase(phase), i))
		}
	}
	if err := v.sizes(); err != nil {
		t.Errorf("after all changes were taken back: %v", err)
	}
}

// Two programs are equal only if all parts of their keys are.
func TestKeysDifferInEveryField(t *testing.T) {
	whole := func() *protocol.ProgramKey {
		return &protocol.ProgramKey{Entry: 1, Image: [32]byte{2}, LogHeights: []int{5, 6}, Cap: []merkle.Digest{{3}, {4}},
			Larger: []merkle.Digest{{5}, {6}}}
	}
	var none *protocol.ProgramKey
	if !whole().Equal(whole()) || !none.Equal(nil) || none.Equal(whole()) || whole().Equal(nil) {
		t.Error("a key is not equal to itself, or equal to none")
	}
	for name, change := range map[string]func(k *protocol.ProgramKey){
		"entry":        func(k *protocol.ProgramKey) { k.Entry++ },
		"image":        func(k *protocol.ProgramKey) { k.Image[31]++ },
		"a height":     func(k *protocol.ProgramKey) { k.LogHeights[1]++ },
		"heights less": func(k *protocol.ProgramKey) { k.LogHeights = k.LogHeights[:1] },
		"a digest":     func(k *protocol.ProgramKey) { k.Cap[1][31]++ },
		"the cap less": func(k *protocol.ProgramKey) { k.Cap = k.Cap[:1] },
		"a sibling":    func(k *protocol.ProgramKey) { k.Larger[0][0]++ },
		"fewer trees":  func(k *protocol.ProgramKey) { k.Larger = k.Larger[:1] },
	} {
		other := whole()
		change(other)
		if whole().Equal(other) || other.Equal(whole()) {
			t.Errorf("%s: two keys that differ are equal", name)
		}
	}
}

// Heights are limited by the machine, the parameters and the program: each limit is checked on both sides.
func TestHeightsOfInstances(t *testing.T) {
	program, err := tour.New(tour.Sample())
	if err != nil {
		t.Fatal(err)
	}
	preset, err := protocol.PresetByName("test")
	if err != nil {
		t.Fatal(err)
	}
	params := preset.Params
	key, err := setup.NewKey(program.Machine(), params)
	if err != nil {
		t.Fatal(err)
	}
	known, err := tour.Known(key.Program.LogHeights[0], *program.Machine().Program)
	if err != nil {
		t.Fatal(err)
	}
	byID, err := setup.NewKeyOf(known, params, key.ProgramID(), key.Program)
	if err != nil {
		t.Fatal(err)
	}
	road := key.Program.LogHeights[0]
	honest := []circuit.Instance{{Table: tour.Step, LogHeight: 5}, {Table: tour.Dial, LogHeight: 8},
		{Table: tour.RoadTable, LogHeight: road},
		{Table: tour.Cubes, LogHeight: 5}}
	for name, tc := range map[string]struct {
		at, logHeight int
		want          string
	}{
		"as they are":             {0, 5, ""},
		"taller":                  {0, 6, ""},
		"below the parameters":    {0, params.MinLogHeight - 1, "the parameters allow 5 to"},
		"last, below":             {3, params.MinLogHeight - 1, "the parameters allow 5 to"},
		"above the machine":       {0, air.MaxLogHeight + 1, "log height is 29, want"},
		"fixed, taller":           {1, 9, "log height is 9, want 8 to 8"},
		"the program's, taller":   {2, road + 1, "table road"},
		"the program's, less":     {2, road - 1, "table road"},
		"the program's, and true": {2, road, ""},
	} {
		for _, k := range []*protocol.Key{key, byID} {
			instances := slices.Clone(honest)
			instances[tc.at].LogHeight = tc.logHeight
			err := k.CheckInstances(instances)
			if tc.want == "" && err != nil || tc.want != "" && (err == nil || !strings.Contains(err.Error(), tc.want)) {
				t.Errorf("%s: %v, want %q", name, err, tc.want)
			}
		}
	}
	params.MinLogHeight = 9
	if _, err := setup.NewKey(program.Machine(), params); err == nil ||
		!strings.Contains(err.Error(), "table dial has at most 2^8 rows") {
		t.Errorf("a table that can never be so high: %v", err)
	}
}

// A lookup table whose entry sends messages to other rows than theirs makes no key, whichever entry it is.
func TestEntriesAreChecked(t *testing.T) {
	type number struct{ X air.Expr }
	preset, err := protocol.PresetByName("test")
	if err != nil {
		t.Fatal(err)
	}
	for wrong := range 3 {
		var buses air.Buses
		b := air.NewTable("numbers")
		b.Heights(5, 5)
		columns := []air.Expr{b.Preprocessed("x"), b.Preprocessed("y")}
		b.FillPreprocessed(func(filled [][]goldilocks.Element) {
			for i, column := range filled {
				for row := range column {
					if column[row] = goldilocks.Element(row); i == wrong {
						column[row] ^= 1
					}
				}
			}
		})
		for i, column := range columns {
			bus := air.NewLookup[number](&buses, fmt.Sprint("bus ", i))
			bus.Answer(b, b.Main(fmt.Sprint("count ", i)), air.Rows{Weights: []uint64{1}}, number{column})
		}
		declared, err := b.Build()
		if err != nil {
			t.Fatal(err)
		}
		m := &circuit.Machine{
			Name:   "numbers",
			Unit:   "row",
			Tables: []*air.Table{declared},
			Buses:  buses.List(),
		}
		_, err = setup.NewKey(m, preset.Params)
		text := fmt.Sprintf("bus bus %d: the message of position 0 belongs to position 1", wrong)
		if want := wrong < 2; (err != nil) != want || want && !strings.Contains(err.Error(), text) {
			t.Errorf("wrong column %d: %v", wrong, err)
		}
	}
}

// No list is longer than the protocol allows, even if the remaining bytes have room.
func TestListsAreBounded(t *testing.T) {
	for want, change := range map[string]func(p *protocol.Proof){
		"1025 nodes of the main cap, want at most 1024": func(p *protocol.Proof) {
			p.MainCap = make([]merkle.Digest, 1025)
		},
		"1025 nodes of the auxiliary cap, want at most 1024": func(p *protocol.Proof) {
			p.AuxiliaryCap = make([]merkle.Digest, 1025)
		},
		"1025 nodes of the quotient cap, want at most 1024": func(p *protocol.Proof) {
			p.QuotientCap = make([]merkle.Digest, 1025)
		},
		"257 claimed sums, want at most 256": func(p *protocol.Proof) {
			p.Claimed = make([]goldilocks.Extension, 257)
		},
		"1025 coefficients of the final polynomial, want at most 1024": func(p *protocol.Proof) {
			p.Final = make([]goldilocks.Extension, 1025)
		},
		"1025 public values, want at most 1024": func(p *protocol.Proof) {
			p.Public.Values = make([]goldilocks.Element, 1025)
		},
		"257 instances, want at most 256": func(p *protocol.Proof) {
			p.Instances = make([]circuit.Instance, 257)
		},
		"257 opened instances, want at most 256": func(p *protocol.Proof) {
			p.Openings[protocol.Main] = make([]protocol.Opened, 257)
		},
		"33 FRI caps, want at most 32": func(p *protocol.Proof) {
			p.LayerCaps = make([][]merkle.Digest, 33)
		},
		"33 opened FRI layers, want at most 32": func(p *protocol.Proof) {
			p.Layers = make([]merkle.Opening, 33)
		},
		"9 heights of the program's tables, want at most 8": func(p *protocol.Proof) {
			p.Program = &protocol.ProgramKey{LogHeights: make([]int, 9)}
		},
		"1048577 bytes of public data, want at most 1048576": func(p *protocol.Proof) {
			p.Public.Data = make([]byte, circuit.MaxDataBytes+1)
		},
		"1025 nodes of the program's cap, want at most 1024": func(p *protocol.Proof) {
			p.Program = &protocol.ProgramKey{Cap: make([]merkle.Digest, 1025)}
		},
		fmt.Sprintf("%d values at gz, want at most 32768", protocol.MaxColumns+1): func(p *protocol.Proof) {
			p.Openings[protocol.Main] = []protocol.Opened{{Next: make([]goldilocks.Extension, protocol.MaxColumns+1)}}
		},
	} {
		p := &protocol.Proof{Params: protocol.Default(), MachineName: "m"}
		change(p)
		data, err := p.MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		if err := new(protocol.Proof).UnmarshalBinary(data); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	// Two programs have no encoding: their count follows name, digest and an empty list of instances.
	p := &protocol.Proof{Params: protocol.Default(), MachineName: "m", Program: &protocol.ProgramKey{}}
	data, err := p.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	const count, params, digest = 4, 8, 32 // bytes
	at := len(protocol.Magic) + count + params + count + len("m") + digest + count
	binary.LittleEndian.PutUint32(data[at:], 2)
	if err := new(protocol.Proof).UnmarshalBinary(append(data, make([]byte, 1000)...)); err == nil ||
		!strings.Contains(err.Error(), "2 programs, want at most 1") {
		t.Errorf("two programs: %v", err)
	}
	if err := new(protocol.Proof).UnmarshalBinary(make([]byte, protocol.MaxFileBytes+1)); err == nil ||
		!strings.Contains(err.Error(), "bytes, want at most") {
		t.Errorf("a file too long: %v", err)
	}
}

// The columns of all trees together are bounded, and so are those of the layers; nothing is allocated for digests that
// the bytes left cannot hold.
func TestOpenedColumnsAddUp(t *testing.T) {
	matrix := func(width int) merkle.Rows {
		return merkle.Rows{Width: width, Cells: make([]goldilocks.Element, width)}
	}
	decode := func(change func(p *protocol.Proof), truncate int) error {
		p := &protocol.Proof{Params: protocol.Default(), MachineName: "m"}
		change(p)
		data, err := p.MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		return new(protocol.Proof).UnmarshalBinary(data[:len(data)-truncate])
	}
	for name, tc := range map[string]struct {
		change func(p *protocol.Proof)
		want   string
	}{
		"as many as may be": {func(p *protocol.Proof) {
			p.Trees[protocol.Main].Rows = []merkle.Rows{matrix(protocol.MaxColumns - 1)}
			p.Trees[protocol.Quotient].Rows = []merkle.Rows{matrix(1)}
			p.Layers = []merkle.Opening{{Rows: []merkle.Rows{matrix(protocol.MaxColumns)}}}
		}, ""},
		"one more in a tree": {func(p *protocol.Proof) {
			p.Trees[protocol.Main].Rows = []merkle.Rows{matrix(protocol.MaxColumns + 1)}
		},
			"32768 columns in all trees"},
		"one more in another matrix": {func(p *protocol.Proof) {
			p.Trees[protocol.Main].Rows = []merkle.Rows{matrix(protocol.MaxColumns), matrix(1)}
		}, "32768 columns in all trees"},
		"one more in another tree": {func(p *protocol.Proof) {
			p.Trees[protocol.Main].Rows = []merkle.Rows{matrix(protocol.MaxColumns)}
			p.Trees[protocol.Quotient].Rows = []merkle.Rows{matrix(1)}
		}, "32768 columns in all trees"},
		"one more in a layer": {func(p *protocol.Proof) {
			p.Layers = []merkle.Opening{{Rows: []merkle.Rows{matrix(protocol.MaxColumns)}}, {Rows: []merkle.Rows{matrix(1)}}}
		}, "32768 columns in all trees"},
		"a row too many": {func(p *protocol.Proof) {
			p.Trees[protocol.Main].Rows = []merkle.Rows{{Width: 1, Cells: make([]goldilocks.Element, protocol.MaxQueries+1)}}
		}, "an opened matrix of 1025 rows"},
	} {
		if err := decode(tc.change, 0); tc.want == "" && err != nil ||
			tc.want != "" && (err == nil || !strings.Contains(err.Error(), tc.want)) {
			t.Errorf("%s: %v, want %q", name, err, tc.want)
		}
	}
	err := decode(func(p *protocol.Proof) { p.Trees[protocol.Quotient].Siblings = make([]merkle.Digest, 1000) }, 64)
	if err == nil || !strings.Contains(err.Error(), "1000 siblings cannot fit the") {
		t.Errorf("siblings that are not there: %v", err)
	}
}

// A nonce is in the file only if there is grinding.
func TestNonceFollowsGrinding(t *testing.T) {
	for bits, want := range map[int]uint64{0: 0, 1: 77, 20: 77} {
		params := protocol.Default()
		params.GrindingBits = bits
		p := &protocol.Proof{Params: params, MachineName: "m", Nonce: 77}
		data, err := p.MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		var decoded protocol.Proof
		if err := decoded.UnmarshalBinary(data); err != nil || decoded.Nonce != want {
			t.Errorf("%d bits of grinding: nonce %d, want %d, %v", bits, decoded.Nonce, want, err)
		}
	}
}
