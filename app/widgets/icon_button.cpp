#include "widgets/icon_button.hpp"

#include "theme/icons.hpp"
#include "widgets/panel_parts.hpp"

namespace pollard::app {

QToolButton* makeIconButton(QWidget* parent, const char* objectName, const QString& icon, const QString& name,
                            const QString& toolTip) {
    auto* button = new QToolButton(parent);
    button->setObjectName(QLatin1String(objectName));
    button->setIcon(themedIcon(icon));
    button->setAutoRaise(true);
    explain(button, name, toolTip);
    return button;
}

} // namespace pollard::app
