// Package profile says, one file a test profile, how the options that a
// result file publishes become the command that was run: by profile version,
// with what is a default, what is published and what nobody can know.
package profile
