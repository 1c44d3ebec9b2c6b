// The tests of all short histories of a few configurations: promises hold, and planted defects are found.

import Alarms
import Challenges
import Engine
import Oracles
import Testing

@testable import simulate

@Suite struct ExhaustiveTests {
    @Test func everyShortHistory_keepsThePromises() {
        var search = Exhaustive()
        search.run(depth: Thoroughness.isFull ? 4 : 2)
        #expect(search.failure == nil, "\(search.failure ?? "")")
        #expect(search.stateCount > 50)
    }

    /// The records that wait for the disk are part of a state. The length of that wait is not.
    @Test func statesWithTheSameFuture_areEqual() throws {
        let state = try #require(SearchState.all().first?.state)
        func key(_ moves: SearchMove...) -> Int {
            var other = state
            for move in moves { other.make(move) }
            return other.key
        }
        #expect(key(.snooze) != key())
        #expect(key(.snooze, .delete) != key(.snooze))
        #expect(key(.snooze, .delete) != key(.snooze, .edit))
        #expect(key(.wrongCode) == key())
    }

    @Test(arguments: PlantedFault.all)
    func plantedFault_isFound_withItsReason(planted: PlantedFault) {
        var search = Exhaustive(defect: planted.make())
        search.run(depth: 4)
        #expect(search.failure?.contains(planted.text) == true, "\(planted.name): \(search.failure ?? "not found")")
    }
}

/// A defect, and the text of the violation that it must cause.
struct PlantedFault: Sendable, CustomTestStringConvertible {
    let name: String
    let text: String
    let make: @Sendable () -> Defect

    var testDescription: String { name }

    static let all = [
        PlantedFault(name: "a wake is forgotten", text: "without a wake") { .wakes { $0 = Wake() } },
        PlantedFault(name: "a deadline is left out that is not a sound's", text: "without a wake") {
            .waitsForSoundAlone
        },
        PlantedFault(name: "it falls silent when it is heard", text: "rings without a sound") {
            Defect(wanted: { effect, _ in if case .sound = effect { [.sound(nil)] } else { [effect] } })
        },
        .keepsNo("a snooze is not kept", text: "became snoozed") { if case .snoozed = $0 { true } else { false } },
        .keepsNo("a change is not kept", text: "was acknowledged, but a power cut would lose it") {
            if case .alarmSaved = $0 { true } else { false }
        },
        .keepsNo(
            "all off is not kept", text: "a setting or a code was acknowledged, but a power cut would lose it"
        ) {
            if case .settingsSaved = $0 { true } else { false }
        },
        PlantedFault(
            name: "a restart forgets a snooze", text: "a snooze was acknowledged, but a power cut would lose it"
        ) {
            Defect(replayed: { $0.filter { if case .snoozed = $0.fact { false } else { true } } })
        },
        PlantedFault(name: "what the disk refused is taken for durable", text: "but a power cut would lose it") {
            .takesRefused
        },
        PlantedFault(name: "a change is acknowledged before it is durable", text: "was acknowledged, but is lost") {
            let edit = Box<RequestHeader?>(nil)
            return Defect(
                given: { input, _ in
                    if case .command(.edit, let request) = input { edit.value = request }
                    return [input]
                },
                wanted: { effect, _ in
                    guard case .commit = effect, let request = edit.value else { return [effect] }
                    return [
                        effect, .reply(.done(.saved(SavedAlarm(Alarm(id: ""), next: nil), warnings: [])), to: request),
                    ]
                })
        },
        PlantedFault(name: "a ring ends by an edit", text: "became ended (dismissed) by edit") {
            Defect(given: { input, _ in
                guard case .command(.edit, _) = input else { return [input] }
                return [input, .command(.stop, RequestHeader("stop", by: .page))]
            })
        },
        PlantedFault(name: "a wrong code is taken for the right one", text: "became ended (dismissed) by wrong code") {
            let right = Input.frame([SeenCode(digests: [CodeDigest("bathroom")], byteCount: 8)])
            return Defect(given: { input, engine in
                // The code comes into view, so that it counts at once.
                guard case .frame = input else { return [input] }
                return [.frame([], takenUptime: engine.clock.uptime), right]
            })
        },
        PlantedFault(name: "a power cut ends the ring", text: "became ended (cancelled) by power cut") {
            Defect(recorded: {
                $0.flatMap { if case .fired(let session) = $0.fact { $0.ended(session.occurrence) } else { [$0] } }
            })
        },
        PlantedFault(name: "a power cut ends what is snoozed", text: "became ended (cancelled) by power cut") {
            Defect(replayed: {
                $0.flatMap { if case .snoozed(let ring, _, _) = $0.fact { $0.ended(ring) } else { [$0] } }
            })
        },
    ]

    private static func keepsNo(
        _ name: String, text: String, _ isForgotten: @escaping @Sendable (Fact) -> Bool
    ) -> PlantedFault {
        PlantedFault(name: name, text: text) {
            Defect(recorded: { entries in entries.filter { !isForgotten($0.fact) } })
        }
    }
}

extension Entry {
    /// Returns the entry, followed by one that cancels the ring.
    fileprivate func ended(_ ring: Occurrence) -> [Entry] {
        let end = Fact.ended(ring, .cancelled, by: nil, switchesOff: nil)
        return [self, Entry(millisecondsSince1970: millisecondsSince1970, end)]
    }
}
