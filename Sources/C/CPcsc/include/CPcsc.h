// Tags, as pcscd has them. libpcsclite's header brings names and flags along that only this shim is to see.
//
// Each function answers with PC/SC's number of what came of it: 0 for success.

#pragma once

#include <stddef.h>
#include <stdint.h>

/// A reader, and what was last known of it; 0 for nothing.
struct pcsc_reader {
    const char *name;
    uint32_t state;
};

extern const long pcsc_timeout, pcsc_no_readers, pcsc_no_service, pcsc_service_stopped,
    pcsc_unknown_reader, pcsc_reader_unavailable, pcsc_line_broken, pcsc_refused, pcsc_no_access;
extern const uint32_t pcsc_state_present;

/// A line to pcscd.
long pcsc_open(long *context);
void pcsc_close(long context);
/// The names of all readers, each with a zero behind it, into `names`, which has room for `*size` bytes.
long pcsc_readers(long context, char *names, size_t *size);
/// Waits until something becomes of one of these, there are no longer `all` readers, or the time is over.
long pcsc_wait(long context, struct pcsc_reader *readers, size_t count, uint32_t all, uint32_t milliseconds);
/// What the tag at a reader answers that is asked for its identifier, into `answer`, which has room for `*size` bytes.
long pcsc_identify(long context, const char *reader, uint8_t *answer, size_t *size);
/// The words of PC/SC for what came of something.
void pcsc_describe(long status, char *words, size_t size);
enum { pcsc_readers_max = 16, pcsc_names_max = 4096, pcsc_answer_max = 264 };
