// What a test and a faulty card's mixer share: how its elements are set.
#pragma once

#include <stdint.h>

enum { FAULTY_MASTER, FAULTY_PCM, FAULTY_HEADPHONE, FAULTY_MIC, FAULTY_ELEMENTS };

/// Lies in a file that both sides map into their memory. Levels go from 0 to 100, in steps of 0.6 dB up to 0 dB.
struct faulty_mixer {
    /// Left and right.
    int32_t volumes[FAULTY_ELEMENTS][2];
    int32_t switches[FAULTY_ELEMENTS][2];
    /// It has nothing that could be set, as with most that play over HDMI.
    int32_t is_empty;
    /// The error number with which it does not open.
    int32_t open_error;
    /// It does not come back from opening, or from setting anything.
    int32_t open_hangs;
    int32_t write_hangs;
    /// The error numbers with which its elements do not take what is set.
    int32_t write_errors[FAULTY_ELEMENTS];
    /// How long it takes to set anything.
    int32_t write_milliseconds;
    /// How often something was set, and how often to less than it was.
    int32_t writes;
    int32_t lowerings;
};
