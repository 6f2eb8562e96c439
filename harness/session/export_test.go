package session

import "time"

// SetTimeout shortens the deadline of what follows.
func (s *Session) SetTimeout(d time.Duration) { s.child.command.Timeout = d }

// SetTimeout shortens the deadline of what follows.
func (p *Process) SetTimeout(d time.Duration) { p.command.Timeout = d }

// SetReap shortens the patience with a child that should end.
func SetReap(d time.Duration) { reap = d }

// Kill ends a session as an error does.
func (s *Session) Kill() { s.end() }
