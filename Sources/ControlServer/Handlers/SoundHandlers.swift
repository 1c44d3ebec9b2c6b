// The handlers of requests about sounds.

import API
import Alarms
import Engine
import Service
import Sound
import Text

extension ListSounds: RequestHandler {
    func handle(_ context: HandlerContext, at service: isolated Service, then send: @escaping Completion<Response>) {
        service.listSounds { sounds in
            guard let sounds else { return send(.failure(.soundsDiskHangs)) }
            send(.success(SuccessResponse(Response(sounds: sounds.map { Sound($0) }))))
        }
    }
}

extension GetSound: RequestHandler {
    func handle(_ context: HandlerContext, at service: isolated Service, then send: @escaping Completion<Response>) {
        service.previewSound(sound) { result in
            switch result {
            case .success(let file)?:
                let content = MediaReport(file, type: "audio/wav")
                send(.success(SuccessResponse(Response(content: content))))
            case .failure(let error)?: send(.failure(ErrorResponse(error, of: sound, at: "sound")))
            case nil: send(.failure(.soundsDiskHangs))
            }
        }
    }
}

extension AddSound: RequestHandler {
    func handle(_ context: HandlerContext, at service: isolated Service, then send: @escaping Completion<Response>) {
        let piece: SoundPiece
        do throws(ErrorResponse) {
            piece = try checkedPiece()
            try service.checkIsUnused(sound)
        } catch {
            return send(.failure(error))
        }
        service.addSound(piece) { result in
            switch result {
            case .success(let added)?:
                let response = Response(
                    received: piece.offset + piece.bytes.count, sound: added.map { ListSounds.Sound($0.listing) })
                let warnings = added?.warnings.map { ProblemReport(Problem("sound", $0, .warning)) }
                send(.success(SuccessResponse(response, warnings: warnings ?? [])))
            case .failure(let error)?: send(.failure(ErrorResponse(error, of: sound, at: "data")))
            case nil: send(.failure(.soundsDiskHangs))
            }
        }
    }

    private func checkedPiece() throws(ErrorResponse) -> SoundPiece {
        var problems: [Problem] = []
        if let reason = SoundName.problem(of: sound) { problems.append(Problem("sound", reason)) }
        if !(1...SoundPiece.fileBytesMax).contains(size) {
            problems.append(Problem("size", "must be from 1 to \(SoundPiece.fileBytesMax) bytes (16 MiB)"))
        }
        if upload.isEmpty || upload.utf8.count > AddSound.uploadBytesMax {
            problems.append(Problem("upload", "must have 1 to \(AddSound.uploadBytesMax) bytes"))
        }
        let bytes = [UInt8](base64: data) ?? []
        if bytes.isEmpty || bytes.count > AddSound.pieceBytesMax {
            problems.append(Problem("data", "must be 1 to \(AddSound.pieceBytesMax) bytes in base64"))
        }
        if offset < 0 || offset > size - bytes.count {
            problems.append(Problem("offset", "must be a place within the file that has room for the piece"))
        }
        guard problems.isEmpty else { throw ErrorResponse(.problems(problems)) }
        return SoundPiece(of: sound, upload: upload, size: size, offset: offset, bytes)
    }

    private static let uploadBytesMax = 100
}

extension RemoveSound: RequestHandler {
    func handle(
        _ context: HandlerContext, at service: isolated Service, then send: @escaping Completion<EmptyResponse>
    ) {
        do throws(ErrorResponse) { try service.checkIsUnused(sound) } catch { return send(.failure(error)) }
        guard BuiltInSound(id: sound) == nil else {
            return send(.failure(ErrorResponse(.problems([Problem("sound", "is built in, and cannot be deleted")]))))
        }
        service.removeSound(sound) { result in
            switch result {
            case .success?: send(.success(SuccessResponse(EmptyResponse())))
            case .failure(let error)?: send(.failure(ErrorResponse(error, of: sound, at: "sound")))
            case nil: send(.failure(.soundsDiskHangs))
            }
        }
    }
}

extension ListSounds.Sound {
    fileprivate init(_ listing: SoundListing) {
        let seconds = listing.seconds.map { ($0 * 10).rounded() / 10 }
        self.init(id: listing.id, name: listing.name, seconds: seconds, problem: listing.problem)
    }
}

extension Service {
    private static let namedMax = 5

    /// Throws if an alarm or the defaults use a file. Without its sound, or with another one of the same name, a ring
    /// could be missed.
    fileprivate func checkIsUnused(_ sound: String) throws(ErrorResponse) {
        let reason = "must first get another sound than \(sound.quoted)"
        let users = engine.alarms.filter { alarm in alarm.sounds.contains { $0.sound == sound } }
        var problems = users.prefix(Service.namedMax).map { Problem($0.id, reason) }
        if engine.settings.defaults.alarm.sounds.contains(where: { $0.sound == sound }) {
            problems.append(Problem("defaults", reason))
        }
        guard !problems.isEmpty else { return }
        throw ErrorResponse(
            .soundInUse, "The sound \(sound.quoted) is in use. First choose another sound for its alarms",
            problems: problems.map(ProblemReport.init))
    }
}

extension ErrorResponse {
    fileprivate static let soundsDiskHangs = ErrorResponse(.busy, "The disk with the sounds does not answer")

    fileprivate init(_ error: SoundLibraryError, of sound: String, at path: String) {
        switch error {
        case .noSuchSound: self.init(.noSuchSound, "There is no sound \(sound.quoted)")
        case .unplayable(let reason): self.init(.problems([Problem(path, "cannot be played: \(reason)")]))
        case .pieceMissing:
            self.init(
                .uploadLost, "Another upload has begun, or a piece of the file is missing. Send the file once more")
        case .notSaved(let reason): self.init(.notKept, reason)
        }
    }
}
