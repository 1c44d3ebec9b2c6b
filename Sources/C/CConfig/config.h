// libconfig, which parses the configuration file. Its macros are functions here, because Swift cannot call
// macros.
#include <libconfig.h>

static inline const config_setting_t *configuration_root(const config_t *configuration) {
    return config_root_setting(configuration);
}

/// The line and the text of a parse error.
static inline int configuration_error_line(const config_t *configuration) { return config_error_line(configuration); }
static inline const char *configuration_error_text(const config_t *configuration) {
    return config_error_text(configuration);
}

static inline const char *setting_name(const config_setting_t *setting) { return config_setting_name(setting); }
static inline int setting_line(const config_setting_t *setting) { return config_setting_source_line(setting); }
static inline int setting_type(const config_setting_t *setting) { return config_setting_type(setting); }
