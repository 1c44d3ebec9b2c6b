// `rooster sound`: the sounds that every Rooster has, listed, or made into files to listen to.

import Alarms
import Devices
import Glibc

enum SoundCommand {
    static let command = Command(
        name: "sound",
        summary: "lists the built-in sounds, or makes one into a file",
        help: """
            Usage: rooster sound list [--json]
                   rooster sound save ID FILE.wav

              list     the built-in sounds: the id that alarms call it, how long it is once through, and its name
              save     makes a sound and writes it as a WAV file, to listen to it anywhere; a file that is there
                       already is kept

              --json   list prints one JSON object a line: id, name, seconds

            All of them are equally loud, and can be played over and over without a seam.
            """,
        valued: [], flags: ["--json"], words: ["list or save"], optionalWords: ["ID", "FILE"], run: run)

    private static func run(_ arguments: Arguments) throws(Refusal) {
        switch (arguments.words[0], arguments.words.count) {
        case ("list", 1): for sound in BuiltInSound.all { print(line(sound, isJSON: arguments.has("--json"))) }
        case ("save", 3): try save(arguments.words[1], to: arguments.words[2])
        case ("save", _): throw arguments.wrong("save needs the sound's id and a file")
        case ("list", _): throw arguments.wrong("\(arguments.words[1].debugDescription) is one word too many")
        default: throw arguments.wrong("\(arguments.words[0].debugDescription) is neither list nor save")
        }
    }

    private static func line(_ sound: BuiltInSound, isJSON: Bool) -> String {
        let tenths = Int((sound.seconds * 10).rounded())
        let seconds = "\(tenths / 10).\(tenths % 10)"
        guard isJSON else {
            let column = sound.id + String(repeating: " ", count: max(1, 12 - sound.id.count))
            return "\(column)\(tenths < 100 ? " " : "")\(seconds) s   \(sound.name)"
        }
        return JSON.object([
            .init("id", .string(sound.id)), .init("name", .string(sound.name)), .init("seconds", .number(seconds)),
        ]).description
    }

    private static func save(_ id: String, to path: String) throws(Refusal) {
        guard let sound = BuiltInSound(id: id) else {
            throw .refused("there is no sound \(id.debugDescription): 'rooster sound list' shows all")
        }
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw .refused("\(path): \(String(cString: strerror(errno)))") }
        defer { close(descriptor) }
        var rest = sound.samples().waveFile[...]
        while !rest.isEmpty {
            let written = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            guard written >= 0 || errno == EINTR else { throw .refused("\(path): \(String(cString: strerror(errno)))") }
            rest = rest.dropFirst(max(written, 0))
        }
    }
}
