// The thread that waits for tags.

import Devices

/// Waits for pcscd. It has its own thread, because pcscd may hang.
struct TagReaderThread {
    private let wanted: String?
    private let orders: TagMailbox
    private let stream: ReportStream<TagReport>
    private var readers: [PcscContext.Reader] = []
    /// The number of all readers, including those that are not wanted.
    private var readerCount = 0
    /// The last failure that was reported; nil once a reader can be used.
    private var failure: TagReaderFailure?
    /// True after one refusal. pcscd closes connections when it shuts down as well, so only a second one
    /// counts.
    private var wasRefused = false

    /// The longest wait for pcscd, and so for an order. Cancelling a wait needs pcscd, which may hang.
    private static let waitMilliseconds = 500
    /// The pause between two attempts while pcscd cannot be reached.
    private static let retryMilliseconds = 2000

    init(_ wanted: String?, _ orders: TagMailbox, _ stream: ReportStream<TagReport>) {
        (self.wanted, self.orders, self.stream) = (wanted, orders, stream)
    }

    /// Runs until the orders end. While the reader is off there is no connection, so that pcscd may exit.
    mutating func run() {
        while orders.waitUntilOn() {
            do throws(TagReaderFailure) {
                let context = try PcscContext()
                wasRefused = false
                readers = []
                try readTags(context)
            } catch {
                if error != .refused || wasRefused { fail(error) }
                wasRefused = error == .refused
                if orders.isOn { orders.wait(milliseconds: TagReaderThread.retryMilliseconds) }
            }
            if !orders.isOn { failure = nil }
        }
    }

    private mutating func readTags(_ context: PcscContext) throws(TagReaderFailure) {
        try pollReaders(context)
        while orders.isOn {
            let before = readers
            guard try context.wait(&readers, count: readerCount, milliseconds: TagReaderThread.waitMilliseconds),
                orders.isOn
            else { continue }
            for (before, now) in zip(before, readers) where now.hasTag {
                // If a tag was taken away and shown again, the count has changed.
                guard !before.hasTag || before.tagCount != now.tagCount else { continue }
                read(context, now.name, wasThere: before.isNew)
            }
            try pollReaders(context)
        }
    }

    private mutating func pollReaders(_ context: PcscContext) throws(TagReaderFailure) {
        let all = try context.readers()
        readerCount = all.count
        let names = all.filter { name in wanted.map(name.contains) ?? true }
        let known = readers.map(\.name)
        readers = readers.filter { names.contains($0.name) }
        for name in names where !known.contains(name) {
            readers.append(PcscContext.Reader(name: name))
            failure = nil
            stream.emit(.ready(name: name))
        }
        if readers.isEmpty { fail(wanted.map { .missing(wanted: $0) } ?? .none) }
    }

    private func read(_ context: PcscContext, _ reader: String, wasThere: Bool) {
        do throws(TagReaderFailure) {
            let identifier = try context.identifier(at: reader)
            if let tag = NFCTag(identifier: identifier) {
                stream.emit(.tag(tag, wasThere: wasThere))
            } else {
                stream.emit(.unreadable(reason: "its identifier has \(identifier.count) bytes, or is all zeros"))
            }
        } catch {
            stream.emit(.unreadable(reason: "\(error)"))
        }
    }

    private mutating func fail(_ new: TagReaderFailure) {
        if new != failure { stream.emit(.failed(new)) }
        failure = new
    }
}
