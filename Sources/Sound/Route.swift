// A way for sound to get into the room.

/// A sound card, or a sound server before the cards. It goes by its id: a card's index changes with each replugging.
package struct Route: Hashable, Sendable, Identifiable {
    /// What stands at its end.
    package enum Kind: String, Hashable, Sendable, CaseIterable, Comparable {
        /// A card or a loudspeaker on USB: somebody bought it to be heard.
        case usb
        /// A headphone or line socket, an amplifier on the board.
        case analogue
        /// PipeWire or PulseAudio, which choose a card themselves.
        case server
        /// A screen, which may be off or have no loudspeaker.
        case hdmi

        /// The better one first.
        package static func < (a: Kind, b: Kind) -> Bool {
            guard let first = allCases.firstIndex(of: a), let second = allCases.firstIndex(of: b) else { return false }
            return first < second
        }
    }

    /// What the system calls it, as `Headphones`.
    package var id: String
    package var kind: Kind
    package var name: String
    /// What a USB card says it is, as `0d8c:0014`: the same whichever socket it is in.
    package var usbID: String?

    package init(id: String, kind: Kind, name: String = "", usbID: String? = nil) {
        self.id = id
        self.kind = kind
        self.name = name.isEmpty ? id : name
        self.usbID = usbID
    }

    /// What it is called in the configuration: `usb:0d8c:0014`, or its id.
    package var configuredName: String { usbID.map { "usb:\($0)" } ?? id }
}
