// `rooster-camera scan`: reads the codes in picture files, with the reader of the camera's frames.

import CodeReading
import Devices
import Glibc
import JSON
import Sandbox

enum Scan {
    /// The memory for the largest picture that is read, from an uncompressed file.
    private static let memoryBytesMax: UInt64 = 1 << 30

    /// The time limit for a picture, as for a frame of the camera.
    static let budgetMilliseconds = 100

    /// Reads each file and prints a JSON line for it. Returns the exit status: 0, or 2 for wrong arguments.
    static func run(_ arguments: [String]) -> Int32 {
        var paths = arguments[...]
        var kinds: Set<Symbology> = [.qr]
        if paths.first == "--kinds" {
            let names = paths.dropFirst().first?.split(separator: ",") ?? []
            let known = names.compactMap { Symbology(rawValue: String($0)) }
            guard !known.isEmpty, known.count == names.count else {
                let unknown = names.first { Symbology(rawValue: String($0)) == nil }.map {
                    ", not \($0.debugDescription)"
                }
                return refuse("--kinds must be kinds of code such as qr,aztec\(unknown ?? "")")
            }
            kinds = Set(known)
            paths = paths.dropFirst(2)
        }
        if let option = paths.first(where: { $0.hasPrefix("--") }) {
            return refuse("'scan' has no option \(option.debugDescription) here")
        }
        guard !paths.isEmpty else { return refuse("Name at least one FILE") }
        // All files are opened before any is parsed, because the sandbox refuses to open files.
        let files = paths.map { ($0, OpenPicture($0)) }
        do throws(ConfinementError) {
            var confinement = Confinement()
            confinement.memoryBytesMax = memoryBytesMax
            try confinement.enter()
        } catch {
            complain("\(error)")
            return 1
        }
        for (path, file) in files { say(line(path, file, kinds)) }
        return 0
    }

    private static func refuse(_ reason: String) -> Int32 {
        complain("\(reason)\n\(usage)")
        return 2
    }

    private static func line(_ path: String, _ file: OpenPicture, _ kinds: Set<Symbology>) -> JSON {
        do throws(OpenPicture.Failure) {
            let picture = try file.read()
            // A new reader for each file: the files are not frames of one camera.
            var reader = CodeReader()
            return line(path, reader.read(picture, wanted: kinds, budgetMilliseconds: budgetMilliseconds))
        } catch {
            return .object([
                .init("file", .string(path)), .init("payloads", .array([])), .init("ms", .number(0)),
                .init("by", .null), .init("error", .text(error)),
            ])
        }
    }

    private static func line(_ path: String, _ result: FrameResult) -> JSON {
        let texts = result.codes.map { JSON.string(String(decoding: $0.payload, as: UTF8.self)) }
        var members: [JSON.Member] = [
            .init("file", .string(path)), .init("payloads", .array(texts)),
            .init("ms", .number((result.milliseconds * 100).rounded() / 100)),
            .init("by", .text(result.decoder?.rawValue)),
            .init("kinds", .array(result.codes.map { .string($0.symbology.rawValue) })),
            .init("light", .number(result.light)), .init("sharp", .number(result.sharpness)),
        ]
        // JSON strings cannot hold bytes that are not UTF-8.
        if result.codes.contains(where: { String(validating: $0.payload, as: UTF8.self) == nil }) {
            members.append(.init("bytes", .array(result.codes.map { .string(hexadecimal($0.payload)) })))
        }
        return .object(members)
    }

    private static func hexadecimal(_ bytes: [UInt8]) -> String {
        bytes.map { String(0x100 + Int($0), radix: 16).dropFirst() }.joined()
    }

    /// Prints a line and flushes it: the next picture may crash this program.
    private static func say(_ line: JSON) {
        print(line)
        fflush(nil)
    }
}
