#pragma once

#include "filter/filter_spec.hpp"

#include <QString>

namespace pollard::vm {

/// Names for menus, and explanations.
[[nodiscard]] QString ruleTitle(Rule rule);
[[nodiscard]] QString ruleToolTip(Rule rule);
[[nodiscard]] QString outputTitle(Output output);
[[nodiscard]] QString outputToolTip(Output output);
[[nodiscard]] QString prominenceTitle(Prominence measure); ///< "dynamics", as in "by dynamics"
[[nodiscard]] QString prominenceToolTip(Prominence measure);

} // namespace pollard::vm
