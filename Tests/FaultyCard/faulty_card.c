// The faulty sound card for tests: an ALSA plug-in that consumes frames in real time, records them, and fails on
// command.

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include <alsa/asoundlib.h>
#include <alsa/pcm_external.h>

#include "faulty_card.h"
#include "waiting.h"

struct card {
    snd_pcm_ioplug_t io;
    struct faulty_card *control;
    FILE *recording;
    int other_end;
    // Frames since the last prepare: written to the card, and consumed up to `taken_at`.
    int64_t given;
    int64_t taken;
    int64_t taken_at;
    int running;
    int was_short;
};

// A card that trickles consumes one frame in this many.
enum { TRICKLE = 200 };

static int told(int32_t *field) { return __atomic_load_n(field, __ATOMIC_SEQ_CST); }

static int64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_BOOTTIME, &time);
    return time.tv_sec * 1000000000LL + time.tv_nsec;
}

static void take_frames(struct card *card) {
    int64_t time = now();
    if (card->running && !told(&card->control->stalls) && !told(&card->control->sleeps) &&
        !told(&card->control->is_always_dry)) {
        int64_t rate = card->io.rate;
        if (told(&card->control->trickles)) rate /= TRICKLE;
        int64_t frames = (time - card->taken_at) * rate / 1000000000LL;
        if (frames > card->given - card->taken) frames = card->given - card->taken;
        card->taken += frames;
        card->taken_at += frames * 1000000000LL / rate;
        __atomic_fetch_add(&card->control->taken_frames, frames, __ATOMIC_SEQ_CST);
    } else {
        card->taken_at = time;
    }
}

static snd_pcm_sframes_t card_pointer(snd_pcm_ioplug_t *io) {
    struct card *card = io->private_data;
    take_frames(card);
    if (told(&card->control->is_pulled_out) && card->other_end >= 0) {
        close(card->other_end);
        card->other_end = -1;
        snd_pcm_ioplug_set_state(io, SND_PCM_STATE_DISCONNECTED);
    }
    if (told(&card->control->is_crossed) && card->other_end >= 0) {
        // A socket whose peer closes with unread data reports POLLERR, and not just a hang-up.
        if (write(io->poll_fd, "", 1) < 0) return -EIO;
        close(card->other_end);
        card->other_end = -1;
    }
    if (told(&card->control->sleeps)) snd_pcm_ioplug_set_state(io, SND_PCM_STATE_SUSPENDED);
    if (__atomic_exchange_n(&card->control->runs_dry, 0, __ATOMIC_SEQ_CST)) return -EPIPE;
    if (card->running && told(&card->control->is_always_dry)) return -EPIPE;
    if (card->running && card->given - card->taken < told(&card->control->needed_frames)) return -EPIPE;
    if (card->running && card->taken == card->given && !told(&card->control->stalls)) return -EPIPE;
    return card->taken % io->buffer_size;
}

static snd_pcm_sframes_t card_transfer(snd_pcm_ioplug_t *io, const snd_pcm_channel_area_t *areas,
                                       snd_pcm_uframes_t offset, snd_pcm_uframes_t size) {
    struct card *card = io->private_data;
    int error = told(&card->control->write_error);
    if (error) {
        if (error == ENODEV) snd_pcm_ioplug_set_state(io, SND_PCM_STATE_DISCONNECTED);
        return -error;
    }
    error = __atomic_exchange_n(&card->control->next_write_error, 0, __ATOMIC_SEQ_CST);
    if (error) return -error;
    // ALSA offers the remaining frames again. EAGAIN then turns the write into a short one.
    card->was_short = !card->was_short && told(&card->control->write_frames_max) > 0;
    if (!card->was_short && told(&card->control->write_frames_max) > 0) return -EAGAIN;
    if (card->was_short && size > (snd_pcm_uframes_t)told(&card->control->write_frames_max))
        size = told(&card->control->write_frames_max);
    const char *frames = (const char *)areas->addr + (areas->first + areas->step * offset) / 8;
    size_t bytes = size * areas->step / 8;
    int is_silent = 1;
    for (size_t byte = 0; byte < bytes && is_silent; byte++) is_silent = frames[byte] == 0;
    int64_t none = 0;
    if (is_silent)
        __atomic_store_n(&card->control->first_heard_nanoseconds, 0, __ATOMIC_SEQ_CST);
    else
        __atomic_compare_exchange_n(&card->control->first_heard_nanoseconds, &none, now(), 0, __ATOMIC_SEQ_CST,
                                    __ATOMIC_SEQ_CST);
    if (card->recording) fwrite(frames, 1, bytes, card->recording);
    take_frames(card);
    card->given += size;
    return size;
}

static int card_prepare(snd_pcm_ioplug_t *io) {
    struct card *card = io->private_data;
    card->given = card->taken = card->running = 0;
    __atomic_fetch_add(&card->control->prepares, 1, __ATOMIC_SEQ_CST);
    return 0;
}

static int card_start(snd_pcm_ioplug_t *io) {
    struct card *card = io->private_data;
    card->taken_at = now();
    card->running = 1;
    return 0;
}

static int card_stop(snd_pcm_ioplug_t *io) {
    struct card *card = io->private_data;
    if (card->running) __atomic_store_n(&card->control->stopped_nanoseconds, now(), __ATOMIC_SEQ_CST);
    card->running = 0;
    __atomic_fetch_add(&card->control->drops, 1, __ATOMIC_SEQ_CST);
    // The card is silent from now on.
    __atomic_store_n(&card->control->first_heard_nanoseconds, 0, __ATOMIC_SEQ_CST);
    return 0;
}

