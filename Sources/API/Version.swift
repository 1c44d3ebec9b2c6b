// The version of Rooster, shared by both programs.

/// The text that `--version` prints.
package let roosterVersion = "0.1"
