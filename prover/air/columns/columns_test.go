package columns_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/air/columns"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
)

type limbs[T any] struct {
	Low  T `column:"lo"`
	High T `column:"hi"`
}

type header[T any] struct {
	On   T
	Time T `column:"ts"`
}

// all has every kind of column field.
type all[T any] struct {
	Header[T]
	A, B   limbs[T]
	Sum    limbs[T] `column:"c"`
	Old    limbs[T] `column:"o0 o1"`
	Byte   [2]T
	Word   [2]T               `column:"word[]"`
	Pairs  [2]limbs[T]        `column:"p"`
	Grid   [2][2]T            `column:"g[]_"`
	Listed [2]T               `column:"left right"`
	Zero   columns.Inverse[T] `column:"iz"`
}

// Header is embedded, and so needs an exported name.
type Header[T any] header[T]

var names = strings.Fields("on ts alo ahi blo bhi clo chi o0 o1 byte0 byte1 word[0] word[1] p0lo p0hi p1lo p1hi " +
	"g[0]_0 g[0]_1 g[1]_0 g[1]_1 left right iz")

func TestNames(t *testing.T) {
	list, err := columns.List[all[goldilocks.Element], goldilocks.Element]()
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range list {
		if i >= len(names) || c.Name != names[i] || c.Inverse != (c.Name == "iz") {
			t.Errorf("column %d is %+v, want %q", i, c, append(names, "none")[min(i, len(names))])
		}
	}
	if len(list) != len(names) || reflect.TypeFor[all[goldilocks.Element]]().Size() != uintptr(8*len(names)) {
		t.Errorf("%d columns, want %d", len(list), len(names))
	}
}

// Each field is the expression of the column at its offset.
func TestDeclare(t *testing.T) {
	b := air.NewTable("declared")
	c, own := columns.Declare[all[air.Expr]](b)
	cells := []air.Expr{c.On, c.Time, c.A.Low, c.A.High, c.B.Low, c.B.High, c.Sum.Low, c.Sum.High, c.Old.Low, c.Old.High,
		c.Byte[0], c.Byte[1], c.Word[0], c.Word[1], c.Pairs[0].Low, c.Pairs[0].High, c.Pairs[1].Low, c.Pairs[1].High,
		c.Grid[0][0], c.Grid[0][1], c.Grid[1][0], c.Grid[1][1], c.Listed[0], c.Listed[1], c.Zero.Column()}
	for i, e := range cells {
		if n := e.Node(); n.Op != air.Main || int(n.Column) != i {
			t.Errorf("field %d is %v of column %d", i, n.Op, n.Column)
		}
		b.AssertZero(names[i], e)
	}
	table, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(table.Main, names) || !slices.Equal(own, names) {
		t.Errorf("the columns are %q and %q, want %q", table.Main, own, names)
	}
}

// sized has slices, of cells and of structs.
type sized[T any] struct {
	Words []T `column:"w[]"`
	On    T
	None  []T
	Pairs []limbs[T] `column:"p"`
	Bits  [2]T       `column:"b0 b1"`
}

func newSized[T any]() *sized[T] {
	return &sized[T]{Words: make([]T, 3), None: make([]T, 0), Pairs: make([]limbs[T], 1)}
}

// Slices have the number of columns that a constructor gave them.
func TestSlices(t *testing.T) {
	b := air.NewTable("sized")
	c := newSized[air.Expr]()
	own := columns.DeclareInto(b, c)
	if want := strings.Fields("w[0] w[1] w[2] on p0lo p0hi b0 b1"); !slices.Equal(own, want) {
		t.Fatalf("the columns are %q, want %q", own, want)
	}
	cells := []air.Expr{c.Words[0], c.Words[1], c.Words[2], c.On, c.Pairs[0].Low, c.Pairs[0].High, c.Bits[0], c.Bits[1]}
	for i, e := range cells {
		if n := e.Node(); n.Op != air.Main || int(n.Column) != i {
			t.Errorf("field %d is %v of column %d", i, n.Op, n.Column)
		}
	}
}

