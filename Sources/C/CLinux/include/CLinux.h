// What Linux has and Swift's own view of the C library leaves out.

#pragma once

#include <stddef.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <sys/timex.h>

/// `O_DIRECT`: its number is another on each architecture.
extern const int linux_o_direct;

/// An `eventfd` that is closed on exec and never waits; negative where there is none, with `errno`.
int linux_eventfd(void);

/// Takes the next client of a listening socket: it is closed on exec and never waits.
int linux_accept(int descriptor);

/// The user at the other end of a socket of this machine; -1 where that is not known.
long linux_peer_user(int descriptor);

/// Removes a directory and all that is in it, and follows no link; 0 when all is gone, else -1 with `errno`.
int linux_remove_all(const char *directory);

/// What the calling thread is called in lists of threads: at most 15 bytes.
void linux_name_thread(const char *name);

/// Gives memory that was freed back to the system. It takes about a millisecond.
void linux_give_memory_back(void);

/// Has all threads share one heap, from which more can be given back than from one for each. To be called before there are any.
void linux_use_one_heap(void);

/// How many columns of a terminal each of these letters takes: 0, 1 or 2, and -1 for what is no letter.
void linux_columns(const uint32_t *scalars, size_t count, int *columns);

/// Starts a program in a process group of its own, with every signal as it was at the machine's start, and no descriptor but
/// nothing to read or write as 0 to 2 and `line` as 3. The error's number, or 0 with the process.
int linux_start_program(const char *program, char *const arguments[], int line, int *process);

/// Waits until a child has ended, without taking its number away: until it is waited for, no other process gets that.
/// 0, or -1 with `errno`.
int linux_await_end(int process);

/// Two ends of a line that keeps packets apart, closed on exec, which never wait; 0, or -1 with `errno`.
int linux_packet_line(int ends[2]);

/// For a program that is about to read what a stranger made: no program that it starts has more rights than it, nobody looks
/// into its memory, and none is written to a disk when it crashes. 0, or -1 with `errno`.
int linux_give_up_privileges(void);

/// Has the kernel kill the calling process when the thread that started it is gone. 0, or -1 with `errno`.
int linux_end_with_parent(void);

/// The most of something that the calling process may have: the kernel's number of it. 0, or -1 with `errno`.
int linux_limit(int resource, uint64_t most);
extern const int linux_limit_memory, linux_limit_processor_seconds, linux_limit_descriptors, linux_limit_core,
    linux_limit_processes, linux_limit_real_time, linux_limit_niceness;

/// Takes the whole file system, and the network, from the calling process by Landlock. 1 when that is done, 0 where the kernel
/// has no Landlock or may not be asked for it, -1 with `errno`.
int linux_lock_files(void);
