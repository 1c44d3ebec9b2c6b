// `rooster sound`: lists the sounds, plays one, writes one to a file, and adds and removes the owner's own.

import API
import Glibc
import Sound
import Text

enum SoundCommand {
    static let command = Subcommand.ofService(
        "sound", "List, play, save, add or remove sounds",
        help: """
            Usage: rooster sound list [OPTIONS]
                   rooster sound test [ID] [OPTIONS]
                   rooster sound save ID FILE.wav [OPTIONS]
                   rooster sound add FILE [--name NAME] [OPTIONS]
                   rooster sound remove ID [OPTIONS]

            List, play, save, add or remove sounds.

            Commands:
              list            list the sounds: the id for --sound, length and name
              test            play a sound (default: chimes01) as an alarm would, and name
                              the speaker
              save            write a built-in sound to a new WAV file, which needs no
                              service; of your own sounds, the first 15 seconds
              add             add a sound file of your own, at most 16 MiB; one of the same
                              name is replaced, unless an alarm uses it
              remove          delete a sound file of your own, unless an alarm uses it

            Options:
              --seconds N     test: length, 1 to 60 (default: 5)
              --volume V      test: volume, 0.01 to 1 or 1% to 100% (default: 80%)
              --name NAME     add: the id of the sound (default: the name of the file)
              --json          list: print one JSON object a line: id, name, seconds,
                              problem; add: one object: received (bytes), sound; remove: {}

            Your own sounds are WAV, FLAC, Ogg or MP3 files, and their ids are the names of
            the files, such as morning.mp3 ('man rooster.conf': speaker.sounds).

            A test raises the card's volume as a ring does and restores it at the end. A due
            alarm ends the test. The exit status is 1 if nothing was heard.
            """,
        valued: ["--seconds", "--volume", "--name"], operands: ["list, test, save, add or remove"],
        optionalOperands: ["ID", "FILE"], run: run)

    private static func run(_ call: ServiceCall) throws(CommandError) {
        let arguments = call.arguments
        guard !call.isJSON || ["list", "add", "remove"].contains(arguments.operands[0]) else {
            throw arguments.wrong("--json can be used with list, add and remove only")
        }
        if arguments.has("--name"), arguments.operands[0] != "add" {
            throw arguments.wrong("--name can be used with add only")
        }
        switch (arguments.operands[0], arguments.operands.count) {
        case ("list", 1): try list(call)
        case ("test", 1), ("test", 2): try SoundTest(call).run()
        case ("save", 3): try save(arguments.operands[1], to: arguments.operands[2], call)
        case ("add", 2): try OwnSound.add(arguments.operands[1], call)
        case ("add", 1): throw arguments.wrong("FILE is missing")
        case ("remove", 2): try OwnSound.remove(arguments.operands[1], call)
        case ("remove", 1): throw arguments.wrong("ID is missing")
        case ("save", _): throw arguments.wrong("ID or FILE is missing")
        case ("list", _):
            throw arguments.wrong("The argument \(arguments.operands[1].debugDescription) is not expected")
        case ("test", _), ("add", _), ("remove", _):
            throw arguments.wrong("The argument \(arguments.operands[2].debugDescription) is not expected")
        default:
            throw arguments.wrong(
                "The argument must be list, test, save, add or remove, not \(arguments.operands[0].debugDescription)")
        }
    }

    private static func list(_ call: ServiceCall) throws(CommandError) {
        for sound in try call.service.ask(ListSounds()).body.sounds {
            print(call.isJSON ? sound.line : text(sound))
        }
    }

    private static func text(_ sound: ListSounds.Sound) -> String {
        let column = sound.id + String(repeating: " ", count: max(1, 12 - sound.id.count))
        guard let seconds = sound.seconds else { return "\(column)cannot be played: \(sound.problem ?? "")" }
        return "\(column)\(seconds < 10 ? " " : "")\(seconds) s   \(sound.name)"
    }

    static func noSuchSound(_ id: String) -> CommandError {
        .notFound(
            sentences("There is no sound \(id.debugDescription)", hint(near: id), "'rooster sound list' shows all"))
    }

    /// Returns the built-in sound that a misspelt id may mean, as a question; nil if there is none.
    static func hint(near id: String) -> String? {
        BuiltInSound.all.first { id.isNearly($0.id) }.map { "Did you mean \($0.id)?" }
    }

    private static func save(_ id: String, to path: String, _ call: ServiceCall) throws(CommandError) {
        if let sound = BuiltInSound(id: id) {
            return try NewFile(path, mode: 0o644).write(sound.samples().waveFile)
        }
        // An id with a dot is the name of a file, which only the service may read.
        guard id.contains(".") else { throw noSuchSound(id) }
        let content = try call.service.ask(GetSound(sound: id)).body.content
        guard let bytes = content.bytes else { throw .refused("The sound is not valid base64") }
        try NewFile(path, mode: 0o644).write(bytes)
    }
}
