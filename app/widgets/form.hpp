#pragma once

#include "widgets/panel_parts.hpp"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QGridLayout>

#include <initializer_list>
#include <utility>

namespace pollard::app {

/// Makes a control with an object name, an accessible name, a tooltip and What's This.
/// @param arguments of the constructor before the parent, such as the text of a button
template <class Control, class... Arguments>
[[nodiscard]] Control* makeControl(QWidget* parent, const char* objectName, const QString& name, const QString& toolTip,
                                   Arguments&&... arguments) {
    auto* control = new Control(std::forward<Arguments>(arguments)..., parent);
    explain(control, objectName, name, toolTip);
    return control;
}

/// Numbers of a box, which takes a typed one when editing is finished.
struct NumberFormat {
    double least = 0;
    double most = 100;
    double step = 1;
    int decimals = 0;
    QString suffix{};
};
void setFormat(QDoubleSpinBox* box, const NumberFormat& format);

/// Adds an entry per enumerator, with the title that titleOf() returns.
template <class Enumerators> void addChoices(QComboBox* box, const Enumerators& values) {
    for (const auto value : values) {
        box->addItem(titleOf(value), static_cast<int>(value));
    }
}

/// Adds an entry per pair of a title and an enumerator.
template <class Enumerator>
void addChoices(QComboBox* box, std::initializer_list<std::pair<QString, Enumerator>> entries) {
    for (const auto& [title, value] : entries) {
        box->addItem(title, static_cast<int>(value));
    }
}

/// Places widgets in rows, the first of a row in the first column. A null pointer extends the widget before it over one
/// more column.
/// @param spacing px between the rows
[[nodiscard]] QGridLayout* gridOf(std::initializer_list<std::initializer_list<QWidget*>> rows,
                                  int spacing = kPanelSpacing);

} // namespace pollard::app
