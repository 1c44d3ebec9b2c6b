// rooster-camera: parses pictures, so that a crash or an attack hits neither roosterd nor the command line.

import Glibc
import Sandbox

let usage = """
    Usage: rooster-camera scan [--kinds KIND,…] FILE…
           rooster-camera watch [--camera NAME] [--power-line HZ]

    The helper program that reads pictures for Rooster, which starts it.

      scan     Print the codes in picture files, one line of JSON for each file.
               'rooster scan' uses it.
      watch    Read codes from the camera, and report them on descriptor 3, a
               socket. 'roosterd' uses it.

      --kinds KIND,…     the kinds of code to read (default: qr)
      --camera NAME      part of the camera's name (default: the first camera)
      --power-line HZ    the mains frequency, against flicker: 50, 60, auto (the
                         camera finds it) or untouched (default)
    """

func complain(_ line: String) {
    let bytes = Array("rooster-camera: \(line)\n".utf8)
    // If standard error fails, there is no other place to report to.
    _ = write(STDERR_FILENO, bytes, bytes.count)
}

/// Exits without exit handlers. Those of libraries and coverage builds need files, which the sandbox
/// forbids.
func leave(_ status: Int32) -> Never {
    fflush(nil)
    _exit(status)
}

Confinement.lowerPriority()
let arguments = CommandLine.arguments.dropFirst()
switch arguments.first {
case "scan": leave(Scan.run(Array(arguments.dropFirst())))
case "watch": leave(CameraWatch.run(Array(arguments.dropFirst())))
case "--help", "-h": print(usage)
case let word?:
    complain("There is no command \(word.debugDescription): the commands are scan and watch\n\(usage)")
    exit(2)
case nil:
    complain("Name a command: scan or watch\n\(usage)")
    exit(2)
}
