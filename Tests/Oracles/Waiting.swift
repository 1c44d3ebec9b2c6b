// Waiting for what no event reports.

/// A condition that did not come to hold in time.
public struct WaitedInVain: Error {}

/// Waits until a condition holds, which is checked every few milliseconds, and gives up after two minutes.
///
/// For hardware and other programs alone: what a service in the same process does, it reports to its subscribers.
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
