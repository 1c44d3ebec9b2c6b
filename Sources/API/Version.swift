// The version of Rooster, shared by both programs.

/// The version that `--version` prints.
package let roosterVersion = "0.1"
