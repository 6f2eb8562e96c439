package air

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// state is a message that contains an array.
type state struct {
	Address Expr
	Words   [3]Expr
	Time    Expr
}

// The fields of a bus are the fields of its messages' type, in the order in which values are sent.
func TestFields(t *testing.T) {
	var buses Buses
	first, second := NewToken[state](&buses, "state"), NewCall[single](&buses, "single")
	if diff := cmp.Diff([]string{"address", "words[0]", "words[1]", "words[2]", "time"}, first.Fields); diff != "" {
		t.Error(diff)
	}
	if first.Index != 1 || second.Index != 2 || first.Arity() != 5 || len(buses.List()) != 2 ||
		buses.List()[1] != second.Bus {
		t.Errorf("buses %+v and %+v", first.Bus, second.Bus)
	}
	b := NewTable("t")
	x := b.MainColumns("x", 6)
	first.Produce(b, x[5], state{x[4], [3]Expr{x[3], x[2], x[1]}, x[0]})
	b.AssertBoolean("x[5] is boolean", x[5])
	table, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	var columns []int32
	for _, value := range table.Interactions[0].Values {
		columns = append(columns, table.Graph[value].Column)
	}
	if diff := cmp.Diff([]int32{4, 3, 2, 1, 0}, columns); diff != "" {
		t.Errorf("values are not in the order of the fields: %s", diff)
	}
}

// Each method has the direction and the bound of its kind.
func TestDirections(t *testing.T) {
	var buses Buses
	token, call, lookup := NewToken[single](&buses, "token"), NewCall[single](&buses, "call"),
		NewLookup[single](&buses, "lookup")
	b := NewTable("t")
	x := b.Main("x")
	m := single{x}
	token.Produce(b, x, m)
	token.Consume(b, x, m)
	call.Call(b, x, m)
	call.Serve(b, x, m)
	lookup.Ask(b, x, m)
	table, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []Interaction{
		{Bus: token.Bus, Kind: Send, Bound: 1}, {Bus: token.Bus, Kind: Receive, Bound: 1},
		{Bus: call.Bus, Kind: Send, Bound: 1}, {Bus: call.Bus, Kind: Receive, Bound: 1},
		{Bus: lookup.Bus, Kind: Send, Bound: 1},
	} {
		if got := table.Interactions[i]; got.Bus != want.Bus || got.Kind != want.Kind || got.Bound != want.Bound {
			t.Errorf("interaction %d: %s on bus %s, bound %d", i, got.Kind, got.Bus.Name, got.Bound)
		}
	}
	if token.Kind.String() != "token" || call.Kind.String() != "call" || lookup.Kind.String() != "lookup" || BusKind(9).
		String() != "unknown" {
		t.Error("kinds have other names")
	}
}

// A type that is not a message is a programming error.
func TestNoMessage(t *testing.T) {
	for name, declare := range map[string]func(){
		"a number":       func() { NewToken[int](&Buses{}, "b") },
		"no fields":      func() { NewToken[struct{}](&Buses{}, "b") },
		"a string field": func() { NewToken[struct{ Name string }](&Buses{}, "b") },
		"a slice":        func() { NewToken[struct{ Words []Expr }](&Buses{}, "b") },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s is a message", name)
				}
			}()
			declare()
		}()
	}
}
