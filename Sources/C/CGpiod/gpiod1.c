// GPIO lines with libgpiod 1.6, which uses the kernel's first interface.

#include "gpio.h"

#if IS_GPIOD_1

#include <errno.h>
#include <stdlib.h>

struct gpio_line {
    struct gpiod_chip *chip;
    /// The chip owns this line, and frees it.
    struct gpiod_line *line;
};

static struct gpiod_chip *chip_of(struct gpio_chip *chip) { return (struct gpiod_chip *)chip; }

struct gpio_chip *gpio_chip_open(const char *node) { return (struct gpio_chip *)gpiod_chip_open(node); }

void gpio_chip_close(struct gpio_chip *chip) { gpiod_chip_close(chip_of(chip)); }

int gpio_chip_label(struct gpio_chip *chip, char *label, size_t size) {
    return gpio_copy(gpiod_chip_label(chip_of(chip)), label, size);
}

int gpio_chip_line_count(struct gpio_chip *chip) { return (int)gpiod_chip_num_lines(chip_of(chip)); }

int gpio_chip_find(struct gpio_chip *chip, const char *name) {
    errno = 0;
    struct gpiod_line *line = gpiod_chip_find_line(chip_of(chip), name);
    if (line) return (int)gpiod_line_offset(line);
    if (errno == 0) errno = ENOENT;
    return -1;
}

int gpio_chip_holder(struct gpio_chip *chip, unsigned int offset, char *consumer, size_t size) {
    struct gpiod_line *line = gpiod_chip_get_line(chip_of(chip), offset);
    if (!line || gpio_copy(gpiod_line_consumer(line), consumer, size) != 0) return -1;
    return gpiod_line_is_used(line);
}

static int flags_of(const struct gpio_settings *settings) {
    int flags = settings->is_active_low ? GPIOD_LINE_REQUEST_FLAG_ACTIVE_LOW : 0;
    if (settings->is_output) return flags;
    switch (settings->pull) {
    case gpio_pull_as_is: return flags;
    case gpio_pull_none: return flags | GPIOD_LINE_REQUEST_FLAG_BIAS_DISABLE;
    case gpio_pull_up: return flags | GPIOD_LINE_REQUEST_FLAG_BIAS_PULL_UP;
    case gpio_pull_down: return flags | GPIOD_LINE_REQUEST_FLAG_BIAS_PULL_DOWN;
    }
    return flags;
}

struct gpio_line *gpio_line_request(const char *node, unsigned int offset, const struct gpio_settings *settings) {
    struct gpio_line *line = calloc(1, sizeof *line);
    if (!line) return NULL;
    struct gpiod_line_request_config config = {
        .consumer = settings->consumer,
        .request_type =
            settings->is_output ? GPIOD_LINE_REQUEST_DIRECTION_OUTPUT : GPIOD_LINE_REQUEST_EVENT_BOTH_EDGES,
        .flags = flags_of(settings),
    };
    line->chip = gpiod_chip_open(node);
    line->line = line->chip ? gpiod_chip_get_line(line->chip, offset) : NULL;
    if (line->line && gpiod_line_request(line->line, &config, 0) == 0 &&
        (settings->is_output || gpio_never_wait(gpiod_line_event_get_fd(line->line)) == 0))
        return line;
    int error = errno;
    gpio_line_release(line);
    errno = error;
    return NULL;
}

void gpio_line_release(struct gpio_line *line) {
    // Closing the chip releases its lines.
    if (line->chip) gpiod_chip_close(line->chip);
    free(line);
}

int gpio_line_descriptor(struct gpio_line *line) { return gpiod_line_event_get_fd(line->line); }

int gpio_line_read(struct gpio_line *line) { return gpiod_line_get_value(line->line); }

int gpio_line_set(struct gpio_line *line, bool is_on) { return gpiod_line_set_value(line->line, is_on); }

int gpio_line_edges(struct gpio_line *line, struct gpio_edge *edges) {
    struct gpiod_line_event events[gpio_edges_max];
    int count = gpiod_line_event_read_multiple(line->line, events, gpio_edges_max);
    if (count < 0) return errno == EAGAIN ? 0 : -1;
    for (int i = 0; i < count; i++) {
        edges[i].nanoseconds = (uint64_t)events[i].ts.tv_sec * 1000000000 + (uint64_t)events[i].ts.tv_nsec;
        edges[i].is_active = events[i].event_type == GPIOD_LINE_EVENT_RISING_EDGE;
    }
    return count;
}

#endif
