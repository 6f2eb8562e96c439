package device

import "github.com/chiasmus/chiasmus/cuda"

// fileBytes is the room of a file at first: more than proofs with the presets take.
const fileBytes = 8 << 20

// File is pinned memory that the device writes files to, one after the other.
type File struct {
	transfer *Transfer
	staging  *cuda.Staging
}

// NewFile pins memory for a file.
func (t *Transfer) NewFile() (*File, error) {
	f := &File{transfer: t}
	return f, f.grow(fileBytes)
}

// Write waits for everything queued so far and returns some bytes with those of a span behind them. They lie where the
// device wrote them, until the next call or until the file is closed.
func (f *File) Write(front []byte, from cuda.Span) ([]byte, error) {
	// The device writes whole pages, and the host those before meanwhile.
	lead := (uint64(len(front)) + pageBytes - 1) / pageBytes * pageBytes
	end := lead + from.Size()
	if end > f.staging.Size() {
		// Or a little more: the next file is hardly of the same size.
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

// grow takes other memory.
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
