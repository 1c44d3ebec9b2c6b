// All sounds that can be chosen: Rooster's own, and those that its owner has put into a directory.

import Glibc
import Sound
import System

/// Knows every sound by its id. One that is not there, or cannot be played, is replaced: there is always a sound.
package struct SoundCatalogue: Sendable {
    /// Where the owner's own sounds are; nothing where there are none.
    package let directory: String?
    /// Which of them are being read; nothing where nobody minds.
    private let marks: ReadMarks?

    package init(directory: String? = nil, marks: ReadMarks? = nil) {
        self.directory = directory
        self.marks = marks
    }

    package struct Made: Hashable, Sendable {
        package var samples: Samples
        package var id: String
        /// Why it is another than was asked for, or not quite the same; in words.
        package var warnings: [String]
    }

    /// Why nobody can say which of the owner's own there are, in the system's number; nothing where that is known.
    package var directoryError: Int32? {
        guard let directory else { return nil }
        guard let folder = opendir(directory) else { return errno }
        closedir(folder)
        return nil
    }

    /// All of them: the built-in ones as they are listed, then the files by their names.
    package func entries() -> [SoundListing] {
        let builtIn = BuiltInSound.all.map { SoundListing(id: $0.id, name: $0.name, seconds: $0.seconds) }
        return builtIn + files().map(entry)
    }

    /// The sound of an id at the rate of a card, or what takes its place.
    package func sound(_ id: String, rate: Int) -> Made {
        if let builtIn = BuiltInSound(id: id) {
            return Made(samples: builtIn.samples(rate: rate), id: id, warnings: [])
        }
        do throws(SoundFileError) {
            let file = try read(id) { path throws(SoundFileError) in try SoundFile(at: path, rate: rate) }
            let warnings = file.warnings.map { "the sound \(id.debugDescription): \($0)" }
            return Made(samples: file.samples, id: id, warnings: warnings)
        } catch {
            let standard = BuiltInSound.standard
            return Made(samples: standard.samples(rate: rate), id: standard.id, warnings: [words(id, error)])
        }
    }

    /// Why a sound cannot be played, as far as its file says so without being read; nothing where it can.
    private func problem(of id: String) -> String? {
        guard BuiltInSound(id: id) == nil else { return nil }
        do throws(SoundFileError) {
            _ = try read(id) { path throws(SoundFileError) in try OpenSoundFile(at: path).seconds }
            return nil
        } catch {
            return words(id, error)
        }
    }

    private func read<Read>(
        _ id: String, _ read: (_ path: String) throws(SoundFileError) -> Read
    ) throws(SoundFileError) -> Read {
        guard let path = path(of: id) else { throw .system(errorNumber: ENOENT) }
        guard marks?.begin(id, at: path) ?? true else { throw .endsItsReader }
        defer { marks?.end(id) }
        return try read(path)
    }

    private func words(_ id: String, _ error: SoundFileError) -> String {
        "the sound \(id.debugDescription) cannot be played (\(error)): \(BuiltInSound.standard.name) takes its place"
    }

    /// Where the file of an id is: in the directory and nowhere else, whatever the id looks like.
    private func path(of id: String) -> String? {
        guard let directory, id.contains("."), !id.hasPrefix("."), !id.contains("/"), !id.contains("\0") else {
            return nil
        }
        return "\(directory)/\(id)"
    }

    private func files() -> [String] {
        guard let directory else { return [] }
        do throws(FolderError) {
            return try Folder.names(in: directory).filter { path(of: $0) != nil }
        } catch {
            // Whoever shows them to somebody tells of it.
            return []
        }
    }

    /// A file by what it says of itself: reading all of it would take too long for a list.
    private func entry(_ file: String) -> SoundListing {
        do throws(SoundFileError) {
            let seconds = try read(file) { path throws(SoundFileError) in try OpenSoundFile(at: path).seconds }
            return SoundListing(id: file, name: file, seconds: seconds)
        } catch {
            return SoundListing(id: file, name: file, seconds: nil, problem: "\(error)")
        }
    }
}

extension SoundCatalogue: SoundCheck {
    /// Tells which there are. A disk that hangs keeps a thread, and nobody waiting.
    package func list(then tell: @escaping @Sendable ([SoundListing]) -> Void) {
        do throws(SystemCallError) {
            try startThread(named: "sounds") { tell(entries()) }
        } catch {
            tell(BuiltInSound.all.map { SoundListing(id: $0.id, name: $0.name, seconds: $0.seconds) })
        }
    }

    /// Tells what will be heard otherwise than it was chosen. A disk that hangs keeps a thread, and nobody waiting.
    package func check(_ sounds: [String], then callback: @escaping @Sendable ([String]) -> Void) {
        do throws(SystemCallError) {
            try startThread(named: "sounds") { callback(sounds.compactMap(problem)) }
        } catch {
            callback(["nobody can look for the sounds: \(error)"])
        }
    }
}
