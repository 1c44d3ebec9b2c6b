// The tests of event streams, by a reader that follows the HTML standard, section 9.2.6.

import Oracles
import Testing

@testable import HTTP

/// A reader of streams, as a browser's EventSource has it.
private struct EventSourceReader {
    struct Message: Hashable {
        let type: String
        let data: String
        let lastID: String
    }

    private(set) var messages: [Message] = []
    private(set) var retry: Int?
    private var lastID = ""

    init(_ bytes: [UInt8]) {
        var type = ""
        var data = ""
        for line in Self.lines(bytes) {
            if line.isEmpty {
                if !data.isEmpty {
                    messages.append(
                        Message(
                            type: type.isEmpty ? "message" : type, data: String(data.unicodeScalars.dropLast()),
                            lastID: lastID))
                }
                (type, data) = ("", "")
                continue
            }
            let scalars = line.unicodeScalars
            let colon = scalars.firstIndex(of: ":") ?? scalars.endIndex
            let field = String(scalars[..<colon])
            var value = colon == scalars.endIndex ? "" : String(scalars[scalars.index(after: colon)...])
            if value.unicodeScalars.first == " " { value = String(value.unicodeScalars.dropFirst()) }
            switch field {
            case "event": type = value
            case "data": data += value + "\n"
            case "id": if !value.unicodeScalars.contains("\0") { lastID = value }
            case "retry": if value.utf8.allSatisfy({ (0x30...0x39).contains($0) }) { retry = Int(value) }
            default: break
            }
        }
    }

    private static func lines(_ bytes: [UInt8]) -> [String] {
        var lines: [[UInt8]] = [[]]
        var isBehindReturn = false
        for byte in bytes {
            defer { isBehindReturn = byte == 0x0D }
            if byte == 0x0A, isBehindReturn { continue }
            if byte == 0x0A || byte == 0x0D { lines.append([]) } else { lines[lines.count - 1].append(byte) }
        }
        return lines.dropLast().map { String(decoding: $0, as: UTF8.self) }
    }
}

@Suite struct ServerSentEventTests {
    @Test func event_isWrittenInItsFields() {
        let event = ServerSentEvent("records", data: "{\n}", id: "4711", retryMilliseconds: 1000)
        #expect(
            String(decoding: event.bytes, as: UTF8.self)
                == "id: 4711\nevent: records\nretry: 1000\ndata: {\ndata: }\n\n")
        #expect(ServerSentEvent.comment() == Array(": \n\n".utf8))
    }

    @Test func anyStream_isReadAsItWasWritten() {
        var random = SeededRandom(seed: 9)
        let pieces = [
            "a", " ", ":", "\n", "\r", "\r\n", "data: ", "id", "\0", "ä", "{\"a\":1}", "\u{2028}", "\u{301}", "",
        ]
        func text(_ random: inout SeededRandom) -> String {
            (0..<Int.random(in: 0...6, using: &random)).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
        }
        for _ in 0..<Thoroughness.pick(2000, full: 100_000) {
            var bytes: [UInt8] = []
            var sent: [EventSourceReader.Message] = []
            var lastID = ""
            for _ in 0..<3 {
                if Bool.random(using: &random) { bytes += ServerSentEvent.comment(text(&random)) }
                let event = ServerSentEvent(
                    "e" + text(&random), data: "d" + text(&random),
                    id: Bool.random(using: &random) ? text(&random) : nil, retryMilliseconds: 7)
                bytes += event.bytes
                func plain(_ text: String?) -> String {
                    String(
                        String.UnicodeScalarView(
                            (text ?? "").unicodeScalars.filter { !"\0\r\n".unicodeScalars.contains($0) }))
                }
                if event.id != nil { lastID = plain(event.id) }
                let data = String(
                    decoding: Array(event.data.utf8).split(separator: [0x0D, 0x0A], omittingEmptySubsequences: false)
                        .joined(separator: [0x0A]).map { $0 == 0x0D ? 0x0A : $0 }, as: UTF8.self)
                sent.append(EventSourceReader.Message(type: plain(event.event), data: data, lastID: lastID))
            }
            let reader = EventSourceReader(bytes)
            #expect(reader.messages == sent)
            #expect(reader.retry == 7)
        }
    }
}
