// Everything that a service is told and does, in one row.

import Devices
import Engine
import Glibc
import Journal
import Service
import Synchronization

/// One thing that came to a service, or left it.
package enum Passage: Hashable, Sendable {
    /// It looks at an input.
    case took(Input)
    /// The speaker is to do something else.
    case ordered(SpeakerOrder)
    /// The timer is to call at other times.
    case set(WakeTimes)
    /// The journal is to keep these.
    case kept([Entry])
    /// Somebody is answered.
    case replied(Reply, to: Request)
    /// Whoever wants to know is told.
    case told(News)
    /// What the disk has by now stays there.
    case synced
}

/// What passed, in the order in which it did.
package final class Trace: Listener {
    private let row = Mutex<[Passage]>([])

    package init() {}

    /// All that has passed.
    package var passages: [Passage] { row.withLock { $0 } }

    package func note(_ passage: Passage) { row.withLock { $0.append(passage) } }

    package func hear(_ news: News, from service: isolated Service) { note(.told(news)) }
}

/// A speaker whose orders are noted.
struct TracedSpeaker: Speaker {
    let speaker: any Speaker
    let trace: Trace

    func order(_ order: SpeakerOrder) {
        trace.note(.ordered(order))
        speaker.order(order)
    }

    func end() { speaker.end() }
    var reports: AsyncStream<SpeakerReport> { speaker.reports }
    var status: SpeakerStatus { speaker.status }
    func isAlive() -> Bool { speaker.isAlive() }
}

/// A timer of which is noted what it is asked for.
struct TracedTimer: WakeTimer {
    let timer: any WakeTimer
    let trace: Trace

    func set(wallMilliseconds: Int?, uptimeMilliseconds: Int?) {
        trace.note(.set(WakeTimes(wallMilliseconds: wallMilliseconds, uptimeMilliseconds: uptimeMilliseconds)))
        timer.set(wallMilliseconds: wallMilliseconds, uptimeMilliseconds: uptimeMilliseconds)
    }

    var events: AsyncStream<TimerEvent> { timer.events }
}

/// A disk that takes its time, and of which is noted when it has made something last.
final class TracedDisk: Disk {
    private let disk: any Disk
    private let trace: Trace
    private let syncMicroseconds: UInt32

    init(_ disk: any Disk, _ trace: Trace, syncMicroseconds: UInt32) {
        (self.disk, self.trace, self.syncMicroseconds) = (disk, trace, syncMicroseconds)
    }

    func names() throws(DiskError) -> [String] { try disk.names() }

    func open(_ name: String, for access: DiskAccess) throws(DiskError) -> any DiskFile {
        File(try disk.open(name, for: access), trace, syncMicroseconds)
    }

    func rename(_ name: String, to newName: String) throws(DiskError) { try disk.rename(name, to: newName) }
    func remove(_ name: String) throws(DiskError) { try disk.remove(name) }
    func syncNames() throws(DiskError) { try disk.syncNames() }
    func lock() throws(LockError) { try disk.lock() }
    func unlock() { disk.unlock() }

    private final class File: DiskFile {
        private let file: any DiskFile
        private let trace: Trace
        private let syncMicroseconds: UInt32

        init(_ file: any DiskFile, _ trace: Trace, _ syncMicroseconds: UInt32) {
            (self.file, self.trace, self.syncMicroseconds) = (file, trace, syncMicroseconds)
        }

        func size() throws(DiskError) -> Int { try file.size() }
        func read(_ count: Int, at offset: Int) throws(DiskError) -> [UInt8] { try file.read(count, at: offset) }

        func write(_ bytes: [UInt8], at offset: Int) throws(DiskError) -> Int {
            try file.write(bytes, at: offset)
        }

        func sync() throws(DiskError) {
            usleep(syncMicroseconds)
            try file.sync()
            trace.note(.synced)
        }
    }
}
