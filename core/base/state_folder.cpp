#include "base/state_folder.hpp"

#include <cstdlib>

namespace pollard {

namespace {

std::filesystem::path folderIn(const char* variable) {
    const char* value = std::getenv(variable);
    const std::filesystem::path folder(value == nullptr ? "" : value);
    return folder.is_absolute() ? folder : std::filesystem::path();
}

} // namespace

std::filesystem::path stateFolder() {
    std::filesystem::path folder = folderIn("XDG_STATE_HOME");
    if (folder.empty()) {
#ifdef _WIN32
        folder = folderIn("LOCALAPPDATA");
#else
        const std::filesystem::path home = folderIn("HOME");
        folder = (home.empty() ? std::filesystem::path("/") : home) / ".local/state";
#endif
    }
    return folder / "pollard";
}

} // namespace pollard
