// The tests of numbers typed on the keypad.

import Testing

@testable import Devices

@Suite struct KeyedNumberTests {
    /// Returns the entered numbers. A character is a key and takes 0.1 s; a blank is a pause of 10 s.
    private func numbers(_ keys: String) -> [Int] {
        var (number, uptime, numbers) = (KeyedNumber(), 0, [Int]())
        for character in keys {
            uptime += character == " " ? 9900 : 100
            let key: KeyedNumber.Key? =
                switch character {
                case "-": .minus
                case "<": .backspace
                case "=": .enter
                default: character.wholeNumberValue.map { .digit($0) }
                }
            if let key, let entered = number.press(key, uptime: uptime) { numbers.append(entered) }
        }
        return numbers
    }

    @Test(
        arguments: [
            ("42=", [42]), ("-7=", [-7]), ("007=", [7]), ("--7=", [7]), ("4-2=", [42]), ("0=", [0]), ("-0=", [0]),
            ("1<2=", [2]), ("1<<<2=", [2]), ("-<5=", [5]), ("-1<5=", [-5]),
            ("=", []), ("===", []), ("-=7=", [7]), ("<=", []),
            ("1=2=", [1, 2]), ("12 3=", [3]), ("- 3=", [3]), (" 3=", [3]), ("999999=", [999_999]),
        ] as [(String, [Int])]) func keys_makeANumber(keys: String, expected: [Int])
    {
        #expect(numbers(keys) == expected)
    }

    /// A stuck key or a cat can repeat a digit without end.
    @Test func digitsBeyondTheSixth_areIgnored() {
        #expect(numbers(String(repeating: "9", count: 40) + "=1=") == [999_999, 1])
        #expect(numbers("12345678<=") == [12345])
    }
}
