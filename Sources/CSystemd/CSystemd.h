// What a service tells systemd.

#pragma once

#include <systemd/sd-daemon.h>
#include <systemd/sd-journal.h>
