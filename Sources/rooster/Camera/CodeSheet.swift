// `rooster code print`: makes a sheet with a new code, to be printed and hung up.

import API
import Alarms
import CodeSheets
import Devices
import Glibc
import SheetPictures
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
        guard !arguments.has("--json") else {
            throw arguments.wrong("--json cannot be used with print, which writes a picture")
        }
        let ending = path?.lowercased() ?? ""
        isPNG = arguments.has("--png") || ending.hasSuffix(".png")
        if let other = CodeSheet.otherEndings.first(where: ending.hasSuffix) {
            throw arguments.wrong(
                "--output must end in .svg or .png, not \(other): a browser prints both")
        }
        if isPNG, ending.hasSuffix(".svg") { throw arguments.wrong("--output must not end in .svg with --png") }
        if path == nil, isatty(STDOUT_FILENO) == 1 {
            throw arguments.wrong("--output is missing, such as --output sheet.\(isPNG ? "png" : "svg")")
        }
        // An owner must not hang up a sheet whose label the service would refuse.
        let problems = EnrolledCode(label: label, kind: .qr, digest: CodeDigest("unseen")).problems
        if let problem = problems.first { throw .refused("LABEL: \(problem.reason)") }
    }

    func print() throws(CommandError) {
        let payload = CodePayload.newPrintedText()
        var (fingerprint, warnings) = known(payload)
        let sheet = try sheet(payload, fingerprint ?? "")
        if isPNG, !sheet.canDrawLabel {
            warnings.append(
                sentences("The picture has boxes for letters of the label that it cannot draw", "A .svg file has them"))
        }
        let picture = try picture(sheet)
        let mark =
            fingerprint.map { "Its fingerprint will be \($0.inOneLine)" }
            ?? "It shows no fingerprint, because no service answers here"
        let advice = sentences(
            "Print it, hang it up where you have to get up for it, and enrol it there: 'rooster code enrol \(label.asWord)'",
            mark, "Keep no copy near the bed: anyone who has one can stop the alarm", "Each sheet has a different code")
        defer { for warning in warnings { complain("rooster: warning: \(warning.asSentence)") } }
        guard let path else {
            if let number = writeAll(picture, to: STDOUT_FILENO) {
                throw .refused(unwritten("Standard output", number))
            }
            return complain("rooster: \(advice)")
        }
        // A reader of the file could print the code again, so only the owner may read it.
        try NewFile(path, mode: 0o600).write(picture)
        Swift.print("Wrote \(path.asSentence). \(advice)")
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

    private func sheet(_ payload: String, _ fingerprint: String) throws(CommandError) -> QRSheet {
        do throws(QRSymbol.Failure) {
            return try QRSheet(payload: payload, label: label, fingerprint: fingerprint)
        } catch {
            throw .refused("The code cannot be drawn: \(error)")
        }
    }

    private func picture(_ sheet: QRSheet) throws(CommandError) -> [UInt8] {
        guard isPNG else { return Array(sheet.svg.utf8) }
        guard let png = sheet.png() else { throw .refused("The picture cannot be drawn: not enough memory") }
        return png
    }
}
