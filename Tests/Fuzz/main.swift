// `fuzz`: hostile input for one reader, chosen by FUZZ_TARGET; under libFuzzer it is found, without it is read from files.

import Fuzzing
import Glibc

/// What both ways share: one input, one verdict. A broken promise ends the process, as a crash of the reader would.
private func judge(_ bytes: [UInt8], by target: Target) {
    do {
        try target.run(bytes)
    } catch {
        fatalError("\(target.rawValue): \(error)")
    }
}

private enum Chosen {
    static let target = getenv("FUZZ_TARGET").flatMap { Target(rawValue: String(cString: $0)) }
}

/// What libFuzzer calls with each input it makes up.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    guard let target = Chosen.target else { return -1 }
    judge(Array(UnsafeBufferPointer(start: start, count: count)), by: target)
    return 0
}

private func readFile(_ path: String) -> [UInt8]? {
    guard let file = fopen(path, "rb") else { return nil }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
        let count = fread(&chunk, 1, chunk.count, file)
        guard count > 0 else { return bytes }
        bytes += chunk.prefix(count)
    }
}

guard let target = Chosen.target else {
    print("set FUZZ_TARGET to one of: \(Target.allCases.map(\.rawValue).joined(separator: ", "))")
    exit(2)
}

// SwiftPM gives every executable a `main` of its own, so libFuzzer's cannot be the one: this calls what that would.
#if LIBFUZZER
    import CLibFuzzer

    var argumentCount = CommandLine.argc
    var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
    exit(LLVMFuzzerRunDriver(&argumentCount, &arguments, fuzz))
#else
    for path in CommandLine.arguments.dropFirst() {
        guard let bytes = readFile(path) else {
            print("\(path): \(String(cString: strerror(errno)))")
            exit(1)
        }
        judge(bytes, by: target)
        print("\(path): every promise kept")
    }
#endif
