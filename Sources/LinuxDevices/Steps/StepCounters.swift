// The step counters in the kernel's industrial I/O.

import Devices
import Glibc
import System

/// The wanted step counter. Each call finds it by name, because its number changes when it is plugged in.
struct StepCounters: Sendable {
    /// The name of the wanted counter; nil for the first one found.
    let wanted: String?
    var folder = "/sys/bus/iio/devices"

    private struct Counter {
        let name: String
        let path: String

        var count: SystemFile { SystemFile(path: "\(path)/in_steps_input") }
        /// The switch of the counter. Counters that always count have none.
        var enabled: SystemFile { SystemFile(path: "\(path)/in_steps_en") }

        func failure(_ doing: String, _ number: Int32) -> StepFailure {
            .system(name: name, doing: doing, errorNumber: number)
        }
    }

    /// Returns the count. Switches the counter on if it is off: it may have lost power since the last call.
    func read() throws(StepFailure) -> Int32 {
        let counter = try find()
        if counter.enabled.exists, counter.enabled.text != "1" {
            switch counter.enabled.write("1\n") {
            case 0: break
            case EACCES, EPERM: throw .noAccess(name: counter.name)
            case let number: throw counter.failure("switch it on", number)
            }
        }
        do throws(FileError) {
            guard let count = Int32(try counter.count.read()) else { throw FileError(errorNumber: EBADMSG) }
            return count
        } catch {
            throw counter.failure("read it", error.errorNumber)
        }
    }

    /// Switches the counter off, which saves power.
    func switchOff() throws(StepFailure) {
        let counter = try find()
        guard counter.enabled.exists else { return }
        let number = counter.enabled.write("0\n")
        guard number == 0 else { throw counter.failure("switch it off", number) }
    }

    private func find() throws(StepFailure) -> Counter {
        var known: [String] = []
        do throws(FileError) {
            for entry in try Folder.names(in: folder) {
                let path = "\(folder)/\(entry)"
                let counter = Counter(name: SystemFile(path: "\(path)/name").text ?? entry, path: path)
                guard counter.count.exists else { continue }
                if wanted == nil || wanted == counter.name { return counter }
                known.append(counter.name)
            }
        } catch {
            throw .system(name: wanted ?? "", doing: "look for it in \(folder)", errorNumber: error.errorNumber)
        }
        guard let wanted, !known.isEmpty else { throw .noCounter }
        throw .missing(wanted: wanted, known: known)
    }
}
