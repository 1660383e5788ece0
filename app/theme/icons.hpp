#pragma once

#include <QIcon>
#include <QString>

namespace pollard::app {

/// An icon of resources/icons in the colour that the text of buttons has when it is painted, so that it fits every
/// theme; bright where it stands on a checked tool button.
[[nodiscard]] QIcon themedIcon(const QString& name);

} // namespace pollard::app
