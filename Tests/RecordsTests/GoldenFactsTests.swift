// The tests of stored records: a record of any earlier version must remain readable.

import Agenda
import Alarms
import CivilTime
import Clients
import Foundation
import Health
import JSON
import Records
import Testing
import Text

@testable import Engine

@Suite struct GoldenFactsTests {
    /// One line for each fact: the number of its kind, a space, and its payload. A new kind or a new format
    /// of one adds a line. No line is ever edited.
    static let lines = read("facts.txt")

    private static func read(_ name: String) -> [(kind: UInt16, payload: [UInt8])] {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
            "Golden/\(name)")
        let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
        return text.split(separator: "\n").compactMap { line in
            let parts = line.split(separator: " ", maxSplits: 1)
            return UInt16(parts[0]).map { ($0, Array(parts[1].utf8)) }
        }
    }

    /// The hash changes if a line is edited or removed. New lines go after the hashed ones.
    @Test func goldenLines_areNeverChanged() {
        func hash(_ lines: some Sequence<(kind: UInt16, payload: [UInt8])>) -> UInt64 {
            var hash = FNV1a()
            for line in lines { hash.combine(Array("\(line.kind) ".utf8) + line.payload) }
            return hash.value
        }
        #expect(hash(Self.lines.prefix(39)) == 10_947_658_851_084_918_775)
    }

    @Test func everyKind_hasALine() {
        #expect(Set(Self.lines.map(\.kind)) == Set(FactKind.allCases.map(\.rawValue)))
        #expect(Set(Self.samples.map(\.kind)) == Set(FactKind.allCases))
    }

    @Test func goldenLines_readAndWritten_areUnchanged() throws {
        for (kind, payload) in Self.lines {
            let text = String(decoding: payload, as: UTF8.self)
            let fact = try #require(Fact(kind: kind, payload: payload), "\(kind) \(text)")
            #expect(fact.kind.rawValue == kind)
            #expect(String(decoding: fact.payload, as: UTF8.self) == text)
        }
    }

    @Test func facts_writtenAndRead_areEqual() throws {
        for fact in Self.samples {
            let read = try #require(Fact(kind: fact.kind.rawValue, payload: fact.payload), "\(fact.kind)")
            #expect(read == fact)
            #expect(Self.lines.contains { $0.kind == fact.kind.rawValue && $0.payload == fact.payload }, "\(fact.kind)")
        }
    }

    @Test func invalidFact_isNil() {
        #expect(Fact(kind: 0, payload: Array("{}".utf8)) == nil)
        for kind in FactKind.allCases {
            #expect(Fact(kind: kind.rawValue, payload: Array("{}".utf8)) == nil, "\(kind)")
            #expect(Fact(kind: kind.rawValue, payload: Array("no JSON".utf8)) == nil, "\(kind)")
            #expect(Fact(kind: kind.rawValue, payload: []) == nil, "\(kind)")
        }
    }

    /// A fact of each kind, and both forms of facts with optional members.
    static let samples: [Fact] = {
        let at = Instant(secondsSince1970: 1_768_197_600)
        let occurrence = Occurrence(alarm: "work", at: at)
        var alarm = Alarm(id: "work")
        alarm.label = "Work"
        alarm.time = ClockTime(hour: 7, minute: 0)
        alarm.recurrence = Recurrence(.daily)
        alarm.challenges = [
            Challenge(.code(labels: ["bathroom"])), Challenge(.sums(level: 2, count: 3, limitSeconds: 60)),
            Challenge(.steps(count: 30)), Challenge(.pattern(length: 5)), Challenge(.tag(labels: ["fridge"])),
            Challenge(.roulette([Challenge(.steps(count: 10)), Challenge(.pattern(length: 4))])),
        ]
        // The first sessions had no escalation.
        var steady = alarm
        steady.escalation = []
        var session = Session(
            occurrence: occurrence, terms: Terms(of: steady, Settings(), seed: 7), layer: .base, revision: 4,
            firedMilliseconds: 1_768_197_600_250, seed: 0xFEDC_BA98_7654_3210)
        let failures = [
            SpeakerFailure(name: "Speaker", reason: "unplugged"), SpeakerFailure(name: "Screen", reason: nil),
        ]
        let begun = session
        var settings = Settings()
        (settings.snooze.minSeconds, settings.snooze.maxSeconds, settings.hasEmergencyExit) = (60, 600, false)
        let strict = Session(
            occurrence: occurrence, terms: Terms(of: steady, settings, seed: 7), layer: .date, revision: 4,
            firedMilliseconds: 1_768_197_600_250, seed: 1)
        var replaced = strict
        replaced.doneMilliseconds = [1_768_197_700_000, 1_768_197_710_000]
        replaced.replacements = [1: Challenge(.pattern(length: 10))]
        session.snoozeCount = 2
        session.restCount = 1
        (session.isHeard, session.endedWith) = (true, Occurrence(alarm: "other", at: at))
        (session.solvedSumCount, session.lockedOutUntilMilliseconds) = (2, 1_768_197_730_000)
        session.doneMilliseconds = [1_768_197_700_000]
        var endedByPhone = begun
        endedByPhone.endedBy = Sender(.page, client: "Anna's phone")
        let test = Session(
            occurrence: Occurrence(alarm: "", at: at),
            terms: Terms(label: "Test", ring: RingSettings(), snooze: SnoozeSettings(), challenges: [], isTest: true),
            layer: nil, revision: nil, firedMilliseconds: 1_768_197_600_000, seed: 0)
        let position = ScheduleState(revision: 4, cursor: at)
        var anchor = Anchor(CivilDate(dayNumber: 20_465), at: at, source: .steppedForward)
        let second = ScheduleState(
            revision: 4, cursor: at, anchor: Anchor(anchor.date, at: at, source: .owner, isSecondInFold: true))
        anchor.handledAt = at
        let anchored = ScheduleState(revision: 4, cursor: at, anchor: anchor, isProvisional: true)
        let missed = MissedRings(
            occurrence: occurrence, first: at.advanced(by: -86_400), label: "Work", lateWindowSeconds: 600, revision: 4,
            switchesOff: true)
        var (noted, notedMiss) = (alarm, missed)
        (noted.note, noted.category) = ("Take the train", "Office")
        noted.ring.shakes = true
        (noted.ring.rounds, noted.ring.restSeconds) = (5, 600)
        (notedMiss.note, notedMiss.category) = (noted.note, noted.category)
        let notedSession = Session(
            occurrence: occurrence, terms: Terms(of: noted, Settings(), seed: 7), layer: .base, revision: 4,
            firedMilliseconds: 1_768_197_600_250, seed: 7)
        let ahead = DoneAhead(label: "Work", note: "Take the train", category: "", revision: 4, switchesOff: true)
        var missedAndDone = PastRing(missed, endedMilliseconds: 1_768_198_300_000)
        missedAndDone.done = DoneMark(1_768_198_400_000, by: Sender(.page, client: "Anna's phone"))
        var shaken = notedSession
        shaken.isShaken = true
        let putOff = PostponedRing(ring: at, until: at.advanced(by: 3600), layer: .base)
        var missedLater = MissedRings(
            occurrence: occurrence, first: putOff.until, label: "Work", lateWindowSeconds: 600, revision: 4,
            switchesOff: false)
        missedLater.postponedLayer = .base
        let later = Session(
            occurrence: occurrence,
            terms: Terms(
                label: "Bins", ring: RingSettings(), snooze: SnoozeSettings(), challenges: [], isTest: false,
                allowsPostponing: true),
            layer: .base, revision: 4, postponedTo: putOff.until, firedMilliseconds: 1_768_201_200_000, seed: 1)
        var snoozed = notedSession
        (snoozed.snoozeCount, snoozed.snoozedMilliseconds) = (1, [1_768_197_900_000])
        var (lit, slept) = (alarm, notedSession)
        lit.lightSeconds = 1800
        let litSession = Session(
            occurrence: occurrence, terms: Terms(of: lit, Settings(), seed: 7), layer: .base, revision: 4,
            firedMilliseconds: 1_768_197_600_250, seed: 7)
        slept.inBedMilliseconds = 1_768_168_800_000
        var bedtimes = Settings()
        (bedtimes.bedtime, bedtimes.bedtimeChime) = ([.monday: .at(.midnight), .friday: .off], true)
        var checked = noted
        checked.wakeUpCheck = WakeUpCheck(after: 300, within: 120)
        var checkedSession = Session(
            occurrence: occurrence, terms: Terms(of: checked, Settings(), seed: 7), layer: .base, revision: 4,
            firedMilliseconds: 1_768_197_600_250, seed: 7)
        let askedSession = checkedSession
        (checkedSession.checkCount, checkedSession.failedCheckCount) = (3, 2)
        var calendar = DayCalendar()
        calendar.weekdays = [.monday, .friday]
        var house = Settings()
        (house.hourFormat, house.defaults.ring.volume) = (.twelve, 0.5)
        house.defaults.challenges = [Challenge(.steps(count: 40))]
        return [
            .alarmSaved(alarm, position), .alarmSaved(alarm, anchored), .planMoved("work", second),
            .alarmKept(alarm, anchored, rung: [at]), .alarmKept(alarm, position, rung: []),
            .alarmDeleted("work"), .alarmDeleted("work", label: "Work"),
            .settingsSaved(Settings()), .settingsSaved(house),
            .calendarSaved("school", calendar), .calendarDeleted("school"),
            .codeEnrolled(EnrolledCode(label: "bathroom", kind: .qr, digest: CodeDigest("00ff"))),
            .codeEnrolled(
                EnrolledCode(label: "milk", kind: .qr, digest: CodeDigest("0a0b"), symbology: "ean13")),
            .codeKeyAdded(CodeKey(Array(0..<32))),
            .healthChanged(
                .camera, Health(.cameraBroken(reason: "unplugged"), .cameraPulledOut, .camera("slow"))),
            .healthChanged(
                .buttons, Health(.unusable(reason: "busy"), .wiring("weak"), .buttonStuck(.stop), .buttonLoose(.snooze))
            ),
            .codeForgotten(label: "bathroom"), .planned(occurrence, .weekly), .fired(begun), .fired(test),
            .fired(strict), .lockBegan(occurrence),
            .audioStarted(occurrence, route: "usb:Speaker", latencyMilliseconds: 7),
            .audioStarted(occurrence, route: "buzzer", latencyMilliseconds: nil),
            .audioFailed(occurrence, route: "vc4hdmi0", reason: "No such device"),
            .scanRefused(occurrence, byteCount: 24), .challengeDone(occurrence, index: 1),
            .challengeDone(
                occurrence, index: 0, replacedBy: Challenge(.sums(level: 3, count: 5, limitSeconds: 60))),
            .partRemoved(.tags),
            .healthChanged(
                .tags,
                Health(.unusable(reason: "no reader"), .pulledOut(until: Instant(secondsSince1970: 1_768_262_400)))
            ), .healthChanged(.alarms, Health(.challengesReplaced(["one"]))),
            .pastKept(PastRing(replaced, .dismissed, endedMilliseconds: 1_768_198_300_000)),
            .sumSolved(occurrence, index: 1, count: 2), .lockedOut(occurrence, untilMilliseconds: 1_768_197_730_000),
            .snoozed(occurrence, count: 2, untilMilliseconds: 1_768_198_240_000),
            .rested(occurrence, count: 1, untilMilliseconds: 1_768_199_700_000),
            .checkBegan(occurrence, count: 1, untilMilliseconds: 1_768_199_700_000), .checkFailed(occurrence),
            .alarmSaved(checked, position), .fired(askedSession),
            .pastKept(PastRing(checkedSession, .dismissed, endedMilliseconds: 1_768_198_300_000)),
            .stopRefused(occurrence, by: Sender(.homeAssistant)),
            .stopRefused(occurrence, by: Sender(.commandLine, client: "Anna's phone")),
            .ended(occurrence, .dismissed, by: Sender(.button), switchesOff: nil),
            .ended(occurrence, .dismissed, by: Sender(.page, client: "Anna's phone"), switchesOff: nil),
            .ended(occurrence, .unanswered, by: nil, switchesOff: 4),
            .ended(
                occurrence, .dismissed, by: Sender(.camera), with: Occurrence(alarm: "other", at: at), switchesOff: nil),
            .ended(occurrence, .emergency, by: Sender(.page), switchesOff: nil),
            .ended(occurrence, .cancelled, by: nil, switchesOff: nil),
            .missed(missed),
            .resumed(occurrence), .snoozeTakenBack(occurrence), .noticeGiven(occurrence, seconds: 86_400),
            .postponed("work", putOff, endsSession: true, by: Sender(.page)),
            .postponed("work", putOff, endsSession: false, by: nil), .postponementEnded(occurrence),
            .missed(missedLater), .fired(later),
            .clockStepped(from: 1_768_197_600_000, to: 1_768_194_000_000), .clockTrusted(true),
            .zoneChanged("Europe/Berlin"),
            .healthChanged(.speaker, Health(.described(.broken, "No card plays"))),
            .healthChanged(.speaker, Health(.silent(failures), .buzzerOnly([]), .unready(failures), .mixer("stuck"))),
            .healthChanged(
                .speaker,
                Health(
                    .replaced(by: "Screen", missing: ["usb:1"], failures: failures), .sound("no such file"),
                    .soundsUnread, .described(.warning, "new"))),
            .healthChanged(.disk, Health(.diskRefuses(reason: "EROFS"), .diskWears(failure: "EIO"), .diskHangs)),
            .healthChanged(.codes, Health(.clockUnknown, .codesUnmet(["one", "two"]))),
            .pastKept(PastRing(session, .dismissed, endedMilliseconds: 1_768_198_300_000)),
            .pastKept(PastRing(endedByPhone, .dismissed, endedMilliseconds: 1_768_198_300_000)),
            .noted(occurrence, .wrong(.math), by: Sender(.keypad)), .noted(occurrence, .skipped),
            .noted(occurrence, .paused), .noted(occurrence, .unlocked, by: Sender(.page, client: "Anna's phone")),
            .historyCleared(before: 1_768_111_200_000, by: Sender(.commandLine)),
            .eventKept(
                Entry(millisecondsSince1970: 1_768_197_600_400, .stopRefused(occurrence, by: Sender(.button)))),
            .eventKept(Entry(millisecondsSince1970: 1_768_197_600_500, .noted(occurrence, .wrong(.tag)))),
            .pastKept(PastRing(missed, endedMilliseconds: 1_768_198_300_000)),
            .fired(notedSession), .missed(notedMiss), .shakerStarted(occurrence),
            .pastKept(PastRing(shaken, .unanswered, endedMilliseconds: 1_768_198_300_000)),
            .done(occurrence, nil, by: Sender(.page, client: "Anna's phone")),
            .done(occurrence, ahead, by: Sender(.commandLine)),
            .pastKept(PastRing(occurrence, ahead, DoneMark(1_768_198_300_000, by: Sender(.commandLine)))),
            .pastKept(missedAndDone),
            .pastKept(PastRing(snoozed, .dismissed, endedMilliseconds: 1_768_198_300_000)),
            .fired(litSession), .pastKept(PastRing(slept, .dismissed, endedMilliseconds: 1_768_198_300_000)),
            .settingsSaved(bedtimes), .bedtimeGiven(at),
            .inBed(atMilliseconds: 1_768_168_800_000, by: Sender(.commandLine, client: "Anna's phone")),
            .clientAdded(
                PairedClient(
                    id: "0123abcd", name: "Anna's phone", kind: .page, may: .change, token: SecretHash("00ff"),
                    day: CivilDate(dayNumber: 20_465))),
            .clientForgotten("0123abcd", name: "Anna's phone"),
            .clientSeen("0123abcd", CivilDate(dayNumber: 20_465)),
        ]
    }()
}
