// Runs `rooster-camera` for one picture, and distrusts its answer, since the picture may have exploited a
// decoder.

import Glibc
import JSON
import System

struct ScannedPicture {
    let path: String
    let payloads: [String]
    let error: String?
    let json: JSON
}

/// The program `rooster-camera`, from the build or the installation.
struct PictureProgram {
    private let program: String

    /// The timeout. The slowest machine reads a picture faster.
    private static let timeoutSeconds = 60
    private static let answerBytesMax = 4 << 20

    init() throws(CommandError) {
        program = builtProgram("rooster-camera") ?? "/usr/libexec/rooster/rooster-camera"
        guard access(program, X_OK) == 0 else {
            throw .refused(sentences("\(program) is missing", "Install Rooster again"))
        }
    }

    func scan(_ path: String, kinds: String?) throws(CommandError) -> ScannedPicture {
        let answer: [UInt8]
        do throws(ChildOutput.Failure) {
            let command =
                [program, "scan"] + (kinds.map { ["--kinds", $0] } ?? []) + [
                    path == "-" || path.hasPrefix("/") ? path : "./\(path)"
                ]
            answer = try ChildOutput.read(
                command, bytesMax: PictureProgram.answerBytesMax, seconds: PictureProgram.timeoutSeconds)
        } catch {
            switch error {
            case .notStarted(let number): throw .refused("\(program) cannot be started: \(systemText(number))")
            case .late: return unread(path, "reading took longer than \(PictureProgram.timeoutSeconds) s")
            case .tooLong, .failed: return unread(path, "the decoder crashed")
            }
        }
        return read(answer, path) ?? unread(path, "the decoder crashed")
    }

    /// Parses the answer, and returns nil if it is malformed. Our name for the file replaces the one in it.
    private func read(_ answer: [UInt8], _ path: String) -> ScannedPicture? {
        let json: JSON
        do throws(JSONSyntaxError) {
            json = try JSON(parsing: answer)
        } catch {
            return nil
        }
        guard case .array(let items)? = json.member("payloads") else { return nil }
        let payloads: [String] = items.compactMap { if case .string(let text) = $0 { text } else { nil } }
        let error: String? = if case .string(let text)? = json.member("error") { text } else { nil }
        let named = json.members.map { $0.name == "file" ? JSON.Member("file", .string(path)) : $0 }
        return ScannedPicture(path: path, payloads: payloads, error: error, json: .object(named))
    }

    private func unread(_ path: String, _ error: String) -> ScannedPicture {
        let json = JSON.object([
            .init("file", .string(path)), .init("payloads", .array([])), .init("ms", .number(0)), .init("by", .null),
            .init("error", .string(error)),
        ])
        return ScannedPicture(path: path, payloads: [], error: error, json: json)
    }
}
