// The tests of the helper's messages: the reader accepts written messages and nothing else.

import Devices
import Oracles
import Testing

@Suite struct HelperMessageTests {
    static let failures: [CameraFailure] = [
        .none, .missing(wanted: "usb-Cam ö"), .needsLibcamera(node: "/dev/video0"), .noAccess(node: "n", group: nil),
        .noAccess(node: "n", group: "video"), .busy(node: "n"), .noBandwidth(node: "n"), .unplugged(node: "n"),
        .silent(node: "n"), .noFormat(node: ""), .reader(reason: "crashed"), .system(doing: "open", errorNumber: -5),
    ]

    static let messages: [HelperMessage] =
        [
            .heartbeat, .read([], previews: true), .read(Set(Symbology.allCases), previews: false),
            .report(.opened(name: "usb-046d_C920-video-index0")), .report(.warning("the picture is small")),
            .report(.preview([0xFF, 0xD8, 1, 2, 3, 0xFF, 0xD9])),
            .report(.preview([0xFF, 0xD8] + [UInt8](repeating: 7, count: 32 * 1024 - 5) + [0xFF, 0xD9])),
            .report(.frame(CameraFrame(takenUptime: 0))),
            .report(
                .frame(
                    CameraFrame(
                        takenUptime: .max,
                        codes: [
                            ReadCode(.qr, payload: [0, 255, 10], sizePercent: 0),
                            ReadCode(.itf, payload: [UInt8](repeating: 0, count: 2953), sizePercent: 100),
                        ], light: 100, isDark: true, sharpness: 0))),
        ] + failures.map { .report(.failed($0)) }

    @Test(arguments: messages) func message_isReadAsItWasWritten(message: HelperMessage) throws {
        let packet = try #require(message.packet)
        #expect(HelperMessage(packet: packet) == message)
    }

    @Test(arguments: messages) func truncatedOrOverlongMessage_isNil(message: HelperMessage) throws {
        let packet = try #require(message.packet)
        // The reader checks only the ends of a preview's picture.
        if case .report(.preview) = message { return }
        for count in 0..<packet.count {
            #expect(HelperMessage(packet: Array(packet.prefix(count))) == nil, "\(count) bytes")
        }
        #expect(HelperMessage(packet: packet + [0]) == nil)
        #expect(HelperMessage(packet: packet + packet) == nil)
    }

    private func frame(_ codes: [ReadCode]) throws -> CameraFrame {
        let packet = try #require(HelperMessage.report(.frame(CameraFrame(takenUptime: 1, codes: codes))).packet)
        #expect(packet.count <= HelperMessage.shortBytesMax)
        guard case .report(.frame(let frame))? = HelperMessage(packet: packet) else { throw NoFrame() }
        return frame
    }

    struct NoFrame: Error {}

    @Test func payloads_thatDoNotFit_areLeftOut() throws {
        let good = ReadCode(.qr, payload: Array("https://example.org".utf8))
        for length in [0, 2954, 4096, 65_536, 100_000] {
            let bad = ReadCode(.qr, payload: [UInt8](repeating: 65, count: length))
            #expect(try frame([bad, good, bad]).codes == [good])
        }
        // Two codes of maximum size do not fit. The first stays, with any others that fit beside it.
        let long = [65, 66].map { ReadCode(.qr, payload: [UInt8](repeating: $0, count: 2953)) }
        #expect(try frame([long[0], long[1], good]).codes == [long[0], good])
    }

    @Test func codes_beyondTheTenth_andDuplicates_areLeftOut() throws {
        let codes = (0..<20).map { ReadCode(.qr, payload: [UInt8($0)]) }
        #expect(try frame(codes + codes).codes == Array(codes.prefix(10)))
        #expect(try frame([codes[0], ReadCode(.aztec, payload: [0]), codes[1]]).codes == [codes[0], codes[1]])
    }

    @Test func numbers_outsideTheirRange_areClamped() throws {
        let frame = CameraFrame(
            takenUptime: -5, codes: [ReadCode(.qr, payload: [1], sizePercent: 1000)], light: -1, sharpness: .max)
        let packet = try #require(HelperMessage.report(.frame(frame)).packet)
        let expected = CameraFrame(
            takenUptime: 0, codes: [ReadCode(.qr, payload: [1], sizePercent: 100)], light: 0, sharpness: 100)
        #expect(HelperMessage(packet: packet) == .report(.frame(expected)))
    }

    @Test func texts_areShortened_andLoseControlCharacters() throws {
        let name = "Cam\u{1B}[2J\n\u{202E}\u{2028}x" + String(repeating: "ö", count: 200)
        let packet = try #require(HelperMessage.report(.opened(name: name)).packet)
        guard case .report(.opened(let read))? = HelperMessage(packet: packet) else { throw NoFrame() }
        #expect(read.hasPrefix("Cam [2J   xöö"))
        #expect(read.utf8.count == 199 || read.utf8.count == 200)
    }

    @Test func invalidPreview_hasNoPacket() {
        for picture in [[], [0xFF, 0xD8], [0xFF, 0xD8, 0xFF, 0xD8], Array("<svg onload=x>".utf8)] as [[UInt8]] {
            #expect(HelperMessage.report(.preview(picture)).packet == nil)
            #expect(HelperMessage(packet: Array("p".utf8) + picture) == nil)
        }
        let large = [0xFF, 0xD8] + [UInt8](repeating: 7, count: 32 * 1024) + [0xFF, 0xD9]
        #expect(HelperMessage.report(.preview(large)).packet == nil)
        #expect(HelperMessage(packet: Array("p".utf8) + large) == nil)
    }

    /// Random bytes, and good packets with changes: each accepted packet must encode to the same bytes.
    @Test func hostileBytes_areOneMessageOrNil() throws {
        var random = SeededRandom(seed: 27)
        let packets = Self.messages.compactMap(\.packet)
        for round in 0..<Thoroughness.pick(20_000, full: 2_000_000) {
            var bytes: [UInt8]
            if round % 4 == 0 {
                bytes = (0..<Int.random(in: 0...64, using: &random)).map { _ in .random(in: 0...255, using: &random) }
            } else {
                bytes = packets.filter { $0.count < 4000 }.randomElement(using: &random) ?? []
                for _ in 0..<Int.random(in: 1...4, using: &random) {
                    guard let place = bytes.indices.randomElement(using: &random) else { break }
                    bytes[place] = .random(in: 0...255, using: &random)
                }
                bytes.removeLast(min(bytes.count, [0, 0, 0, 1, 3].randomElement(using: &random) ?? 0))
            }
            guard let message = HelperMessage(packet: bytes) else { continue }
            #expect(message.packet == bytes, "\(bytes)")
        }
    }
}
