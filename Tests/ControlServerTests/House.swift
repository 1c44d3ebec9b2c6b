// A household with a door, which is open from the start unless somebody is to knock first.

import Devices
import Household
import Oracles
import Service
import Sound

@testable import ControlServer

struct House {
    let home: Household
    let door: ControlSocket
    let path: String

    init(
        _ scratch: Scratch, _ timeouts: ClientTimeouts = ClientTimeouts(), lineBytesMax: Int? = nil,
        sounds: (any SoundCheck)? = nil, warnings: [String] = [], camera: (any Camera)? = nil, isOpen: Bool = true
    ) async throws {
        home = try Household(directory: scratch.path, warnings: warnings, sounds: sounds, camera: { _ in camera })
        path = "\(scratch.path)/control.sock"
        door = try ControlSocket(
            at: path, group: nil, to: home.service, on: home.loop, timeouts: timeouts, lineBytesMax: lineBytesMax)
        await home.start(camera == nil ? ChallengeHardware() : ChallengeHardware(kinds: [.math, .qr, .roulette]))
        if isOpen { try await door.open() }
    }

    func end() async {
        await door.close()
        await home.end()
    }
}
