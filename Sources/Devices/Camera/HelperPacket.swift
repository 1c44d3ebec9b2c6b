// Decodes packets from the camera helper as if an attacker had written them.

extension HelperMessage {
    /// Decodes a packet, or returns nil if it is not exactly one message.
    package init?(packet: [UInt8]) {
        guard packet.count <= HelperMessage.packetBytesMax, let tag = packet.first.flatMap(HelperTag.init(rawValue:)),
            tag == .preview || packet.count <= HelperMessage.shortBytesMax
        else { return nil }
        var rest = HelperPacket(packet.dropFirst())
        guard let message = HelperMessage(tag, &rest), rest.isEmpty else { return nil }
        self = message
    }

    private init?(_ tag: HelperTag, _ rest: inout HelperPacket) {
        switch tag {
        case .read:
            guard let previews = rest.flag(), let kinds = rest.kinds() else { return nil }
            self = .read(kinds, previews: previews)
        case .heartbeat: self = .heartbeat
        case .opened:
            guard let name = rest.text() else { return nil }
            self = .report(.opened(name: name))
        case .frame:
            guard let frame = rest.frame() else { return nil }
            self = .report(.frame(frame))
        case .preview:
            let picture = rest.all()
            guard HelperMessage.isPreview(picture) else { return nil }
            self = .report(.preview(picture))
        case .failed:
            guard let failure = rest.failure() else { return nil }
            self = .report(.failed(failure))
        case .warning:
            guard let text = rest.text() else { return nil }
            self = .report(.warning(text))
        }
    }
}

/// The rest of a packet. Each read consumes its bytes, or returns nil.
private struct HelperPacket {
    private var bytes: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) { self.bytes = bytes }

    var isEmpty: Bool { bytes.isEmpty }

    mutating func all() -> [UInt8] {
        defer { bytes = [] }
        return Array(bytes)
    }

    private mutating func read(_ count: Int) -> ArraySlice<UInt8>? {
        guard bytes.count >= count else { return nil }
        defer { bytes = bytes.dropFirst(count) }
        return bytes.prefix(count)
    }

    private mutating func number<Number: FixedWidthInteger>(_: Number.Type) -> Number? {
        read(Number.bitWidth / 8)?.reversed().reduce(0) { $0 << 8 | Number(truncatingIfNeeded: $1) }
    }

    mutating func flag() -> Bool? {
        switch number(UInt8.self) {
        case 0: false
        case 1: true
        default: nil
        }
    }

    private mutating func percent() -> Int? {
        guard let number = number(UInt8.self), number <= 100 else { return nil }
        return Int(number)
    }

    mutating func kinds() -> Set<Symbology>? {
        guard let bits = number(UInt16.self) else { return nil }
        let kinds = Symbology.allCases.filter { bits & $0.bit != 0 }
        let known = kinds.reduce(UInt16(0)) { $0 | $1.bit }
        return known == bits ? Set(kinds) : nil
    }

    mutating func text() -> String? {
        guard let count = number(UInt8.self), count <= HelperMessage.textBytesMax, let bytes = read(Int(count)),
            let text = String(validating: bytes, as: UTF8.self), text.unicodeScalars.allSatisfy(HelperMessage.isPlain)
        else { return nil }
        return text
    }

    mutating func frame() -> CameraFrame? {
        guard let taken = number(UInt64.self), let takenUptime = Int(exactly: taken), let light = percent(),
            let isDark = flag(), let sharpness = percent(), let count = number(UInt8.self),
            count <= HelperMessage.codesMax
        else { return nil }
        var codes: [ReadCode] = []
        for _ in 0..<count {
            guard let code = code(), !codes.contains(where: { $0.payload == code.payload }) else { return nil }
            codes.append(code)
        }
        return CameraFrame(
            takenUptime: takenUptime, codes: codes, light: light, isDark: isDark, sharpness: sharpness)
    }

    private mutating func code() -> ReadCode? {
        guard let kind = number(UInt8.self), kind < Symbology.allCases.count, let size = percent(),
            let length = number(UInt16.self), let payload = read(Int(length)),
            HelperMessage.isReported(Array(payload))
        else { return nil }
        return ReadCode(Symbology.allCases[Int(kind)], payload: Array(payload), sizePercent: size)
    }

    mutating func failure() -> CameraFailure? {
        guard let tag = number(UInt8.self).flatMap(HelperFailureTag.init) else { return nil }
        guard tag != .none else { return CameraFailure.none }
        guard let text = text() else { return nil }
        switch tag {
        case .none: return nil
        case .missing: return .missing(wanted: text)
        case .needsLibcamera: return .needsLibcamera(node: text)
        case .noAccess:
            guard let group = self.text() else { return nil }
            return .noAccess(node: text, group: group.isEmpty ? nil : group)
        case .busy: return .busy(node: text)
        case .noBandwidth: return .noBandwidth(node: text)
        case .unplugged: return .unplugged(node: text)
        case .silent: return .silent(node: text)
        case .noFormat: return .noFormat(node: text)
        case .reader: return .reader(reason: text)
        case .system:
            guard let number = number(UInt32.self) else { return nil }
            return .system(doing: text, errorNumber: Int32(bitPattern: number))
        }
    }
}
