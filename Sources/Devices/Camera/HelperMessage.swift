// The messages between `roosterd` and its camera helper process.

/// A message on the socket between `roosterd` and the camera helper. Each message is one packet.
///
/// Encoding leaves out some of a frame's codes: payloads longer than a QR code's 2,953 bytes, blank ones,
/// duplicates, and those that no longer fit. Decoding accepts exactly one message or none, and never traps.
package enum HelperMessage: Hashable, Sendable {
    /// To the helper: the kinds of code to read from now on, and whether to send previews.
    case read(Set<Symbology>, previews: Bool)
    /// From the helper: a report for the camera's listener.
    case report(CameraReport)
    /// From the helper: it is alive, and has nothing to report.
    case heartbeat

    /// The length limit of a packet. Only packets with a preview exceed `shortBytesMax`.
    package static let packetBytesMax = 32 * 1024
    /// The length limit of a packet without a preview.
    package static let shortBytesMax = 4096
    /// The service ignores frames, previews and warnings beyond this number of messages per second.
    package static let perSecondMax = 30
    /// The longest payload that is reported.
    package static let payloadBytesMax = 2953
    /// The limit of codes in one frame. The helper drops the rest.
    package static let codesMax = 10
    /// The limit of a name or a reason. Longer ones are cut.
    package static let textBytesMax = 200
}

// MARK: Writing

/// The type of a packet, its first byte.
enum HelperTag: UInt8 {
    case read = 0x72
    case heartbeat = 0x68
    case opened = 0x6F
    case frame = 0x66
    case preview = 0x70
    case failed = 0x78
    case warning = 0x77
}

/// The kind of failure, the byte after `failed`.
enum HelperFailureTag: UInt8 {
    case none = 1
    case missing, needsLibcamera, noAccess, busy, noBandwidth, unplugged, silent, noFormat, reader, system
}

extension HelperMessage {
    /// The encoded packet. Nil for a preview that is too large or no JPEG picture, and for `camerasChanged`.
    package var packet: [UInt8]? {
        switch self {
        case .read(let kinds, let previews):
            let bits = kinds.reduce(into: UInt16(0)) { $0 |= $1.bit }
            return [HelperTag.read.rawValue, previews ? 1 : 0] + bits.littleEndianBytes
        case .heartbeat: return [HelperTag.heartbeat.rawValue]
        case .report(.opened(let name)): return [HelperTag.opened.rawValue] + HelperMessage.written(name)
        case .report(.frame(let frame)): return HelperMessage.written(frame)
        case .report(.preview(let picture)):
            let packet = [HelperTag.preview.rawValue] + picture
            return HelperMessage.isPreview(picture) && packet.count <= HelperMessage.packetBytesMax ? packet : nil
        case .report(.failed(let failure)): return [HelperTag.failed.rawValue] + HelperMessage.written(failure)
        case .report(.warning(let text)): return [HelperTag.warning.rawValue] + HelperMessage.written(text)
        // The helper knows only one camera, so only the service reports this.
        case .report(.camerasChanged): return nil
        }
    }

    /// Returns whether the bytes begin and end like a JPEG picture. Only the program that shows it parses
    /// more.
    static func isPreview(_ picture: some BidirectionalCollection<UInt8>) -> Bool {
        picture.count >= 4 && picture.starts(with: [0xFF, 0xD8]) && picture.suffix(2).elementsEqual([0xFF, 0xD9])
    }

    /// Returns the text for one line, after its length. Scalars that could move the cursor become spaces.
    private static func written(_ text: String) -> [UInt8] {
        var bytes: [UInt8] = []
        for scalar in text.unicodeScalars {
            let letter = Array(String(isPlain(scalar) ? scalar : " ").utf8)
            guard bytes.count + letter.count <= textBytesMax else { break }
            bytes += letter
        }
        return [UInt8(bytes.count)] + bytes
    }

    /// Returns whether the scalar is printable or a space, and has no control function.
    static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: false
        default: true
        }
    }

    private static func written(_ frame: CameraFrame) -> [UInt8] {
        var codes: [UInt8] = []
        var seen: Set<[UInt8]> = []
        for code in frame.codes where isReported(code.payload) && seen.count < codesMax {
            let length = UInt16(code.payload.count).littleEndianBytes
            let bytes = [code.symbology.number, percent(code.sizePercent)] + length + code.payload
            guard frameHeadBytes + codes.count + bytes.count <= shortBytesMax else { continue }
            if seen.insert(code.payload).inserted { codes += bytes }
        }
        let taken = UInt64(max(0, frame.takenUptime)).littleEndianBytes
        let state = [percent(frame.light), frame.isDark ? 1 : 0, percent(frame.sharpness), UInt8(seen.count)]
        return [HelperTag.frame.rawValue] + taken + state + codes
    }

    private static let frameHeadBytes = 1 + 8 + 4

    static func isReported(_ payload: [UInt8]) -> Bool { (1...payloadBytesMax).contains(payload.count) }

    private static func percent(_ number: Int) -> UInt8 { UInt8(min(max(0, number), 100)) }

    private static func written(_ failure: CameraFailure) -> [UInt8] {
        func one(_ tag: HelperFailureTag, _ text: String) -> [UInt8] { [tag.rawValue] + written(text) }
        return switch failure {
        case .none: [HelperFailureTag.none.rawValue]
        case .missing(let wanted): one(.missing, wanted)
        case .needsLibcamera(let node): one(.needsLibcamera, node)
        case .noAccess(let node, let group): one(.noAccess, node) + written(group ?? "")
        case .busy(let node): one(.busy, node)
        case .noBandwidth(let node): one(.noBandwidth, node)
        case .unplugged(let node): one(.unplugged, node)
        case .silent(let node): one(.silent, node)
        case .noFormat(let node): one(.noFormat, node)
        case .reader(let reason): one(.reader, reason)
        case .system(let doing, let number):
            one(.system, doing) + UInt32(bitPattern: number).littleEndianBytes
        }
    }
}

extension FixedWidthInteger {
    /// The bytes, least significant first.
    var littleEndianBytes: [UInt8] { withUnsafeBytes(of: littleEndian) { Array($0) } }
}

extension Symbology {
    /// The kind's number in packets and for zxing-cpp. Both programs come from the same build.
    var number: UInt8 { UInt8(Symbology.allCases.firstIndex(of: self) ?? 0) }

    package var bit: UInt16 { 1 << UInt16(number) }
}
