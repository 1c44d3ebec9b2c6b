// The faulty mixer for tests: an ALSA control plug-in with the elements of common cards.

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <alsa/asoundlib.h>
#include <alsa/control_external.h>

#include "faulty_mixer.h"
#include "waiting.h"

struct mixer {
    snd_ctl_ext_t ext;
    struct faulty_mixer *control;
};

static const struct {
    const char *name;
    int element;
    int is_switch;
} parts[] = {
    {"Mic Playback Volume", FAULTY_MIC, 0},    {"Mic Playback Switch", FAULTY_MIC, 1},
    {"PCM Playback Volume", FAULTY_PCM, 0},    {"Headphone Playback Switch", FAULTY_HEADPHONE, 1},
    {"Master Playback Volume", FAULTY_MASTER, 0}, {"Master Playback Switch", FAULTY_MASTER, 1},
};
enum { PARTS = sizeof parts / sizeof *parts };

// From -60 dB, in steps of 0.6 dB.
static const unsigned decibels[] = {SND_CTL_TLVT_DB_SCALE, 8 /* bytes */, (unsigned)-6000, 60};

static int count_parts(snd_ctl_ext_t *ext) {
    struct faulty_mixer *control = ((struct mixer *)ext->private_data)->control;
    return control->is_empty ? 0 : PARTS;
}

static int list_part(snd_ctl_ext_t *ext, unsigned offset, snd_ctl_elem_id_t *id) {
    if (offset >= PARTS) return -EINVAL;
    snd_ctl_elem_id_set_interface(id, SND_CTL_ELEM_IFACE_MIXER);
    snd_ctl_elem_id_set_name(id, parts[offset].name);
    return 0;
}

static snd_ctl_ext_key_t find_part(snd_ctl_ext_t *ext, const snd_ctl_elem_id_t *id) {
    const char *name = snd_ctl_elem_id_get_name(id);
    for (unsigned part = 0; part < PARTS; part++)
        if (strcmp(parts[part].name, name) == 0) return part;
    return SND_CTL_EXT_KEY_NOT_FOUND;
}

static int describe_part(snd_ctl_ext_t *ext, snd_ctl_ext_key_t key, int *type, unsigned *access, unsigned *count) {
    *type = parts[key].is_switch ? SND_CTL_ELEM_TYPE_BOOLEAN : SND_CTL_ELEM_TYPE_INTEGER;
    *access = SND_CTL_EXT_ACCESS_READWRITE | (parts[key].is_switch ? 0 : SND_CTL_EXT_ACCESS_TLV_READ);
    *count = 2;
    return 0;
}

static int range_of_part(snd_ctl_ext_t *ext, snd_ctl_ext_key_t key, long *least, long *most, long *step) {
    *least = 0;
    *most = parts[key].is_switch ? 1 : 100;
    *step = 1;
    return 0;
}

static int32_t *values_of_part(snd_ctl_ext_t *ext, snd_ctl_ext_key_t key) {
    struct faulty_mixer *control = ((struct mixer *)ext->private_data)->control;
    return parts[key].is_switch ? control->switches[parts[key].element] : control->volumes[parts[key].element];
}

static int read_part(snd_ctl_ext_t *ext, snd_ctl_ext_key_t key, long *value) {
    int32_t *values = values_of_part(ext, key);
    value[0] = values[0];
    value[1] = values[1];
    return 0;
}

static int write_part(snd_ctl_ext_t *ext, snd_ctl_ext_key_t key, long *value) {
    struct faulty_mixer *control = ((struct mixer *)ext->private_data)->control;
    int32_t error = control->write_errors[parts[key].element];
    if (error) return -error;
    wait_while(&control->write_hangs);
    wait_milliseconds(control->write_milliseconds);
    int32_t *values = values_of_part(ext, key);
    if (value[0] < values[0] || value[1] < values[1]) control->lowerings++;
    values[0] = value[0];
    values[1] = value[1];
    control->writes++;
    return 1;
}

static void subscribe(snd_ctl_ext_t *ext, int is_subscribed) {}

static int read_event(snd_ctl_ext_t *ext, snd_ctl_elem_id_t *id, unsigned *mask) { return -EAGAIN; }

static void close_mixer(snd_ctl_ext_t *ext) {
    struct mixer *mixer = ext->private_data;
    close(ext->poll_fd);
    munmap(mixer->control, sizeof *mixer->control);
    free(mixer);
}

static const snd_ctl_ext_callback_t callbacks = {
    .close = close_mixer,
    .elem_count = count_parts,
    .elem_list = list_part,
    .find_elem = find_part,
    .get_attribute = describe_part,
    .get_integer_info = range_of_part,
    .read_integer = read_part,
    .write_integer = write_part,
    .subscribe_events = subscribe,
    .read_event = read_event,
};

SND_CTL_PLUGIN_DEFINE_FUNC(faulty) {
    const char *path = NULL;
    snd_config_iterator_t place, next;
    snd_config_for_each(place, next, conf) {
        snd_config_t *entry = snd_config_iterator_entry(place);
        const char *id;
        if (snd_config_get_id(entry, &id) >= 0 && strcmp(id, "control") == 0) snd_config_get_string(entry, &path);
    }
    int descriptor = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
    if (descriptor < 0) return -EINVAL;
    struct faulty_mixer *control =
        mmap(NULL, sizeof *control, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    close(descriptor);
    if (control == MAP_FAILED) return -ENOMEM;
    wait_while(&control->open_hangs);
    int error = control->open_error;
    struct mixer *mixer = error ? NULL : calloc(1, sizeof *mixer);
    if (!mixer) {
        munmap(control, sizeof *control);
        return error ? -error : -ENOMEM;
    }
    mixer->control = control;
    mixer->ext.version = SND_CTL_EXT_VERSION;
    strcpy(mixer->ext.id, "faulty");
    strcpy(mixer->ext.driver, "faulty");
    strcpy(mixer->ext.name, "A mixer of nothing");
    strcpy(mixer->ext.mixername, "A mixer of nothing");
    mixer->ext.tlv.p = decibels;
    mixer->ext.callback = &callbacks;
    mixer->ext.private_data = mixer;
    mixer->ext.poll_fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
    int status = snd_ctl_ext_create(&mixer->ext, name, mode);
    if (status < 0) {
        close_mixer(&mixer->ext);
        return status;
    }
    *handlep = mixer->ext.handle;
    return 0;
}

SND_CTL_PLUGIN_SYMBOL(faulty);