static int card_delay(snd_pcm_ioplug_t *io, snd_pcm_sframes_t *delay) {
    struct card *card = io->private_data;
    *delay = card->given - card->taken + told(&card->control->delay_frames);
    return 0;
}

static int card_resume(snd_pcm_ioplug_t *io) {
    struct card *card = io->private_data;
    return told(&card->control->sleeps) ? -EAGAIN : -ENOSYS;
}

static int card_poll_revents(snd_pcm_ioplug_t *io, struct pollfd *fds, unsigned count, unsigned short *events) {
    *events = fds[0].revents;
    return 0;
}

static int card_close(snd_pcm_ioplug_t *io) {
    struct card *card = io->private_data;
    wait_while(&card->control->close_hangs);
    __atomic_fetch_add(&card->control->closes, 1, __ATOMIC_SEQ_CST);
    __atomic_store_n(&card->control->first_heard_nanoseconds, 0, __ATOMIC_SEQ_CST);
    if (card->recording) fclose(card->recording);
    if (card->other_end >= 0) close(card->other_end);
    close(io->poll_fd);
    munmap(card->control, sizeof *card->control);
    free(card);
    return 0;
}

static const snd_pcm_ioplug_callback_t callbacks = {
    .start = card_start,
    .stop = card_stop,
    .pointer = card_pointer,
    .transfer = card_transfer,
    .prepare = card_prepare,
    .delay = card_delay,
    .resume = card_resume,
    .close = card_close,
    .poll_revents = card_poll_revents,
};

static int offer(snd_pcm_ioplug_t *io, snd_pcm_format_t format, unsigned channels, unsigned rate) {
    static const unsigned access[] = {SND_PCM_ACCESS_RW_INTERLEAVED};
    const unsigned formats[] = {format};
    unsigned frame_bytes = snd_pcm_format_physical_width(format) / 8 * channels;
    int status = snd_pcm_ioplug_set_param_list(io, SND_PCM_IOPLUG_HW_ACCESS, 1, access);
    if (status >= 0) status = snd_pcm_ioplug_set_param_list(io, SND_PCM_IOPLUG_HW_FORMAT, 1, formats);
    if (status >= 0) status = snd_pcm_ioplug_set_param_minmax(io, SND_PCM_IOPLUG_HW_CHANNELS, channels, channels);
    if (status >= 0) status = snd_pcm_ioplug_set_param_minmax(io, SND_PCM_IOPLUG_HW_RATE, rate, rate);
    if (status >= 0) status = snd_pcm_ioplug_set_param_minmax(io, SND_PCM_IOPLUG_HW_PERIOD_BYTES, 240 * frame_bytes, 960 * frame_bytes);
    if (status >= 0) status = snd_pcm_ioplug_set_param_minmax(io, SND_PCM_IOPLUG_HW_BUFFER_BYTES, 960 * frame_bytes, 9600 * frame_bytes);
    return status;
}

static struct faulty_card *map_control(const char *path) {
    int descriptor = open(path, O_RDWR | O_CLOEXEC);
    if (descriptor < 0) return NULL;
    void *control = mmap(NULL, sizeof(struct faulty_card), PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    close(descriptor);
    return control == MAP_FAILED ? NULL : control;
}

SND_PCM_PLUGIN_DEFINE_FUNC(faulty) {
    const char *control_path = NULL, *recording_path = NULL, *format = "S16_LE";
    long channels = 2, rate = 48000;
    snd_config_iterator_t place, next;
    snd_config_for_each(place, next, conf) {
        snd_config_t *entry = snd_config_iterator_entry(place);
        const char *id;
        if (snd_config_get_id(entry, &id) < 0) continue;
        if (strcmp(id, "control") == 0) snd_config_get_string(entry, &control_path);
        if (strcmp(id, "recording") == 0) snd_config_get_string(entry, &recording_path);
        if (strcmp(id, "format") == 0) snd_config_get_string(entry, &format);
        if (strcmp(id, "channels") == 0) snd_config_get_integer(entry, &channels);
        if (strcmp(id, "rate") == 0) snd_config_get_integer(entry, &rate);
    }
    struct faulty_card *control = control_path ? map_control(control_path) : NULL;
    if (!control) return -EINVAL;
    __atomic_fetch_add(&control->opens, 1, __ATOMIC_SEQ_CST);
    wait_while(&control->open_hangs);
    wait_milliseconds(told(&control->open_milliseconds));
    int error = told(&control->open_error);
    int ends[2];
    struct card *card = NULL;
    if (!error && socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, ends) < 0) error = errno;
    if (!error && !(card = calloc(1, sizeof *card))) error = ENOMEM;
    if (error) {
        munmap(control, sizeof *control);
        return -error;
    }
    card->control = control;
    card->recording = recording_path ? fopen(recording_path, "ae") : NULL;
    card->other_end = ends[1];
    card->io.version = SND_PCM_IOPLUG_VERSION;
    card->io.name = "A card that fails as it is told";
    card->io.callback = &callbacks;
    card->io.private_data = card;
    card->io.poll_fd = ends[0];
    card->io.poll_events = POLLOUT;
    int status = snd_pcm_ioplug_create(&card->io, name, stream, mode);
    if (status < 0) return status;
    status = offer(&card->io, snd_pcm_format_value(format), channels, rate);
    if (status < 0) {
        snd_pcm_ioplug_delete(&card->io);
        return status;
    }
    *pcmp = card->io.pcm;
    return 0;
}

SND_PCM_PLUGIN_SYMBOL(faulty);
