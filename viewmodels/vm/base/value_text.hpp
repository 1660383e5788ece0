#pragma once

#include <QString>

namespace pollard::vm {

/// A value for a line of text, short whatever its size: 12, 3.25, 1.25e+07.
[[nodiscard]] QString shortValue(double value);

} // namespace pollard::vm
