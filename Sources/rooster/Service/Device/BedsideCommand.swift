// `rooster bedside`: changes the simulated hardware of `roosterd --simulate`.

import API
import Devices
import JSON

enum BedsideCommand {
    static let command = Subcommand.ofService(
        "bedside", "makes things happen at the bedside of 'roosterd --simulate'",
        help: """
            Usage: rooster bedside [OPTIONS] [--json]

            Makes something happen at the virtual bedside of 'roosterd --simulate'.

              --clock TIME        sets the clock: 2024-03-10T01:59:00-05:00, or 2024-03-10T01:59:00 in the zone of the
                                  device as it was until now
              --by TIME           sets the clock ahead by so much, as in 90s, 10min or 8h; back with a minus: --by=-1h. A
                                  snooze or a sum that is going on takes as long as ever: only --speed hurries it
              --speed N           lets the clock run N times as fast
              --zone ZONE         takes the device to another zone
              --trusted yes|no    whether the time is known to be right
              --card ID           the sound card that these are about:
              --plug, --unplug      whether it is there
              --fault FAULT         what it does wrong: none, stalls, breaks, refuses or hangs
              --disk STATE        ok, full or failing
              --camera STATE      what the camera is like: ok, dark, blur, freeze, cut or unplugged
              --show TEXT         holds a QR code that says TEXT before the camera, until it is told to show another;
                                  '--show nothing' takes it away
              --press BUTTON      presses snooze, stop or both, for a moment or
              --hold TIME         for so long, as in 60s; 10min at most
              --step [COUNT]      takes a step on the mat, or so many
              --tag IDENTIFIER    holds an NFC tag to the reader that says that it is 04a2b3c4d5e6f7: 4 to 16 bytes, each
                                  as two hexadecimal digits
              --key NUMBER        types a number on the keypad, and Enter
              --json              one JSON object
            """,
        valued: fields.names.subtracting(["--step"]), flags: ["--plug", "--unplug", "--step"], counted: ["--step"],
        run: run)

    /// In the order in which the service applies them.
    private static let fields: [FieldOption] = [
        FieldOption("--clock", "clock"),
        FieldOption("--by", "by", "a length of time, as in 90s or 8h") { text in
            let isBack = text.hasPrefix("-")
            let seconds = LengthText.seconds(isBack ? String(text.dropFirst()) : text, bare: 1)
            return seconds.map { .number(isBack ? -$0 : $0) }
        },
        FieldOption("--speed", "speed", "a number above 0") { text in
            Double(text).flatMap { $0 > 0 && $0.isFinite ? .number($0) : nil }
        },
        FieldOption("--zone", "zone"),
        FieldOption("--trusted", "trusted", "yes or no") { ["yes": JSON.bool(true), "no": .bool(false)][$0] },
        FieldOption("--card", "card.id"),
        .choice("--fault", "card.fault", ["none", "stalls", "breaks", "refuses", "hangs"]),
        .choice("--disk", "disk", ["ok", "full", "failing"]),
        .choice("--camera", "camera", ["ok", "dark", "blur", "freeze", "cut", "unplugged"]),
        FieldOption("--show", "show") { .string($0 == "nothing" ? "" : $0) },
        .choice("--press", "press", ["snooze", "stop", "both"]),
        FieldOption("--hold", "holdMilliseconds", "a length of time, as in 2 or 60s") { text in
            LengthText.seconds(text, bare: 1).map { .number($0 * 1000) }
        },
        FieldOption("--step", "steps", "a number of steps") { text in
            Int(text).flatMap { $0 > 0 ? .number($0) : nil }
        },
        FieldOption("--tag", "tag", identifierExpected, identifier),
        FieldOption("--key", "key", "a whole number") { Int($0).map { .number($0) } },
    ]

    private static func run(_ call: ServiceCall) throws(CommandError) {
        let changes = try changes(call.arguments)
        let answer = try call.service.ask(changes)
        guard !call.isJSON else { return call.say(answer, "") }
        print("Now it is \(try call.service.status().local.dateTime.words).")
    }

    private static func changes(_ arguments: CommandArguments) throws(CommandError) -> SimulateBedside {
        var changes = try fields.patch(arguments)
        let (isPlugged, isUnplugged) = (arguments.has("--plug"), arguments.has("--unplug"))
        guard !isPlugged || !isUnplugged else { throw arguments.wrong("say either --plug or --unplug") }
        let saysWhat = isPlugged || isUnplugged || arguments.has("--fault")
        guard arguments.has("--card") || !saysWhat else { throw arguments.wrong("say which card, with --card ID") }
        guard !arguments.has("--card") || saysWhat else {
            throw arguments.wrong("say what becomes of the card: --plug, --unplug or --fault")
        }
        if isPlugged || isUnplugged { changes.set("card.plugged", to: .bool(isPlugged)) }
        guard !arguments.has("--hold") || arguments.has("--press") else {
            throw arguments.wrong("say what is held, with --press")
        }
        guard !changes.members.isEmpty else { throw arguments.wrong("say what is to happen") }
        do throws(JSONMismatch) {
            return try changes.decoded()
        } catch {
            throw arguments.wrong("\(error)")
        }
    }

    private static let identifierExpected =
        "a tag's identifier: \(NFCTag.byteCounts.lowerBound) to \(NFCTag.byteCounts.upperBound) bytes, as in "
        + "04a2b3c4d5e6f7, not all zeros"

    /// Parses a tag's identifier into lower-case digits, or returns nil. Colons, which phones show, are
    /// dropped.
    private static func identifier(_ text: String) -> JSON? {
        let digits = Array(text.replacing(":", with: "").lowercased())
        guard digits.count % 2 == 0, digits.allSatisfy({ $0.isASCII && $0.isHexDigit }) else { return nil }
        let bytes = stride(from: 0, to: digits.count, by: 2).compactMap { start in
            UInt8(String(digits[start...start + 1]), radix: 16)
        }
        return NFCTag(identifier: bytes) == nil ? nil : .string(String(digits))
    }
}
