// Convert writes the input of the guest that validates Ethereum blocks (guests/block).
//
//	convert --block block.json --witness witness.json [--chain 1] --output block.bin
//	convert --scroll 1-23587691.json --output block.bin
//	convert --reth mainnet_24628608_146_12_zec_reth.bin --output block.bin
//	convert --zeth 23879620_142_50_zeth.bin [--chain 1] --output block.bin
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"

	"github.com/chiasmus/chiasmus/guests/block/witness"
)

// options has the flags' values.
type options struct {
	block, witness, scroll, reth, zeth, output string
	chain                                      uint64
}

func main() {
	switch err := run(os.Args[1:], os.Stdout, os.Stderr); {
	case errors.Is(err, flag.ErrHelp):
	case err != nil:
		fmt.Fprintln(os.Stderr, "convert:", err)
		os.Exit(1)
	}
}

func run(args []string, stdout, stderr io.Writer) error {
	var o options
	flags := flag.NewFlagSet("convert", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.StringVar(&o.block, "block", "",
		"a `FILE` of eth_getBlockByNumber with whole transactions, or of debug_getRawBlock")
	flags.StringVar(&o.witness, "witness", "", "a `FILE` of debug_executionWitness for that block")
	flags.Uint64Var(&o.chain, "chain", 1, "the `ID` of the chain of --block or --zeth; other files have it")
	flags.StringVar(&o.scroll, "scroll", "",
		"instead a `FILE` of scroll-tech/stateless-block-verifier (testdata/ethereum)")
	flags.StringVar(&o.reth, "reth", "",
		"instead a `FILE` of 0xPolygonHermez/zisk-eth-client: an input of its guest for reth")
	flags.StringVar(&o.zeth, "zeth", "",
		"instead a `FILE` of 0xPolygonHermez/zisk-eth-client: an input of its former guest for zeth")
	flags.StringVar(&o.output, "output", "", "the `FILE` to write: the private input of guests/block")
	if err := flags.Parse(args); err != nil {
		return err
	}
	switch {
	case flags.NArg() > 0:
		return fmt.Errorf("unexpected argument %q", flags.Arg(0))
	case o.output == "":
		return errors.New("--output is missing")
	}
	b, err := o.read()
	if err != nil {
		return err
	}
	encoded := b.Encode()
	if err := os.WriteFile(o.output, encoded, 0o644); err != nil {
		return err
	}
	_, err = fmt.Fprintf(stdout,
		"%s: %d bytes, chain %d: headers %d, transactions %d, withdrawals %d, nodes %d, codes %d\n",
		o.output, len(encoded), b.ChainID,
		len(b.Headers), len(b.Transactions), len(b.Withdrawals), len(b.Nodes), len(b.Codes))
	return err
}

// read reads the files that the flags name.
func (o *options) read() (*witness.Block, error) {
	chosen := 0
	for _, path := range []string{o.block, o.scroll, o.reth, o.zeth} {
		if path != "" {
			chosen++
		}
	}
	if chosen != 1 || (o.block == "") != (o.witness == "") {
		return nil, errors.New("give one of --block with --witness, --scroll, --reth, --zeth")
	}
	if o.block != "" {
		block, err := os.ReadFile(o.block)
		if err != nil {
			return nil, err
		}
		executionWitness, err := os.ReadFile(o.witness)
		if err != nil {
			return nil, err
		}
		return witness.FromNode(o.chain, block, executionWitness)
	}
	path, read := o.scroll, witness.FromScroll
	switch {
	case o.reth != "":
		path, read = o.reth, witness.FromReth
	case o.zeth != "":
		path = o.zeth
		read = func(data []byte) (*witness.Block, error) { return witness.FromZeth(o.chain, data) }
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	b, err := read(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return b, nil
}
