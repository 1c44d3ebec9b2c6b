// OpenCV's reader of QR codes, in one Python that is handed picture after picture.

import Glibc
import Specimens

/// Debian's OpenCV, where it can read codes: that of Debian 12 was built without what decodes them.
final class OpenCVReader: PictureReader {
    let name = "opencv"
    private let process: pid_t
    private let line: Int32

    /// One, if it is there and reads any of a few codes that everybody reads.
    static func started() -> OpenCVReader? {
        do {
            let reader = try OpenCVReader()
            let reads = try (0..<5).contains { number in
                let easy = try Specimen(SpecimenCell(distance: .near, condition: .nominal), number: number)
                return try reader.read(easy).contains { $0.payloads.contains { $0 == easy.payload } }
            }
            guard reads else {
                remark("OpenCV is left out: the one that python3 has here reads no codes")
                return nil
            }
            return reader
        } catch {
            remark("OpenCV is left out: 'deploy/setup --benchmarks' installs it (\(error))")
            return nil
        }
    }

    /// Takes a width, a height and the points; answers with nanoseconds, a count and so many bytes.
    private static let script = """
        import sys, struct, time
        import cv2, numpy
        cv2.setNumThreads(1)
        reader = cv2.QRCodeDetector()
        source, sink = sys.stdin.buffer, sys.stdout.buffer
        while True:
            head = source.read(8)
            if len(head) < 8: break
            width, height = struct.unpack("<II", head)
            picture = numpy.frombuffer(source.read(width * height), numpy.uint8).reshape(height, width)
            start = time.perf_counter_ns()
            try:
                text = reader.detectAndDecode(picture)[0]
            except (cv2.error, UnicodeDecodeError):
                text = ""
            taken = time.perf_counter_ns() - start
            answer = text.encode("utf-8", "surrogateescape")
            sink.write(struct.pack("<QI", taken, len(answer)) + answer)
            sink.flush()
        """

    private init() throws {
        var ends: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
            throw BenchmarkRefusal.wrongAnswer("no socket: \(String(cString: strerror(errno)))")
        }
        line = ends[0]
        defer { close(ends[1]) }
        let texts = ["/usr/bin/python3", "-c", OpenCVReader.script]
        let words: [UnsafeMutablePointer<CChar>?] = texts.map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, ends[1], STDIN_FILENO)
        posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO)
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
        var child = pid_t()
        let number = posix_spawn(&child, "/usr/bin/python3", &actions, nil, words, environ)
        process = child
        guard number == 0 else {
            close(line)
            throw BenchmarkRefusal.wrongAnswer("no python3: \(String(cString: strerror(number)))")
        }
    }

    deinit {
        close(line)
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
    }

    func read(_ specimen: Specimen) throws -> [FrameReading] {
        try specimen.frames.map { frame in
            try send(bytes(UInt32(frame.width)) + bytes(UInt32(frame.height)) + frame.luma)
            let head = try receive(12)
            let nanoseconds = number(head.prefix(8))
            let payload = try receive(number(head.suffix(4)))
            return FrameReading(
                payloads: payload.isEmpty ? [] : [payload], milliseconds: Double(nanoseconds) / 1_000_000)
        }
    }

    private func bytes(_ number: UInt32) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) } }

    private func number(_ bytes: ArraySlice<UInt8>) -> Int { bytes.reversed().reduce(0) { $0 << 8 | Int($1) } }

    private func send(_ bytes: [UInt8]) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                Glibc.send(line, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { throw BenchmarkRefusal.wrongAnswer("python3 has ended: it may have no OpenCV") }
            rest = rest.dropFirst(count)
        }
    }

    private func receive(_ wanted: Int) throws -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < wanted {
            var chunk = [UInt8](repeating: 0, count: wanted - bytes.count)
            let count = Glibc.read(line, &chunk, chunk.count)
            guard count > 0 else { throw BenchmarkRefusal.wrongAnswer("python3 has ended: it may have no OpenCV") }
            bytes += chunk.prefix(count)
        }
        return bytes
    }
}