// A struct of a table's columns shares their cells.
func TestAssign(t *testing.T) {
	var cells [8][]goldilocks.Element
	for i := range cells {
		cells[i] = make([]goldilocks.Element, 2)
	}
	c := newSized[[]goldilocks.Element]()
	columns.Assign(c, cells[:])
	for i, column := range [][]goldilocks.Element{c.Words[0], c.Words[1], c.Words[2], c.On, c.Pairs[0].Low,
		c.Pairs[0].High, c.Bits[0], c.Bits[1]} {
		column[1] = 7
		if cells[i][1] != 7 {
			t.Errorf("field %d is not column %d", i, i)
		}
	}

	var row all[int]
	offsets := make([]int, len(names))
	for i := range offsets {
		offsets[i] = i
	}
	columns.Assign(&row, offsets)
	if row.On != 0 || row.Grid != [2][2]int{{18, 19}, {20, 21}} || row.Zero.Column() != len(names)-1 {
		t.Errorf("the columns are at %+v", row)
	}
}

// Cells of another number or type belong to another table.
func TestWrongCells(t *testing.T) {
	for name, assign := range map[string]func(){
		"too few":        func() { columns.Assign(newSized[int](), make([]int, 7)) },
		"too few pairs":  func() { columns.Assign(newSized[int](), make([]int, 5)) },
		"none":           func() { columns.Assign(newSized[int](), []int{}) },
		"too many":       func() { columns.Assign(newSized[int](), make([]int, 9)) },
		"another type":   func() { columns.Assign(newSized[int](), make([]uint, 8)) },
		"without slices": func() { columns.Assign(new(sized[int]), make([]int, 8)) },
	} {
		func() {
			defer func() {
				if text, _ := recover().(string); !strings.Contains(text, "does not have") {
					t.Errorf("%s: %q", name, text)
				}
			}()
			assign()
		}()
	}
}

// A filler's struct equals the declaration's, and has the cell of each column at its offset.
func TestOf(t *testing.T) {
	var row all[goldilocks.Element]
	row.Zero.Of(7)
	if row.Zero.Column() != 7 {
		t.Error("an inverse's cell is not what was put")
	}
}

// Errors in a struct are found when the program starts: fields without a column, columns without a field, and two
// fields for one column.
func TestWrongStructs(t *testing.T) {
	type (
		number struct{ A, B uint32 }
		hidden struct{ A, b air.Expr }
		blank  struct{ A, _ air.Expr }
		few    struct {
			A [3]air.Expr `column:"a b"`
		}
		many struct {
			A limbs[air.Expr] `column:"a b c"`
		}
		twice struct {
			A, B air.Expr `column:"a"`
		}
		shadowed struct {
			Header[air.Expr]
			On air.Expr
		}
		within struct {
			A  limbs[air.Expr]
			Of air.Expr `column:"ahi"`
		}
		pointer struct{ A *air.Expr }
		slice   struct{ A []air.Expr }
		none    struct{ A [0]air.Expr }
		mixed   struct {
			A air.Expr
			B goldilocks.Element
		}
		empty struct{}
	)
	_ = hidden{}.b
	for name, tc := range map[string]struct {
		list func() ([]columns.Column, error)
		want string
	}{
		"a field of another type":        {columns.List[number, air.Expr], "field A has type uint32, want air.Expr"},
		"an unexported field":            {columns.List[hidden, air.Expr], "field b is unexported"},
		"a column without a field":       {columns.List[blank, air.Expr], "field 1 is blank"},
		"fewer names than columns":       {columns.List[few, air.Expr], "has 2 names for 3 columns"},
		"more names than columns":        {columns.List[many, air.Expr], "has 3 names for 2 columns"},
		"two fields of one name":         {columns.List[twice, air.Expr], `two fields are column "a"`},
		"a field over an embedded one":   {columns.List[shadowed, air.Expr], `two fields are column "on"`},
		"a field over one of a struct's": {columns.List[within, air.Expr], `two fields are column "ahi"`},
		"a pointer":                      {columns.List[pointer, air.Expr], "field A has type *air.Expr"},
		"a slice":                        {columns.List[slice, air.Expr], "field A is nil: a slice needs its length"},
		"an array of none":               {columns.List[none, air.Expr], "field A has type [0]air.Expr"},
		"cells of two types":             {columns.List[mixed, air.Expr], "field B has type goldilocks.Element"},
		"no fields":                      {columns.List[empty, air.Expr], "is not a struct of columns"},
		"no struct":                      {columns.List[air.Bus, air.Expr], "field Name has type string"},
	} {
		if _, err := tc.list(); err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s: %v, want %q", name, err, tc.want)
		}
	}
	defer func() {
		if recover() == nil {
			t.Error("columns are declared by a struct that has a field of another type")
		}
	}()
	columns.Declare[number](air.NewTable("wrong"))
}
