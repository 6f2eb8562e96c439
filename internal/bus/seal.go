package bus

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nkeys"
)

// sealed is a signed order: a body that counts for one purpose until it expires.
type sealed struct {
	For       string    `json:"for"` // such as the subject that the order is sent under
	Expires   time.Time `json:"expires"`
	Body      []byte    `json:"body"`
	Signature []byte    `json:"signature"`
}

// statement is what is signed. Every field has its length before it, so that no two orders have one statement.
func (s *sealed) statement() []byte {
	out := []byte("chiasmus order 1\n")
	expires := binary.BigEndian.AppendUint64(nil, uint64(s.Expires.UnixNano()))
	for _, part := range [][]byte{[]byte(s.For), expires, s.Body} {
		out = append(binary.BigEndian.AppendUint64(out, uint64(len(part))), part...)
	}
	return out
}

// CanSeal says what is missing for this connection to order.
func (b *Bus) CanSeal() error {
	if b.credential == nil || b.credential.Orders == nil {
		return fmt.Errorf("%s may not order: its credential has no line %s", b.Owner(), ordersWord)
	}
	return nil
}

// Seal signs a body with the key for orders of this connection's credential. It counts for this purpose alone, until it
// expires.
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

// SealError is an order that is not to be obeyed.
type SealError struct{ Why string }

func (e *SealError) Error() string { return "an order is refused: " + e.Why }

// CanUnseal says what is missing for this connection to check orders.
func (b *Bus) CanUnseal() error {
	if b.credential == nil {
		return errors.New("orders cannot be checked without a credential, which says whose they are to be")
	}
	if b.credential.From == "" {
		return fmt.Errorf("the credential of %s has no line %s, which says whose orders it takes: copy the one from the "+
			"server's folder, or make it anew", b.Owner(), fromWord)
	}
	return nil
}

// Unseal returns the body of an order that the holder of the key in this connection's credential signed for a purpose.
// Any other is a [SealError].
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
