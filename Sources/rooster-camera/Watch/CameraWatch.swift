// `rooster-camera watch`: reads codes from the camera until the service closes the socket.

import CodeReading
import Devices
import Glibc
import Sandbox

enum CameraWatch {
    /// The number of the socket's descriptor, as the service passes it.
    static let descriptor: Int32 = 3

    /// Opens the camera, enters the sandbox, and reads until the socket is closed or the camera fails. After
    /// a failure the program reports it and exits, and the service starts the program again. Returns the
    /// exit status: 0, or 2 for wrong arguments.
    static func run(_ arguments: [String]) -> Int32 {
        let options: WatchOptions
        do throws(WrongOption) {
            options = try WatchOptions(arguments)
        } catch {
            complain("\(error.reason)\n\(usage)")
            return 2
        }
        Confinement.endWithParent()
        let socket = ServiceSocket(descriptor: descriptor)
        guard let order = firstOrder(socket) else { return 0 }
        do throws(CameraFailure) {
            let search = CameraSearch(wanted: options.camera, powerLine: options.powerLine)
            let camera = try search.open { socket.send(.heartbeat) }
            socket.send(.heartbeat)
            for warning in camera.warnings { socket.send(.report(.warning(warning))) }
            try shutIn(camera)
            var watching = WatchSession(camera, socket, order)
            defer { camera.end() }
            try watching.run()
        } catch {
            socket.send(.report(.failed(error)))
        }
        return 0
    }

    private static func firstOrder(_ socket: ServiceSocket) -> WatchSession.WatchOrder? {
        var event = pollfd(fd: socket.descriptor, events: Int16(POLLIN), revents: 0)
        while poll(&event, 1, -1) < 0, errno == EINTR {}
        guard case .message(.read(let kinds, let previews)) = socket.receive() else { return nil }
        return WatchSession.WatchOrder(kinds: kinds, previews: previews)
    }

    private static func shutIn(_ camera: VideoCapture) throws(CameraFailure) {
        do throws(ConfinementError) {
            try Confinement(device: camera.descriptor).enter()
        } catch {
            throw .system(doing: "cannot \(error.doing)", errorNumber: error.errorNumber)
        }
    }
}

struct WrongOption: Error {
    let reason: String
}

struct WatchOptions: Hashable {
    var camera: String?
    var powerLine = PowerLine.untouched

    init(_ arguments: [String]) throws(WrongOption) {
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            guard ["--camera", "--power-line"].contains(argument) else {
                throw WrongOption(reason: "'watch' has no option \(argument.debugDescription)")
            }
            guard let value = rest.popFirst() else { throw WrongOption(reason: "\(argument) needs a value") }
            if argument == "--camera" {
                camera = value
            } else if let known = PowerLine(rawValue: value) {
                powerLine = known
            } else {
                throw WrongOption(
                    reason: "--power-line must be 50, 60, auto or untouched, not \(value.debugDescription)")
            }
        }
    }
}
