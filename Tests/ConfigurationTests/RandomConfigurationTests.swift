// The tests of random texts: the reader accepts any text, and its result can be written and read again.

import Devices
import Oracles
import Testing

@testable import Configuration

@Suite struct RandomConfigurationTests {
    /// The reader reads damaged bytes to the end, and reports mistakes only at existing lines.
    @Test func anyText_isReadToItsEnd() {
        var random = SeededRandom(seed: 8)
        for _ in 0..<Thoroughness.pick(3000, full: 100_000) {
            var bytes = Array(Configuration.random(&random).written(&random).utf8)
            for _ in 0..<Int.random(in: 1...8, using: &random) {
                let place = Int.random(in: 0...bytes.count, using: &random)
                let end = Int.random(in: place...min(bytes.count, place + 20), using: &random)
                let piece = [
                    Array(bytes[place..<end]), [UInt8.random(in: 0...255, using: &random)], Array("\"{}()[]=:;@#".utf8),
                    Array("/*".utf8), Array("*/\\".utf8),
                    [UInt8](repeating: UInt8(ascii: "("), count: 300), Array("\n@include \"/dev/zero\"\n".utf8), [],
                ]
                bytes.replaceSubrange(place..<end, with: piece.randomElement(using: &random) ?? [])
            }
            let reading = ConfigurationReading(bytes, calledBy: "c")
            let lines = bytes.filter { $0 == UInt8(ascii: "\n") }.count + 1
            #expect(reading.problems.allSatisfy { (1...lines).contains($0.line ?? 0) }, "\(bytes)")
            // Each accepted value is within its option's range, so the writer can write it.
            let again = ConfigurationTests.reading(reading.configuration.written(&random))
            #expect(again.problems.allSatisfy { !$0.isMistake }, "\(bytes)")
            #expect(again.configuration == reading.configuration, "\(bytes)")
        }
    }
}

extension Configuration {
    fileprivate static func random(_ random: inout SeededRandom) -> Configuration {
        var configuration = Configuration()
        let names = (0..<Int.random(in: 0...3, using: &random)).map { _ in text(&random) + "x" }
        configuration.speaker.order = names.isEmpty ? .standard : .listed(names)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: configuration.speaker.mixerDecibels = nil
        case 1: configuration.speaker.mixerDecibels = Double(Int.random(in: -40...40, using: &random))
        default: configuration.speaker.mixerDecibels = Double.random(in: -40...40, using: &random)
        }
        configuration.speaker.sounds = "/" + text(&random)
        configuration.camera.isUsed = Bool.random(using: &random)
        configuration.camera.name = text(&random)
        configuration.camera.powerLine = PowerLine.allCases.randomElement(using: &random) ?? .auto
        configuration.camera.symbologies = Set(
            (0..<Int.random(in: 1...4, using: &random)).compactMap { _ in
                Symbology.allCases.randomElement(using: &random)
            })
        configuration.randomisePeripherals(&random)
        configuration.control.socket = "/" + text(&random)
        let letters = Array("abcXYZ019_.")
        configuration.control.group = String(
            (0..<Int.random(in: 1...32, using: &random)).map { _ in
                letters.randomElement(using: &random) ?? "a"
            })
        configuration.log.level = LogLevel.allCases.randomElement(using: &random) ?? .info
        return configuration
    }

    private mutating func randomisePeripherals(_ random: inout SeededRandom) {
        func line() -> LineName? {
            let names = ["GPIO17", "cp2112_gpio:3", "a:b:C7", "\"\\", ""]
            return names.randomElement(using: &random).flatMap(LineName.init(text:))
        }
        func pull() -> Pull { Pull.allCases.randomElement(using: &random) ?? .up }
        func active() -> ActiveLevel { ActiveLevel.allCases.randomElement(using: &random) ?? .low }
        (buttons.snooze, buttons.stop, buttons.pull, buttons.active) = (line(), line(), pull(), active())
        (lamps.status, lamps.camera, lamps.active) = (line(), line(), active())
        lamps.sunrise = ["pwm:0:1", "led:a:b\"", ""].randomElement(using: &random).flatMap(SunriseOutput.init(text:))
        (buzzer.line, buzzer.active) = (line(), active())
        (shaker.line, shaker.active) = (line(), active())
        (keypad.isUsed, keypad.name) = (Bool.random(using: &random), Configuration.text(&random))
        (steps.line, steps.pull, steps.active) = (line(), pull(), active())
        steps.counter = Configuration.text(&random)
        (tags.isUsed, tags.reader) = (Bool.random(using: &random), Configuration.text(&random))
    }

    private static func text(_ random: inout SeededRandom) -> String {
        let scalars = Array("aZ09 /\"\\'#;{}=@üß€漢😀\u{308}\u{301}%$".unicodeScalars)
        let text = (0..<Int.random(in: 0...20, using: &random)).compactMap { _ in scalars.randomElement(using: &random)
        }
        return String(String.UnicodeScalarView(text))
    }

    /// Returns a file with all values, in any order and in each of libconfig's notations.
    fileprivate func written(_ random: inout SeededRandom) -> String {
        var lines: [String] = []
        func add(_ line: String) {
            lines.append(line)
            switch Int.random(in: 0..<8, using: &random) {
            case 0: lines.append("")
            case 1: lines.append("  # level = \"no\";")
            case 2: lines.append("/* mixer = 5;\n*/ // }")
            default: break
            }
        }
        for group in Option.groups.shuffled(using: &random) {
            add("\(group)\(Bool.random(using: &random) ? ":" : " =") {")
            for option in Option.all.filter({ $0.group == group }).shuffled(using: &random) {
                let end = ["", ";", ",", " ;"].randomElement(using: &random) ?? ""
                let sign = ["=", " = ", ":", " : "].randomElement(using: &random) ?? "="
                add("\t\(option.name)\(sign)\(option.written(self))\(end)")
            }
            add(Bool.random(using: &random) ? "}" : "};")
        }
        return lines.joined(separator: Bool.random(using: &random) ? "\n" : "\r\n")
    }
}
