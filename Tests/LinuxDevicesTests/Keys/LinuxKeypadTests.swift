// The tests of keypads that the kernel simulates by uinput.

import CEvdev
import Devices
import Foundation
import Oracles
import Testing

@testable import LinuxDevices

@Suite(.serialized, .timeLimit(.minutes(10)), .enabled(if: UinputKeypad.isThere, "there is no uinput"))
struct LinuxKeypadTests {
    private let running: RunningLoop

    init() throws { running = try RunningLoop() }

    /// Returns a keypad, and its reports without those of single keys.
    private func keypad(
        _ name: String
    ) -> (LoopDriver<KeypadReport>, AsyncFilterSequence<AsyncStream<KeypadReport>>.Iterator) {
        let keypad = LoopDriver(keypad: name, on: running.loop)
        keypad.order(isOn: true)
        return (keypad, keypad.reports.filter { $0 != .pressed }.makeAsyncIterator())
    }

    /// Returns whether another reader of the device receives the keys.
    private func isHeardElsewhere(_ keypad: UinputKeypad, _ type: () -> Void) throws -> Bool {
        let descriptor = open(keypad.node, O_RDONLY | O_NONBLOCK)
        guard descriptor >= 0 else { throw POSIXError(.ENODEV) }
        defer { close(descriptor) }
        type()
        var bytes = [UInt8](repeating: 0, count: 4096)
        return read(descriptor, &bytes, bytes.count) > 0
    }

    @Test func numbers_fromEitherRow_areReported_withoutKeyRepeats() async throws {
        let pad = try UinputKeypad("rooster rows")
        let (keypad, heard) = keypad("rooster rows")
        var reports = heard
        #expect(await reports.next() == .ready(name: "rooster rows"))
        pad.type([KEY_1, KEY_2, KEY_0, KEY_ENTER], repeats: 3)
        #expect(await reports.next() == .number(120))
        pad.type([KEY_KPMINUS, KEY_KP7, KEY_KP0, KEY_KP9, KEY_BACKSPACE, KEY_KPENTER, KEY_ENTER, KEY_KP4, KEY_KP5])
        #expect(await reports.next() == .number(-70))
        pad.type([KEY_KP6, KEY_KP8, KEY_KP1, KEY_A, KEY_NUMLOCK, KEY_KPENTER])
        #expect(await reports.next() == .number(45681))
        pad.type(Array(repeating: KEY_9, count: 40) + [KEY_ENTER])
        #expect(await reports.next() == .number(999_999))
        keypad.end()
        #expect(await reports.next() == nil)
    }

    @Test func keys_whileRequested_reachNoOtherProgram() async throws {
        let pad = try UinputKeypad("rooster alone")
        #expect(try isHeardElsewhere(pad) { pad.type([KEY_1]) })
        let (keypad, heard) = keypad("rooster alone")
        var reports = heard
        _ = await reports.next()
        #expect(try !isHeardElsewhere(pad) { pad.type([KEY_1, KEY_ENTER]) })
        #expect(await reports.next() == .number(1))
        keypad.order(isOn: false)
        keypad.order(isOn: true)
        // Keys typed before the order are dropped.
        #expect(await reports.next() == .ready(name: "rooster alone"))
        keypad.end()
        #expect(await reports.next() == nil)
        #expect(try isHeardElsewhere(pad) { pad.type([KEY_1]) })
    }

    @Test func twoKeypads_formSeparateNumbers_andEitherMayBeUnplugged() async throws {
        var pads = [try UinputKeypad("rooster two"), try UinputKeypad("rooster two")]
        let (keypad, heard) = keypad("rooster two")
        var reports = heard
        for _ in pads { #expect(await reports.next() == .ready(name: "rooster two")) }
        pads[0].type([KEY_1])
        pads[1].type([KEY_2])
        pads[0].type([KEY_3, KEY_ENTER])
        #expect(await reports.next() == .number(13))
        pads[1].type([KEY_ENTER])
        #expect(await reports.next() == .number(2))
        pads.removeFirst()
        pads[0].type([KEY_5, KEY_ENTER])
        #expect(await reports.next() == .number(5))
        pads = []
        #expect(await reports.next() == .failed(.unplugged(name: "rooster two")))
        #expect(await reports.next() == .failed(.missing(wanted: "rooster two")))
        pads = [try UinputKeypad("rooster two")]
        #expect(await reports.next() == .ready(name: "rooster two"))
        keypad.end()
        #expect(await reports.next() == nil)
    }

    @Test func busyKeypad_isReported_andUsedOnceItIsReleased() async throws {
        let pad = try UinputKeypad("rooster kept")
        var other: KeyNode? = try KeyNode(pad.node, links: [], wanted: nil)
        try other?.subscribe(on: running.loop) { _ in }
        let (keypad, heard) = keypad("rooster kept")
        var reports = heard
        #expect(await reports.next() == .failed(.busy(name: "rooster kept")))
        #expect(other?.name == "rooster kept")
        other = nil
        #expect(await reports.next() == .ready(name: "rooster kept"))
        keypad.end()
        #expect(await reports.next() == nil)
    }

    /// A device without the digit keys, such as a power button, is not a keypad.
    @Test func deviceWithoutNumberKeys_isNotAKeypad() throws {
        let button = try UinputKeypad("rooster power", keys: [KEY_POWER, KEY_1])
        #expect(try KeyNode(button.node, links: [], wanted: nil) == nil)
        let pad = try UinputKeypad("rooster linked")
        #expect(try KeyNode(pad.node, links: ["usb-Pad_1-event-kbd"], wanted: "usb-Pad_1")?.name == "rooster linked")
        #expect(try KeyNode(pad.node, links: ["usb-Pad_1-event-kbd"], wanted: "usb-Pad_2") == nil)
    }

    /// More keys than the kernel buffers are typed while the loop is busy.
    @Test func numberWithDroppedKeys_isNotReported() async throws {
        let pad = try UinputKeypad("rooster dropped")
        let (keypad, heard) = keypad("rooster dropped")
        var reports = heard
        _ = await reports.next()
        let loopGate = await LoopGate(running.loop)
        pad.type(Array(repeating: KEY_1, count: 500), pauseMicroseconds: 0)
        loopGate.open()
        // The loop reads the keys before it runs the second job.
        for _ in 0..<2 { await Task(executorPreference: running.loop) {}.value }
        pad.type([KEY_3, KEY_ENTER])
        #expect(await reports.next() == .number(3))
        keypad.end()
    }
}
