// What keeps a sound file from being played.

import Glibc
import Sound

package enum SoundFileError: Error, Hashable, Sendable {
    case system(errorNumber: Int32)
    /// A directory, a device or a pipe has that name.
    case notAFile
    case empty
    /// libsndfile cannot read it, in its words.
    case unreadable(String)
    /// No card plays that.
    case rate(hertz: Int)
    /// Nobody has so many loudspeakers.
    case channels(Int)
    /// It is over before it is heard.
    case tooShort(milliseconds: Int)
    /// There is a sound in it that nobody hears.
    case silent
    case resampling(String)
    /// Whoever has read it has ended by that, more than once.
    case endsItsReader
}

extension SoundFileError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .system(let number): String(cString: strerror(number))
        case .notAFile: "it is not a file"
        case .empty: "it is empty"
        case .unreadable(let words): words.split(separator: "\n").joined(separator: " ")
        case .rate(let hertz): "it says it has \(hertz) values a second"
        case .channels(let count): "it says it has \(count) channels"
        case .tooShort(let milliseconds): "it lasts only \(milliseconds) ms"
        case .silent: "there is nothing to be heard in it"
        case .resampling(let words): words
        case .endsItsReader:
            "reading it has ended Rooster twice: it is tried again in a day, or when it is put there anew"
        }
    }
}
