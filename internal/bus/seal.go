package bus

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nkeys"
)

// sealed is a signed order: a body that is valid for one purpose, until it expires.
type sealed struct {
	For       string    `json:"for"` // such as the subject under which the order is sent
	Expires   time.Time `json:"expires"`
	Body      []byte    `json:"body"`
	Signature []byte    `json:"signature"`
}

// statement returns the bytes that are signed. Every field is preceded by its length, so different orders have
// different statements.
func (s *sealed) statement() []byte {
	out := []byte("chiasmus order 1\n")
	expires := binary.BigEndian.AppendUint64(nil, uint64(s.Expires.UnixNano()))
	for _, part := range [][]byte{[]byte(s.For), expires, s.Body} {
		out = append(binary.BigEndian.AppendUint64(out, uint64(len(part))), part...)
	}
	return out
}

// CanSeal returns an error that names what this connection lacks to sign orders, or nil.
func (b *Bus) CanSeal() error {
	if b.credential == nil || b.credential.Orders == nil {
		return fmt.Errorf("%s may not order: its credential has no line %s", b.owner(), ordersWord)
	}
	return nil
}

// Seal signs a body with the order key of this connection's credential. The order is valid for this purpose only, until
// it expires.
func (b *Bus) Seal(purpose string, expires time.Time, body []byte) ([]byte, error) {
	if err := b.CanSeal(); err != nil {
		return nil, err
	}
	s := &sealed{For: purpose, Expires: expires.UTC(), Body: body}
	var err error
	if s.Signature, err = b.credential.Orders.Sign(s.statement()); err != nil {
		return nil, err
	}
	return json.Marshal(s)
}

// SealError reports an order that must not be obeyed.
type SealError struct{ Why string }

func (e *SealError) Error() string { return "an order is refused: " + e.Why }

// CanUnseal returns an error that names what this connection lacks to check orders, or nil.
func (b *Bus) CanUnseal() error {
	if b.credential == nil {
		return errors.New("orders cannot be checked without a credential, which has the key of their signer")
	}
	if b.credential.From == "" {
		return fmt.Errorf("the credential of %s has no line %s with the key of its orders' signer: copy the credential from "+
			"the server's folder, or create it again", b.owner(), fromWord)
	}
	return nil
}

// Unseal returns the body of an order for a purpose. The holder of the key in this connection's credential must have
// signed it; otherwise the error is a [SealError].
func (b *Bus) Unseal(purpose string, data []byte) ([]byte, error) {
	if err := b.CanUnseal(); err != nil {
		return nil, err
	}
	s := new(sealed)
	if err := json.Unmarshal(data, s); err != nil || s.Signature == nil {
		return nil, &SealError{"it is not signed"}
	}
	key, err := nkeys.FromPublicKey(b.credential.From)
	if err != nil {
		return nil, err
	}
	switch {
	case key.Verify(s.statement(), s.Signature) != nil:
		return nil, &SealError{"its signature is not that of " + b.credential.From}
	case s.For != purpose:
		return nil, &SealError{fmt.Sprintf("it was signed for %q, not for %q", s.For, purpose)}
	case !time.Now().Before(s.Expires):
		return nil, &SealError{"it expired on " + s.Expires.Format(time.DateTime) + " UTC"}
	}
	return s.Body, nil
}
