// The reasons why a sound file cannot be played.

import Glibc
import Sound

package enum SoundFileError: Error, Hashable, Sendable {
    case system(errorNumber: Int32)
    /// The path is a directory, a device or a pipe.
    case notAFile
    case empty
    /// libsndfile rejects it, with this message.
    case unreadable(String)
    /// The rate is outside 4 to 384 kHz.
    case rate(hertz: Int)
    /// The number of channels is outside 1 to 32.
    case channels(Int)
    /// The sound ends before it can be heard.
    case tooShort(milliseconds: Int)
    /// The file contains no audible sound.
    case silent
    case resampling(String)
    /// Reading it has ended the process at least twice.
    case endsItsReader
}

extension SoundFileError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .system(let number): String(cString: strerror(number))
        case .notAFile: "not a file"
        case .empty: "the file is empty"
        case .unreadable(let text): text.split(separator: "\n").joined(separator: " ")
        case .rate(let hertz): "its rate is \(hertz) Hz"
        case .channels(let count): "it has \(count) channels"
        case .tooShort(let milliseconds): "it lasts only \(milliseconds) ms"
        case .silent: "it is silent, or nearly"
        case .resampling(let text): text
        case .endsItsReader:
            "reading it has crashed Rooster twice; replace it, or wait a day for the next try"
        }
    }
}
