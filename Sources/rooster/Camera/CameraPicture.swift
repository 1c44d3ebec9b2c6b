// `rooster code picture`: writes the present picture of the camera to a file, for example to aim the camera.

import API
import Glibc
import Text

struct CameraPicture {
    private let call: ServiceCall
    /// Nil for standard output.
    private let path: String?

    /// The time in which a camera is opened and delivers a picture, and the interval of requests.
    private static let startMilliseconds = 10_000
    private static let stepMilliseconds = 200

    init(_ call: ServiceCall) throws(CommandError) {
        let arguments = call.arguments
        self.call = call
        guard !call.isJSON else { throw arguments.wrong("--json cannot be used with picture, which writes a picture") }
        guard let output = arguments.value("--output") else {
            throw arguments.wrong("--output is missing, such as --output view.jpg")
        }
        path = output == "-" ? nil : output
    }

    func save() throws(CommandError) {
        let picture = try picture()
        guard let path else {
            if let number = writeAll(picture, to: STDOUT_FILENO) {
                throw .refused(unwritten("Standard output", number))
            }
            return
        }
        // The picture may show a bedroom, so only the owner may read it.
        try NewFile(path, mode: 0o600).write(picture)
        print("Wrote \(path.asSentence)")
    }

    /// Switches the camera on, and returns its first picture.
    private func picture() throws(CommandError) -> [UInt8] {
        let deadline = CallDeadline(in: CameraPicture.startMilliseconds)
        while true {
            let view = try call.service.ask(PreviewCamera()).body.view
            switch try call.service.reply(to: GetCameraPicture()) {
            case .success(let answer):
                guard let bytes = answer.body.content.bytes else { throw .refused("The picture is not valid base64") }
                return bytes
            case .failure(let error):
                if let problem = view.problem { throw .refused(problem.capitalisedFirst) }
                guard error.code == .noPicture, deadline.millisecondsLeft > 0 else {
                    throw .refused(error.text(), answer: error.forScripts)
                }
                usleep(UInt32(CameraPicture.stepMilliseconds) * 1000)
            }
        }
    }
}
