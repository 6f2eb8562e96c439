package rv64im

import (
	"reflect"
	"unsafe"
)

const wordBytes = 8

// wordsOf are the records of a slice as they lie in memory. Where they end in half a word, the slice has room for
// another record, which is zero.
func wordsOf(records any) []uint64 {
	v := reflect.ValueOf(records)
	bytes := v.Len() * recordBytes(records)
	if bytes == 0 {
		return nil
	}
	if bytes%wordBytes != 0 {
		v = reflect.Append(v, reflect.Zero(v.Type().Elem()))
	}
	return unsafe.Slice((*uint64)(v.UnsafePointer()), (bytes+wordBytes-1)/wordBytes)
}

// recordBytes is the size of a record of a slice.
func recordBytes(records any) int { return int(reflect.TypeOf(records).Elem().Size()) }
