// rooster-camera: parses pictures, so that a crash or an attack hits neither roosterd nor the command line.

import Glibc
import Sandbox

let usage = """
    Usage: rooster-camera scan [--kinds KIND,…] FILE…
           rooster-camera watch [--camera NAME] [--power-line untouched|auto|50|60]

    Reads the codes in picture files, for 'rooster scan', or in what a camera sees, for 'roosterd', to which descriptor 3 is
    the line. Rooster starts this program; it is of little use by hand.
    """

func complain(_ line: String) {
    let bytes = Array("rooster-camera: \(line)\n".utf8)
    // If standard error fails, there is no other place to report to.
    _ = write(STDERR_FILENO, bytes, bytes.count)
}

/// Exits without exit handlers. Those of libraries and coverage builds need files, which are closed off.
func leave(_ status: Int32) -> Never {
    fflush(nil)
    _exit(status)
}

Confinement.stepBack()
let words = CommandLine.arguments.dropFirst()
switch words.first {
case "scan": leave(Scan.run(Array(words.dropFirst())))
case "watch": leave(CameraWatch.run(Array(words.dropFirst())))
case "--help", "-h": print(usage)
default:
    complain("say what to do\n\(usage)")
    exit(2)
}
