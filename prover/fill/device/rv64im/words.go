package rv64im

import (
	"reflect"
	"unsafe"
)

const wordBytes = 8

// wordsOf views the records of a slice as words. If the records end with half a word, the slice is extended by a zero
// record.
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

// recordBytes returns the size of a record of a slice.
func recordBytes(records any) int { return int(reflect.TypeOf(records).Elem().Size()) }
