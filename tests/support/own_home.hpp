#pragma once

#include <QString>
#include <QTemporaryDir>

namespace pollard::testing {

/// Folders for settings, data, state and caches of this process, removed at the end: tests neither read nor change the
/// user's files, nor files of tests that run at the same time.
class OwnHome {
public:
    /// @return whether the folders are in use
    [[nodiscard]] bool use() const {
        return folder_.isValid() && set("XDG_CONFIG_HOME", "config") && set("XDG_DATA_HOME", "data") &&
               set("XDG_STATE_HOME", "state") && set("XDG_CACHE_HOME", "cache");
    }

private:
    [[nodiscard]] bool set(const char* variable, const char* name) const {
        return qputenv(variable, folder_.filePath(QLatin1String(name)).toUtf8());
    }

    QTemporaryDir folder_;
};

} // namespace pollard::testing
