// The fuzz target for the alarms file: it reads, validates, plans and writes back.

import Alarms
import CivilTime
import JSON

/// Checks the promises of the alarms file reader and of planning.
func fuzzAlarmsFile(_ bytes: [UInt8]) throws(BrokenPromise) {
    let json: JSON
    do {
        json = try JSON(parsing: bytes)
    } catch {
        try promisePlace(of: error, in: bytes)
        return
    }
    let validationContext = ValidationContext(zones: FixedZones.catalogue)
    let reading = AlarmsFileReading(json, among: validationContext)
    try promiseProblems(of: reading)
    try promiseTheSame(reading.file, writtenAs: reading.file.json.description, among: validationContext)
    try promiseTheSame(reading.file, writtenAs: reading.file.json.indented, among: validationContext)
    try promiseRings(of: reading.file)
}

private func promisePlace(of error: JSONSyntaxError, in bytes: [UInt8]) throws(BrokenPromise) {
    try promiseReadable(error.description)
    let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
    try promise(lines.indices.contains(error.line - 1), "\(error): there is no such line")
    try promise((1...lines[error.line - 1].count + 1).contains(error.column), "\(error): there is no such column")
}

private func promiseProblems(of reading: AlarmsFileReading) throws(BrokenPromise) {
    for problem in reading.problems {
        try promiseReadable(problem.description)
        try promise(problem.path.utf8.count <= 500, "a path has \(problem.path.utf8.count) bytes")
    }
    for alarm in reading.setAside {
        try promise(alarm.problems.contains { $0.weight == .refused }, "alarm \(alarm.index) is refused for no reason")
        for problem in alarm.problems {
            try promiseReadable(problem.description)
            try promise(
                problem.path.hasPrefix("alarms[\(alarm.index)]"), "\(problem.path) is not in alarm \(alarm.index)")
        }
    }
}

private func promiseTheSame(
    _ file: AlarmsFile, writtenAs text: String, among validationContext: ValidationContext
) throws(BrokenPromise) {
    do {
        let again = try AlarmsFileReading(Array(text.utf8), among: validationContext)
        try promise(again.isWhole, "written back, it is refused: \(again.problems) \(again.setAside)")
        // The file does not store the places that its reader left out.
        var kept = file
        kept.leftOutPlaces = []
        try promise(again.file == kept, "written back, it reads otherwise: \(text)")
    } catch let error as JSONSyntaxError {
        throw BrokenPromise(description: "written back, it is no JSON: \(error)")
    } catch let error as BrokenPromise {
        throw error
    } catch {
        throw BrokenPromise(description: "\(error)")
    }
}

private func promiseRings(of file: AlarmsFile) throws(BrokenPromise) {
    for instant in Instants.asked {
        var zones = FixedZones.catalogue
        let plan = Plan(file, deviceZone: .utc, zones: &zones, from: instant)
        for problem in plan.problems { try promiseReadable(problem.description) }
        try promiseRings(of: plan, from: instant, count: 50)
        for schedule in plan.schedules.prefix(5) { try promiseRings(of: schedule, after: instant, count: 5) }
    }
    for alarm in file.alarms {
        try promiseReadable(alarm.daysSummary)
        let today = CivilDate(dayNumber: 20_000)
        let cleaned = alarm.forgettingDates(before: today)
        // An alarm that consists of one date keeps it; else the alarm would be empty.
        let isAllItSays = alarm.time == nil && alarm.weekly.isEmpty && cleaned.dates.count == 1
        try promise(
            isAllItSays || cleaned.dates.keys.allSatisfy { $0 >= today }, "an entry of the past was kept")
    }
}
