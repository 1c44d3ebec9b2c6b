// The tests of tags on a virtual reader, with a real pcscd.

import Devices
import Foundation
import Oracles
import Testing

@testable import LinuxDevices

/// vpcd polls its tag once a second, so these tests take long.
@Suite(
    .serialized, .timeLimit(.minutes(2)), .enabled(if: Thoroughness.isFull, "pcscd and vpcd take long"),
    .enabled(if: VirtualReader.isThere, "there is no pcscd with vpcd to start"))
struct LinuxTagReaderTests {
    private static let slot = "Virtual PCD 00 00"
    private static let uid: [UInt8] = [0x04, 1, 2, 3, 4, 5, 6]

    private func start() throws -> (LinuxTagReader, AsyncStream<TagReport>.Iterator) {
        let reader = try LinuxTagReader(name: LinuxTagReaderTests.slot)
        return (reader, reader.reports.makeAsyncIterator())
    }

    private func tag(_ identifier: [UInt8] = uid) throws -> NFCTag { try #require(NFCTag(identifier: identifier)) }

    /// Waits until vpcd has noticed the tag, or its absence.
    private func waitUntilSeen(_ isThere: Bool) async throws {
        let context = try PcscContext()
        try await waitUntil(everyMilliseconds: 20) {
            var readers = [PcscContext.Reader(name: LinuxTagReaderTests.slot)]
            _ = try context.wait(&readers, count: context.readers().count, milliseconds: 1000)
            return readers[0].hasTag == isThere
        }
    }

    @Test func tags_areReported_eachTimeTheyAreHeldToTheReader() async throws {
        let virtual = try await VirtualReader()
        let (reader, heard) = try start()
        var reports = heard
        reader.order(isOn: true)
        #expect(await reports.next() == .ready(name: LinuxTagReaderTests.slot))
        for identifier in [LinuxTagReaderTests.uid, LinuxTagReaderTests.uid, [0x08, 9, 9, 9]] {
            let held = try await VirtualTag(identifier)
            #expect(await reports.next() == .tag(try tag(identifier), wasThere: false))
            held.takeAway()
            try await waitUntilSeen(false)
        }
        reader.end()
        let report = await reports.next()
        #expect(report == nil)
        withExtendedLifetime(virtual) {}
    }

    @Test func tagWithoutAnIdentifier_isUnreadable() async throws {
        let virtual = try await VirtualReader()
        let (reader, heard) = try start()
        var reports = heard
        reader.order(isOn: true)
        #expect(await reports.next() == .ready(name: LinuxTagReaderTests.slot))
        let answers: [([UInt8], String)] = [
            ([0x90, 0x00], "0 bytes"), (Array(repeating: 1, count: 64) + [0x90, 0x00], "64 bytes"),
            ([0x6A, 0x81], "6a 81"), ([UInt8](repeating: 0, count: 7) + [0x90, 0x00], "zeros"),
        ]
        for (answer, text) in answers {
            let held = try await VirtualTag(answer: answer)
            guard case .unreadable(let reason) = await reports.next() else { throw POSIXError(.EPROTO) }
            #expect(reason.contains(text))
            held.takeAway()
            try await waitUntilSeen(false)
        }
        reader.end()
        #expect(await reports.next() == nil)
        withExtendedLifetime(virtual) {}
    }

    @Test func tagThatWasAlreadyThere_isReportedAsSuch_untilOff() async throws {
        let virtual = try await VirtualReader()
        let held = try await VirtualTag(LinuxTagReaderTests.uid)
        try await waitUntilSeen(true)
        let (reader, heard) = try start()
        var reports = heard
        for _ in 0..<2 {
            reader.order(isOn: true)
            #expect(await reports.next() == .ready(name: LinuxTagReaderTests.slot))
            #expect(await reports.next() == .tag(try tag(), wasThere: true))
            reader.order(isOn: false)
            // The reader is off once its pending wait for a tag returns.
            try await Task.sleep(for: .milliseconds(1000))
        }
        reader.end()
        #expect(await reports.next() == nil)
        withExtendedLifetime((held, virtual)) {}
    }

    @Test func endedPcscd_isReported_andReturns() async throws {
        let virtual = try await VirtualReader()
        let held = try await VirtualTag(LinuxTagReaderTests.uid)
        let (reader, heard) = try start()
        var reports = heard
        reader.order(isOn: true)
        while let report = await reports.next(), report != .tag(try tag(), wasThere: true) {
            if case .tag = report { break }
        }
        virtual.stop()
        let report = await reports.next()
        #expect(report == .failed(.noService))
        withExtendedLifetime(held) {}
        try await virtual.start()
        #expect(await reports.next() == .ready(name: LinuxTagReaderTests.slot))
        reader.end()
        while await reports.next() != nil {}
    }

    @Test func missingReader_isReported() async throws {
        let virtual = try await VirtualReader()
        let reader = try LinuxTagReader(name: "nobody's")
        var reports = reader.reports.makeAsyncIterator()
        reader.order(isOn: true)
        #expect(await reports.next() == .failed(.missing(wanted: "nobody's")))
        let before = try KernelThread.named("tags").waitCount
        try await Task.sleep(for: .milliseconds(500))
        // The thread blocks until a reader appears, instead of polling.
        #expect(try KernelThread.named("tags").waitCount - before < 20)
        reader.end()
        #expect(await reports.next() == nil)
        withExtendedLifetime(virtual) {}
    }
}
