// libsndfile, which reads the owner's sound files: WAV, FLAC, Ogg, MP3 and many more.
#include <sndfile.h>
