// The journal as the service uses it.

import Engine
import Journal

/// Keeps entries, and says in words why it does not.
struct JournalStore: Sendable {
    private let writer: JournalWriter
    private let foreign: [NewRecord]
    private let witness: (@Sendable ([Entry]) -> Void)?

    /// - Parameter foreign: what every snapshot begins with: what is known here counts more.
    init(_ writer: JournalWriter, keeping foreign: [NewRecord], witness: (@Sendable ([Entry]) -> Void)? = nil) {
        (self.writer, self.foreign, self.witness) = (writer, foreign, witness)
    }

    /// Has them written. What is asked for first is kept first.
    func append(_ entries: [Entry]) -> Receipt {
        witness?(entries)
        return writer.submit(entries.map(NewRecord.init))
    }

    /// Puts a snapshot in the place of everything that was to be kept before.
    func compact(
        to snapshot: @escaping @Sendable () -> [Entry], isolation: isolated (any Actor)? = #isolation
    ) async -> String? {
        do throws(JournalError) {
            try await writer.compact { [foreign] in foreign + snapshot().map(NewRecord.init) }
            return nil
        } catch {
            return "\(error)"
        }
    }

    /// Returns when it is durable, or why it is not.
    static func failure(of receipt: Receipt, isolation: isolated (any Actor)? = #isolation) async -> String? {
        do throws(JournalError) {
            try await receipt.durable()
            return nil
        } catch {
            return "\(error)"
        }
    }

    var compactionPays: Bool { writer.compactionPays }

    /// How the disk is, by what it does now and has done last.
    func probe(isolation: isolated (any Actor)? = #isolation) async -> Health {
        do throws(JournalError) {
            try await writer.probe()
        } catch {
            let reason = if case .writeFailed(let reason) = error { "\(reason)" } else { "\(error)" }
            return Health(.diskRefuses(reason: reason))
        }
        guard let failure = writer.lastFailure, failure.isSignOfWear else { return .ok }
        return Health(.diskWears(failure: "\(failure)"))
    }

    func close(isolation: isolated (any Actor)? = #isolation, complain: (String) -> Void) async {
        do throws(JournalError) {
            try await writer.close()
        } catch {
            complain("\(error)")
        }
    }
}
