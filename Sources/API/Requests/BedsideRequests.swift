// The requests about simulated hardware: its state, and its changes.

import Text

package struct GetBedside: Request {
    package typealias Response = BedsideReport

    package init() {}

    package static let spec = RequestSpec(
        "bedside", .get, "/bedside", changes: false, may: .look, "Returns the state of the simulated hardware")
}

package struct SimulateBedside: Request {
    package struct Card: Codable, SparselyCoded, Sendable {
        package let id: String
        package let fault: String?
        package let plugged: Bool?
    }

    package let clock: String?
    package let by: Int?
    package let speed: Double?
    package let zone: String?
    package let trusted: Bool?
    package let card: Card?
    package let disk: String?
    package let camera: String?
    package let show: String?
    package let picture: String?
    package let press: String?
    package let holdMilliseconds: Int?
    package let release: String?
    package let steps: Int?
    package let tag: String?
    package let key: Int?
    package let power: String?

    package static let spec = RequestSpec(
        "simulate", .post, "/bedside", changes: true, may: .change,
        "Changes the simulated hardware. Applies the fields in this order, all or none",
        fields: [
            "clock": "sets the clock to an instant, or to a local time of the device",
            "by": "sets the clock ahead by this many seconds",
            "speed": "the speed of the clock; 1 is real time",
            "zone": "the time zone of the machine",
            "trusted": "true if the machine trusts its clock",
            "card": "a sound card; its fault is none, stalls, breaks, refuses or hangs",
            "disk": "ok, full or failing",
            "camera": "ok, dark, blur, freeze, cut or unplugged",
            "show": "the text of the code before the camera; empty for no code",
            "picture":
                "the picture before the camera, in place of `show`: a JPEG or PNG file of at most 256 KiB, in base64",
            "press": "the button to press: snooze, stop or both",
            "holdMilliseconds": "the length of the press in milliseconds",
            "release": "the button to let go before that time: snooze, stop or both",
            "steps": "the number of steps to take",
            "tag": "the number of the tag at the reader, in hexadecimal",
            "key": "the number to type on the keypad",
            "power": "cut kills the service as soon as this request is answered; something else must start it again",
        ])
}
