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

// Said says whether a line of the session waits to be read.
func (s *Session) Said() bool { return len(s.lines) > 0 }

// Resume continues a paused session without a request.
func (s *Session) Resume() error { return s.resume() }

// Processes lists the session's processes.
func (s *Session) Processes() []int { return s.child.group.Processes() }
