package session

import (
	"errors"
	"os"
)

// redirect opens the input file of a process and creates the output file. Either is nil if not configured.
func (c Command) redirect(output string) (stdin, stdout *os.File, err error) {
	if c.Stdin != "" {
		if stdin, err = os.Open(c.Stdin); err != nil {
			return nil, nil, err
		}
	}
	if output != "" {
		if stdout, err = os.OpenFile(output, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644); err != nil {
			return nil, nil, errors.Join(err, closeAll(stdin))
		}
	}
	return stdin, stdout, nil
}

// closeAll closes the files that are not nil.
func closeAll(files ...*os.File) error {
	var err error
	for _, f := range files {
		if f != nil {
			err = errors.Join(err, f.Close())
		}
	}
	return err
}
