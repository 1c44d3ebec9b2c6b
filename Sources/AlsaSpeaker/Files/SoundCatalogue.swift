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
    private let upload: SoundUpload

    /// - Parameter reserveBytes: the space that a new file must leave on the disk.
    package init(directory: String? = nil, marks: ReadMarks? = nil, reserveBytes: Int = 64 << 20) {
        self.directory = directory
        self.marks = marks
        upload = SoundUpload(reserveBytes: reserveBytes)
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

extension SoundCatalogue {
    /// The rate and the length of a preview. Both bound its size.
    private static let previewRate = 24_000
    private static let previewSeconds = 15
    /// The rate at which a new file is read. A lower one would not hear high tones.
    private static let checkRate = 24_000
    /// The mark of a new file. No id is like it, since it has no dot.
    private static let uploadMark = "upload"

    private func beginning(of id: String) throws(SoundLibraryError) -> Samples {
        let (rate, seconds) = (SoundCatalogue.previewRate, SoundCatalogue.previewSeconds)
        if let builtIn = BuiltInSound(id: id) {
            var samples = builtIn.samples(rate: rate)
            samples.values = Array(samples.values.prefix(seconds * rate))
            return samples
        }
        do throws(SoundFileError) {
            return try read(id) { path throws(SoundFileError) in
                try SoundFile(at: path, rate: rate, secondsMax: seconds).samples
            }
        } catch {
            throw error == .system(errorNumber: ENOENT) ? .noSuchSound : .unplayable("\(error)")
        }
    }

    private func append(_ piece: SoundPiece) throws(SoundLibraryError) -> AddedSound? {
        guard let directory else { throw .notSaved("Not saved: Rooster has no folder for sounds") }
        return try upload.append(piece, in: directory) { path throws(SoundLibraryError) -> AddedSound in
            guard marks?.begin(SoundCatalogue.uploadMark, at: path) ?? true else {
                throw .unplayable("\(SoundFileError.endsItsReader)")
            }
            defer { marks?.end(SoundCatalogue.uploadMark) }
            do throws(SoundFileError) {
                let warnings = try SoundFile(at: path, rate: SoundCatalogue.checkRate).warnings
                let seconds = try OpenSoundFile(at: path).seconds
                let listing = SoundListing(id: piece.id, name: piece.id, seconds: seconds)
                return AddedSound(listing, warnings: warnings)
            } catch {
                throw .unplayable("\(error)")
            }
        }
    }

    private func delete(_ id: String) throws(SoundLibraryError) {
        guard let directory, let path = path(of: id) else { throw .noSuchSound }
        guard unlink(path) == 0 else { throw errno == ENOENT ? .noSuchSound : .unsaved(errno, in: directory) }
        try SoundUpload.syncFolder(directory)
    }

    /// Calls back with the result of work that waits for the disk, from a thread of its own.
    private func run<Value: Sendable>(
        _ work: @escaping @Sendable () throws(SoundLibraryError) -> Value,
        then callback: @escaping @Sendable (Result<Value, SoundLibraryError>) -> Void
    ) {
        do throws(SystemCallError) {
            try startThread(named: "sounds") { callback(Result(catching: work)) }
        } catch {
            callback(.failure(.notSaved("\(error)")))
        }
    }
}

extension SoundCatalogue: SoundLibrary {
    package func preview(
        _ id: String, then callback: @escaping @Sendable (Result<[UInt8], SoundLibraryError>) -> Void
    ) {
        run({ () throws(SoundLibraryError) in try beginning(of: id).waveFile }, then: callback)
    }

    package func add(
        _ piece: SoundPiece, then callback: @escaping @Sendable (Result<AddedSound?, SoundLibraryError>) -> Void
    ) {
        run({ () throws(SoundLibraryError) in try append(piece) }, then: callback)
    }

    package func remove(_ id: String, then callback: @escaping @Sendable (Result<Void, SoundLibraryError>) -> Void) {
        run({ () throws(SoundLibraryError) in try delete(id) }, then: callback)
    }

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
