// NFC tag readers, through pcscd.

import Devices
import Glibc
import Sound
import Synchronization
import System

/// All readers, or the one wanted, on a thread that waits for pcscd. They are read only while ordered on.
package final class LinuxTagReader: SwitchedInput {
    package var reports: AsyncStream<TagReport> { stream.reports }
    private let stream: ReportStream<TagReport>
    private let orders: TagMailbox

    /// Readers that are off at first: those whose name contains `name`, or all.
    package init(name: String? = nil) throws(TagReaderFailure) {
        let stream = ReportStream<TagReport>()
        do throws(SystemCallError) {
            let orders = try TagMailbox()
            try startThread(named: "tags") {
                var thread = TagReaderThread(name, orders, stream)
                thread.run()
                stream.finish()
            }
            (self.orders, self.stream) = (orders, stream)
        } catch {
            throw .system(doing: "start a thread for the tag reader", reason: "\(error)")
        }
    }

    deinit {
        end()
    }

    package func order(isOn: Bool) { orders.order(isOn: isOn) }

    package func end() { orders.end() }
}

/// The orders to the thread of a reader.
final class TagMailbox: Sendable {
    private struct State {
        var isOn = false
        var isOver = false
    }

    private let state = Mutex(State())
    private let wakeUp: WakeUp

    init() throws(SystemCallError) { wakeUp = try WakeUp() }

    func order(isOn: Bool) { change { $0.isOn = isOn } }

    func end() { change { ($0.isOn, $0.isOver) = (false, true) } }

    private func change(_ change: (inout State) -> Void) {
        state.withLock { change(&$0) }
        wakeUp.signal()
    }

    var isOn: Bool { state.withLock { $0.isOn } }

    /// Waits until the reader is ordered on. Returns false at the end.
    func waitUntilOn() -> Bool {
        while true {
            let (isOn, isOver) = state.withLock { ($0.isOn, $0.isOver) }
            if isOn || isOver { return !isOver }
            wakeUp.wait(milliseconds: nil)
        }
    }

    func wait(milliseconds: Int) { wakeUp.wait(milliseconds: Double(milliseconds)) }
}
