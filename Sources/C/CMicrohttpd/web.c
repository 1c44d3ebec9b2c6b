#include <string.h>

#include "CMicrohttpd.h"

// The gate decodes targets itself, so libmicrohttpd leaves them as they are.
static size_t keep_escapes(void *context, struct MHD_Connection *connection, char *text) {
    (void)context, (void)connection;
    return strlen(text);
}

struct MHD_Daemon *web_start(void *context, web_begin begin, MHD_AccessHandlerCallback handle,
                             MHD_RequestCompletedCallback complete, MHD_NotifyConnectionCallback notice,
                             unsigned int connections, size_t memory) {
#if MHD_VERSION >= 0x00097701
    // The strictest level that still accepts correct clients.
    const enum MHD_OPTION discipline = MHD_OPTION_CLIENT_DISCIPLINE_LVL;
    const int level = 2;
#else
    const enum MHD_OPTION discipline = MHD_OPTION_STRICT_FOR_CLIENT;
    const int level = 1;
#endif
    return MHD_start_daemon(
        MHD_USE_EPOLL | MHD_USE_NO_LISTEN_SOCKET | MHD_ALLOW_SUSPEND_RESUME, 0, NULL, NULL, handle, context,
        MHD_OPTION_URI_LOG_CALLBACK, begin, context, MHD_OPTION_UNESCAPE_CALLBACK, keep_escapes, NULL,
        MHD_OPTION_NOTIFY_COMPLETED, complete, context, MHD_OPTION_NOTIFY_CONNECTION, notice, context,
        MHD_OPTION_CONNECTION_LIMIT, connections, MHD_OPTION_CONNECTION_MEMORY_LIMIT, memory,
        MHD_OPTION_CONNECTION_TIMEOUT, 0u, discipline, level, MHD_OPTION_END);
}

int web_descriptor(struct MHD_Daemon *daemon) {
    const union MHD_DaemonInfo *info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_EPOLL_FD);
    return info == NULL ? -1 : info->epoll_fd;
}

int web_connection_descriptor(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    return info == NULL ? -1 : info->connect_fd;
}
