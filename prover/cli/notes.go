package cli

import "io"

// notes shows the notes of a guest once, even if its run is repeated. The same program writes the same notes on the
// same input, and an aborted run writes a prefix of them.
type notes struct {
	out   io.Writer
	shown uint64  // bytes, of the run that progressed furthest
	bar   *cycles // the progress bar to hide before text on a terminal; nil for none
}

// ofRun returns the function that receives the next run's notes. Runs do not overlap.
func (n *notes) ofRun() func(text []byte) {
	if n == nil {
		return nil
	}
	at := uint64(0)
	return func(text []byte) {
		at += uint64(len(text))
		if at <= n.shown {
			return
		}
		fresh := min(at-n.shown, uint64(len(text)))
		n.shown = at
		n.bar.hide()
		_, _ = n.out.Write(text[uint64(len(text))-fresh:]) // a failure to show notes does not stop the run
	}
}
