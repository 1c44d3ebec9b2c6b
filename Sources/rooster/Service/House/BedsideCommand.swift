// `rooster bedside`: the virtual bedside of a simulated service, and what happens there.

import Alarms
import CivilTime
import Devices
import JSON
import Vocabulary

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
        valued: [
            "--clock", "--by", "--speed", "--zone", "--trusted", "--card", "--fault", "--disk", "--camera", "--show",
            "--press", "--hold", "--tag", "--key",
        ],
        flags: ["--plug", "--unplug", "--step"], counted: ["--step"], run: run)

    private static func run(_ call: ServiceCall) throws(CommandError) {
        let fields = try fields(call.arguments)
        guard !fields.isEmpty else { throw call.arguments.wrong("say what is to happen") }
        let answer = try call.service.ask(SimulateBedside(changes: .object(fields)))
        guard !call.isJSON else { return call.say(answer, "") }
        let status = try call.service.status()
        print(
            "Now it is \(WeekdaySet([status.local.dateTime.date.weekday]).words) \(status.local.dateTime.date) \(status.local.dateTime.time)."
        )
    }

    private static func fields(_ arguments: CommandArguments) throws(CommandError) -> [JSON.Member] {
        var fields: [JSON.Member] = []
        if let clock = arguments.value("--clock") { fields.append(.init("clock", .string(clock))) }
        let seconds = try arguments.value("--by", "a length of time, as in 90s or 8h") { text -> Int? in
            let isBack = text.hasPrefix("-")
            return LengthText.seconds(isBack ? String(text.dropFirst()) : text, bare: 1).map { isBack ? -$0 : $0 }
        }
        if let seconds { fields.append(.init("by", .number(seconds))) }
        let speed = try arguments.value("--speed", "a number above 0") { text in
            Double(text).flatMap { $0 > 0 && $0.isFinite ? $0 : nil }
        }
        if let speed { fields.append(.init("speed", .number(speed))) }
        if let zone = arguments.value("--zone") { fields.append(.init("zone", .string(zone))) }
        let isTrusted = try arguments.value("--trusted", "yes or no") { ["yes": true, "no": false][$0] }
        if let isTrusted { fields.append(.init("trusted", .bool(isTrusted))) }
        if let card = try card(arguments) { fields.append(.init("card", card)) }
        let states = ["ok", "full", "failing"]
        let disk = try arguments.value("--disk", "one of \(states.joined(separator: ", "))") { text in
            states.contains(text) ? text : nil
        }
        if let disk { fields.append(.init("disk", .string(disk))) }
        return fields + (try camera(arguments)) + (try touch(arguments))
    }

    private static func camera(_ arguments: CommandArguments) throws(CommandError) -> [JSON.Member] {
        let states = ["ok", "dark", "blur", "freeze", "cut", "unplugged"]
        let state = try arguments.value("--camera", "one of \(states.joined(separator: ", "))") { text in
            states.contains(text) ? text : nil
        }
        let shown = arguments.value("--show").map { $0 == "nothing" ? JSON.null : .string($0) }
        return (state.map { [JSON.Member("camera", .string($0))] } ?? []) + (shown.map { [.init("show", $0)] } ?? [])
    }

    /// What is pressed, walked, held to the reader and typed.
    private static func touch(_ arguments: CommandArguments) throws(CommandError) -> [JSON.Member] {
        var fields: [JSON.Member] = []
        let buttons = ["snooze", "stop", "both"]
        let press = try arguments.value("--press", "one of \(buttons.joined(separator: ", "))") { text in
            buttons.contains(text) ? text : nil
        }
        if let press { fields.append(.init("press", .string(press))) }
        if let hold = try arguments.value(
            "--hold", "a length of time, as in 2 or 60s", { LengthText.seconds($0, bare: 1) })
        {
            guard press != nil else { throw arguments.wrong("say what is held, with --press") }
            fields.append(.init("holdMilliseconds", .number(hold * 1000)))
        }
        let steps = try arguments.value("--step", "a number of steps") { text in Int(text).flatMap { $0 > 0 ? $0 : nil }
        }
        if arguments.has("--step") { fields.append(.init("steps", .number(steps ?? 1))) }
        let bytes = NFCTag.byteCounts
        let expected =
            "a tag's identifier: \(bytes.lowerBound) to \(bytes.upperBound) bytes, as in 04a2b3c4d5e6f7, not all zeros"
        if let tag = try arguments.value("--tag", expected, identifier) { fields.append(.init("tag", .string(tag))) }
        if let key = try arguments.value("--key", "a whole number", { Int($0) }) {
            fields.append(.init("key", .number(key)))
        }
        return fields
    }

    /// A tag's identifier in small digits; phones show it with colons, too. Nil where it is none.
    private static func identifier(_ text: String) -> String? {
        let digits = Array(text.replacing(":", with: "").lowercased())
        let bytes = stride(from: 0, to: digits.count, by: 2).map { start in
            digits[start...].prefix(2).allSatisfy { $0.isASCII && $0.isHexDigit }
                ? UInt8(String(digits[start...].prefix(2)), radix: 16) : nil
        }
        guard digits.count % 2 == 0, !bytes.contains(nil), NFCTag(identifier: bytes.compactMap(\.self)) != nil else {
            return nil
        }
        return String(digits)
    }

    private static func card(_ arguments: CommandArguments) throws(CommandError) -> JSON? {
        let faults = ["none", "stalls", "breaks", "refuses", "hangs"]
        let fault = try arguments.value("--fault", "one of \(faults.joined(separator: ", "))") { text in
            faults.contains(text) ? text : nil
        }
        let (isPlugged, isUnplugged) = (arguments.has("--plug"), arguments.has("--unplug"))
        guard !isPlugged || !isUnplugged else { throw arguments.wrong("say either --plug or --unplug") }
        let saysWhat = isPlugged || isUnplugged || fault != nil
        guard let id = arguments.value("--card") else {
            guard !saysWhat else { throw arguments.wrong("say which card, with --card ID") }
            return nil
        }
        guard saysWhat else { throw arguments.wrong("say what becomes of the card: --plug, --unplug or --fault") }
        var members: [JSON.Member] = [.init("id", .string(id))]
        if isPlugged || isUnplugged { members.append(.init("plugged", .bool(isPlugged))) }
        if let fault { members.append(.init("fault", fault == "none" ? .null : .string(fault))) }
        return .object(members)
    }
}
