// The program `fuzz`: hostile input for the reader in FUZZ_TARGET. libFuzzer generates it; without
// libFuzzer it comes from files.

import Fuzzing
import Glibc

/// Runs one input. A broken promise ends the process, like a crash of the reader.
private func check(_ bytes: [UInt8], by target: Target) {
    do {
        try target.run(bytes)
    } catch {
        fatalError("\(target.rawValue): \(error)")
    }
}

private enum Chosen {
    static let target = getenv("FUZZ_TARGET").flatMap { Target(rawValue: String(cString: $0)) }
}

/// The entry point that libFuzzer calls with each input.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    guard let target = Chosen.target else { return -1 }
    check(Array(UnsafeBufferPointer(start: start, count: count)), by: target)
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

// SwiftPM gives every executable its own `main`, so this code calls libFuzzer's driver instead.
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
        check(bytes, by: target)
        print("\(path): every promise kept")
    }
#endif
