// The queue of a device's reports to its listener.

/// A bounded queue of reports for one listener. A late listener receives only the most recent reports.
package struct ReportStream<Report: Sendable>: Sendable {
    package let reports: AsyncStream<Report>
    private let continuation: AsyncStream<Report>.Continuation

    /// Creates a queue. Without a listener it keeps the last `countMax` reports.
    package init(countMax: Int = 256) {
        (reports, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(countMax))
    }

    package func emit(_ report: Report) { continuation.yield(report) }

    /// Ends the stream after the waiting reports.
    package func finish() { continuation.finish() }
}
