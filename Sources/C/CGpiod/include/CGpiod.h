// GPIO lines, as far as Rooster needs them: what libgpiod 1.6 (Debian 12) and libgpiod 2 (Debian 13) have in common.
//
// A line is a descriptor of the kernel's and no more: nothing here waits. Errors are -1 or NULL, with `errno`.

#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct gpio_chip;
struct gpio_line;

/// Which resistor of the chip's own holds a line while nothing else does.
enum gpio_pull { gpio_pull_as_is, gpio_pull_none, gpio_pull_up, gpio_pull_down };

/// How a line is to be used: an input tells its edges.
struct gpio_settings {
    /// Who uses it, for others who ask.
    const char *consumer;
    /// An output is off at first.
    bool is_output, is_active_low;
    /// Of an input.
    enum gpio_pull pull;
};

/// A line became active or inactive, by the kernel's CLOCK_MONOTONIC.
struct gpio_edge {
    uint64_t nanoseconds;
    bool is_active;
};

struct gpio_chip *gpio_chip_open(const char *node);
void gpio_chip_close(struct gpio_chip *chip);
/// What the chip calls itself, into `label`.
int gpio_chip_label(struct gpio_chip *chip, char *label, size_t size);
int gpio_chip_line_count(struct gpio_chip *chip);
/// The number of the line of that name; -1 with ENOENT where there is none.
int gpio_chip_find(struct gpio_chip *chip, const char *name);
/// 1 where somebody uses the line, with the name by which he does so in `consumer`, which may be empty; else 0.
int gpio_chip_holder(struct gpio_chip *chip, unsigned int offset, char *consumer, size_t size);

/// A line for ourselves alone. It outlives the chip that it was asked of.
struct gpio_line *gpio_line_request(const char *node, unsigned int offset, const struct gpio_settings *settings);
/// Lets it go. What an output does then is the chip's business.
void gpio_line_release(struct gpio_line *line);
/// Of an input: readable while edges wait.
int gpio_line_descriptor(struct gpio_line *line);
/// 1 while the line is active, else 0.
int gpio_line_read(struct gpio_line *line);
int gpio_line_set(struct gpio_line *line, bool is_on);
/// The oldest edges that wait, at most 16 of them: how many, and 0 for none.
int gpio_line_edges(struct gpio_line *line, struct gpio_edge *edges);
enum { gpio_edges_max = 16 };
