#pragma once

#include <QToolButton>

namespace pollard::app {

/// A flat button with an icon of resources/icons, an accessible name and a tooltip.
[[nodiscard]] QToolButton* makeIconButton(QWidget* parent, const char* objectName, const QString& icon,
                                          const QString& name, const QString& toolTip);

} // namespace pollard::app
