package journal

import (
	"encoding/json"
	"errors"
	"io"
	"net"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// machineName is the name of the measurement that runs on this machine.
const machineName = "@chiasmus-measurement"

// claim claims an abstract name of unix sockets (unix(7)): it is nobody's file, every user of the machine sees it, one
// process has it, and it is free when that process ends. Who asks is told the process and what it does. Where the name
// is taken, claimed is nil and holder says by whom. Containers with a network of their own have names of their own.
func claim(name string, me Holder) (claimed io.Closer, holder Holder, err error) {
	listener, err := net.Listen("unix", name)
	if errors.Is(err, syscall.EADDRINUSE) {
		return nil, ask(name), nil
	}
	if err != nil {
		return nil, Holder{}, err
	}
	me.Run = "" // a path of this user's
	text, err := json.Marshal(me)
	if err != nil {
		listener.Close()
		return nil, Holder{}, err
	}
	go func() {
		for {
			c, err := listener.Accept()
			if err != nil {
				return // it was closed
			}
			_ = c.SetDeadline(time.Now().Add(time.Second))
			_, _ = c.Write(text) // who does not listen is told nothing
			c.Close()
		}
	}()
	return listener, Holder{}, nil
}

// ask asks who has a name. The kernel knows the process at least.
func ask(name string) (h Holder) {
	c, err := net.DialTimeout("unix", name, time.Second)
	if err != nil {
		return Holder{}
	}
	defer c.Close()
	_ = c.SetDeadline(time.Now().Add(time.Second))
	const most = 1 << 12
	text, _ := io.ReadAll(io.LimitReader(c, most))
	if json.Unmarshal(text, &h) != nil {
		h = Holder{What: "a program of another user"}
	}
	h.Run = ""
	raw, err := c.(*net.UnixConn).SyscallConn()
	if err != nil {
		return h
	}
	_ = raw.Control(func(fd uintptr) {
		if peer, err := unix.GetsockoptUcred(int(fd), unix.SOL_SOCKET, unix.SO_PEERCRED); err == nil {
			h.PID = int(peer.Pid)
		}
	})
	return h
}
