package nightly

import (
	"reflect"
	"strings"
)

// A record contains text from the executor. A line longer than readHistory accepts would block all later nights, so
// texts and lists are truncated on writing: a record stays under 1 MiB.
const (
	maxText = 1000 // bytes of one text
	maxList = 256  // entries of one list
)

// bounded returns a copy of a record with bounded texts and lists.
func bounded(record Record) Record {
	return cut(reflect.ValueOf(record)).Interface().(Record)
}

// cut copies a value recursively. It omits unexported fields, which records do not have.
func cut(value reflect.Value) reflect.Value {
	out := reflect.New(value.Type()).Elem()
	switch value.Kind() {
	case reflect.String:
		out.SetString(clipBytes(value.String(), maxText))
	case reflect.Pointer:
		if !value.IsNil() {
			out.Set(reflect.New(value.Type().Elem()))
			out.Elem().Set(cut(value.Elem()))
		}
	case reflect.Slice:
		if !value.IsNil() {
			out.Set(reflect.MakeSlice(value.Type(), min(value.Len(), maxList), min(value.Len(), maxList)))
			for i := range out.Len() {
				out.Index(i).Set(cut(value.Index(i)))
			}
		}
	case reflect.Struct:
		out.Set(value)
		for i := range value.NumField() {
			if value.Type().Field(i).IsExported() {
				out.Field(i).Set(cut(value.Field(i)))
			}
		}
	default:
		out.Set(value)
	}
	return out
}

// clipBytes truncates a text to n bytes at a character boundary.
func clipBytes(text string, n int) string {
	if len(text) <= n {
		return text
	}
	const mark = "…"
	return strings.ToValidUTF8(text[:n-len(mark)], "") + mark
}

// shortened truncates Markdown to n bytes at the end of a line, with a notice.
func shortened(text string, n int) string {
	if len(text) <= n {
		return text
	}
	const note = "\n\n… The rest does not fit here, but is in the history.\n"
	text = text[:n-len(note)]
	return text[:strings.LastIndexByte(text, '\n')+1] + note
}
