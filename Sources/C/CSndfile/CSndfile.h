// libsndfile reads the owner's own sounds: WAV, FLAC, Ogg, MP3 and many more.
#include <sndfile.h>
