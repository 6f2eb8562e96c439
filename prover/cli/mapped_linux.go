package cli

import (
	"errors"
	"os"
	"runtime/debug"
	"sync"
	"syscall"
)

// mapped is the beginning of a file in memory, with a page for each of its pages. Several processors fill it at once,
// which a file's lock prevents for writes.
type mapped []byte

// mapFile maps the first size bytes of a file, which must have been written, and sets them to 0. It returns nil if that
// is impossible. MAP_POPULATE would map the pages for reading, and the first write to each page would still be a fault.
func mapFile(file *os.File, size int) mapped {
	if size == 0 {
		return nil
	}
	m, err := syscall.Mmap(int(file.Fd()), 0, size, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_SHARED)
	if err != nil {
		return nil
	}
	if orFault(func() { clear(m) }) != nil {
		mapped(m).unmap()
		return nil
	}
	return m
}

// errFault means that a page of a mapped file could not be written, for example because the disk is full.
var errFault = errors.New("a page of the file is missing")

// fill copies data, which must fit, to the beginning of the file.
func (m mapped) fill(data []byte) error {
	const part = 2 << 20 // bytes: a goroutine starts in a tenth of the time that copying them takes
	var group sync.WaitGroup
	errs := make([]error, (len(data)+part-1)/part)
	for i := range errs {
		from, to := i*part, min((i+1)*part, len(data))
		group.Go(func() { errs[i] = orFault(func() { copy(m[from:to], data[from:to]) }) })
	}
	group.Wait()
	return errors.Join(errs...)
}

// orFault accesses a mapping, and returns an error where the kernel refuses a page.
func orFault(access func()) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if recover() != nil {
			err = errFault
		}
	}()
	access()
	return nil
}

// unmap ends the mapping. Unmapping pages takes time, so it happens concurrently.
func (m mapped) unmap() {
	if m != nil {
		go func() { _ = syscall.Munmap(m) }() // fails only for slices that are no mapping
	}
}
