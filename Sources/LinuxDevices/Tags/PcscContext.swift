// The connection to pcscd, the daemon for tag readers.

import CPcsc
import Devices
import Glibc

/// A connection to pcscd, for one thread.
final class PcscContext {
    private let context: Int

    struct Reader {
        var name: String
        /// The state in PC/SC's bits; 0 if it was never read.
        var state: UInt32 = 0

        /// True even if the tag has not answered yet: a tag at the edge of the field may answer when it is
        /// read.
        var hasTag: Bool { state & pcsc_state_present != 0 }
        var tagCount: UInt32 { state >> 16 }
        /// True if the state was never read: a tag that is present now was there before.
        var isNew: Bool { state == 0 }
    }

    init() throws(TagReaderFailure) {
        var context = 0
        let status = pcsc_open(&context)
        guard status == 0 else {
            // If polkit refuses the client, pcscd closes the connection.
            throw status == pcsc_line_broken ? .refused : PcscContext.failure("connect to pcscd", status)
        }
        self.context = context
    }

    deinit {
        pcsc_close(context)
    }

    func readers() throws(TagReaderFailure) -> [String] {
        var size = Int(pcsc_names_max)
        var names = [CChar](repeating: 0, count: size)
        let status = pcsc_readers(context, &names, &size)
        guard status != pcsc_no_readers else { return [] }
        guard status == 0 else { throw PcscContext.failure("list the readers", status) }
        return names.prefix(size).split(separator: 0).map { name in
            String(decoding: name.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        }
    }

    /// Waits until a reader changes, the number of readers is no longer `count`, or the time is over.
    /// Returns true if there was a change.
    func wait(_ readers: inout [Reader], count: Int, milliseconds: Int) throws(TagReaderFailure) -> Bool {
        let names = readers.map { strdup($0.name) }
        defer { for name in names { free(name) } }
        var states = zip(names, readers).map { pcsc_reader(name: $0, state: $1.state) }
        let status = pcsc_wait(context, &states, states.count, UInt32(count), UInt32(milliseconds))
        switch status {
        case 0:
            for index in readers.indices { readers[index].state = states[index].state }
            return true
        case pcsc_timeout: return false
        // A reader was unplugged.
        case pcsc_unknown_reader, pcsc_reader_unavailable: return true
        default: throw PcscContext.failure("wait for a tag", status)
        }
    }

    func identifier(at reader: String) throws(TagReaderFailure) -> [UInt8] {
        var size = Int(pcsc_answer_max)
        var answer = [UInt8](repeating: 0, count: size)
        let status = pcsc_identify(context, reader, &answer, &size)
        guard status == 0 else { throw PcscContext.failure("read the tag", status) }
        answer = Array(answer.prefix(size))
        guard answer.suffix(2) == [0x90, 0x00] else {
            let end = answer.suffix(2).map { String($0, radix: 16) }.joined(separator: " ")
            throw .system(doing: "read the tag", reason: "the reader answers \(end.isEmpty ? "nothing" : end)")
        }
        return answer.dropLast(2)
    }

    private static func failure(_ doing: String, _ status: Int) -> TagReaderFailure {
        switch status {
        case pcsc_no_service, pcsc_service_stopped, pcsc_line_broken: return .noService
        case pcsc_refused, pcsc_no_access: return .refused
        default:
            let reason = withUnsafeTemporaryAllocation(of: CChar.self, capacity: 100) { room in
                room.baseAddress.map { start in
                    pcsc_describe(status, start, room.count)
                    return String(cString: start)
                }
            }
            return .system(doing: doing, reason: reason ?? "\(status)")
        }
    }
}
