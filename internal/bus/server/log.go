package server

import (
	"errors"
	"fmt"
	"sync"
)

// firstError is a log that keeps the first error, the reason why a server did not start.
type firstError struct {
	mu    sync.Mutex
	first error
}

func (l *firstError) note(format string, values []any) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.first == nil {
		l.first = fmt.Errorf(format, values...)
	}
}

func (l *firstError) err() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.first == nil {
		return errors.New("it logged no error")
	}
	return l.first
}

func (l *firstError) Errorf(format string, values ...any) { l.note(format, values) }
func (l *firstError) Fatalf(format string, values ...any) { l.note(format, values) }

func (*firstError) Noticef(string, ...any) {}
func (*firstError) Warnf(string, ...any)   {}
func (*firstError) Debugf(string, ...any)  {}
func (*firstError) Tracef(string, ...any)  {}
