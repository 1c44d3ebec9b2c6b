// Which Rooster this is: both programs are of one version.

/// As `--version` says it.
package let roosterVersion = "0.1"
