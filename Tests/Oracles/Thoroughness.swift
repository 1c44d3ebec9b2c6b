// How much the tests do: a sample in each run, everything under `scripts/test --full`.

import Glibc

/// What this run is to compare.
public enum Thoroughness {
    /// Whether `ROOSTER_FULL` asks for the long versions.
    public static var isFull: Bool { getenv("ROOSTER_FULL") != nil }

    /// The number that fits this run.
    public static func pick(_ sample: Int, full: Int) -> Int {
        isFull ? full : sample
    }
}
