// `rooster sound add` and `rooster sound remove`: the owner's own sound files.

import API
import Sound
import Text

enum OwnSound {
    /// Sends a file to the service in pieces, because the service accepts no long lines.
    static func add(_ path: String, _ call: ServiceCall) throws(CommandError) {
        let file = try input(at: path)
        guard file.count <= SoundPiece.fileBytesMax else {
            throw .refused("\(shownPath(path).asSentence) is larger than \(SoundPiece.fileBytesMax >> 20) MiB")
        }
        guard !file.isEmpty else { throw .refused("\(shownPath(path).asSentence) is empty") }
        let name = call.arguments.value("--name") ?? path.split(separator: "/").last.map(String.init) ?? path
        let names = OptionNames.ofAlarms(try call.service.alarms().map(\.alarm))
        let upload = String(UInt64.random(in: 0 ... .max), radix: 16)
        var offset = 0
        while true {
            let piece = Array(file[offset..<min(offset + AddSound.pieceBytesMax, file.count)])
            let answer = try call.service.ask(
                AddSound(sound: name, upload: upload, size: file.count, offset: offset, data: piece.base64),
                naming: names)
            offset += piece.count
            guard offset == file.count else { continue }
            let seconds = answer.body.sound?.seconds.map { " (\($0) s)" } ?? ""
            return call.say(answer, "Added \(name.quoted)\(seconds)")
        }
    }

    static func remove(_ id: String, _ call: ServiceCall) throws(CommandError) {
        let names = OptionNames.ofAlarms(try call.service.alarms().map(\.alarm))
        call.say(try call.service.ask(RemoveSound(sound: id), naming: names), "Removed \(id.quoted)")
    }
}
