// The state that a test and a faulty card's mixer share: the settings of its elements, and its faults.
#pragma once

#include <stdint.h>

enum { FAULTY_MASTER, FAULTY_PCM, FAULTY_HEADPHONE, FAULTY_MIC, FAULTY_ELEMENTS };

/// The content of a file that both sides map into memory. Levels go from 0 to 100, in steps of 0.6 dB up to 0 dB.
struct faulty_mixer {
    /// The left and the right channel.
    int32_t volumes[FAULTY_ELEMENTS][2];
    int32_t switches[FAULTY_ELEMENTS][2];
    /// The mixer has no elements, as most HDMI outputs do.
    int32_t is_empty;
    /// The error number of each open; zero for success.
    int32_t open_error;
    /// Open or write blocks while this is not zero.
    int32_t open_hangs;
    int32_t write_hangs;
    /// The error number of each element's writes; zero for success.
    int32_t write_errors[FAULTY_ELEMENTS];
    /// The duration of a write.
    int32_t write_milliseconds;
    /// The numbers of writes, and of writes that lower a value.
    int32_t writes;
    int32_t lowerings;
};
