// All sounds that an alarm can have: the built-in ones and the owner's files.

import Glibc
import Sound
import System

/// Finds every sound by its id. A missing or unplayable sound is replaced, so that there always is one.
package struct SoundCatalogue: Sendable {
    /// The directory of the owner's files, if there is one.
    package let directory: String?
    /// The marks of the files that are being read; nil if reading is not protected.
    private let marks: ReadMarks?

    package init(directory: String? = nil, marks: ReadMarks? = nil) {
        self.directory = directory
        self.marks = marks
    }

    package struct Made: Hashable, Sendable {
        package var samples: Samples
        package var id: String
        /// Texts on how the sound differs from the one requested, and why.
        package var warnings: [String]
    }

    private static let builtIn = BuiltInSound.all.map { SoundListing(id: $0.id, name: $0.name, seconds: $0.seconds) }

    /// Returns all sounds: the built-in ones in their order, then the files by name.
    package func entries() -> [SoundListing] {
        SoundCatalogue.builtIn + files().map(entry)
    }

    /// Returns the sound of an id at a card's rate, or its replacement.
    package func sound(_ id: String, rate: Int) -> Made {
        if let builtIn = BuiltInSound(id: id) {
            return Made(samples: builtIn.samples(rate: rate), id: id, warnings: [])
        }
        do throws(SoundFileError) {
            let file = try read(id) { path throws(SoundFileError) in try SoundFile(at: path, rate: rate) }
            let warnings = file.warnings.map { "The sound \(id.debugDescription) \($0)" }
            return Made(samples: file.samples, id: id, warnings: warnings)
        } catch {
            let standard = BuiltInSound.standard
            return Made(samples: standard.samples(rate: rate), id: standard.id, warnings: [text(id, error)])
        }
    }

    /// Returns why a sound cannot be played, according to its header, or nil if it can.
    private func problem(of id: String) -> String? {
        guard BuiltInSound(id: id) == nil else { return nil }
        do throws(SoundFileError) {
            _ = try read(id) { path throws(SoundFileError) in try OpenSoundFile(at: path).seconds }
            return nil
        } catch {
            return text(id, error)
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

    private func text(_ id: String, _ error: SoundFileError) -> String {
        "The sound \(id.debugDescription) cannot be played (\(error)): \(BuiltInSound.standard.name) plays instead"
    }

    /// Returns the path of an id's file. No id leads out of the directory.
    private func path(of id: String) -> String? {
        guard let directory, id.contains("."), !id.hasPrefix("."), !id.contains("/"), !id.contains("\0") else {
            return nil
        }
        return "\(directory)/\(id)"
    }

    private func files() -> [String] {
        directory.map { Folder.readableNames(in: $0).filter { path(of: $0) != nil } } ?? []
    }

    /// Lists a file by its header. Reading all of it would take too long.
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
    /// Calls back with all sounds. If the disk hangs, only a thread waits for it.
    package func list(then callback: @escaping @Sendable ([SoundListing]) -> Void) {
        do throws(SystemCallError) {
            try startThread(named: "sounds") { callback(entries()) }
        } catch {
            callback(SoundCatalogue.builtIn)
        }
    }

    /// Calls back with a text for each sound that will be replaced. If the disk hangs, only a thread waits.
    package func check(_ sounds: [String], then callback: @escaping @Sendable ([String]) -> Void) {
        do throws(SystemCallError) {
            try startThread(named: "sounds") { callback(sounds.compactMap(problem)) }
        } catch {
            callback(["The sounds cannot be checked (\(error))"])
        }
    }
}
