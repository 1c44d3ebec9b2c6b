// Reads a picture for the simulated camera, in a process of its own, so that this process parses no picture.

import Devices
import JSON
import SimulatedDevices
import Synchronization
import System
import Text

/// Reads one picture at a time with `rooster-camera scan`.
final class PictureReader: Sendable {
    private let symbologies: Set<Symbology>
    private let isBusy = Mutex(false)

    private static let bytesMax = 256 << 10
    private static let answerBytesMax = 1 << 20
    private static let seconds = 10

    init(_ symbologies: Set<Symbology>) { self.symbologies = symbologies }

    /// Reads a picture in base64, and calls back on a thread.
    func read(_ text: String, then answer: @escaping @Sendable (Result<CameraScene, Impossible>) -> Void) {
        guard text.utf8.count <= (PictureReader.bytesMax + 2) / 3 * 4, let picture = [UInt8](base64: text) else {
            return answer(
                .failure(Impossible("must be a file of at most \(PictureReader.bytesMax >> 10) KiB in base64")))
        }
        let begins = isBusy.withLock { isBusy in
            defer { isBusy = true }
            return !isBusy
        }
        guard begins else { return answer(.failure(Impossible("another picture is being read"))) }
        runOnThread(named: "picture") { [self] in
            let result = Result { () throws(Impossible) in try scene(picture) }
            isBusy.withLock { $0 = false }
            answer(result)
        }
    }

    private func scene(_ picture: [UInt8]) throws(Impossible) -> CameraScene {
        let program = builtProgram("rooster-camera") ?? "/usr/libexec/rooster/rooster-camera"
        let kinds = symbologies.map(\.rawValue).sorted().joined(separator: ",")
        let answer: [UInt8]
        do throws(ChildOutput.Failure) {
            answer = try ChildOutput.read(
                [program, "scan", "--kinds", kinds, "-"], input: picture, bytesMax: PictureReader.answerBytesMax,
                seconds: PictureReader.seconds)
        } catch {
            throw Impossible("\(program) cannot read it (\(error))")
        }
        guard let json = try? JSON(parsing: answer), case .array(let payloads)? = json.member("payloads"),
            case .array(let kinds)? = json.member("kinds") ?? .some(.array([]))
        else { throw Impossible("\(program) cannot read it") }
        if case .string(let reason)? = json.member("error") { throw Impossible("cannot be read: it \(reason)") }
        var scene = CameraScene(preview: picture.count < HelperMessage.packetBytesMax ? picture : nil)
        for case (.string(let payload), .string(let kind)) in zip(payloads, kinds) {
            if let symbology = Symbology(rawValue: kind) {
                scene.codes.append(ReadCode(symbology, payload: Array(payload.utf8)))
            }
        }
        if case .number(let light)? = json.member("light") { scene.light = Int(light) ?? scene.light }
        if case .number(let sharpness)? = json.member("sharp") { scene.sharpness = Int(sharpness) ?? scene.sharpness }
        return scene
    }
}
