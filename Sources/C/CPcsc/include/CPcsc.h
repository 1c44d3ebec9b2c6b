// NFC tags, through pcscd. Only this shim includes libpcsclite's header, which declares many names and
// flags.
//
// Each function returns a PC/SC status, 0 for success.

#pragma once

#include <stddef.h>
#include <stdint.h>

/// A reader and its last known state; 0 if unknown.
struct pcsc_reader {
    const char *name;
    uint32_t state;
};

extern const long pcsc_timeout, pcsc_no_readers, pcsc_no_service, pcsc_service_stopped,
    pcsc_unknown_reader, pcsc_reader_unavailable, pcsc_line_broken, pcsc_refused, pcsc_no_access;
extern const uint32_t pcsc_state_present;

/// Connects to pcscd.
long pcsc_open(long *context);
void pcsc_close(long context);
/// Writes the names of all readers, each terminated by a zero, to `names`, which has `*size` bytes.
long pcsc_readers(long context, char *names, size_t *size);
/// Waits until one of these readers changes, the number of readers is no longer `all`, or the time is over.
long pcsc_wait(long context, struct pcsc_reader *readers, size_t count, uint32_t all, uint32_t milliseconds);
/// Requests the identifier of the tag at a reader. Writes the answer to `answer`, which has `*size` bytes.
long pcsc_identify(long context, const char *reader, uint8_t *answer, size_t *size);
/// Writes PC/SC's text for a status.
void pcsc_describe(long status, char *text, size_t size);
enum { pcsc_readers_max = 16, pcsc_names_max = 4096, pcsc_answer_max = 264 };
