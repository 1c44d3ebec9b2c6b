// The list of system calls that a confined process may still make.

import CSeccomp
import Glibc

/// A seccomp filter.
///
/// A call that this list does not name fails with EPERM. On each machine the C library makes a few calls of
/// its own. If they were deadly, the program would not run on some machines.
struct SystemCallFilter {
    var device: Int32?

    /// Calls for memory, time, waiting and the descriptors that are already open.
    private static let allowed = [
        "read", "write", "writev", "close", "poll", "ppoll", "recvfrom", "sendto", "lseek", "fstat",
        "munmap", "mremap", "madvise", "brk", "membarrier",
        "futex", "sched_yield", "sched_getaffinity", "getpid", "gettid", "sysinfo", "getrandom", "getrusage",
        "clock_gettime", "clock_getres", "gettimeofday", "clock_nanosleep", "nanosleep", "restart_syscall",
        "rt_sigreturn", "rt_sigprocmask", "rt_sigaction", "sigaltstack",
        "exit", "exit_group",
    ]

    /// Calls that a picture reader never makes. If one happens, foreign code runs, so the kernel kills it.
    private static let deadly = [
        "execve", "execveat", "fork", "vfork", "clone", "clone3",
        "socket", "socketpair", "connect", "bind", "listen", "accept", "accept4", "sendmsg", "sendmmsg", "recvmsg",
        "recvmmsg",
        "ptrace", "process_vm_readv", "process_vm_writev", "process_madvise", "kill", "tkill", "pidfd_open",
        "pidfd_getfd", "pidfd_send_signal", "kcmp",
        "dup", "dup2", "dup3", "memfd_create", "memfd_secret", "io_uring_setup", "io_uring_enter",
        "io_uring_register", "userfaultfd", "perf_event_open", "bpf", "keyctl", "add_key", "request_key",
        "mount", "umount2", "move_mount", "open_tree", "fsopen", "pivot_root", "chroot", "unshare", "setns",
        "open_by_handle_at", "name_to_handle_at", "init_module", "finit_module", "delete_module", "kexec_load",
        "reboot", "setuid", "setgid", "setreuid", "setregid", "setresuid", "setresgid", "setgroups", "capset",
        "personality", "shmget", "shmat", "msgget", "semget", "mq_open",
    ]

    func load() throws(ConfinementError) {
        // SCMP_ACT_ERRNO is a macro with an argument, which Swift does not import.
        guard let filter = seccomp_init(SystemCallFilter.refusal(EPERM)) else {
            throw ConfinementError(doing: "create a filter of system calls", errorNumber: ENOMEM)
        }
        defer { seccomp_release(filter) }
        for name in SystemCallFilter.allowed { try add(filter, SCMP_ACT_ALLOW, name) }
        for name in SystemCallFilter.deadly { try add(filter, SCMP_ACT_KILL_PROCESS, name) }
        let executable = UInt64(PROT_EXEC)
        let anonymous = UInt64(MAP_ANONYMOUS)
        let plain = scmp_arg_cmp(arg: 2, op: SCMP_CMP_MASKED_EQ, datum_a: executable, datum_b: 0)
        try add(
            filter, SCMP_ACT_ALLOW, "mmap",
            [plain, scmp_arg_cmp(arg: 3, op: SCMP_CMP_MASKED_EQ, datum_a: anonymous, datum_b: anonymous)])
        try add(filter, SCMP_ACT_ALLOW, "mprotect", [plain])
        // abort(3) sends its signal to its own thread with this call.
        try add(
            filter, SCMP_ACT_ALLOW, "tgkill",
            [scmp_arg_cmp(arg: 0, op: SCMP_CMP_EQ, datum_a: UInt64(getpid()), datum_b: 0)])
        if let device {
            let isDevice = scmp_arg_cmp(arg: 0, op: SCMP_CMP_EQ, datum_a: UInt64(device), datum_b: 0)
            try add(filter, SCMP_ACT_ALLOW, "ioctl", [isDevice])
        }
        let answer = seccomp_load(filter)
        guard answer == 0 else { throw ConfinementError(doing: "filter system calls", errorNumber: -answer) }
    }

    private static func refusal(_ number: Int32) -> UInt32 { 0x0005_0000 | UInt32(number) }

    private func add(
        _ filter: scmp_filter_ctx, _ action: UInt32, _ name: String, _ arguments: [scmp_arg_cmp] = []
    ) throws(ConfinementError) {
        let number = seccomp_syscall_resolve_name(name)
        // This processor or this libseccomp does not know the call. If it exists, it fails with EPERM.
        guard number >= 0 else { return }
        let answer = seccomp_rule_add_array(filter, action, number, UInt32(arguments.count), arguments)
        guard answer == 0 else { throw ConfinementError(doing: "allow \(name)", errorNumber: -answer) }
    }
}
