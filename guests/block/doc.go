// Package block tests the built guest that validates Ethereum blocks, block.elf. The guest is the crate in this folder,
// docs/guide/block.md defines its statement, and package witness makes its input.
package block
