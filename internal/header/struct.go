package header

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"unicode"
)

// Struct adds the type of a Go struct, with its fields at the same offsets. Go's names are converted to lower case with
// underscores. Fields of type uint8, uint32, uint64 and int64 become u8, u32, u64 and i64, and arrays of them arrays.
// Every other field names its type in a tag:
//
//	In       uint64     `cuda:"const u64 *"`
//	Point    [3]uint64  `cuda:"Fp3"`
//	Segments [4]segment `cuda:"Segment[]"` // the type of an entry
//
// It panics if the struct has padding or a field of any other type, because its bytes would differ from the kernel's.
func (h *Header) Struct(name string, of any) *Header {
	text, err := structText(name, reflect.TypeOf(of))
	if err != nil {
		panic("header: " + err.Error())
	}
	h.text.WriteString(text)
	return h
}

func structText(name string, t reflect.Type) (string, error) {
	if t == nil || t.Kind() != reflect.Struct {
		return "", fmt.Errorf("struct %s is declared by %v: want a struct", name, t)
	}
	if err := packed(t); err != nil {
		return "", fmt.Errorf("struct %s, %v in Go: %w", name, t, err)
	}
	var fields, asserts strings.Builder
	for i := range t.NumField() {
		field := t.Field(i)
		declared, err := declaration(field)
		if err != nil {
			return "", fmt.Errorf("struct %s, %v in Go: field %s %w", name, t, field.Name, err)
		}
		fmt.Fprintf(&fields, "    %s;\n", declared)
		member := snake(field.Name)
		fmt.Fprintf(&asserts, "static_assert(OFFSET_OF(%s, %s) == %d && sizeof(%s::%s) == %d, \"%s of %s\");\n",
			name, member, field.Offset, name, member, field.Type.Size(), field.Name, t)
	}
	fmt.Fprintf(&asserts, "static_assert(sizeof(%s) == %d, \"%s\");\n", name, t.Size(), t)
	return fmt.Sprintf("struct %s {\n%s};\n%s", name, &fields, &asserts), nil
}

// packed returns an error for a type with padding.
func packed(t reflect.Type) error {
	switch t.Kind() {
	case reflect.Uint8, reflect.Uint32, reflect.Uint64, reflect.Int64:
		return nil
	case reflect.Array:
		return packed(t.Elem())
	case reflect.Struct:
	default:
		return fmt.Errorf("%v has no fixed layout: want uint8, uint32, uint64, int64, arrays and structs of them", t)
	}
	if t.NumField() == 0 {
		return errors.New("it has no fields")
	}
	end := uintptr(0)
	for i := range t.NumField() {
		field := t.Field(i)
		if field.Offset != end {
			return fmt.Errorf("%d bytes of padding before field %s", field.Offset-end, field.Name)
		}
		if err := packed(field.Type); err != nil {
			return fmt.Errorf("field %s: %w", field.Name, err)
		}
		end += field.Type.Size()
	}
	if end != t.Size() {
		return fmt.Errorf("%d bytes of padding at its end", t.Size()-end)
	}
	return nil
}

// declaration returns a field as a C++ member.
func declaration(field reflect.StructField) (string, error) {
	word, tagged := field.Tag.Lookup("cuda")
	t, extent := field.Type, ""
	entries, isList := strings.CutSuffix(word, "[]")
	if isList || !tagged {
		for t.Kind() == reflect.Array {
			extent += fmt.Sprintf("[%d]", t.Len())
			t = t.Elem()
		}
		word = entries
	}
	switch {
	case isList && extent == "":
		return "", fmt.Errorf("is not an array: %s[]", word)
	case tagged && word == "":
		return "", errors.New("has an empty tag")
	case tagged:
	case words[t.Kind()] != "":
		word = words[t.Kind()]
	default:
		return "", fmt.Errorf("has type %v: want a tag that names the kernel's type", field.Type)
	}
	if !strings.HasSuffix(word, "*") {
		word += " "
	}
	return word + snake(field.Name) + extent, nil
}

// words maps Go's word types to the kernels' dialect.
var words = map[reflect.Kind]string{
	reflect.Uint8: "u8", reflect.Uint32: "u32", reflect.Uint64: "u64", reflect.Int64: "i64",
}

// snake converts a Go name to C++: LogSize becomes log_size, PC becomes pc. A field without a name becomes unused.
func snake(name string) string {
	if name == "_" {
		return "unused"
	}
	var text strings.Builder
	var before rune
	for i, letter := range name {
		if unicode.IsUpper(letter) && i > 0 && !unicode.IsUpper(before) {
			text.WriteByte('_')
		}
		text.WriteRune(unicode.ToLower(letter))
		before = letter
	}
	return text.String()
}
