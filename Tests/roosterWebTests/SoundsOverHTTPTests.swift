// The tests of sounds over HTTP, whose bodies are files.

import API
import Fixtures
import HTTP
import Sound
import Testing
import WebAPI

@Suite(.timeLimit(.minutes(5))) struct SoundsOverHTTPTests {
    private static let file: [UInt8] = {
        var samples = Samples.plainTone(rate: 8000)
        samples.values = Array(repeatElement(samples.values, count: 40).joined())
        return samples.waveFile
    }()

    /// A file that is longer than a piece arrives whole.
    @Test func file_isAdded_heardAndRemoved() async throws {
        try await withWebServer { fixture in
            let token = try fixture.token()
            var call = HTTPCall("PUT", "/sounds/my%20night.wav")
            call.file = Self.file
            #expect(Self.file.count > 3 * AddSound.pieceBytesMax)
            let added = try fixture.send(call, token)
            #expect(added.status == 200 && added["sound.id"] == .string("my night.wav"), "\(added.body)")
            #expect(added["received"] == .number(Self.file.count))
            let heard = try fixture.send(HTTPCall("GET", "/sounds/my%20night.wav"), token)
            #expect(heard.headers["content-type"] == "audio/wav" && heard.bytes.starts(with: Array("RIFF".utf8)))
            #expect(try fixture.send(HTTPCall("DELETE", "/sounds/my%20night.wav"), token).status == 200)
            #expect(try fixture.send(HTTPCall("GET", "/sounds/my%20night.wav"), token).status == 404)
            #expect(try fixture.send(call, try fixture.token(may: .use)).status == 403)
            call.file = Array("no sound".utf8)
            let refused = try fixture.send(call, token)
            #expect(refused.status == 422 && refused.body.contains("cannot be played"), "\(refused.body)")
            call.file = []
            #expect(try fixture.send(call, token).status == 422)
        }
    }

    /// A file over the limit is refused before it comes. Without a token the limit is that of other requests.
    @Test func fileOverTheLimit_isRefused() async throws {
        try await withWebServer { fixture in
            let token = ["Authorization: Bearer \(try fixture.token())"]
            for (limit, headers) in [(BodyLimit.sound, token), (.ordinary, [])] {
                let client = try RawClient(fixture.port)
                let lines = ["PUT /api/1/sounds/night.wav HTTP/1.1", "Host: 127.0.0.1"] + headers
                client.send(lines.map { "\($0)\r\n" }.joined() + "Content-Length: \(limit.rawValue + 1)\r\n\r\n")
                #expect(client.receive(until: "\r\n\r\n").hasPrefix("HTTP/1.1 413 "), "\(limit)")
            }
        }
    }
}
