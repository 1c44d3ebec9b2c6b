// The calls of libmicrohttpd with a variable number of arguments, which Swift cannot make, and the differences
// between its versions 0.9.75 (Debian 12) and 1.0 (Debian 13).

#pragma once

#include <microhttpd.h>

/// Receives the raw target of a request when its first line has come. The returned pointer is the request's own:
/// the handler and `MHD_RequestCompletedCallback` receive it.
typedef void *(*web_begin)(void *context, const char *target, struct MHD_Connection *connection);

/// Starts a server without a thread and without a listening socket, or returns NULL. Each callback receives
/// `context`. `notice` is called when a connection has begun, and when it is over, before its descriptor is closed.
/// `memory` is the limit for the head of a request.
struct MHD_Daemon *web_start(void *context, web_begin begin, MHD_AccessHandlerCallback handle,
                                       MHD_RequestCompletedCallback complete, MHD_NotifyConnectionCallback notice,
                                       unsigned int connections, size_t memory);
/// Returns the epoll descriptor. It is readable when `MHD_run` has something to do.
int web_descriptor(struct MHD_Daemon *daemon);
/// Returns the descriptor of a connection.
int web_connection_descriptor(struct MHD_Connection *connection);

