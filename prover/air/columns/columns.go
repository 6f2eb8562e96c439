// Package columns declares a table's main columns by a struct, which the table's fillers share.
//
// A struct of columns is generic in its cells. Its fields are cells, or structs and arrays of them. Each cell is a
// column, in the order of the fields. The type of the cells says what the struct holds:
//
//   - air.Expr: the expressions of a declaration ([Declare]);
//
//   - goldilocks.Element: a row. A filler writes its fields (package fill/host/rows): a column's offset is its field's
//     offset in the struct.
//
//   - []goldilocks.Element: the columns of a table, for a filler that writes column by column ([Assign]).
//
// For example, the comments name the columns:
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
// # Slices
//
// A table with a number of columns that is known only at run time has slices in its struct. A constructor makes them,
// also those without cells, and [DeclareInto] and [Assign] set their cells. Such a struct is never a row, because its
// fields are not at the columns' offsets.
//
// # Errors
//
// [List] rejects a field that is not a column (of another type, or unexported), a blank field (_), a tag whose number
// of names is not the number of cells, a slice that is nil, and two columns with one name. Two fields cannot have one
// offset in Go. [Declare], [DeclareInto] and [Assign] panic on an error, because only a wrong type causes it.
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
	names = DeclareInto(b, &columns)
	return columns, names
}

// DeclareInto is Declare for a struct that may have slices, whose lengths are set. It sets their cells.
func DeclareInto[C any](b *air.Builder, columns *C) (names []string) {
	v := reflect.ValueOf(columns).Elem()
	list, err := list(v, reflect.TypeFor[air.Expr]())
	if err != nil {
		panic(err)
	}
	cells := make([]air.Expr, len(list))
	for i, c := range list {
		names, cells[i] = append(names, c.Name), b.Main(c.Name)
	}
	Assign(columns, cells)
	return names
}

// Assign sets the cells of a struct, whose slices have their lengths, to the elements of cells, in order. It panics if
// the struct has another number of cells, or cells of another type.
func Assign[C, T any](columns *C, cells []T) {
	rest, ok := assign(reflect.ValueOf(columns).Elem(), reflect.ValueOf(cells))
	if !ok || rest.Len() > 0 {
		panic(fmt.Sprintf("%T does not have %d cells of type %s", *columns, len(cells), reflect.TypeFor[T]()))
	}
}

// assign returns the elements that are left, or false if there are too few, or v has another type.
func assign(v, cells reflect.Value) (rest reflect.Value, ok bool) {
	t, cell := v.Type(), cells.Type().Elem()
	isList := t != cell && (t.Kind() == reflect.Array || t.Kind() == reflect.Slice)
	switch {
	case t == cell && cells.Len() > 0:
		v.Set(cells.Index(0))
		return cells.Slice(1, cells.Len()), true
	case isList && t.Elem() == cell:
		n := reflect.Copy(v, cells)
		return cells.Slice(n, cells.Len()), n == v.Len()
	case isList:
		for i := range v.Len() {
			if cells, ok = assign(v.Index(i), cells); !ok {
				return cells, false
			}
		}
		return cells, true
	case t.Kind() == reflect.Struct:
		for i := range v.NumField() {
			if cells, ok = assign(v.Field(i), cells); !ok {
				return cells, false
			}
		}
		return cells, true
	}
	return cells, false
}

// List lists the columns of a struct C with cells of type T and without slices.
func List[C, T any]() ([]Column, error) {
	return list(reflect.Zero(reflect.TypeFor[C]()), reflect.TypeFor[T]())
}

// list lists the columns of a struct whose slices have their lengths.
func list(v reflect.Value, cell reflect.Type) ([]Column, error) {
	t, l := v.Type(), lister{cell: cell}
	if t.Kind() != reflect.Struct || t.NumField() == 0 {
		return nil, fmt.Errorf("%s is not a struct of columns", t)
	}
	list := l.structure(v, "")
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
func (l *lister) structure(v reflect.Value, prefix string) (list []Column) {
	t := v.Type()
	for i := range t.NumField() {
		field, value := t.Field(i), v.Field(i)
		switch tag := strings.Fields(field.Tag.Get("column")); {
		case field.Name == "_":
			l.fail(t, "field %d is blank: no filler could write it", i)
		case !field.IsExported():
			l.fail(t, "field %s is unexported: no filler could write it", field.Name)
		case len(tag) > 1:
			cells := l.cells(value, "", t, field.Name)
			if len(cells) != len(tag) {
				l.fail(t, "the tag of field %s has %d names for %d columns", field.Name, len(tag), len(cells))
				continue
			}
			for k := range cells {
				cells[k].Name = prefix + tag[k]
			}
			list = append(list, cells...)
		case len(tag) == 1:
			list = append(list, l.cells(value, prefix+tag[0], t, field.Name)...)
		case field.Anonymous:
			list = append(list, l.cells(value, prefix, t, field.Name)...)
		default:
			list = append(list, l.cells(value, prefix+strings.ToLower(field.Name), t, field.Name)...)
		}
	}
	return list
}

// cells lists the cells of a field.
func (l *lister) cells(v reflect.Value, name string, of reflect.Type, field string) (list []Column) {
	switch t := v.Type(); {
	case t == l.cell:
		return []Column{{Name: name}}
	case t.Kind() == reflect.Array && t.Implements(inverseType) && t.Elem() == l.cell:
		return []Column{{Name: name, Inverse: true}}
	case t.Kind() == reflect.Struct && t.NumField() > 0:
		return l.structure(v, name)
	case t.Kind() == reflect.Slice && v.IsNil():
		l.fail(of, "field %s is nil: a slice needs its length", field)
		return nil
	case t.Kind() == reflect.Slice, t.Kind() == reflect.Array && t.Len() > 0:
		before, after, bracketed := strings.Cut(name, "[]")
		for i := range v.Len() {
			element := fmt.Sprintf("%s%d", name, i)
			if bracketed {
				element = fmt.Sprintf("%s[%d]%s", before, i, after)
			}
			list = append(list, l.cells(v.Index(i), element, of, field)...)
		}
		return list
	}
	l.fail(of, "field %s has type %s, want %s, or a struct or array of it", field, v.Type(), l.cell)
	return nil
}
