// V4L2 of the kernel, and libv4lconvert, which converts the formats of unusual cameras. Swift can neither
// call the variadic `ioctl` nor import the macros of its requests.
#include <errno.h>
#include <libv4lconvert.h>
#include <linux/videodev2.h>
#include <sys/ioctl.h>

/// Makes a request, and repeats it if a signal interrupts it. Returns 0, or -1 with `errno`. Does not wait
/// if the descriptor is non-blocking.
static inline int video_ask(int descriptor, unsigned long request, void *argument) {
    int answer;
    do answer = ioctl(descriptor, request, argument);
    while (answer < 0 && errno == EINTR);
    return answer < 0 ? -1 : 0;
}

static const unsigned long video_describe = VIDIOC_QUERYCAP, video_list_formats = VIDIOC_ENUM_FMT,
                           video_list_sizes = VIDIOC_ENUM_FRAMESIZES, video_list_intervals = VIDIOC_ENUM_FRAMEINTERVALS,
                           video_set_format = VIDIOC_S_FMT, video_set_parameters = VIDIOC_S_PARM,
                           video_request_buffers = VIDIOC_REQBUFS, video_find_buffer = VIDIOC_QUERYBUF,
                           video_queue_buffer = VIDIOC_QBUF, video_dequeue_buffer = VIDIOC_DQBUF,
                           video_start = VIDIOC_STREAMON, video_stop = VIDIOC_STREAMOFF,
                           video_describe_control = VIDIOC_QUERYCTRL, video_get_control = VIDIOC_G_CTRL,
                           video_set_control = VIDIOC_S_CTRL;
