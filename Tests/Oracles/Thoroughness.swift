// The size of the tests: a sample by default, everything under `scripts/test --full`.

import Glibc

/// The chosen amount of work.
public enum Thoroughness {
    /// True if `ROOSTER_FULL` requests the long versions.
    public static var isFull: Bool { getenv("ROOSTER_FULL") != nil }

    /// Returns `full` in a full run, otherwise `sample`.
    public static func pick(_ sample: Int, full: Int) -> Int {
        isFull ? full : sample
    }
}
