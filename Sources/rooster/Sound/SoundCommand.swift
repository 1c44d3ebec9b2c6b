// `rooster sound`: lists the sounds, plays one, or writes one to a file.

import API
import Glibc
import Sound

enum SoundCommand {
    static let command = Subcommand.ofService(
        "sound", "lists the sounds, lets one be heard, or makes one into a file",
        help: """
            Usage: rooster sound list [--json]
                   rooster sound test [ID] [--seconds N] [--volume V]
                   rooster sound save ID FILE.wav

              list     the sounds: the id that alarms call it, how long it is once through, and its name
              test     plays a sound (chimes01 without an id) as an alarm would, and says on which speaker
              save     makes a built-in sound and writes it as a WAV file, to listen to it anywhere; a file that is
                       there already is kept

              --seconds N       test plays for so long, 1 to 60; without it, 5
              --volume V        test plays that loud, 0.01 to 1 or 1% to 100%; without it, 80%

            The built-in sounds are equally loud, and can be played over and over without a seam. Your own may be WAV,
            FLAC, Ogg or MP3; each is called by the name of its file, as in morning.mp3.

            roosterd lists its sounds and plays the test, on the speaker on which it would ring. An alarm that is due
            meanwhile ends the test. Only save needs no roosterd.

            The volume of the sound card is raised as for a ring, and put back when the test ends, also by Ctrl-C. The exit
            status is 1 when nothing was heard.

              --json            list prints one JSON object a line: id, name, seconds, problem
            """,
        valued: ["--seconds", "--volume"], words: ["list, test or save"],
        optionalWords: ["ID", "FILE"], run: run)

    private static func run(_ call: ServiceCall) throws(CommandError) {
        let arguments = call.arguments
        guard !call.isJSON || arguments.words[0] == "list" else { throw arguments.wrong("--json is for list") }
        switch (arguments.words[0], arguments.words.count) {
        case ("list", 1): try list(call)
        case ("test", 1), ("test", 2): try SoundTest(call).run()
        case ("save", 3): try save(arguments.words[1], to: arguments.words[2])
        case ("save", _): throw arguments.wrong("save needs the sound's id and a file")
        case ("list", _): throw arguments.wrong("\(arguments.words[1].debugDescription) is one word too many")
        case ("test", _): throw arguments.wrong("\(arguments.words[2].debugDescription) is one word too many")
        default: throw arguments.wrong("\(arguments.words[0].debugDescription) is none of list, test and save")
        }
    }

    private static func list(_ call: ServiceCall) throws(CommandError) {
        for sound in try call.service.ask(ListSounds()).body.sounds {
            print(call.isJSON ? sound.line : words(sound))
        }
    }

    private static func words(_ sound: ListSounds.Sound) -> String {
        let column = sound.id + String(repeating: " ", count: max(1, 12 - sound.id.count))
        guard let seconds = sound.seconds else { return "\(column)cannot be played: \(sound.problem ?? "")" }
        return "\(column)\(seconds < 10 ? " " : "")\(seconds) s   \(sound.name)"
    }

    private static func save(_ id: String, to path: String) throws(CommandError) {
        guard let sound = BuiltInSound(id: id) else {
            throw .notFound("there is no sound \(id.debugDescription): 'rooster sound list' shows all")
        }
        try NewFile(path, mode: 0o644).write(sound.samples().waveFile)
    }
}
