#pragma once

#include <QAbstractButton>
#include <QAction>
#include <QActionGroup>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QSignalBlocker>
#include <QSlider>
#include <QSpinBox>
#include <QVariant>

#include <functional>
#include <type_traits>
#include <utility>

namespace pollard::app {

namespace coupling {

// For every kind of control: the signal of an edit, its value, and how it shows a value. Combo boxes and groups of
// actions have their values in the data of their entries, enumerators as int.
inline auto editOf(const QAbstractButton&) { return &QAbstractButton::toggled; }
inline auto editOf(const QAction&) { return &QAction::triggered; }
inline auto editOf(const QActionGroup&) { return &QActionGroup::triggered; }
inline auto editOf(const QSpinBox&) { return &QSpinBox::valueChanged; }
inline auto editOf(const QDoubleSpinBox&) { return &QDoubleSpinBox::valueChanged; }
inline auto editOf(const QAbstractSlider&) { return &QAbstractSlider::valueChanged; }
inline auto editOf(const QComboBox&) { return &QComboBox::currentIndexChanged; } // typing does not activate

inline bool valueOf(const QAbstractButton& button) { return button.isChecked(); }
inline bool valueOf(const QAction& action) { return action.isChecked(); }
inline QVariant valueOf(const QActionGroup& group) { return group.checkedAction()->data(); }
inline int valueOf(const QSpinBox& box) { return box.value(); }
inline double valueOf(const QDoubleSpinBox& box) { return box.value(); }
inline int valueOf(const QAbstractSlider& slider) { return slider.value(); }
inline QVariant valueOf(const QComboBox& box) { return box.currentData(); }

inline void showValue(QAbstractButton& button, bool on) { button.setChecked(on); }
inline void showValue(QAction& action, bool on) { action.setChecked(on); }
inline void showValue(QActionGroup& group, const QVariant& value) {
    for (QAction* action : group.actions()) {
        action->setChecked(action->data() == value);
    }
}
/// Keeps a text that already has the value, such as "1e" before "1e3" is complete.
inline void showValue(QSpinBox& box, int value) {
    if (box.value() != value) {
        box.setValue(value);
    }
}
inline void showValue(QDoubleSpinBox& box, double value) {
    if (box.value() != value) {
        box.setValue(value);
    }
}
inline void showValue(QAbstractSlider& slider, int value) { slider.setValue(value); }
inline void showValue(QComboBox& box, const QVariant& value) { box.setCurrentIndex(box.findData(value)); }

} // namespace coupling

/// Calls `show` now and after each of the signals of the model, as long as the receiver exists.
/// @param show a member function of the receiver, or a function without arguments
template <class Receiver, class Show, class Model, class... Changes>
void follow(Receiver* receiver, Show show, const Model& model, Changes... changes) {
    (QObject::connect(&model, changes, receiver, show), ...);
    if constexpr (std::is_member_function_pointer_v<Show>) {
        (receiver->*show)();
    } else {
        show();
    }
}

/// Couples a control with a property of a model. An edit sets the property. The control shows the value now and after
/// each of the signals, without an edit.
/// @param get,set member functions of the model, or functions that take the model
template <class Control, class Model, class Get, class Set, class... Changes>
void couple(Control* control, Model& model, Get get, Set set, Changes... changes) {
    using Value = std::decay_t<std::invoke_result_t<Get, const Model&>>;
    QObject::connect(control, coupling::editOf(*control), &model, [control, &model, set] {
        const auto value = coupling::valueOf(*control);
        if constexpr (!std::is_same_v<decltype(value), const QVariant>) {
            std::invoke(set, model, static_cast<Value>(value));
        } else if constexpr (std::is_enum_v<Value>) {
            std::invoke(set, model, static_cast<Value>(value.toInt()));
        } else {
            std::invoke(set, model, value.template value<Value>());
        }
    });
    const auto show = [control, &model, get] {
        // Other widgets follow the signals of actions, which are not triggered when they show a value.
        const QSignalBlocker quiet(std::is_base_of_v<QWidget, Control> ? static_cast<QObject*>(control) : nullptr);
        const Value value = std::invoke(get, std::as_const(model));
        if constexpr (std::is_enum_v<Value>) {
            coupling::showValue(*control, static_cast<int>(value));
        } else {
            coupling::showValue(*control, value);
        }
    };
    follow(control, show, model, changes...);
}

} // namespace pollard::app
