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

// machineName is the socket name held by the measurement that runs on this machine.
const machineName = "@chiasmus-measurement"

// claim claims an abstract name of a unix socket (unix(7)). No file backs such a name, every user of the machine sees
// it, one process holds it, and it is free when that process ends. The holder describes its process and activity to
// every client that connects. If the name is taken, claimed is nil and holder describes the holder. A container with
// its own network namespace has its own names.
func claim(name string, me Holder) (claimed io.Closer, holder Holder, err error) {
	listener, err := net.Listen("unix", name)
	if errors.Is(err, syscall.EADDRINUSE) {
		return nil, ask(name), nil
	}
	if err != nil {
		return nil, Holder{}, err
	}
	me.Run = "" // a path of this user
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
			_, _ = c.Write(text) // the peer need not read
			c.Close()
		}
	}()
	return listener, Holder{}, nil
}

// ask asks the holder of a name to describe itself. The kernel provides at least its process.
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
