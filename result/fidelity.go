package result

// Fidelity says how near a replay's tool is to the published one.
type Fidelity string

// The degrees of fidelity, best first. Values of the last two say nothing of
// published values: only direction and ratios between configurations do.
const (
	NativeSameVersion  Fidelity = "native-same-version"  // the tool, in its published version
	NativeOtherVersion Fidelity = "native-other-version" // the tool, in another version
	UserBinary         Fidelity = "user-binary"          // a build of the user's
	Reimplementation   Fidelity = "reimplementation"     // the algorithm, written anew
	Emulation          Fidelity = "emulation"            // like input and output by another tool
)

// Values reports whether values of this fidelity may be held against
// published ones, and not only their ratios.
func (f Fidelity) Values() bool {
	return f == NativeSameVersion || f == NativeOtherVersion || f == UserBinary
}
