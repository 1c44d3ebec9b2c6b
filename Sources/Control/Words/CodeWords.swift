// Codes and what the camera sees, as JSON.

import Alarms
import Engine
import JSON
import Service

extension EnrolledCode {
    /// A code, and the alarms that it can end. What it says is told to nobody.
    func json(in engine: Engine) -> JSON {
        let alarms = engine.alarms.filter { $0.needs(label) }
        return .object([
            .init("label", .string(label)), .init("kind", .string(kind.rawValue)),
            .init("symbology", .string(symbology)), .init("fingerprint", .string(fingerprint)),
            .init("alarms", .array(alarms.map { .string($0.id) })),
        ])
    }
}

extension Engine {
    /// The alarms that ask for a code that is not enrolled and cannot be switched on without it.
    func alarmsLacking(_ label: String) -> [Problem] {
        var surroundings = surroundings
        let lacking = alarms.filter { alarm in
            alarm.needs(label) && alarm.problems(among: &surroundings).contains { $0.weight == .unmet }
        }
        let advice = "'rooster edit' gives it another"
        return lacking.prefix(5).map {
            Problem($0.id, "asks for it and cannot be switched on without it: \(advice)", .warning)
        }
    }
}

extension ChallengeHardware {
    /// Why no sheet that is printed could be enrolled.
    var lacksForSheets: [String] {
        guard kinds.contains(.qr) else { return ["It cannot be enrolled: this device is set up without a camera"] }
        let isReadable = symbologies.contains(.qr)
        return isReadable ? [] : ["It cannot be enrolled: the configuration leaves \"qr\" out of camera.codes"]
    }
}

extension ScanPurpose {
    /// What a code is held before the camera for.
    var json: JSON {
        switch self {
        case .enrol(let label, let kind):
            .object([
                .init("for", .string("enrol")), .init("label", .string(label)), .init("kind", .string(kind.rawValue)),
            ])
        case .test: .object([.init("for", .string("test"))])
        }
    }
}

extension CameraView {
    /// What the camera sees, with a small picture where there is one, for an owner who aims the camera.
    var json: JSON { .object(members + [.init("picture", .text(preview.map(base64)))]) }

    /// The same without the picture.
    var members: [JSON.Member] {
        let frame: JSON? = frame.map { frame in
            .object([
                .init("light", .number(frame.light)), .init("dark", .bool(frame.isDark)),
                .init("sharpness", .number(frame.sharpness)),
                .init(
                    "codes",
                    .array(
                        frame.codes.map {
                            .object([
                                .init("symbology", .string($0.symbology.rawValue)),
                                .init("sizePercent", .number($0.sizePercent)),
                            ])
                        })),
            ])
        }
        return [
            .init("camera", .text(name)), .init("problem", .text(failure)), .init("warning", .text(warning)),
            .init("frame", frame ?? .null), .init("wrongCodes", .number(wrongCount)),
            .init("wrongInView", .bool(isWrongInView)),
        ]
    }

    private func base64(_ bytes: [UInt8]) -> String {
        let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
        var text: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            let bits = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
            for place in 0..<4 {
                text.append(place <= group.count ? digits[bits >> (18 - 6 * place) & 63] : UInt8(ascii: "="))
            }
        }
        return String(decoding: text, as: UTF8.self)
    }
}
