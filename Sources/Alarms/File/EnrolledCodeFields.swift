// Reading and writing enrolled codes, in a backup.

import JSON
import Text

extension Fields {
    /// The codes of a list. One that cannot be read is noted, and left out.
    mutating func codes(_ name: String) -> [EnrolledCode] {
        (list(name) ?? []).enumerated().compactMap { index, element in
            guard case .object(let members) = element else {
                note("\(name)[\(index)]", "\(element.shown) is not an object { … }")
                return nil
            }
            return nested(members, at: "\(name)[\(index)]") { $0.code() }
        }
    }

    /// The keys of a list. One that is none is noted, and left out.
    mutating func codeKeys(_ name: String) -> [CodeKey] {
        let keys = (texts(name) ?? []).map(CodeKey.init)
        if keys.count > CodeKey.countMax {
            note(name, "there are \(keys.count) keys; Rooster keeps at most \(CodeKey.countMax)")
            return []
        }
        for (index, key) in keys.enumerated() where key.bytes == nil {
            note("\(name)[\(index)]", "is not a key: \(CodeKey.byteCount) bytes in hexadecimal")
        }
        return keys.filter { $0.bytes != nil }
    }

    private mutating func code() -> EnrolledCode? {
        let (label, kind, digest) = (text("label") ?? "", text("kind") ?? "", text("digest") ?? "")
        guard let known = Challenge.Kind(rawValue: kind) else {
            note("kind", "\(kind.quoted) is nothing that can be enrolled: qr or tag")
            return nil
        }
        let code = EnrolledCode(
            label: label, kind: known, digest: CodeDigest(digest),
            symbology: text("symbology") ?? EnrolledCode.usualSymbology)
        for problem in code.problems { note(problem.place, problem.reason) }
        return isSound ? code : nil
    }
}

extension EnrolledCode {
    var json: JSON { .object(members) }

    /// Its members, as the file and the journal have them.
    package var members: [JSON.Member] {
        [
            .init("label", .string(label)), .init("kind", .string(kind.rawValue)),
            .init("digest", .string(digest.text)),
        ] + (symbology == EnrolledCode.usualSymbology ? [] : [.init("symbology", .string(symbology))])
    }
}
