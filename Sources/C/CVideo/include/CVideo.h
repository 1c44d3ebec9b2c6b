// V4L2, as far as a camera is read by it: the kernel's macros and unions as functions and plain structs.
//
// Each function answers 0, or -1 with `errno`. None of them waits, if the descriptor does not.

#pragma once

#include <linux/videodev2.h>
#include <stdint.h>

/// What a node is.
struct video_node {
    char driver[16], card[32];
    /// What this very node can do, and not the device that it belongs to.
    uint32_t capabilities;
};

/// How a picture lies in a buffer.
struct video_format {
    uint32_t fourcc, width, height, row_bytes, picture_bytes;
};

/// One of the sizes or intervals that a format has: all from the least to the most where `is_range`.
struct video_choice {
    int is_range;
    uint32_t least_width, least_height, most_width, most_height;
    /// The shortest interval between frames, in seconds as a fraction.
    uint32_t numerator, denominator;
};

/// A buffer with a frame.
struct video_frame {
    uint32_t index, bytes, flags;
    int64_t seconds, microseconds;
};

/// What can be set of a camera.
struct video_control {
    uint32_t type, flags;
    int32_t least, most, step, standard;
};

int video_describe(int descriptor, struct video_node *node);
/// The formats there are, by their place; -1 after the last.
int video_format_at(int descriptor, uint32_t index, uint32_t *fourcc);
int video_size_at(int descriptor, uint32_t fourcc, uint32_t index, struct video_choice *choice);
int video_interval_at(int descriptor, const struct video_format *format, uint32_t index, struct video_choice *choice);
/// Asks for a format, and answers with the one that it is.
int video_set_format(int descriptor, struct video_format *format);
int video_set_interval(int descriptor, uint32_t numerator, uint32_t denominator);
/// Asks for so many buffers, and answers with how many there are.
int video_request_buffers(int descriptor, uint32_t *count);
int video_buffer_at(int descriptor, uint32_t index, uint32_t *bytes, uint32_t *offset);
int video_queue(int descriptor, uint32_t index);
int video_dequeue(int descriptor, struct video_frame *frame);
int video_stream(int descriptor, int is_on);
int video_describe_control(int descriptor, uint32_t control, struct video_control *description);
int video_get_control(int descriptor, uint32_t control, int32_t *value);
int video_set_control(int descriptor, uint32_t control, int32_t value);
