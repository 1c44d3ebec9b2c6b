// The state that a test and a faulty card share: the test sets faults, and the card counts calls.
#pragma once

#include <stdint.h>

/// The content of a file that both sides map into memory. All zero means a card without faults.
struct faulty_card {
    /// The error number of each open; zero for success.
    int32_t open_error;
    /// Open blocks while this is not zero.
    int32_t open_hangs;
    /// The duration of an open.
    int32_t open_milliseconds;
    /// The error number of each write; zero for success.
    int32_t write_error;
    /// The error number of the next write only.
    int32_t next_write_error;
    /// The most frames that a write accepts; zero for all.
    int32_t write_frames_max;
    /// The card consumes no frames.
    int32_t stalls;
    /// The card consumes too few frames to be audible.
    int32_t trickles;
    /// The card reports one underrun, even with frames in its buffer.
    int32_t runs_dry;
    /// The card reports an underrun at every query, and consumes no frames.
    int32_t is_always_dry;
    /// The card reports an underrun while its buffer has fewer frames than this.
    int32_t needed_frames;
    /// The card is suspended while this is not zero.
    int32_t sleeps;
    /// The card is unplugged, and its descriptor reports a hang-up.
    int32_t is_pulled_out;
    /// The descriptor reports POLLERR, but the card is still plugged in.
    int32_t is_crossed;
    /// Close blocks while this is not zero.
    int32_t close_hangs;
    /// The frames between the consumed one and the audible one.
    int32_t delay_frames;
    /// The numbers of opens, closes, prepares and drops.
    int32_t opens;
    int32_t closes;
    int32_t prepares;
    int32_t drops;
    /// The total of consumed frames, and the CLOCK_BOOTTIME at which the current sound began; zero during
    /// silence.
    int64_t taken_frames;
    int64_t first_heard_nanoseconds;
    /// The CLOCK_BOOTTIME of the last stop.
    int64_t stopped_nanoseconds;
};
