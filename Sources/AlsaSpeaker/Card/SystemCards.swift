// The cards of this machine, by their ids.

import CAlsa
import Glibc
import LinuxDevices
import Sound
import System

/// All playback cards that ALSA has, and the sound server of the current user. udev reports changes.
///
/// If a card has several devices, the first one is used. The others are sockets for screens and digital
/// amplifiers, which consume frames even if nothing is plugged in. Such a device, or a virtual card, is used
/// only if the owner lists it by name, such as `alsa:plughw:CARD=HDMI,DEV=7`. The mixer of a listed device
/// is left alone.
package final class SystemCards: CardList {
    /// Used only by the thread that reads changes.
    private nonisolated(unsafe) let changes = UdevMonitor(of: "sound")
    /// The ALSA devices that the owner lists by name.
    private let devices: [String]
    private let survey: CardSurvey
    /// The sound server's number in the survey, because looking for a server queries all cards.
    private static let server: Int32 = -1

    /// The prefix of a route that is an ALSA device by name, such as `alsa:pipewire`.
    package static let devicePrefix = "alsa:"

    /// Starts to listen for changes. If udev reports none, a change is noticed when the cards are next
    /// listed. Devices that the order lists are included.
    package init(_ order: RouteOrder = .standard) {
        devices =
            switch order {
            case .standard: []
            case .listed(let names):
                names.filter { $0.hasPrefix(SystemCards.devicePrefix) }
                    .map { String($0.dropFirst(SystemCards.devicePrefix.count)) }
            }
        let folder = getenv("XDG_RUNTIME_DIR").map { String(cString: $0) } ?? "/run/user/\(getuid())"
        // ALSA's names of the servers' plug-ins, and the servers' sockets.
        let servers = [("pipewire", "\(folder)/pipewire-0"), ("pulse", "\(folder)/pulse/native")]
        survey = CardSurvey { number in
            number == SystemCards.server
                ? .success(SystemCards.card(ofFirst: servers)) : SystemCards.card(number, order)
        } guess: { number in
            SystemCards.guess(number, order)
        }
    }

    package var changeDescriptor: Int32? { changes.descriptor }

    package func drainChanges() { changes.drain() }

    /// Returns all playback cards, the first sound server that answers, and the listed devices.
    package func cards() throws(AlsaError) -> [Card] {
        let cards = try survey.cards(try SystemCards.numbers() + [SystemCards.server])
        return cards
            + devices.map { device in
                let route = Route(id: SystemCards.devicePrefix + device, kind: .server, name: "ALSA device \(device)")
                return Card(route, devices: [device])
            }
    }

    /// Lists the directory. A query through ALSA would open each card.
    private static func numbers() throws(AlsaError) -> [Int32] {
        do throws(FileError) {
            let names = try Folder.names(in: "/dev/snd").filter { $0.hasPrefix("controlC") }
            return names.compactMap { Int32($0.dropFirst(8)) }.sorted()
        } catch {
            throw AlsaError("list the sound cards", -error.errorNumber)
        }
    }

    /// True if the user may open all cards. For other users ALSA reports a working card as missing.
    static var areAllowed: Bool {
        do throws(AlsaError) {
            return try numbers().allSatisfy { access("/dev/snd/controlC\($0)", R_OK | W_OK) == 0 || errno == ENOENT }
        } catch {
            // Listing the cards reports this error.
            return true
        }
    }

    private static func card(ofFirst servers: [(device: String, socket: String)]) -> Card? {
        let server = servers.first { access($0.socket, W_OK) == 0 && hasPlugIn($0.device) }
        return server.map { server in
            let route = Route(id: server.device, kind: .server, name: "sound server (\(server.device))")
            // A muted desktop must not mute the ring. The server's mixer has the same name as its device.
            return Card(route, devices: [server.device], mixer: server.device)
        }
    }

    private static func hasPlugIn(_ device: String) -> Bool {
        var hints: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
        guard snd_device_name_hint(-1, "pcm", &hints) >= 0, let hints else { return false }
        defer { snd_device_name_free_hint(hints) }
        var place = 0
        while let hint = hints[place] {
            place += 1
            guard let name = snd_device_name_get_hint(hint, "NAME") else { continue }
            defer { free(name) }
            if String(cString: name) == device { return true }
        }
        return false
    }

    private static func card(_ index: Int32, _ order: RouteOrder) -> CardSurvey.CardResult {
        var control: OpaquePointer?
        let status = snd_ctl_open(&control, "hw:\(index)", Int32(SND_CTL_NONBLOCK))
        switch CardAccess(openStatus: status) {
        case .unknown(let error): return .failure(error)
        case .unasked: return .success(guess(index, order))
        case .none: return .success(nil)
        case .open:
            guard let control else { return .success(nil) }
            defer { snd_ctl_close(control) }
            return .success(card(index, control, order))
        }
    }

    private static func card(_ index: Int32, _ control: OpaquePointer, _ order: RouteOrder) -> Card? {
        var info: OpaquePointer?
        guard snd_ctl_card_info_malloc(&info) >= 0, let info else { return nil }
        defer { snd_ctl_card_info_free(info) }
        guard snd_ctl_card_info(control, info) >= 0 else { return guess(index, order) }
        let devices = playbackDevices(control)
        guard let first = devices.first else { return nil }
        return card(
            index, id: String(cString: snd_ctl_card_info_get_id(info)),
            name: String(cString: snd_ctl_card_info_get_name(info)),
            driver: String(cString: snd_ctl_card_info_get_driver(info)), device: first, order)
    }

    /// Identifies a card from /proc when ALSA does not answer. Opening it will report the error.
    private static func guess(_ index: Int32, _ order: RouteOrder) -> Card? {
        // Listing the cards reports why the devices cannot be listed.
        guard let id = SystemFile(path: "/proc/asound/card\(index)/id").text,
            let device = CardKind.firstDevice(ofCard: index, among: Folder.readableNames(in: "/dev/snd"))
        else { return nil }
        return card(index, id: id, device: (device, ""), order)
    }

    private static func card(
        _ index: Int32, id: String, name: String = "", driver: String = "", device: (number: Int32, name: String),
        _ order: RouteOrder
    ) -> Card? {
        let usbID = SystemFile(path: "/proc/asound/card\(index)/usbid").text
        let kind = CardKind.kind(driver: driver, id: id, device: device.name, isUSB: usbID != nil)
        let route = Route(id: id, kind: kind, name: name, usbID: usbID)
        guard !CardKind.isPretended(driver: driver, id: id) || order.names(route) else { return nil }
        return Card(route, devices: CardKind.names(id: id, device: device.number, kind), mixer: "hw:CARD=\(id)")
    }

    private static func playbackDevices(_ control: OpaquePointer) -> [(number: Int32, name: String)] {
        var info: OpaquePointer?
        guard snd_pcm_info_malloc(&info) >= 0, let info else { return [] }
        defer { snd_pcm_info_free(info) }
        var devices: [(number: Int32, name: String)] = []
        var number: Int32 = -1
        while snd_ctl_pcm_next_device(control, &number) >= 0, number >= 0 {
            snd_pcm_info_set_device(info, UInt32(number))
            snd_pcm_info_set_subdevice(info, 0)
            snd_pcm_info_set_stream(info, SND_PCM_STREAM_PLAYBACK)
            guard snd_ctl_pcm_info(control, info) >= 0 else { continue }
            devices.append((number, String(cString: snd_pcm_info_get_name(info))))
        }
        return devices
    }
}

