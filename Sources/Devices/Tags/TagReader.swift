// What is held to a reader instead of a code to a camera.

/// A reader of NFC tags. It decides nothing.
public protocol TagReader: Sendable {
    /// Whether it tells what is held to it from now on. It returns at once.
    func order(isOn: Bool)
    /// Lets go of it for good; the reports end.
    func end()
    /// What is held to it, for one listener.
    var reports: AsyncStream<TagReport> { get }
}

/// What a reader of tags tells.
public enum TagReport: Hashable, Sendable {
    /// It can be used from now on, under the name by which its owner knows it.
    case ready(name: String)
    /// A tag is there. One that was there when the reader was ordered on may lie there all the time: nobody has got up for it.
    case tag(NFCTag, wasThere: Bool)
    /// What was held to it tells no identifier that could be used, and why.
    case unreadable(reason: String)
    /// It cannot be used, and why. It is tried again until it is ordered off.
    case failed(TagReaderFailure)
}

/// What keeps a reader from telling tags.
public enum TagReaderFailure: Error, Hashable, Sendable {
    /// The service pcscd, which has the readers, is not there.
    case noService
    /// pcscd does not talk to this user.
    case refused
    /// No reader is plugged in.
    case none
    /// The configured reader is not there; others may be.
    case missing(wanted: String)
    /// Something else, in the words of PC/SC.
    case system(doing: String, words: String)
}

extension TagReaderFailure: CustomStringConvertible {
    /// One line for the owner.
    public var description: String {
        switch self {
        case .noService: "pcscd is not running, which reads tags: 'apt install pcscd' installs it"
        case .refused: "pcscd does not let this user read tags: its polkit rule for Rooster is not installed"
        case .none: "no reader of tags is plugged in"
        case .missing(let wanted): "the reader of tags \"\(wanted)\" is not plugged in"
        case .system(let doing, let words): "cannot \(doing): \(words)"
        }
    }
}
