#pragma once

#include "filter/filter_spec.hpp"

#include <QString>

class QLocale;

namespace pollard::vm {

/// A criterion with bounds: "10 <= NAME <= 100". Empty without bounds.
[[nodiscard]] QString boundedText(const Criterion& criterion, const QString& name, const QLocale& locale);

/// The bounds alone: "100", "10 to 100". Empty without bounds.
[[nodiscard]] QString boundsText(const Criterion& criterion, const QLocale& locale);

/// A criterion in the user's language and locale: "Area >= 126,105"; "Area: any value" without bounds.
[[nodiscard]] QString shownCriterion(const Criterion& criterion);

} // namespace pollard::vm
