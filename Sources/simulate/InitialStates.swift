// The states in which the exhaustive search begins.

import Alarms
import CivilTime

extension SearchState {
    /// Returns the initial states. Each has its own ring to escape from, or change to lose.
    static func all(_ defect: Defect? = nil) -> [(name: String, state: SearchState)] {
        func alarm(
            _ challenges: Challenge.Task..., id: String = SearchState.alarm, minute: Int = 0, isDaily: Bool = true,
            early: Int = 0
        ) -> Alarm {
            var alarm = Alarm(id: id)
            (alarm.label, alarm.time) = (id, ClockTime(hour: 6, minute: minute))
            alarm.recurrence = isDaily ? Recurrence(.daily) : nil
            alarm.challenges = challenges.map { Challenge($0) }
            (alarm.snooze.max, alarm.earlySeconds) = (1, early)
            return alarm
        }
        let sums = Challenge.Task.sums(level: 1, count: 2, limitSeconds: 60)
        let code = Challenge.Task.code(labels: ["bathroom"])
        var (escalating, checked) = (alarm(sums), alarm(code))
        checked.wakeUpCheck = WakeUpCheck(after: 60, within: 30)
        escalating.ring.shake = true
        escalating.escalation = [
            EscalationStep(after: 30, sound: "square520"), EscalationStep(after: 60, sound: nil, shakes: true),
        ]
        let initialStates: [(String, [Alarm], isRinging: Bool)] = [
            ("a plain alarm rings", [alarm()], true),
            ("a code ends the ring", [alarm(code)], true),
            ("sums end the ring", [alarm(sums)], true),
            ("a check follows the code", [checked], true),
            ("one alarm rings behind another", [alarm(sums), alarm(code, id: "second")], true),
            ("a locked alarm will ring, or is early", [alarm(code, minute: 5, early: 600)], false),
            ("a one-time alarm rings", [alarm(isDaily: false)], true),
            ("an alarm escalates and shakes", [escalating], true),
        ]
        let states = initialStates.map { ($0, SearchState($1, isRinging: $2, defect)) }
        // The disk is slow, and clients have sent as many changes as the engine holds.
        var full = SearchState([alarm(code)], isRinging: true, defect)
        full.fillQueue()
        return states + [("the queue of changes is full while a code is wanted", full)]
    }
}
