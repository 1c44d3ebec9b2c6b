// The fuzz target for the protocol between roosterd and the camera helper.

import Devices

/// Checks that a packet is at most one message, within limits, which encodes to the same bytes.
func fuzzHelperMessage(_ bytes: [UInt8]) throws(BrokenPromise) {
    guard let message = HelperMessage(packet: bytes) else { return }
    try promise(message.packet == bytes, "\(message) is not written as it was read")
    try promise(bytes.count <= HelperMessage.packetBytesMax, "\(bytes.count) bytes were read")
    guard case .report(let report) = message else { return }
    switch report {
    case .frame(let frame):
        try promise(frame.codes.count <= HelperMessage.codesMax, "there are \(frame.codes.count) codes")
        try promise(Set(frame.codes.map(\.payload)).count == frame.codes.count, "a payload is there twice")
        for code in frame.codes {
            let lengths = 1...HelperMessage.payloadBytesMax
            try promise(lengths.contains(code.payload.count), "a payload has \(code.payload.count) bytes")
        }
    case .opened(let text), .warning(let text):
        // A camera's name may be empty.
        try promiseReadable("\"\(text)\"", bytesMax: HelperMessage.textBytesMax + 2)
    case .failed(let failure): try promiseReadable("\(failure)", bytesMax: 2 * HelperMessage.textBytesMax + 200)
    case .preview, .camerasChanged: break
    }
}
