// The part of GPIO that Rooster needs, with libgpiod 1.6 (Debian 12) or libgpiod 2 (Debian 13).
//
// A line is a file descriptor of the kernel. No function waits. Errors are -1 or NULL, with `errno`.

#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct gpio_chip;
struct gpio_line;

/// The chip's internal resistor that holds a line while nothing else drives it.
enum gpio_pull { gpio_pull_as_is, gpio_pull_none, gpio_pull_up, gpio_pull_down };

/// The settings of a line. An input reports its edges, and an output does not.
struct gpio_settings {
    /// The consumer name, which the kernel shows to other programs.
    const char *consumer;
    /// An output is inactive at first.
    bool is_output, is_active_low;
    /// The resistor of an input; outputs ignore it.
    enum gpio_pull pull;
};

/// A change of a line to active or inactive, with its time by the kernel's CLOCK_MONOTONIC.
struct gpio_edge {
    uint64_t nanoseconds;
    bool is_active;
};

struct gpio_chip *gpio_chip_open(const char *node);
void gpio_chip_close(struct gpio_chip *chip);
/// Copies the chip's label to `label`, cut to `size`.
int gpio_chip_label(struct gpio_chip *chip, char *label, size_t size);
int gpio_chip_line_count(struct gpio_chip *chip);
/// Returns the number of the line with this name, or -1 with ENOENT if there is none.
int gpio_chip_find(struct gpio_chip *chip, const char *name);
/// Returns 1 if the line is in use, and 0 if not. Copies the name of its consumer, which may be empty.
int gpio_chip_holder(struct gpio_chip *chip, unsigned int offset, char *consumer, size_t size);

/// Requests a line for exclusive use. It stays valid after a `gpio_chip` of the same chip is closed.
struct gpio_line *gpio_line_request(const char *node, unsigned int offset, const struct gpio_settings *settings);
/// Releases a line. The chip decides the level of an output after that.
void gpio_line_release(struct gpio_line *line);
/// Returns the descriptor of an input, which is readable while edges are pending.
int gpio_line_descriptor(struct gpio_line *line);
/// Returns 1 if the line is active, and else 0.
int gpio_line_read(struct gpio_line *line);
int gpio_line_set(struct gpio_line *line, bool is_on);
/// Reads the oldest pending edges, at most 16. Returns their number, which may be 0.
int gpio_line_edges(struct gpio_line *line, struct gpio_edge *edges);
enum { gpio_edges_max = 16 };
