// How much memory a long sound costs a program that plays it.

import Foundation
import Oracles
import Sound
import Testing

@Suite struct SoundMemoryTests {
    /// Runs a program and says how much memory it had at most, in kilobytes.
    private static let measuring = """
        import resource, subprocess, sys
        status = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL).returncode
        print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
        sys.exit(status)
        """

    /// Plays a sound for a second.
    func peakKilobytes(_ sound: String, _ scratch: Scratch) throws -> Int {
        let configuration = try scratch.file("alsa.conf", holding: "pcm.nothing { type null }\n")
        let command = [
            Program.built("rooster"), "sound", "test", sound, "--seconds", "1", "--speaker", "alsa:nothing",
            "--sounds", scratch.path,
        ]
        let run = try Program(
            "/usr/bin/env", ["python3", "-c", Self.measuring] + command,
            environment: [
                "ROOSTER_SOCKET": "/nowhere", "ALSA_CONFIG_PATH": configuration.path,
                "XDG_STATE_HOME": "\(scratch.path)/state",
                "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "",
            ])
        #expect(run.exitStatus == 0, "\(run.errors)")
        return try #require(run.lines.first.flatMap { Int($0) })
    }

    /// Ten minutes at a high rate are 115 MB in the file, and 230 as numbers.
    @Test func longFile_costsNoMoreThanIsPlayedOfIt() throws {
        let scratch = try Scratch()
        let rate = 96_000
        let tone = Samples(values: (0..<rate).map { Float(sin(2 * .pi * 440 * Double($0) / Double(rate))) }, rate: rate)
        var bytes = tone.waveFile
        let dataBytes = 600 * rate * 2
        for part in 0..<4 { bytes[40 + part] = UInt8(truncatingIfNeeded: dataBytes >> (8 * part)) }
        let file = try FileHandle(forWritingTo: try scratch.file("long.wav"))
        try file.write(contentsOf: bytes)
        for _ in 1..<200 { try file.write(contentsOf: bytes.dropFirst(44)) }
        try file.truncate(atOffset: UInt64(44 + dataBytes))
        try file.close()
        let (short, long) = (try peakKilobytes("tone01", scratch), try peakKilobytes("long.wav", scratch))
        #expect(long - short < 50_000, "\(short) and \(long) kB")
    }
}
