package device

import "github.com/chiasmus/chiasmus/cuda"

// fileBytes is the initial capacity of a file, which is more than proofs with the presets take.
const fileBytes = 8 << 20

// File is pinned memory to which the device writes files, one after another.
type File struct {
	transfer *Transfer
	staging  *cuda.Staging
}

// NewFile pins memory for a file.
func (t *Transfer) NewFile() (*File, error) {
	f := &File{transfer: t}
	return f, f.grow(fileBytes)
}

// Write waits for everything queued so far, and returns front followed by the bytes of a span. The result is in the
// file's memory, and valid until the next call or until the file is closed.
func (f *File) Write(front []byte, from cuda.Span) ([]byte, error) {
	// The device writes from a page boundary on, while the host writes the pages before it.
	lead := (uint64(len(front)) + pageBytes - 1) / pageBytes * pageBytes
	end := lead + from.Size()
	if end > f.staging.Size() {
		// Take a little more, because the next file may be slightly larger.
		if err := f.grow(end + end/8); err != nil {
			return nil, err
		}
	}
	to, err := f.staging.Span(lead, from.Size())
	if err != nil {
		return nil, err
	}
	if err := f.transfer.stream.Download(to, from); err != nil {
		return nil, err
	}
	written := f.staging.Bytes()[lead-uint64(len(front)) : end]
	copy(written, front)
	return written, f.transfer.Synchronize()
}

// grow replaces the memory by memory of the given size.
func (f *File) grow(size uint64) error {
	larger, err := f.transfer.stream.Context().NewStaging("file staging", size)
	if err != nil {
		return err
	}
	old := f.staging
	f.staging = larger
	if old == nil {
		return nil
	}
	return old.Close()
}

// Close unpins the memory.
func (f *File) Close() error {
	if f.staging == nil {
		return nil
	}
	return f.staging.Close()
}
