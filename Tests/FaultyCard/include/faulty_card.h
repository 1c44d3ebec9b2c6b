// What a test and a faulty card share: the card does what it is told here, and tells what was done to it.
#pragma once

#include <stdint.h>

/// Lies in a file that both sides map into their memory. All fields begin with zero: a card in order.
struct faulty_card {
    /// The error number with which it does not open.
    int32_t open_error;
    /// It does not come back from opening.
    int32_t open_hangs;
    /// It takes so long to open.
    int32_t open_milliseconds;
    /// The error number with which a write fails.
    int32_t write_error;
    /// The same, but for the next write alone.
    int32_t next_write_error;
    /// It takes no more than so many frames of a write; all of them where this is zero.
    int32_t write_frames_max;
    /// It takes no frames.
    int32_t stalls;
    /// It takes so few frames that nothing is heard.
    int32_t trickles;
    /// It runs dry once, whatever is waiting.
    int32_t runs_dry;
    /// It runs dry whenever somebody looks, and takes no frames.
    int32_t is_always_dry;
    /// It runs dry while fewer frames than this wait before it.
    int32_t needed_frames;
    /// It is asleep, until it is awake.
    int32_t sleeps;
    /// It is pulled out: its descriptor tells of trouble.
    int32_t is_pulled_out;
    /// Its descriptor tells of trouble (POLLERR), though it is where it was.
    int32_t is_crossed;
    /// It does not come back from closing.
    int32_t close_hangs;
    /// How many frames it is from where they are taken to the ear.
    int32_t delay_frames;
    /// How often it was opened, closed, prepared, and told to throw away what it has not taken.
    int32_t opens;
    int32_t closes;
    int32_t prepares;
    int32_t drops;
    /// How many frames it has taken in all, and when it was given the first that is not silent and has not been followed by
    /// silence, in nanoseconds of the clock that nobody sets.
    int64_t taken_frames;
    int64_t first_heard_nanoseconds;
    /// When it was stopped last.
    int64_t stopped_nanoseconds;
};
