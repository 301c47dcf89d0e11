// Package oracle is test support: it reads the truth of a result file by
// other means than the project's readers (encoding/xml and encoding/json
// alone) and says where a record differs from it.
//
// [Truth] reads hand-checked truth files, [XML] the composite.xml that a
// page or text was rendered from, and [Diff] compares. The facts lie in a
// directory beside the repository; tests that need it skip where it is absent
// ([Shared]).
package oracle
