// The captive: it confines itself and tries one action. It exits with 0 if allowed, else with the errno.

import CLinux
import Glibc
import Sandbox

func answer(_ answer: some BinaryInteger) -> Never { exit(answer < 0 ? errno : 0) }

if CommandLine.arguments.last == "step-back" {
    Confinement.lowerPriority()
    var score = [UInt8](repeating: 0, count: 16)
    let file = open("/proc/self/oom_score_adj", O_RDONLY)
    let count = read(file, &score, score.count)
    print(String(decoding: score.prefix(max(0, count)), as: UTF8.self))
    exit(getpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0))
}
let device = open("/dev/null", O_RDWR)
let other = open("/dev/zero", O_RDWR)
let page = mmap(nil, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
do {
    try Confinement(device: device).enter()
} catch {
    print(error)
    exit(255)
}
switch CommandLine.arguments.last ?? "" {
case "nothing": answer(0)
case "compute":
    var numbers = (0..<1_000_000).map { $0 &* 7919 }
    numbers.shuffle()
    numbers.sort()
    answer(numbers.count)
case "open": answer(open("/etc/passwd", O_RDONLY))
case "create": answer(open("/tmp/captive", O_RDWR | O_CREAT, 0o600))
case "folder": exit(opendir("/") == nil ? errno : 0)
case "unlink": answer(unlink("/tmp/captive-file"))
case "socket": answer(socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0))
case "exec":
    var arguments: [UnsafeMutablePointer<CChar>?] = [strdup("true"), nil]
    answer(execv("/bin/true", &arguments))
case "spawn":
    var (arguments, process): ([UnsafeMutablePointer<CChar>?], pid_t) = ([strdup("true"), nil], 0)
    let number = posix_spawn(&process, "/bin/true", nil, nil, &arguments, nil)
    exit(number)
case "thread":
    var thread = pthread_t()
    exit(pthread_create(&thread, nil, { _ in nil }, nil))
case "kill": answer(kill(getppid(), 0))
case "device":
    // The device is not a terminal, so the kernel must return ENOTTY.
    var size = winsize()
    answer(ioctl(device, UInt(TIOCGWINSZ), &size))
case "other":
    var size = winsize()
    answer(ioctl(other, UInt(TIOCGWINSZ), &size))
case "duplicate": answer(dup(device))
case "execute": answer(mprotect(page, 4096, PROT_READ | PROT_EXEC))
case "map-execute":
    let code = mmap(nil, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
    exit(code == MAP_FAILED ? errno : 0)
case "map-file": exit(mmap(nil, 4096, PROT_READ, MAP_PRIVATE, other, 0) == MAP_FAILED ? errno : 0)
case "memory": exit(mmap(nil, 1 << 30, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED ? errno : 0)
case "priority": answer(setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, -5))
case "crash": abort()
default: exit(254)
}
