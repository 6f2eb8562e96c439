// Package block tests the guest that validates Ethereum blocks, as it was built: block.elf. The guest is the crate in
// this folder, docs/guide/block.md says what it states, and package witness makes its input.
package block
