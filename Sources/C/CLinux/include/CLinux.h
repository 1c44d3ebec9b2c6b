// The functions of Linux that Swift's view of the C library lacks.

#pragma once

#include <stddef.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <sys/timex.h>

/// `O_DIRECT`, which differs between architectures.
extern const int linux_o_direct;

/// Returns an `eventfd` that is non-blocking and closed on exec, or a negative number with `errno`.
int linux_eventfd(void);

/// Accepts the next client of a listening socket, as a descriptor that is non-blocking and closed on exec.
int linux_accept(int descriptor);

/// Returns the user at the other end of a local socket, or -1 if unknown.
long linux_peer_user(int descriptor);

/// Removes a directory with its contents, and follows no link. Returns 0, or -1 with `errno`.
int linux_remove_all(const char *directory);

/// Names the calling thread in lists of threads: at most 15 bytes.
void linux_name_thread(const char *name);

/// Returns freed memory to the system. Takes about a millisecond.
void linux_give_memory_back(void);

/// Makes all threads share one heap, from which more memory can be returned than from one heap per thread.
/// Call it before any thread is started.
void linux_use_one_heap(void);

/// Returns an empty file in memory, or -1 with an error number.
int linux_memory_file(void);

/// Returns the kernel's number of the type of the file system on which the descriptor is, or 0.
uint32_t linux_file_system_type(int descriptor);

/// Writes the terminal columns of each scalar: 0, 1 or 2, or -1 if it is not printable.
void linux_columns(const uint32_t *scalars, size_t count, int *columns);

/// Starts a program in its own process group, with default signal handling. Its descriptors 0 to 2 are
/// /dev/null, 3 is `line`, and all others are closed. Returns 0 and the process, or the error number.
int linux_start_program(const char *program, char *const arguments[], int line, int *process);

/// Waits until a child has ended, without reaping it: until it is reaped, no other process gets its number.
/// Returns 0, or -1 with `errno`.
int linux_await_end(int process);

/// Creates a socket pair that keeps packets apart, is non-blocking, and is closed on exec. Returns 0, or -1
/// with `errno`.
int linux_packet_line(int ends[2]);

/// Prepares a process for untrusted data: its children gain no rights, no process reads its memory, and it
/// dumps no core. Returns 0, or -1 with `errno`.
int linux_give_up_privileges(void);

/// Has the kernel kill the calling process when its parent thread ends. Returns 0, or -1 with `errno`.
int linux_end_with_parent(void);

/// Limits a resource of the calling process, given by the kernel's number. Returns 0, or -1 with `errno`.
int linux_limit(int resource, uint64_t most);
extern const int linux_limit_memory, linux_limit_processor_seconds, linux_limit_descriptors, linux_limit_core,
    linux_limit_processes, linux_limit_real_time, linux_limit_niceness;

/// Denies the calling process the whole file system and the network, by Landlock. Returns 1, or 0 if
/// Landlock is not available, or -1 with `errno`.
int linux_lock_files(void);
