package build

import (
	"io"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/chiasmus/chiasmus/harness/isolate"
	"github.com/chiasmus/chiasmus/internal/hosttest"
)

// A step that cannot reach its address ends soon and reports what was refused. The harness's own addresses are refused.
func TestFetchThatReachesNothingEnds(t *testing.T) {
	w, err := openWayOut(t.Context(), time.Millisecond)
	if err != nil {
		t.Fatal(err)
	}
	go func() {
		connection, err := net.Dial("unix", w.Socket)
		if err != nil {
			return // the step then runs until the timeout below
		}
		defer connection.Close()
		_, _ = io.WriteString(connection, "CONNECT 127.0.0.1:9 HTTP/1.1\r\nHost: 127.0.0.1:9\r\n\r\n")
		_, _ = io.ReadAll(connection)
	}()
	select {
	case <-w.ctx.Done():
	case <-time.After(5 * time.Minute):
		t.Fatal("the step runs on")
	}
	var log strings.Builder
	if err := w.end(nil, &log); err != nil || !strings.Contains(log.String(), `no connection to "127.0.0.1:9": 127.`) {
		t.Errorf("%v, %q", err, log.String())
	}
}

// The error of a step that ends by itself names the refusal, too.
func TestRefusalsAreInTheError(t *testing.T) {
	isolation := hosttest.Isolates(t)
	f := newFixture(t)
	req := f.request(f.commit(simple))
	req.Isolation = &isolate.Spec{Program: isolation}
	req.Build.Fetch = []string{"bash", "-c", `p=${https_proxy#http://}; exec 3<>/dev/tcp/${p%:*}/${p#*:}; ` +
		`printf 'CONNECT 127.0.0.1:9 HTTP/1.1\r\nHost: x\r\n\r\n' >&3; read -r answer <&3; echo "$answer"; exit 7`}
	_, err := f.cache.Build(t.Context(), req)
	if err == nil || !strings.Contains(err.Error(), `exit status 7: no connection to "127.0.0.1:9": 127.0.0.1`) {
		t.Errorf("%v", err)
	}
}
