// The engine's name for whoever asks, where the vocabulary has requests of its own.

import Engine

typealias RequestContext = Request
