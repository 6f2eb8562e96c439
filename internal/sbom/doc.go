// Package sbom lists what a Go program was built from, as a software bill of materials in CycloneDX 1.6.
//
// The list is what the Go tool recorded in the program itself: the modules that were linked, with versions and
// checksums of go.sum, the standard library and the settings of the build. So it is of this file and not of what go.mod
// would allow. The same program gives the same bytes: there is no time and no serial number in them.
package sbom
