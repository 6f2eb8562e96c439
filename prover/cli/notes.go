package cli

import "io"

// notes shows the notes of a guest, once however often its run is repeated: the same program shows the same on the same
// input, and a run that was given up shows the beginning of it.
type notes struct {
	out   io.Writer
	shown uint64  // bytes, of the run that came farthest
	bar   *cycles // that is in the way of them on a terminal; nil for none
}

// ofRun is what a run hands its notes to. Runs follow each other.
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
		_, _ = n.out.Write(text[uint64(len(text))-fresh:]) // what cannot be shown stops no run
	}
}
