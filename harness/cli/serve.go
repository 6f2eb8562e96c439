package cli

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"

	"github.com/spf13/cobra"

	"github.com/chiasmus/chiasmus/harness/failure"
	"github.com/chiasmus/chiasmus/reporters/document"
	"github.com/chiasmus/chiasmus/reporters/site"
)

func (a *app) serve() *cobra.Command {
	address := "127.0.0.1:8380"
	c := &cobra.Command{Use: "serve [FOLDER]", Short: textServeShort, Long: textServeLong, Args: cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			folder := "."
			if len(args) == 1 {
				folder = args[0]
			}
			if _, err := a.loadSite(folder); err != nil {
				return a.failed(&failure.UsageError{Err: err})
			}
			host, _, err := net.SplitHostPort(address)
			if ip := net.ParseIP(host); err != nil || ip == nil || !ip.IsLoopback() {
				return a.failed(&failure.UsageError{Err: fmt.Errorf("--address %s: want a loopback address such as "+
					"127.0.0.1:8380", address)})
			}
			listener, err := net.Listen("tcp", address)
			if err != nil {
				return a.failed(&failure.UsageError{Err: fmt.Errorf("--address: %w", err)})
			}
			server := &http.Server{Handler: site.Handler(folder, version()), ReadHeaderTimeout: 10 * time.Second}
			fmt.Fprintf(a.stdout, "http://%s/\n", listener.Addr())
			fmt.Fprintln(a.stderr, "harness: press Ctrl-C to stop")
			go func() {
				<-a.stop
				_ = server.Shutdown(context.Background())
			}()
			if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
				return a.failed(err)
			}
			return nil
		}}
	c.Flags().StringVar(&address, "address", address,
		"listen on `HOST:PORT`, a loopback address; port 0 chooses a free port")
	return c
}

// loadSite reads the runs below a folder and warns about unreadable ones.
func (a *app) loadSite(folder string) (*site.Site, error) {
	s, err := site.Load(folder, version())
	if err != nil {
		return nil, err
	}
	for _, one := range s.Unread {
		fmt.Fprintf(a.stderr, "harness: warning: %s\n", document.Clean(one))
	}
	return s, nil
}
