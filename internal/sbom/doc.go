// Package sbom lists the components of a Go program, as a software bill of materials in CycloneDX 1.6.
//
// The list comes from the build information in the program itself: the linked modules, with versions and checksums of
// go.sum, the standard library, and the build settings. So it describes this file, not what go.mod would allow. It has
// no time and no serial number: the same program gives the same bytes.
package sbom
