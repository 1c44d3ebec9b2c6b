// `rooster scan`: reads the codes in picture files with the decoders of the camera.

import Devices

enum ScanCommand {
    static let command = Subcommand(
        name: "scan",
        summary: "the codes in picture files, as the camera reads them",
        help: """
            Usage: rooster scan FILE… [--kinds KIND,…] [--json]

            Reads the codes in picture files (PNG, JPEG or PGM; - reads standard input) with all that reads the camera's
            frames, in as much time as it has for one: a code that is read here is read from a frame like this. It needs
            neither a camera nor the service.

              --kinds KIND,…   the kinds of code to look for, in place of qr:
                               \(kinds.dropLast(6).joined(separator: ", ")),
                               \(kinds.suffix(6).joined(separator: ", "))
              --json           one JSON object a line: file, payloads (empty when none was read), ms, by (zbar or
                               zxing), kinds, light and sharp (0 to 100); bytes in hexadecimal where a payload is no
                               text; error where there is no picture

            The exit status is 1 when a file is no picture that can be read; a picture without a code is one.
            """,
        valued: ["--kinds"], flags: ["--json"], words: ["FILE"], takesMoreWords: true, run: run)

    private static let kinds = Symbology.allCases.map(\.rawValue)

    private static func run(_ arguments: CommandArguments) throws(CommandError) {
        let chosen = try arguments.value("--kinds", "a list of \(kinds.joined(separator: ", "))") { text in
            text.split(separator: ",", omittingEmptySubsequences: false).allSatisfy { kinds.contains(String($0)) }
                ? text : nil
        }
        let program = try PictureProgram()
        var refusal: CommandError?
        for path in arguments.words {
            let reading = try program.scan(path, kinds: chosen)
            // Flushed, so that errors on standard error keep their place among the lines.
            try printNow("\(arguments.has("--json") ? reading.json.line : words(reading))\n")
            guard let error = reading.error else { continue }
            if let refusal { complain("rooster: \(refusal)") }
            refusal = .notWell("\(path.asSentence): \(error.asSentence)")
        }
        if let refusal { throw refusal }
    }

    private static func words(_ reading: ScannedPicture) -> String {
        let name = shownPath(reading.path).asSentence
        if reading.error != nil { return "\(name): no picture" }
        guard !reading.payloads.isEmpty else { return "\(name): no code" }
        let payloads = reading.payloads.map { $0.asSentence }.joined(separator: "\n  ")
        return "\(name): \(reading.payloads.count == 1 ? "" : "\n  ")\(payloads)"
    }
}
