#pragma once

#include <QString>

namespace pollard::vm {

/// An argument for a POSIX shell, in quotes where it needs them.
[[nodiscard]] QString shellQuoted(const QString& argument);

} // namespace pollard::vm
