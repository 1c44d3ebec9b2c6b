// Remembers how a mixer was, so that it can be put back even by the next start after a crash.

import CAlsa
import Glibc
import Synchronization

/// A directory with a file for each card whose mixer is not as its owner left it.
///
/// What is in the files is in here as well: a disk that takes nothing must not keep a mixer from being put back.
public final class MixerMemory: Sendable {
    /// Where the files are.
    public let directory: String
    private let held = Mutex<[String: MixerLevels]>([:])

    /// The files in that directory.
    public init(directory: String) {
        self.directory = directory
    }

    private static let prefix = "mixer-"

    /// A card's name may have anything in it but what a path is made of.
    private func path(of card: String) -> String {
        let name = card.map { $0.isLetter || $0.isNumber || $0 == "_" ? String($0) : "_" }.joined()
        return "\(directory)/\(MixerMemory.prefix)\(name)"
    }

    /// What is remembered of a card's mixer; nothing where it is as its owner left it.
    func levels(of card: String) throws(MixerError) -> MixerLevels? {
        if let held = held.withLock({ $0[card] }) { return held }
        return try levelsOnDisk(of: card)
    }

    private func levelsOnDisk(of card: String) throws(MixerError) -> MixerLevels? {
        let path = path(of: card)
        guard let file = fopen(path, "re") else {
            if errno == ENOENT { return nil }
            throw .unreadable(path: path)
        }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        let count = fread(&bytes, 1, bytes.count, file)
        guard count < bytes.count, let levels = MixerLevels(String(decoding: bytes.prefix(count), as: UTF8.self)) else {
            throw .unreadable(path: path)
        }
        return levels
    }

    /// Remembers how a mixer was for as long as this process lasts: that needs no disk.
    func hold(_ levels: MixerLevels, of card: String) {
        held.withLock { $0[card] = levels }
    }

    /// Remembers on the disk how a mixer is before it is changed. What is there already is older, and stays.
    func remember(_ levels: MixerLevels, of card: String) throws(MixerError) {
        do throws(MixerError) {
            if try levelsOnDisk(of: card) != nil { return }
        } catch {
            // Nobody can say any more how it was: how it is now is the next best.
        }
        let path = path(of: card)
        let new = "\(path).new"
        let descriptor = open(new, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .notRemembered(path: path, errorNumber: errno) }
        let bytes = Array(levels.text.utf8)
        let written = write(descriptor, bytes, bytes.count)
        let isWhole = written == bytes.count && fdatasync(descriptor) == 0
        let number = written < 0 || written == bytes.count ? errno : ENOSPC
        close(descriptor)
        guard isWhole else {
            unlink(new)
            throw .notRemembered(path: path, errorNumber: number)
        }
        guard rename(new, path) == 0 else { throw .notRemembered(path: path, errorNumber: errno) }
    }

    /// The mixer is as its owner left it.
    func forget(_ card: String) {
        held.withLock { $0[card] = nil }
        // What cannot be removed is put back again whenever the cards are listed, over what its owner has set since: it stays
        // soft or loud as it was, but rings.
        unlink(path(of: card))
    }
}
