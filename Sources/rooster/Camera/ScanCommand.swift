// `rooster scan`: reads the codes in picture files with the decoders of the camera.

import Devices

enum ScanCommand {
    static let command = Subcommand(
        name: "scan",
        summary: "Read the codes in picture files",
        help: """
            Usage: rooster scan FILE… [OPTIONS]

            Read the codes in picture files (PNG, JPEG or PGM; - is standard input) as the
            camera's frames are read: a code that is found here is found in such a frame.
            This needs neither a camera nor the service.

            Options:
              --kinds KIND,…   kinds of code to look for (default: qr):
                               \(kinds.dropLast(6).joined(separator: ", ")),
                               \(kinds.suffix(6).joined(separator: ", "))
              --json           print one JSON object a line: file, payloads, ms, by (zbar or
                               zxing), kinds, light and sharp (0 to 100); bytes in
                               hexadecimal if a payload is not text; error if the file is
                               not a picture

            The exit status is 1 if a file is not a readable picture.
            """,
        valued: ["--kinds"], flags: ["--json"], operands: ["FILE"], takesMoreOperands: true, run: run)

    private static let kinds = Symbology.allCases.map(\.rawValue)

    private static func run(_ arguments: CommandArguments) throws(CommandError) {
        let chosen = try arguments.value("--kinds", "a list from \(kinds.joined(separator: ", "))") { text in
            text.split(separator: ",", omittingEmptySubsequences: false).allSatisfy { kinds.contains(String($0)) }
                ? text : nil
        }
        let program = try PictureProgram()
        var refusal: CommandError?
        for path in arguments.operands {
            let reading = try program.scan(path, kinds: chosen)
            // Flushed, so that errors on standard error keep their place among the lines.
            try printNow("\(arguments.has("--json") ? reading.json.line : text(reading))\n")
            guard let error = reading.error else { continue }
            if let refusal { complain("rooster: \(refusal)") }
            refusal = .notWell("\(shownPath(path).asSentence): \(error.asSentence)")
        }
        if let refusal { throw refusal }
    }

    private static func text(_ reading: ScannedPicture) -> String {
        let name = shownPath(reading.path).asSentence
        if reading.error != nil { return "\(name): not read" }
        guard !reading.payloads.isEmpty else { return "\(name): no code" }
        let payloads = reading.payloads.map { $0.asSentence }.joined(separator: "\n  ")
        return "\(name): \(reading.payloads.count == 1 ? "" : "\n  ")\(payloads)"
    }
}
