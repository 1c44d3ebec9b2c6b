// The shim between Swift and libpcsclite.

#include "CPcsc.h"

#include <string.h>
#include <winscard.h>

const long pcsc_timeout = SCARD_E_TIMEOUT,
           pcsc_no_readers = SCARD_E_NO_READERS_AVAILABLE, pcsc_no_service = SCARD_E_NO_SERVICE,
           pcsc_service_stopped = SCARD_E_SERVICE_STOPPED, pcsc_unknown_reader = SCARD_E_UNKNOWN_READER,
           pcsc_reader_unavailable = SCARD_E_READER_UNAVAILABLE, pcsc_line_broken = SCARD_F_COMM_ERROR,
           pcsc_refused = SCARD_W_SECURITY_VIOLATION, pcsc_no_access = SCARD_E_NO_ACCESS;
const uint32_t pcsc_state_present = SCARD_STATE_PRESENT;

long pcsc_open(long *context) { return SCardEstablishContext(SCARD_SCOPE_SYSTEM, NULL, NULL, context); }

void pcsc_close(long context) { SCardReleaseContext(context); }

long pcsc_readers(long context, char *names, size_t *size) {
    DWORD length = *size;
    long status = SCardListReaders(context, NULL, names, &length);
    *size = status == SCARD_S_SUCCESS ? length : 0;
    return status;
}

long pcsc_wait(long context, struct pcsc_reader *readers, size_t count, uint32_t all, uint32_t milliseconds) {
    SCARD_READERSTATE states[pcsc_readers_max + 1];
    if (count > pcsc_readers_max) return SCARD_E_INVALID_PARAMETER;
    memset(states, 0, sizeof states);
    for (size_t i = 0; i < count; i++) {
        states[i].szReader = readers[i].name;
        states[i].dwCurrentState = readers[i].state;
    }
    // This pseudo-reader reports readers that are added or removed. The upper half of its state is their
    // number.
    states[count].szReader = "\\\\?PnP?\\Notification";
    states[count].dwCurrentState = (DWORD)all << 16;
    long status = SCardGetStatusChange(context, milliseconds, states, count + 1);
    if (status == SCARD_S_SUCCESS)
        for (size_t i = 0; i < count; i++)
            readers[i].state = (uint32_t)states[i].dwEventState & ~(uint32_t)SCARD_STATE_CHANGED;
    return status;
}

long pcsc_identify(long context, const char *reader, uint8_t *answer, size_t *size) {
    static const uint8_t question[] = {0xFF, 0xCA, 0x00, 0x00, 0x00};
    SCARDHANDLE card;
    DWORD protocol, length = *size;
    *size = 0;
    long status = SCardConnect(
        context, reader, SCARD_SHARE_SHARED, SCARD_PROTOCOL_T0 | SCARD_PROTOCOL_T1, &card, &protocol);
    if (status != SCARD_S_SUCCESS) return status;
    const SCARD_IO_REQUEST *way = protocol == SCARD_PROTOCOL_T0 ? SCARD_PCI_T0 : SCARD_PCI_T1;
    status = SCardTransmit(card, way, question, sizeof question, NULL, answer, &length);
    if (status == SCARD_S_SUCCESS) *size = length;
    SCardDisconnect(card, SCARD_LEAVE_CARD);
    return status;
}

void pcsc_describe(long status, char *text, size_t size) {
    if (size == 0) return;
    text[0] = 0;
    strncat(text, pcsc_stringify_error(status), size - 1);
}
