// The cards of this machine, by their ids.

import CAlsa
import Glibc
import LinuxDevices
import Sound
import System

/// All playback cards that ALSA has now, and the sound server of whoever runs this. It hears of changes by udev.
///
/// Of a card with several devices the first is played on: the others are sockets for screens and digital amplifiers, and take
/// frames whether anything is plugged in or not. Those, and cards that the system only pretends to have, are played on only
/// where they are named, as `alsa:plughw:CARD=HDMI,DEV=7`; their mixers are left alone.
package final class SystemCards: CardList {
    /// Used by the one thread that notes changes.
    private nonisolated(unsafe) let changes = UdevMonitor(of: "sound")
    /// ALSA's names of devices that are no cards of their own.
    private let devices: [String]
    private let survey: CardSurvey
    /// The sound server's place among the cards: looking for it asks all of them.
    private static let server: Int32 = -1

    /// How the name of a route begins that stands for one of ALSA's devices by its name there, as `alsa:pipewire`.
    package static let devicePrefix = "alsa:"

    /// Starts to listen for changes. Where udev does not tell of any, the cards are those that are there whenever somebody
    /// asks. Devices that the order of routes names are there as well.
    package init(_ order: RouteOrder = .standard) {
        devices =
            switch order {
            case .standard: []
            case .listed(let names):
                names.filter { $0.hasPrefix(SystemCards.devicePrefix) }
                    .map { String($0.dropFirst(SystemCards.devicePrefix.count)) }
            }
        let folder = getenv("XDG_RUNTIME_DIR").map { String(cString: $0) } ?? "/run/user/\(getuid())"
        // By ALSA's names of their plug-ins.
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

    /// All cards with a device for playback, and the first sound server that answers.
    package func cards() throws(AlsaError) -> [Card] {
        let cards = try survey.cards(try SystemCards.numbers() + [SystemCards.server])
        return cards
            + devices.map { device in
                let route = Route(id: SystemCards.devicePrefix + device, kind: .server, name: "ALSA's \(device)")
                return Card(route, devices: [device])
            }
    }

    /// By what the system has in its folder: that opens none of them.
    private static func numbers() throws(AlsaError) -> [Int32] {
        do throws(FolderError) {
            let names = try Folder.names(in: "/dev/snd").filter { $0.hasPrefix("controlC") }
            return names.compactMap { Int32($0.dropFirst(8)) }.sorted()
        } catch {
            throw AlsaError("list the cards", -error.errorNumber)
        }
    }

    /// Whether whoever runs this may use all cards. To others ALSA says of a card in order that there is none.
    static var areAllowed: Bool {
        do throws(AlsaError) {
            return try numbers().allSatisfy { access("/dev/snd/controlC\($0)", R_OK | W_OK) == 0 || errno == ENOENT }
        } catch {
            // Whoever asks for the cards is told why nobody knows.
            return true
        }
    }

    private static func card(ofFirst servers: [(device: String, socket: String)]) -> Card? {
        let server = servers.first { access($0.socket, W_OK) == 0 && hasPlugIn($0.device) }
        return server.map { server in
            let route = Route(id: server.device, kind: .server, name: "sound server (\(server.device))")
            // Whoever has muted the desktop wants to be woken all the same. Its mixer goes by the same name.
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
        let id = String(cString: snd_ctl_card_info_get_id(info))
        let usbID = SystemFile(path: "/proc/asound/card\(index)/usbid").text
        let driver = String(cString: snd_ctl_card_info_get_driver(info))
        let kind = CardKind.kind(driver: driver, id: id, device: first.name, isUSB: usbID != nil)
        let route = Route(
            id: id, kind: kind, name: String(cString: snd_ctl_card_info_get_name(info)), usbID: usbID)
        guard !CardKind.isPretended(driver: driver, id: id) || order.names(route) else { return nil }
        return Card(route, devices: CardKind.names(id: id, device: first.number, kind), mixer: "hw:CARD=\(id)")
    }

    /// What a card is that does not say so, by the system's name. That it does not play is said when it is tried.
    private static func guess(_ index: Int32, _ order: RouteOrder) -> Card? {
        guard let id = SystemFile(path: "/proc/asound/card\(index)/id").text,
            let device = firstDevice(ofCard: index)
        else {
            return nil
        }
        let usbID = SystemFile(path: "/proc/asound/card\(index)/usbid").text
        let kind = CardKind.kind(driver: "", id: id, device: "", isUSB: usbID != nil)
        let route = Route(id: id, kind: kind, usbID: usbID)
        guard !CardKind.isPretended(driver: "", id: id) || order.names(route) else { return nil }
        return Card(route, devices: CardKind.names(id: id, device: device, kind), mixer: "hw:CARD=\(id)")
    }

    private static func firstDevice(ofCard index: Int32) -> Int32? {
        do throws(FolderError) {
            return CardKind.firstDevice(ofCard: index, among: try Folder.names(in: "/dev/snd"))
        } catch {
            // Whoever lists the cards is told why.
            return nil
        }
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

/// What it says of a card how the system answers to whoever wants to ask it what it is.
enum CardAccess: Hashable {
    /// It can be asked.
    case open
    /// It is there and does not say what it is, or not to this program: why nothing is heard of it is said when it is tried.
    case unasked
    /// It went while it was looked at.
    case none
    /// What has nothing to do with the card says nothing of it.
    case unknown(AlsaError)

    init(openStatus status: Int32) {
        switch -status {
        case ENODEV, ENXIO, ENOENT: self = .none
        case EMFILE, ENFILE, ENOMEM: self = .unknown(AlsaError("ask a card what it is", status))
        default: self = status >= 0 ? .open : .unasked
        }
    }
}

/// What can be told of a card by what its driver says of it.
enum CardKind {
    static func kind(driver: String, id: String, device: String, isUSB: Bool) -> Route.Kind {
        let words = [driver, id, device].map { $0.lowercased() }
        if isUSB || driver == "USB-Audio" { return .usb }
        return words.contains { $0.contains("hdmi") || $0.contains("displayport") } ? .hdmi : .analogue
    }

    /// Whether the system only pretends that there is a card. It takes frames as time passes, and nobody ever hears them. One
    /// whose driver is not known goes by its id, which is the same if nobody gave it another.
    static func isPretended(driver: String, id: String) -> Bool {
        ["Loopback", "Dummy"].contains { (driver.isEmpty ? id : driver).hasPrefix($0) }
    }

    /// The first of a card's devices for playback, by the system's names of all of them; a microphone has none.
    static func firstDevice(ofCard index: Int32, among names: [String]) -> Int32? {
        let prefix = "pcmC\(index)D"
        let names = names.filter { $0.hasPrefix(prefix) && $0.hasSuffix("p") }
        return names.compactMap { Int32($0.dropFirst(prefix.count).dropLast()) }.min()
    }

    /// ALSA's names of a card's device. The card itself comes first; where it is in use, the way that lets others in, too.
    /// The sound of a screen needs to be wrapped, which the card's own configuration does.
    static func names(id: String, device: Int32, _ kind: Route.Kind) -> [String] {
        let direct = "plughw:CARD=\(id),DEV=\(device)"
        let shared = "sysdefault:CARD=\(id)"
        return kind == .hdmi ? [shared, direct] : [direct, shared]
    }
}
