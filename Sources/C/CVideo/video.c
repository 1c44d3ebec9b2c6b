// V4L2's requests.

#include <errno.h>
#include <string.h>
#include <sys/ioctl.h>

#include "CVideo.h"

// A signal is no answer.
static int ask(int descriptor, unsigned long request, void *argument)
{
    int answer;
    do answer = ioctl(descriptor, request, argument);
    while (answer < 0 && errno == EINTR);
    return answer < 0 ? -1 : 0;
}

// The kernel need not have ended them.
static void copy_text(char *to, const void *from, size_t size)
{
    memcpy(to, from, size);
    to[size - 1] = 0;
}

int video_describe(int descriptor, struct video_node *node)
{
    struct v4l2_capability capability = {0};
    if (ask(descriptor, VIDIOC_QUERYCAP, &capability)) return -1;
    copy_text(node->driver, capability.driver, sizeof node->driver);
    copy_text(node->card, capability.card, sizeof node->card);
    node->capabilities =
        capability.capabilities & V4L2_CAP_DEVICE_CAPS ? capability.device_caps : capability.capabilities;
    return 0;
}

int video_format_at(int descriptor, uint32_t index, uint32_t *fourcc)
{
    struct v4l2_fmtdesc format = {.index = index, .type = V4L2_BUF_TYPE_VIDEO_CAPTURE};
    if (ask(descriptor, VIDIOC_ENUM_FMT, &format)) return -1;
    *fourcc = format.pixelformat;
    return 0;
}

int video_size_at(int descriptor, uint32_t fourcc, uint32_t index, struct video_choice *choice)
{
    struct v4l2_frmsizeenum size = {.index = index, .pixel_format = fourcc};
    if (ask(descriptor, VIDIOC_ENUM_FRAMESIZES, &size)) return -1;
    choice->is_range = size.type != V4L2_FRMSIZE_TYPE_DISCRETE;
    if (choice->is_range) {
        choice->least_width = size.stepwise.min_width, choice->least_height = size.stepwise.min_height;
        choice->most_width = size.stepwise.max_width, choice->most_height = size.stepwise.max_height;
    } else {
        choice->least_width = choice->most_width = size.discrete.width;
        choice->least_height = choice->most_height = size.discrete.height;
    }
    return 0;
}

int video_interval_at(int descriptor, const struct video_format *format, uint32_t index, struct video_choice *choice)
{
    struct v4l2_frmivalenum interval = {
        .index = index, .pixel_format = format->fourcc, .width = format->width, .height = format->height};
    if (ask(descriptor, VIDIOC_ENUM_FRAMEINTERVALS, &interval)) return -1;
    choice->is_range = interval.type != V4L2_FRMIVAL_TYPE_DISCRETE;
    const struct v4l2_fract shortest = choice->is_range ? interval.stepwise.min : interval.discrete;
    choice->numerator = shortest.numerator, choice->denominator = shortest.denominator;
    return 0;
}

int video_set_format(int descriptor, struct video_format *format)
{
    struct v4l2_format asked = {.type = V4L2_BUF_TYPE_VIDEO_CAPTURE};
    asked.fmt.pix.pixelformat = format->fourcc;
    asked.fmt.pix.width = format->width, asked.fmt.pix.height = format->height;
    asked.fmt.pix.field = V4L2_FIELD_ANY;
    if (ask(descriptor, VIDIOC_S_FMT, &asked)) return -1;
    format->fourcc = asked.fmt.pix.pixelformat;
    format->width = asked.fmt.pix.width, format->height = asked.fmt.pix.height;
    format->row_bytes = asked.fmt.pix.bytesperline, format->picture_bytes = asked.fmt.pix.sizeimage;
    return 0;
}

int video_set_interval(int descriptor, uint32_t numerator, uint32_t denominator)
{
    struct v4l2_streamparm parameters = {.type = V4L2_BUF_TYPE_VIDEO_CAPTURE};
    parameters.parm.capture.timeperframe = (struct v4l2_fract){numerator, denominator};
    return ask(descriptor, VIDIOC_S_PARM, &parameters);
}

int video_request_buffers(int descriptor, uint32_t *count)
{
    struct v4l2_requestbuffers request = {
        .count = *count, .type = V4L2_BUF_TYPE_VIDEO_CAPTURE, .memory = V4L2_MEMORY_MMAP};
    if (ask(descriptor, VIDIOC_REQBUFS, &request)) return -1;
    *count = request.count;
    return 0;
}

int video_buffer_at(int descriptor, uint32_t index, uint32_t *bytes, uint32_t *offset)
{
    struct v4l2_buffer buffer = {.index = index, .type = V4L2_BUF_TYPE_VIDEO_CAPTURE, .memory = V4L2_MEMORY_MMAP};
    if (ask(descriptor, VIDIOC_QUERYBUF, &buffer)) return -1;
    *bytes = buffer.length, *offset = buffer.m.offset;
    return 0;
}

int video_queue(int descriptor, uint32_t index)
{
    struct v4l2_buffer buffer = {.index = index, .type = V4L2_BUF_TYPE_VIDEO_CAPTURE, .memory = V4L2_MEMORY_MMAP};
    return ask(descriptor, VIDIOC_QBUF, &buffer);
}

int video_dequeue(int descriptor, struct video_frame *frame)
{
    struct v4l2_buffer buffer = {.type = V4L2_BUF_TYPE_VIDEO_CAPTURE, .memory = V4L2_MEMORY_MMAP};
    if (ask(descriptor, VIDIOC_DQBUF, &buffer)) return -1;
    frame->index = buffer.index, frame->bytes = buffer.bytesused, frame->flags = buffer.flags;
    frame->seconds = buffer.timestamp.tv_sec, frame->microseconds = buffer.timestamp.tv_usec;
    return 0;
}

int video_stream(int descriptor, int is_on)
{
    int type = V4L2_BUF_TYPE_VIDEO_CAPTURE;
    return ask(descriptor, is_on ? VIDIOC_STREAMON : VIDIOC_STREAMOFF, &type);
}

int video_describe_control(int descriptor, uint32_t control, struct video_control *description)
{
    struct v4l2_queryctrl query = {.id = control};
    if (ask(descriptor, VIDIOC_QUERYCTRL, &query)) return -1;
    description->type = query.type, description->flags = query.flags;
    description->least = query.minimum, description->most = query.maximum;
    description->step = query.step, description->standard = query.default_value;
    return 0;
}

int video_get_control(int descriptor, uint32_t control, int32_t *value)
{
    struct v4l2_control asked = {.id = control};
    if (ask(descriptor, VIDIOC_G_CTRL, &asked)) return -1;
    *value = asked.value;
    return 0;
}

int video_set_control(int descriptor, uint32_t control, int32_t value)
{
    struct v4l2_control asked = {.id = control, .value = value};
    return ask(descriptor, VIDIOC_S_CTRL, &asked);
}
