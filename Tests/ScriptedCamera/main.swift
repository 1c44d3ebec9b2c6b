// `scriptedcamera` replaces the camera program, and misbehaves in the way that a test names as its camera.

import Devices
import Glibc

let line: Int32 = 3
let script = CommandLine.arguments.last ?? ""

func send(_ bytes: [UInt8]) {
    // If the service has gone, this program ends as well.
    guard Glibc.send(line, bytes, bytes.count, Int32(MSG_NOSIGNAL)) < 0, errno == EPIPE else { return }
    if !script.hasPrefix("stubborn") { exit(0) }
}

func send(_ message: HelperMessage) {
    if let packet = message.packet { send(packet) }
}

func uptime() -> Int {
    var time = timespec()
    clock_gettime(CLOCK_BOOTTIME, &time)
    return time.tv_sec * 1000 + time.tv_nsec / 1_000_000
}

func frame(_ codes: [ReadCode] = []) { send(.report(.frame(CameraFrame(takenUptime: uptime(), codes: codes)))) }

/// Returns the next order, or nil after the timeout. Ends the program when the socket is closed.
func order(milliseconds: Int32) -> HelperMessage? {
    var descriptor = pollfd(fd: line, events: Int16(POLLIN), revents: 0)
    guard poll(&descriptor, 1, milliseconds) > 0 else { return nil }
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = recv(line, &bytes, bytes.count, 0)
    guard count > 0 else { exit(0) }
    return HelperMessage(packet: Array(bytes.prefix(count)))
}

/// Returns the state at the start: open descriptors and blocked signals, for example.
func start() -> String {
    let open = (0..<64).filter { fcntl(Int32($0), F_GETFD) >= 0 }
    var mask = sigset_t()
    sigprocmask(SIG_BLOCK, nil, &mask)
    let blocked = (1..<32).filter { sigismember(&mask, Int32($0)) == 1 }
    let leads = getpgrp() == getpid()
    return "descriptors \(open), blocked \(blocked), leads \(leads), \(CommandLine.arguments.dropFirst())"
}

func hang() -> Never { while true { pause() } }

/// Waits as long as a camera with twenty frames per second.
func waitForNextFrame() { usleep(50_000) }

/// Reports the ordered symbologies in each frame, one code of each.
func serve() -> Never {
    var newest = first
    while true {
        newest = order(milliseconds: 40) ?? newest
        guard case .read(let wanted, let previews)? = newest else { exit(4) }
        frame(wanted.map { ReadCode($0, payload: Array($0.rawValue.utf8)) })
        if previews { send(.report(.preview([0xFF, 0xD8, 0xFF, 0xD9]))) }
    }
}

if script == "silent" { hang() }
let first = order(milliseconds: -1)
if script != "early" { send(.report(.opened(name: script))) }
switch script {
case "crash": abort()
case "leave": exit(3)
case "stop":
    frame()
    raise(SIGSTOP)
case "mute": hang()
case "flood": while true { frame() }
case "rubbish": send([UInt8](repeating: 0x66, count: 200))
case "long": send([UInt8](repeating: 0x70, count: 40_000))
case "unasked":
    while true {
        frame([ReadCode(.codabar, payload: [1])])
        waitForNextFrame()
    }
case "pictures":
    while true {
        frame()
        send(.report(.preview([0xFF, 0xD8, 0xFF, 0xD9])))
        waitForNextFrame()
    }
case "busy":
    send(.report(.failed(.busy(node: "/dev/video7"))))
    exit(0)
case "closed":
    close(line)
    hang()
case "stubborn", "stubborn too":
    while true {
        frame()
        waitForNextFrame()
    }
case "start":
    send(.report(.warning(start())))
    hang()
case "early", "good": break
default: serve()
}
serve()
