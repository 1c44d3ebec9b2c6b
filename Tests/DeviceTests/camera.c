// Shows the picture in a file on a node of v4l2loopback, five times a second, as a camera does.
//
// The frames are YUYV. Each line ends with bytes that belong to no point, as in many cameras. These bytes are noise.
// A reader that ignores the length of a line gets each line shifted against the one above it.

#include <fcntl.h>
#include <linux/videodev2.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum {
    width = 640,
    height = 480,
    size = width * height,
    tight_line = 2 * width,
    line = tight_line + 64,
    frame_size = line * height,
};

static unsigned char picture[size];
static unsigned char frame[frame_size];

// Reads the picture again, because another may be in its place.
static void look(const char *path)
{
    int file = open(path, O_RDONLY);
    if (file < 0)
        return;
    for (int count = 0; count < size;) {
        int part = read(file, picture + count, size - count);
        if (part <= 0)
            break;
        count += part;
    }
    close(file);
}

// Fills the frame with the picture, without colour, and with new noise.
static void draw(void)
{
    for (int y = 0; y < height; y++) {
        unsigned char *to = frame + y * line;
        for (int x = 0; x < width; x++) {
            to[2 * x] = picture[y * width + x];
            to[2 * x + 1] = 128;
        }
        for (int x = tight_line; x < line; x++)
            to[x] = rand();
    }
}

// Gives the driver the format. Returns whether the driver keeps the length of a line.
static int set_format(int node, unsigned told)
{
    struct v4l2_format format = {.type = V4L2_BUF_TYPE_VIDEO_OUTPUT};
    format.fmt.pix.width = width;
    format.fmt.pix.height = height;
    format.fmt.pix.pixelformat = V4L2_PIX_FMT_YUYV;
    format.fmt.pix.field = V4L2_FIELD_NONE;
    format.fmt.pix.bytesperline = told;
    format.fmt.pix.sizeimage = frame_size;
    if (ioctl(node, VIDIOC_S_FMT, &format) != 0)
        return 0;
    fprintf(stderr, "A line has %u bytes, a frame %u\n", format.fmt.pix.bytesperline, format.fmt.pix.sizeimage);
    return format.fmt.pix.bytesperline == told && format.fmt.pix.sizeimage == frame_size;
}

int main(int count, char **arguments)
{
    if (count != 3 && count != 4) {
        fprintf(stderr, "Usage: camera NODE PICTURE [BYTES]\nBYTES is a wrong length of a line to tell the driver.\n");
        return 2;
    }
    int node = open(arguments[1], O_RDWR);
    if (node < 0 || !set_format(node, count == 4 ? atoi(arguments[3]) : line)) {
        perror(arguments[1]);
        return 1;
    }
    while (1) {
        look(arguments[2]);
        draw();
        if (write(node, frame, frame_size) != frame_size) {
            perror(arguments[1]);
            return 1;
        }
        usleep(200000);
    }
}
