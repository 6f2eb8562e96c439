// Package columns declares a table's main columns by a struct, which the table's fillers share.
//
// A struct of columns is generic in its cells. Its fields are cells, or structs and arrays of them. Each cell is a
// column, in the order of the fields. With cells of type air.Expr, the struct holds the expressions of a declaration
// ([Declare]). With field elements it is a row, and a filler writes the same fields (package fill/host/rows): a
// column's offset is its field's offset in the struct.
//
//	// Sum has the columns of a table.
//	type Sum[T any] struct {
//		Time T `column:"ts"`          // ts
//		A, B Limbs[T]                 // alo ahi blo bhi
//		Sum  Limbs[T] `column:"c"`    // clo chi
//		Old  Limbs[T] `column:"o0 o1"`
//		Byte [4]T                     // byte0 byte1 byte2 byte3
//		Word [2]T `column:"word[]"`   // word[0] word[1]
//		Zero Inverse[T] `column:"iz"` // iz
//	}
//
//	// Limbs is a value of 64 bits.
//	type Limbs[T any] struct {
//		Low  T `column:"lo"`
//		High T `column:"hi"`
//	}
//
// # Names
//
// A cell is named by its tag, or else by its field in lower case. A struct's or array's cells have the name of the
// field that holds them as a prefix; cells of an embedded struct have none. A tag with several words names all cells of
// a field, in order. An array's cells are numbered at the end of their names, or within the brackets of the tag.
//
// # Errors
//
// [List] rejects a field that is not a column (of another type, or unexported), a blank field (_), a tag whose number
// of names is not the number of cells, and two columns with one name. Two fields cannot have one offset in Go.
// [Declare] panics if List returns an error, because only a wrong type causes it.
package columns

import (
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/chiasmus/chiasmus/prover/air"
)

// Column is a main column of a table.
type Column struct {
	Name    string
	Inverse bool // its cells are an [Inverse]
}

// Inverse is a column of inverses: each cell holds the inverse of an element, or 0 for 0.
type Inverse[T any] [1]T

// Of sets the cell to the element to invert. The cells of all rows are inverted at once when the rows are stored.
func (i *Inverse[T]) Of(x T) { i[0] = x }

// Column returns the column's cell.
func (i Inverse[T]) Column() T { return i[0] }

func (Inverse[T]) isInverse() {}

var inverseType = reflect.TypeFor[interface{ isInverse() }]()

// Declare declares the columns of a struct C whose cells are expressions, and returns them with their names.
func Declare[C any](b *air.Builder) (columns C, names []string) {
	list, err := List[C, air.Expr]()
	if err != nil {
		panic(err)
	}
	next := func() reflect.Value {
		name := list[len(names)].Name
		names = append(names, name)
		return reflect.ValueOf(b.Main(name))
	}
	set(reflect.ValueOf(&columns).Elem(), next)
	return columns, names
}

// set sets each cell of a struct that List accepts, in order.
func set(v reflect.Value, next func() reflect.Value) {
	switch {
	case v.Type() == reflect.TypeFor[air.Expr]():
		v.Set(next())
	case v.Kind() == reflect.Array:
		for i := range v.Len() {
			set(v.Index(i), next)
		}
	default:
		for i := range v.NumField() {
			set(v.Field(i), next)
		}
	}
}

// List lists the columns of a struct C with cells of type T.
func List[C, T any]() ([]Column, error) {
	t, l := reflect.TypeFor[C](), lister{cell: reflect.TypeFor[T]()}
	if t.Kind() != reflect.Struct || t.NumField() == 0 {
		return nil, fmt.Errorf("%s is not a struct of columns", t)
	}
	list := l.structure(t, "")
	seen := map[string]bool{}
	for _, c := range list {
		if seen[c.Name] {
			l.fail(t, "two fields are column %q", c.Name)
		}
		seen[c.Name] = true
	}
	return list, errors.Join(l.errs...)
}

// lister lists the columns of a struct, and collects errors.
type lister struct {
	cell reflect.Type
	errs []error
}

func (l *lister) fail(t reflect.Type, format string, args ...any) {
	l.errs = append(l.errs, fmt.Errorf("columns of %s: %s", t, fmt.Sprintf(format, args...)))
}

// structure lists the cells of a struct, whose names begin with a prefix.
func (l *lister) structure(t reflect.Type, prefix string) (list []Column) {
	for i := range t.NumField() {
		field := t.Field(i)
		switch tag := strings.Fields(field.Tag.Get("column")); {
		case field.Name == "_":
			l.fail(t, "field %d is blank: no filler could write it", i)
		case !field.IsExported():
			l.fail(t, "field %s is unexported: no filler could write it", field.Name)
		case len(tag) > 1:
			cells := l.cells(field.Type, "", t, field.Name)
			if len(cells) != len(tag) {
				l.fail(t, "the tag of field %s has %d names for %d columns", field.Name, len(tag), len(cells))
				continue
			}
			for k := range cells {
				cells[k].Name = prefix + tag[k]
			}
			list = append(list, cells...)
		case len(tag) == 1:
			list = append(list, l.cells(field.Type, prefix+tag[0], t, field.Name)...)
		case field.Anonymous:
			list = append(list, l.cells(field.Type, prefix, t, field.Name)...)
		default:
			list = append(list, l.cells(field.Type, prefix+strings.ToLower(field.Name), t, field.Name)...)
		}
	}
	return list
}

// cells lists the cells of a field.
func (l *lister) cells(t reflect.Type, name string, of reflect.Type, field string) (list []Column) {
	switch {
	case t == l.cell:
		return []Column{{Name: name}}
	case t.Kind() == reflect.Array && t.Implements(inverseType) && t.Elem() == l.cell:
		return []Column{{Name: name, Inverse: true}}
	case t.Kind() == reflect.Struct && t.NumField() > 0:
		return l.structure(t, name)
	case t.Kind() == reflect.Array && t.Len() > 0:
		before, after, bracketed := strings.Cut(name, "[]")
		for i := range t.Len() {
			element := fmt.Sprintf("%s%d", name, i)
			if bracketed {
				element = fmt.Sprintf("%s[%d]%s", before, i, after)
			}
			list = append(list, l.cells(t.Elem(), element, of, field)...)
		}
		return list
	}
	l.fail(of, "field %s has type %s, want %s, or a struct or array of it", field, t, l.cell)
	return nil
}
