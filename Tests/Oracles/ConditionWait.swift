// The wait for conditions that no event reports.

/// The error if a condition did not hold in time.
public struct WaitedInVain: Error {}

/// Waits until a condition holds, and throws after two minutes. Checks it every few milliseconds.
///
/// Use it for hardware and other programs only. A service in the same process reports to its subscribers.
public func waitUntil(
    everyMilliseconds interval: Int = 5, isolation: isolated (any Actor)? = #isolation,
    _ isSo: () async throws -> Bool
) async throws {
    let clock = ContinuousClock()
    let end = clock.now.advanced(by: .seconds(120))
    while try await !isSo() {
        guard clock.now < end else { throw WaitedInVain() }
        try await Task.sleep(for: .milliseconds(interval))
    }
}
