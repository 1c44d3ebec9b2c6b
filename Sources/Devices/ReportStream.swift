// Reports of a device on their way to its listener.

/// A bounded queue of reports for one listener. A late listener receives only the most recent reports.
package struct ReportStream<Report: Sendable>: Sendable {
    package let reports: AsyncStream<Report>
    private let continuation: AsyncStream<Report>.Continuation

    /// If nobody listens, all but the last `countMax` reports are dropped.
    package init(countMax: Int = 256) {
        (reports, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(countMax))
    }

    package func emit(_ report: Report) { continuation.yield(report) }

    /// Ends the stream after the reports that wait.
    package func finish() { continuation.finish() }
}
