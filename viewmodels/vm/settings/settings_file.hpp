#pragma once

#include <QString>

class QSettings;

namespace pollard::vm {

/// Empties settings whose file is no settings file, after copying it. Call before the first setting is read.
/// @return path of the copy; empty if the file is sound
[[nodiscard]] QString setDamagedFileAside(QSettings& settings);

} // namespace pollard::vm
