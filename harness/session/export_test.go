package session

import "time"

// SetTimeout shortens the deadline of the following requests.
func (s *Session) SetTimeout(d time.Duration) { s.child.command.Timeout = d }

// SetTimeout shortens the deadline of the following requests.
func (p *Process) SetTimeout(d time.Duration) { p.command.Timeout = d }

// SetReap shortens the time given to a child that should end.
func SetReap(d time.Duration) { reap = d }

// Kill ends a session as an error does.
func (s *Session) Kill() { s.end() }

// Said reports whether a line of the session is waiting to be read.
func (s *Session) Said() bool { return len(s.lines) > 0 }

// Resume continues a paused session without a request.
func (s *Session) Resume() error { return s.resume() }

// Processes lists the session's processes.
func (s *Session) Processes() []int { return s.child.group.Processes() }
