// `rooster sound`: the sounds that there are, listed, heard, or made into files.

import Alarms
import Devices
import Glibc
import LinuxDevices

enum SoundCommand {
    static let command = Command(
        name: "sound",
        summary: "lists the sounds, lets one be heard, or makes one into a file",
        help: """
            Usage: rooster sound list [--json] [--sounds DIR]
                   rooster sound test [ID] [--seconds N] [--volume V] [--speaker NAME] [--sounds DIR]
                   rooster sound save ID FILE.wav

              list     the sounds: the id that alarms call it, how long it is once through, and its name
              test     plays a sound (chimes01 without an id) as an alarm would, and says on which speaker
              save     makes a built-in sound and writes it as a WAV file, to listen to it anywhere; a file that is
                       there already is kept

              --json            list prints one JSON object a line: id, name, seconds, problem
              --seconds N       test plays for so long, 1 to 600; without it, 5
              --volume V        test plays that loud, 0.01 to 1; without it, 0.8
              --speaker NAME    test tries that speaker first: a name that 'rooster speakers' shows, or alsa: and the
                                name of any device that ALSA knows
              --sounds DIR      where your own sounds are; without it, \(defaultDirectory)

            The built-in sounds are equally loud, and can be played over and over without a seam. Your own may be WAV,
            FLAC, Ogg or MP3; each is called by the name of its file, as in morning.mp3.

            test raises the volume of the sound card as a ring does, and puts it back when it ends, also by Ctrl-C. It has
            the exit status 1 when nothing was heard.
            """,
        valued: ["--seconds", "--volume", "--speaker", "--sounds"], flags: ["--json"], words: ["list, test or save"],
        optionalWords: ["ID", "FILE"], run: run)

    /// Where the service keeps the owner's own sounds.
    private static let defaultDirectory = "/var/lib/rooster/sounds"

    private static func run(_ arguments: Arguments) throws(Refusal) {
        let sounds = SoundCatalogue(directory: arguments.value("--sounds") ?? defaultDirectory)
        switch (arguments.words[0], arguments.words.count) {
        case ("list", 1): for entry in sounds.entries() { print(line(entry, isJSON: arguments.has("--json"))) }
        case ("test", 1), ("test", 2): try SoundTest(arguments, sounds).run()
        case ("save", 3): try save(arguments.words[1], to: arguments.words[2])
        case ("save", _): throw arguments.wrong("save needs the sound's id and a file")
        case ("list", _): throw arguments.wrong("\(arguments.words[1].debugDescription) is one word too many")
        case ("test", _): throw arguments.wrong("\(arguments.words[2].debugDescription) is one word too many")
        default: throw arguments.wrong("\(arguments.words[0].debugDescription) is none of list, test and save")
        }
    }

    private static func line(_ sound: SoundCatalogue.Entry, isJSON: Bool) -> String {
        let seconds = sound.seconds.map { seconds -> String in
            let tenths = Int((seconds * 10).rounded())
            return "\(tenths / 10).\(tenths % 10)"
        }
        guard isJSON else {
            let column = sound.id + String(repeating: " ", count: max(1, 12 - sound.id.count))
            guard let seconds else { return "\(column)cannot be played: \(sound.problem?.description ?? "")" }
            return "\(column)\(seconds.count < 4 ? " " : "")\(seconds) s   \(sound.name)"
        }
        var members: [JSON.Member] = [
            .init("id", .string(sound.id)), .init("name", .string(sound.name)),
            .init("seconds", seconds.map { .number($0) } ?? .null),
        ]
        if let problem = sound.problem { members.append(.init("problem", .string("\(problem)"))) }
        return JSON.object(members).description
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
