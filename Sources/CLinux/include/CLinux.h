// What Linux has and Swift's own view of the C library leaves out.

#pragma once

/// `O_DIRECT`: its number is another on each architecture.
extern const int linux_o_direct;
