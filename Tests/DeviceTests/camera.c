// Shows the picture in a file on a node of v4l2loopback, five times a second, as a camera does.

#include <fcntl.h>
#include <linux/videodev2.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { width = 640, height = 480, size = width * height };

static unsigned char picture[size];

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

int main(int count, char **arguments)
{
    if (count != 3) {
        fprintf(stderr, "Usage: camera NODE PICTURE\n");
        return 2;
    }
    int node = open(arguments[1], O_RDWR);
    struct v4l2_format format = {.type = V4L2_BUF_TYPE_VIDEO_OUTPUT};
    format.fmt.pix.width = width;
    format.fmt.pix.height = height;
    format.fmt.pix.pixelformat = V4L2_PIX_FMT_GREY;
    format.fmt.pix.field = V4L2_FIELD_NONE;
    format.fmt.pix.bytesperline = width;
    format.fmt.pix.sizeimage = size;
    if (node < 0 || ioctl(node, VIDIOC_S_FMT, &format) != 0) {
        perror(arguments[1]);
        return 1;
    }
    while (1) {
        look(arguments[2]);
        if (write(node, picture, size) != size) {
            perror(arguments[1]);
            return 1;
        }
        usleep(200000);
    }
}
