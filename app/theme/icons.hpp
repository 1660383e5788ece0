#pragma once

#include <QIcon>
#include <QString>

namespace pollard::app {

/// An icon of resources/icons in the colour of button texts at the time of painting, so that it fits every theme;
/// bright on a checked tool button.
[[nodiscard]] QIcon themedIcon(const QString& name);

} // namespace pollard::app