/// Interprets the result of opening a card's control device.
enum CardAccess: Hashable {
    /// The card can be queried.
    case open
    /// The card exists but cannot be queried. Playing on it will report the reason.
    case unasked
    /// The card was removed meanwhile.
    case none
    /// The error has nothing to do with the card.
    case unknown(AlsaError)

    init(openStatus status: Int32) {
        switch -status {
        case ENODEV, ENXIO, ENOENT: self = .none
        case EMFILE, ENFILE, ENOMEM: self = .unknown(AlsaError("identify a sound card", status))
        default: self = status >= 0 ? .open : .unasked
        }
    }
}

/// The properties of a card, derived from the names that its driver uses.
enum CardKind {
    static func kind(driver: String, id: String, device: String, isUSB: Bool) -> Route.Kind {
        let words = [driver, id, device].map { $0.lowercased() }
        if isUSB || driver == "USB-Audio" { return .usb }
        return words.contains { $0.contains("hdmi") || $0.contains("displayport") } ? .hdmi : .analogue
    }

    /// Returns true if the card is virtual: it consumes frames in real time, and no loudspeaker plays them.
    /// If the driver is unknown the id decides, which is the driver's name unless someone changed it.
    static func isPretended(driver: String, id: String) -> Bool {
        ["Loopback", "Dummy"].contains { (driver.isEmpty ? id : driver).hasPrefix($0) }
    }

    /// Returns the first playback device of a card, by the names in /dev/snd. A microphone has none.
    static func firstDevice(ofCard index: Int32, among names: [String]) -> Int32? {
        let prefix = "pcmC\(index)D"
        let names = names.filter { $0.hasPrefix(prefix) && $0.hasSuffix("p") }
        return names.compactMap { Int32($0.dropFirst(prefix.count).dropLast()) }.min()
    }

    /// Returns ALSA's names of a card's device: direct, then shared, which works while another program uses
    /// it. HDMI needs framing, which only the card's own configuration does: its shared name comes first.
    static func names(id: String, device: Int32, _ kind: Route.Kind) -> [String] {
        let direct = "plughw:CARD=\(id),DEV=\(device)"
        let shared = "sysdefault:CARD=\(id)"
        return kind == .hdmi ? [shared, direct] : [direct, shared]
    }
}
