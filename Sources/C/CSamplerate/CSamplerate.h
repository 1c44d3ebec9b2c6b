// libsamplerate brings a sound to the rate of a card.
#include <samplerate.h>
