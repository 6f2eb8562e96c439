package cli

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"github.com/chiasmus/chiasmus/internal/plural"
	"github.com/chiasmus/chiasmus/prover/aggregate"
	"github.com/chiasmus/chiasmus/prover/protocol"
	"github.com/chiasmus/chiasmus/prover/verify"
	"github.com/chiasmus/chiasmus/prover/verify/known"
)

// keptNodes are the finished nodes and shards of an unfinished aggregation, with a file for each.
type keptNodes struct {
	folder string

	mu     sync.Mutex
	paths  []string // of the nodes and shards of this aggregation
	nodes  int      // written by this aggregation
	shards int
}

func (k *keptNodes) path(kind string, name nodeName) string {
	return filepath.Join(k.folder, fmt.Sprintf("%s%x.proof", kind, name))
}

// Kinds of files.
const (
	keptNode  = ""
	keptShard = "shard-"
)

// node returns a kept node, if it is there and valid.
func (k *keptNodes) node(ctx context.Context, name nodeName) []byte {
	proof, err := readFile(k.path(keptNode, name), maxProofBytes)
	if err != nil {
		return nil
	}
	id := aggregate.ID()
	if _, err := verify.Verify(ctx, proof, verify.Options{Find: known.Find(&id)}); err != nil {
		return nil
	}
	k.add(k.path(keptNode, name), nil)
	return proof
}

func (k *keptNodes) putNode(name nodeName, proof []byte) error {
	return k.put(k.path(keptNode, name), proof, &k.nodes)
}

// shardName returns the digest of everything that determines a shard's proof.
func shardName(key *protocol.Key, common protocol.Common, number int) nodeName {
	h := sha256.New()
	fmt.Fprintf(h, "%x %v %v %d\n", key.ProgramID(), key.Params, common, number)
	return nodeName(h.Sum(nil))
}

// shard returns a kept proof of a shard with these commitments, if it is there and valid.
func (k *keptNodes) shard(key *protocol.Key, set *protocol.Set, common protocol.Common, number int) *protocol.Proof {
	path := k.path(keptShard, shardName(key, common, number))
	data, err := readFile(path, maxProofBytes)
	if err != nil {
		return nil
	}
	proof, want := new(protocol.Proof), set.Shards[number]
	if proof.UnmarshalBinary(data) != nil || !slices.Equal(proof.MainCap, want.MainCap) ||
		!slices.Equal(proof.Instances, want.Instances) || !slices.Equal(proof.Public.Values, want.Public.Values) ||
		!bytes.Equal(proof.Public.Data, want.Public.Data) || verify.Shard(proof, number, common, key) != nil {
		return nil
	}
	k.add(path, nil)
	return proof
}

func (k *keptNodes) putShard(key *protocol.Key, common protocol.Common, number int, proof *protocol.Proof) error {
	data, err := proof.MarshalBinary()
	if err != nil {
		return err
	}
	return k.put(k.path(keptShard, shardName(key, common, number)), data, &k.shards)
}

func (k *keptNodes) put(path string, data []byte, count *int) error {
	if err := os.MkdirAll(k.folder, 0o755); err != nil {
		return err
	}
	k.add(path, count)
	return writeWhole(path, data)
}

// add records a file of this aggregation.
func (k *keptNodes) add(path string, count *int) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.paths = append(k.paths, path)
	if count != nil {
		*count++
	}
}

// saying adds to the error of an aggregation the nodes and shards that are kept for the next attempt.
func (k *keptNodes) saying(err error) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	switch {
	case err == nil || k.nodes+k.shards == 0:
		return err
	case k.shards == 0:
		return fmt.Errorf("%w; %s kept in %s for the same command", err, plural.Of(k.nodes, "node"), k.folder)
	}
	return fmt.Errorf("%w; %s and %s kept in %s for the same command", err, plural.Of(k.shards, "shard"),
		plural.Of(k.nodes, "node"), k.folder)
}

// remove removes the nodes and shards, and the folder if nothing else is there.
func (k *keptNodes) remove() (err error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, path := range k.paths {
		if failed := os.Remove(path); !errors.Is(failed, os.ErrNotExist) {
			err = errors.Join(err, failed)
		}
	}
	if entries, failed := os.ReadDir(k.folder); failed == nil && len(entries) == 0 {
		err = errors.Join(err, os.Remove(k.folder))
	}
	return err
}
