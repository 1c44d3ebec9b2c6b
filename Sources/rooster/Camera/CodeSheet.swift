// `rooster code print`: a new code on a sheet, to be printed and hung up.

import Alarms
import Glibc
import Sheets

/// A sheet that is to be made, and where it goes.
struct CodeSheet {
    private let label: String
    private let isPNG: Bool
    /// Nil for standard output.
    private let path: String?

    init(_ label: String, _ arguments: Arguments) throws(Refusal) {
        self.label = label
        let output = arguments.value("--output")
        path = output == "-" ? nil : output
        guard !arguments.has("--json") else { throw arguments.wrong("--json is not for print: it makes a picture") }
        let ending = path?.lowercased() ?? ""
        isPNG = arguments.has("--png") || ending.hasSuffix(".png")
        if isPNG, ending.hasSuffix(".svg") { throw arguments.wrong("--png makes no .svg: leave one of them out") }
        if path == nil, isatty(STDOUT_FILENO) == 1 {
            throw arguments.wrong("say where to with --output, as in --output sheet.\(isPNG ? "png" : "svg")")
        }
        // One that could never be enrolled would be hung up in vain.
        let problems = EnrolledCode(label: label, kind: .qr, digest: CodeDigest("unseen")).problems
        if let problem = problems.first { throw .refused("\(problem)") }
    }

    func print() throws(Refusal) {
        let picture = try picture()
        let advice =
            "Print it and hang it up where you have to get up for it; then, in front of the camera: 'rooster code enrol "
            + "\(label.asWord)'. Keep no copy near the bed: who has one can stop the alarm."
        guard let path else {
            if let number = writeAll(picture, to: STDOUT_FILENO) {
                throw .refused("standard output: \(String(cString: strerror(number)))")
            }
            return complain("rooster: \(advice)")
        }
        // Who reads it could make another.
        try NewFile(path, mode: 0o600).write(picture)
        Swift.print("Made \(path.asSentence). \(advice)")
    }

    private func picture() throws(Refusal) -> [UInt8] {
        let sheet: QRSheet
        do throws(QRSymbol.Failure) {
            sheet = try QRSheet(payload: CodeSheet.freshPayload(), label: label)
        } catch {
            throw .refused("the code could not be made: \(error)")
        }
        guard isPNG else { return Array(sheet.svg.utf8) }
        guard let png = sheet.png() else { throw .refused("the picture could not be made: there is no memory for it") }
        return png
    }

    /// Nobody guesses 128 random bits. Capitals and digits take the fewest squares: the code can be read from further away.
    static func freshPayload() -> String {
        var generator = SystemRandomNumberGenerator()
        return "ROOSTER-\(base32((0..<16).map { _ in UInt8.random(in: 0...255, using: &generator) }))"
    }

    /// The bytes in letters and digits (RFC 4648), without padding.
    static func base32(_ bytes: [UInt8]) -> String {
        let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".utf8)
        var (text, bits, count): ([UInt8], UInt32, UInt32) = ([], 0, 0)
        for byte in bytes {
            bits = bits << 8 | UInt32(byte)
            count += 8
            while count >= 5 {
                count -= 5
                text.append(digits[Int(bits >> count & 31)])
            }
            bits &= (1 << count) - 1
        }
        if count > 0 { text.append(digits[Int(bits << (5 - count) & 31)]) }
        return String(decoding: text, as: UTF8.self)
    }
}
