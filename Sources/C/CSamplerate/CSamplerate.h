// libsamplerate, which converts a sound to the rate of a card.
#include <samplerate.h>
