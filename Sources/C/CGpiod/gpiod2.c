// GPIO lines with libgpiod 2, which uses the kernel's second interface.

#include "gpio.h"

#if !IS_GPIOD_1

#include <errno.h>
#include <stdlib.h>

struct gpio_line {
    struct gpiod_line_request *request;
    struct gpiod_edge_event_buffer *events;
    unsigned int offset;
};

static struct gpiod_chip *chip_of(struct gpio_chip *chip) { return (struct gpiod_chip *)chip; }

struct gpio_chip *gpio_chip_open(const char *node) { return (struct gpio_chip *)gpiod_chip_open(node); }

void gpio_chip_close(struct gpio_chip *chip) { gpiod_chip_close(chip_of(chip)); }

int gpio_chip_label(struct gpio_chip *chip, char *label, size_t size) {
    struct gpiod_chip_info *info = gpiod_chip_get_info(chip_of(chip));
    if (!info) return -1;
    int answer = gpio_copy(gpiod_chip_info_get_label(info), label, size);
    gpiod_chip_info_free(info);
    return answer;
}

int gpio_chip_line_count(struct gpio_chip *chip) {
    struct gpiod_chip_info *info = gpiod_chip_get_info(chip_of(chip));
    if (!info) return -1;
    int count = (int)gpiod_chip_info_get_num_lines(info);
    gpiod_chip_info_free(info);
    return count;
}

int gpio_chip_find(struct gpio_chip *chip, const char *name) {
    return gpiod_chip_get_line_offset_from_name(chip_of(chip), name);
}

int gpio_chip_holder(struct gpio_chip *chip, unsigned int offset, char *consumer, size_t size) {
    struct gpiod_line_info *info = gpiod_chip_get_line_info(chip_of(chip), offset);
    if (!info) return -1;
    int is_used = gpiod_line_info_is_used(info);
    int answer = gpio_copy(gpiod_line_info_get_consumer(info), consumer, size);
    gpiod_line_info_free(info);
    return answer == 0 ? is_used : -1;
}

static enum gpiod_line_bias bias_of(enum gpio_pull pull) {
    switch (pull) {
    case gpio_pull_as_is: return GPIOD_LINE_BIAS_AS_IS;
    case gpio_pull_none: return GPIOD_LINE_BIAS_DISABLED;
    case gpio_pull_up: return GPIOD_LINE_BIAS_PULL_UP;
    case gpio_pull_down: return GPIOD_LINE_BIAS_PULL_DOWN;
    }
    return GPIOD_LINE_BIAS_AS_IS;
}

static int apply(struct gpiod_line_settings *line, const struct gpio_settings *settings) {
    gpiod_line_settings_set_active_low(line, settings->is_active_low);
    if (settings->is_output)
        return gpiod_line_settings_set_direction(line, GPIOD_LINE_DIRECTION_OUTPUT) == 0 &&
                       gpiod_line_settings_set_output_value(line, GPIOD_LINE_VALUE_INACTIVE) == 0
                   ? 0
                   : -1;
    return gpiod_line_settings_set_direction(line, GPIOD_LINE_DIRECTION_INPUT) == 0 &&
                   gpiod_line_settings_set_edge_detection(line, GPIOD_LINE_EDGE_BOTH) == 0 &&
                   gpiod_line_settings_set_bias(line, bias_of(settings->pull)) == 0
               ? 0
               : -1;
}

static struct gpiod_line_request *request(
    const char *node, unsigned int offset, const struct gpio_settings *settings) {
    struct gpiod_chip *chip = gpiod_chip_open(node);
    struct gpiod_line_settings *line = chip ? gpiod_line_settings_new() : NULL;
    struct gpiod_line_config *lines = line ? gpiod_line_config_new() : NULL;
    struct gpiod_request_config *config = lines ? gpiod_request_config_new() : NULL;
    struct gpiod_line_request *answer = NULL;
    if (config && apply(line, settings) == 0 &&
        gpiod_line_config_add_line_settings(lines, &offset, 1, line) == 0) {
        gpiod_request_config_set_consumer(config, settings->consumer);
        answer = gpiod_chip_request_lines(chip, config, lines);
    }
    int error = errno;
    if (config) gpiod_request_config_free(config);
    if (lines) gpiod_line_config_free(lines);
    if (line) gpiod_line_settings_free(line);
    if (chip) gpiod_chip_close(chip);
    errno = error;
    return answer;
}

struct gpio_line *gpio_line_request(const char *node, unsigned int offset, const struct gpio_settings *settings) {
    struct gpio_line *line = calloc(1, sizeof *line);
    if (!line) return NULL;
    line->offset = offset;
    line->events = gpiod_edge_event_buffer_new(gpio_edges_max);
    line->request = line->events ? request(node, offset, settings) : NULL;
    if (line->request && gpio_never_wait(gpio_line_descriptor(line)) == 0) return line;
    int error = errno;
    gpio_line_release(line);
    errno = error;
    return NULL;
}

void gpio_line_release(struct gpio_line *line) {
    if (line->request) gpiod_line_request_release(line->request);
    if (line->events) gpiod_edge_event_buffer_free(line->events);
    free(line);
}

int gpio_line_descriptor(struct gpio_line *line) { return gpiod_line_request_get_fd(line->request); }

int gpio_line_read(struct gpio_line *line) {
    return (int)gpiod_line_request_get_value(line->request, line->offset);
}

int gpio_line_set(struct gpio_line *line, bool is_on) {
    enum gpiod_line_value value = is_on ? GPIOD_LINE_VALUE_ACTIVE : GPIOD_LINE_VALUE_INACTIVE;
    return gpiod_line_request_set_value(line->request, line->offset, value);
}

int gpio_line_edges(struct gpio_line *line, struct gpio_edge *edges) {
    int count = gpiod_line_request_read_edge_events(line->request, line->events, gpio_edges_max);
    if (count < 0) return errno == EAGAIN ? 0 : -1;
    for (int i = 0; i < count; i++) {
        struct gpiod_edge_event *event = gpiod_edge_event_buffer_get_event(line->events, (unsigned long)i);
        edges[i].nanoseconds = gpiod_edge_event_get_timestamp_ns(event);
        edges[i].is_active = gpiod_edge_event_get_event_type(event) == GPIOD_EDGE_EVENT_RISING_EDGE;
    }
    return count;
}

#endif
