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
        guard let options = WatchOptions(arguments) else {
            complain("An option of 'watch' is unknown or has an invalid value\n\(usage)")
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

struct WatchOptions: Hashable {
    var camera: String?
    var powerLine = PowerLine.untouched

    /// Returns nil for unknown arguments.
    init?(_ arguments: [String]) {
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            guard let value = rest.popFirst() else { return nil }
            switch argument {
            case "--camera": camera = value
            case "--power-line":
                guard let known = PowerLine(rawValue: value) else { return nil }
                powerLine = known
            default: return nil
            }
        }
    }
}
