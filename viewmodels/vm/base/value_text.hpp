#pragma once

#include <QString>

namespace pollard::vm {

/// A short text of a value of any size: 12, 3.25, 1.25e+07.
[[nodiscard]] QString shortValue(double value);

} // namespace pollard::vm
