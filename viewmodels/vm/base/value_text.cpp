#include "vm/base/value_text.hpp"

#include <QLocale>

#include <cmath>

namespace pollard::vm {

QString shortValue(double value) {
    const QLocale locale;
    if (std::abs(value) < 1e7 && value == std::floor(value)) {
        return locale.toString(static_cast<qlonglong>(value));
    }
    return locale.toString(value, 'g', 4);
}

} // namespace pollard::vm
