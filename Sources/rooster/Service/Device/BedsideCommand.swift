// `rooster bedside`: shows and changes the simulated hardware of `roosterd --simulate`.

import API
import Devices
import JSON
import Text

enum BedsideCommand {
    static let command = Subcommand.ofService(
        "bedside", "Show or change the simulated hardware",
        help: """
            Usage: rooster bedside [OPTIONS]

            Show the state of the simulated hardware of 'roosterd --simulate', or change it.

            Options:
              --clock TIME         set the clock, such as 2024-03-10T01:59:00-05:00; without
                                   -05:00 in the zone of the device
              --by TIME            set the clock forward, such as 90s, 10min or 8h, or back,
                                   such as --by=-1h; snoozes and sums take as long as before
              --speed N            run the clock N times as fast, snoozes and sums included
              --zone ZONE          move the device to another time zone
              --trusted yes|no     whether the time is trusted
              --card ID            choose a sound card, by its id in 'rooster speakers
                                   --json', for --plug, --unplug and --fault
              --plug, --unplug     plug or unplug the card
              --fault FAULT        fault of the card: none, stalls, breaks, refuses or hangs
              --disk STATE         ok, full or failing
              --camera STATE       ok, dark, blur, freeze, cut or unplugged
              --show TEXT          hold a QR code with TEXT in front of the camera until the
                                   next --show; 'nothing' removes it
              --picture FILE       hold a picture in front of it instead: a JPEG or PNG file
                                   of at most 256 KiB
              --press BUTTON       press snooze, stop or both
              --hold TIME          hold that button, such as 60s; at most 10min
              --release BUTTON     let go of it before that time
              --step [COUNT]       take a step on the mat, or COUNT steps; the motion
                                   detector reports each movement as a step
              --tag IDENTIFIER     hold an NFC tag to the reader, such as 04a2b3c4d5e6f7: 4
                                   to 16 bytes of two hexadecimal digits each
              --key NUMBER         type a number and Enter on the keypad
              --power cut          kill roosterd, as a power cut does
              --json               print one JSON object: the state, or {} after a change
            """,
        valued: fields.names.subtracting(["--step"]), flags: ["--plug", "--unplug", "--step"], counted: ["--step"],
        run: run)

    /// In the order in which the service applies them.
    private static let fields: [FieldOption] = [
        FieldOption("--clock", "clock"),
        FieldOption("--by", "by", "a length of time such as 90s or 8h") { text in
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
        FieldOption("--picture", "picture"),
        .choice("--press", "press", ["snooze", "stop", "both"]),
        FieldOption("--hold", "holdMilliseconds", "a length of time up to 10min, such as 2 or 60s") { text in
            LengthText.seconds(text, bare: 1).flatMap { $0 <= 600 ? .number($0 * 1000) : nil }
        },
        .choice("--release", "release", ["snooze", "stop", "both"]),
        FieldOption("--step", "steps", "a number of steps") { text in
            Int(text).flatMap { $0 > 0 ? .number($0) : nil }
        },
        FieldOption("--tag", "tag", identifierExpected, identifier),
        FieldOption("--key", "key", "a whole number") { Int($0).map { .number($0) } },
        .choice("--power", "power", ["cut"]),
    ]

    private static func run(_ call: ServiceCall) throws(CommandError) {
        guard (fields.map(\.name) + ["--plug", "--unplug"]).contains(where: call.arguments.has) else {
            return try show(call)
        }
        let changes = try changes(call.arguments)
        let answer = try call.service.ask(changes, naming: OptionNames(fields, call.arguments))
        guard !call.isJSON else { return call.say(answer, "") }
        guard ["--clock", "--by", "--speed", "--zone"].contains(where: call.arguments.has) else { return print("Done") }
        let clock = DeviceClock(try call.service.status().device)
        print("Now it is \(clock.local.text(clock.hours))")
    }

    /// Prints a line for each part.
    private static func show(_ call: ServiceCall) throws(CommandError) {
        let answer = try call.service.ask(GetBedside())
        guard !call.isJSON else { return call.say(answer, "") }
        let bedside = answer.body
        let clock = DeviceClock(try call.service.status().device)
        let speed = bedside.speed == 1 ? "" : ", at \(JSON.number(bedside.speed)) times the speed"
        var rows = [
            ("clock", "\(bedside.local.dateTime.text(clock.hours))\(speed)\(bedside.trusted ? "" : ", not trusted")")
        ]
        rows += bedside.cards.map { card in
            let fault = card.fault == "none" ? "" : ", \(card.fault)"
            return ("card \(card.id)", card.plugged ? "plugged in\(fault)" : "unplugged")
        }
        rows.append(("sound", bedside.output.map { "\($0), \(Int(bedside.decibels ?? 0)) dB" } ?? "none"))
        if let camera = bedside.camera {
            let view = camera.codes.map { $0.quoted }.joined(separator: ", ")
            rows.append(("camera", "\(camera.state), \(camera.on ? "on" : "off"), \(view.isEmpty ? "no code" : view)"))
        }
        rows.append(("disk", bedside.disk))
        rows += bedside.lamps.map { ("\($0.lamp) lamp", $0.light.rawValue) }
        if let shaking = bedside.shaking { rows.append(("shaker", shaking ? "on" : "off")) }
        if let sunrise = bedside.sunrise { rows.append(("sunrise", "\(sunrise) %")) }
        if !bedside.inputs.isEmpty { rows.append(("inputs", bedside.inputs.joined(separator: ", "))) }
        call.show(Table(rows: rows.map { [Table.Cell($0.0), Table.Cell($0.1)] }, elastic: 1))
    }

    private static func changes(_ arguments: CommandArguments) throws(CommandError) -> SimulateBedside {
        var changes = try fields.patch(arguments)
        let (isPlugged, isUnplugged) = (arguments.has("--plug"), arguments.has("--unplug"))
        guard !isPlugged || !isUnplugged else { throw arguments.wrong("Give either --plug or --unplug") }
        let saysWhat = isPlugged || isUnplugged || arguments.has("--fault")
        guard arguments.has("--card") || !saysWhat else {
            throw arguments.wrong("--card is missing: the card to plug, unplug or break")
        }
        guard !arguments.has("--card") || saysWhat else {
            throw arguments.wrong("--card needs --plug, --unplug or --fault")
        }
        if let path = arguments.value("--picture") { changes.set("picture", to: .string(try input(at: path).base64)) }
        if isPlugged || isUnplugged { changes.set("card.plugged", to: .bool(isPlugged)) }
        guard !arguments.has("--hold") || arguments.has("--press") else {
            throw arguments.wrong("--hold needs --press")
        }
        do throws(JSONMismatch) {
            return try changes.decoded()
        } catch {
            throw arguments.wrong("\(error)")
        }
    }

    private static let identifierExpected =
        "\(NFCTag.byteCounts.lowerBound) to \(NFCTag.byteCounts.upperBound) bytes in hexadecimal, not all zero, such as "
        + "04a2b3c4d5e6f7"

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
