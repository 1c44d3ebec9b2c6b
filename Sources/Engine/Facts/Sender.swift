// The sender of a request, or the device of an action: who stopped a ring, held its exit or answered.

import Text

/// The origin of a request, or of an action in a challenge.
package enum Origin: String, Choice {
    case button, page, commandLine = "command line", homeAssistant = "home assistant", keypad, camera, steps,
        tagReader = "tag reader"
}

/// An origin, and the name of the client there.
package struct Sender: Hashable, Sendable {
    package let origin: Origin
    /// The name that the client gives itself, such as that of a phone; nil for none.
    package let client: String?

    /// The bound on the name of a client, in characters.
    package static let clientMax = 40

    package init(_ origin: Origin, client: String? = nil) { (self.origin, self.client) = (origin, client) }

    /// The sender in a sentence, after "by".
    package var name: String {
        if let client { return client.inOneLine }
        return switch origin {
        case .button: "a button"
        case .page: "the page"
        case .commandLine: "rooster"
        case .homeAssistant: "Home Assistant"
        case .keypad: "the keypad"
        case .camera: "the camera"
        case .steps: "the step sensor"
        case .tagReader: "the tag reader"
        }
    }
}
