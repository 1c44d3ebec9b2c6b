// `rooster code print`: makes a sheet with a new code, to be printed and hung up.

import API
import Alarms
import CodeSheets
import Devices
import Glibc
import Text

/// A sheet with a new code, and its destination.
struct CodeSheet {
    private let label: String
    private let isPNG: Bool
    /// Nil for standard output.
    private let path: String?
    /// The service that computes the fingerprint of the code, if it runs.
    private let service: RunningService

    private static let otherEndings = [
        ".pdf", ".jpg", ".jpeg", ".gif", ".webp", ".bmp", ".tif", ".tiff", ".ps", ".eps",
    ]

    init(_ label: String, _ call: ServiceCall) throws(CommandError) {
        let arguments = call.arguments
        self.label = label
        service = RunningService(
            socket: call.service.socket, timeouts: Timeouts(connectMilliseconds: 2000, answerMilliseconds: 2000))
        let output = arguments.value("--output")
        path = output == "-" ? nil : output
        guard !arguments.has("--json") else { throw arguments.wrong("--json is not for print: it makes a picture") }
        let ending = path?.lowercased() ?? ""
        isPNG = arguments.has("--png") || ending.hasSuffix(".png")
        if let other = CodeSheet.otherEndings.first(where: ending.hasSuffix) {
            throw arguments.wrong(
                "it makes no \(other), but pictures that end in .svg or .png: any browser prints both")
        }
        if isPNG, ending.hasSuffix(".svg") { throw arguments.wrong("--png makes no .svg: leave one of them out") }
        if path == nil, isatty(STDOUT_FILENO) == 1 {
            throw arguments.wrong("say where to with --output, as in --output sheet.\(isPNG ? "png" : "svg")")
        }
        // An owner must not hang up a sheet whose label the service would refuse.
        let problems = EnrolledCode(label: label, kind: .qr, digest: CodeDigest("unseen")).problems
        if let problem = problems.first { throw .refused("\(problem)") }
    }

    func print() throws(CommandError) {
        let payload = CodeSheet.freshPayload()
        let (fingerprint, warnings) = known(payload)
        let picture = try picture(payload, fingerprint ?? "")
        let mark =
            fingerprint.map { "Its fingerprint will be \($0.inOneLine). " }
            ?? "It shows no fingerprint, for roosterd does not answer here: 'rooster code enrol' will say it. "
        let advice =
            "Print it and hang it up where you have to get up for it; then, in front of the camera: 'rooster code enrol "
            + "\(label.asWord)'. \(mark)Keep no copy near the bed: who has one can stop the alarm. Who makes another sheet "
            + "gets another code."
        defer { for warning in warnings { complain("rooster: warning: \(warning.asSentence)") } }
        guard let path else {
            if let number = writeAll(picture, to: STDOUT_FILENO) {
                throw .refused("standard output: \(String(cString: strerror(number)))")
            }
            return complain("rooster: \(advice)")
        }
        // A reader of the file could print the code again, so only the owner may read it.
        try NewFile(path, mode: 0o600).write(picture)
        Swift.print("Made \(path.asSentence). \(advice)")
    }

    /// Returns the fingerprint under which the service will list the code, and the reasons why it could not
    /// be enrolled. Both are empty if no service answers.
    private func known(_ payload: String) -> (fingerprint: String?, warnings: [String]) {
        do throws(CommandError) {
            let answer = try service.ask(PrintCode(payload: payload))
            return (answer.body.fingerprint, answer.warnings.map(\.description))
        } catch {
            return (nil, [])
        }
    }

    private func picture(_ payload: String, _ fingerprint: String) throws(CommandError) -> [UInt8] {
        let sheet: QRSheet
        do throws(QRSymbol.Failure) {
            sheet = try QRSheet(payload: payload, label: label, fingerprint: fingerprint)
        } catch {
            throw .refused("the code could not be made: \(error)")
        }
        guard isPNG else { return Array(sheet.svg.utf8) }
        guard let png = sheet.png() else { throw .refused("the picture could not be made: there is no memory for it") }
        return png
    }

    /// Returns a payload with 130 random bits, too many to guess. Capitals and digits take the fewest
    /// squares, so that the camera can read the code from further away.
    private static func freshPayload() -> String {
        let digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
        return CodePayload.printedBeginning + String((0..<26).compactMap { _ in digits.randomElement() })
    }
}
