// Controls that are coupled with a property of a model.
#include "widgets/couple.hpp"

#include <QCheckBox>

#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <utility>

namespace pollard::app {
namespace {

enum class Colour { red, green, blue };

/// A property that counts how often it is set; objectNameChanged() is its signal.
template <class Value> class Property : public QObject {
public:
    explicit Property(Value value) : value_(value) {}

    [[nodiscard]] Value value() const { return value_; }

    void set(Value value) {
        ++sets;
        if (value != value_) {
            change(value);
        }
    }

    /// Changes the value without counting.
    void change(Value value) {
        value_ = value;
        setObjectName(QString::number(++changes_)); // emits the signal
    }

    int sets = 0;

private:
    Value value_;
    int changes_ = 0;
};

template <class Control, class Value> void coupleWith(Control& control, Property<Value>& property) {
    couple(&control, property, &Property<Value>::value, &Property<Value>::set, &QObject::objectNameChanged);
}

/// Goes from the first value to the second by the model, and to the third by the control.
template <class Control, class Value, class Shown, class Edit>
void expectCoupled(std::unique_ptr<Control> control, std::array<Value, 3> values, Shown shown, Edit edit) {
    Property<Value> property(values[0]);
    coupleWith(*control, property);
    EXPECT_EQ(shown(*control), values[0]) << "the initial value";
    EXPECT_EQ(property.sets, 0) << "showing the initial value is no edit";
    property.change(values[1]);
    EXPECT_EQ(shown(*control), values[1]);
    EXPECT_EQ(property.sets, 0) << "showing a value is no edit";
    edit(*control, values[2]);
    EXPECT_EQ(property.value(), values[2]);
    EXPECT_EQ(property.sets, 1) << "an edit sets the property once";
    EXPECT_EQ(shown(*control), values[2]);
    control.reset();
    property.change(values[1]); // no control follows any more
}

TEST(Couple, CheckBox) {
    expectCoupled(
        std::make_unique<QCheckBox>(), std::array{true, false, true},
        [](const QCheckBox& box) { return box.isChecked(); }, [](QCheckBox& box, bool) { box.click(); });
}

TEST(Couple, Action) {
    auto action = std::make_unique<QAction>();
    action->setCheckable(true);
    int changes = 0;
    QObject::connect(action.get(), &QAction::toggled, [&changes] { ++changes; });
    expectCoupled(
        std::move(action), std::array{true, false, true}, [](const QAction& entry) { return entry.isChecked(); },
        [](QAction& entry, bool) { entry.trigger(); });
    EXPECT_EQ(changes, 3) << "menus and buttons follow the action";
}

TEST(Couple, SpinBox) {
    expectCoupled(
        std::make_unique<QSpinBox>(), std::array{5, 7, 8}, [](const QSpinBox& box) { return box.value(); },
        [](QSpinBox& box, int value) { box.setValue(value); });
}

TEST(Couple, DoubleSpinBox) {
    expectCoupled(
        std::make_unique<QDoubleSpinBox>(), std::array{0.5, 7.25, 8.0},
        [](const QDoubleSpinBox& box) { return box.value(); },
        [](QDoubleSpinBox& box, double value) { box.setValue(value); });
}

TEST(Couple, RoundedValueIsNotWrittenBack) {
    QDoubleSpinBox box;
    Property<double> property(0.125);
    box.setDecimals(1);
    coupleWith(box, property);
    property.change(0.375);
    EXPECT_EQ(property.value(), 0.375);
    EXPECT_EQ(property.sets, 0);
}

TEST(Couple, Slider) {
    expectCoupled(
        std::make_unique<QSlider>(), std::array{5, 7, 8}, [](const QSlider& slider) { return slider.value(); },
        [](QSlider& slider, int value) { slider.setValue(value); });
}

TEST(Couple, ComboBoxOfEnumerators) {
    auto box = std::make_unique<QComboBox>();
    for (const Colour colour : {Colour::blue, Colour::red, Colour::green}) {
        box->addItem(QString(), static_cast<int>(colour));
    }
    expectCoupled(
        std::move(box), std::array{Colour::green, Colour::red, Colour::blue},
        [](const QComboBox& choice) { return static_cast<Colour>(choice.currentData().toInt()); },
        [](QComboBox& choice, Colour) { choice.setCurrentIndex(0); });
}

TEST(Couple, ComboBoxOfTexts) {
    auto box = std::make_unique<QComboBox>();
    for (const QString& name : {QStringLiteral("a"), QStringLiteral("b"), QStringLiteral("c")}) {
        box->addItem(name.toUpper(), name);
    }
    expectCoupled(
        std::move(box), std::array{QStringLiteral("c"), QStringLiteral("a"), QStringLiteral("b")},
        [](const QComboBox& choice) { return choice.currentData().toString(); },
        [](QComboBox& choice, const QString&) { choice.setCurrentIndex(1); });
}

TEST(Couple, ComboBoxShowsNoEntryForAnUnknownValue) {
    QComboBox box;
    box.addItem(QString(), 1);
    Property<int> property(1);
    coupleWith(box, property);
    property.change(2);
    EXPECT_EQ(box.currentIndex(), -1);
    EXPECT_EQ(property.sets, 0);
}

TEST(Couple, ActionGroup) {
    auto group = std::make_unique<QActionGroup>(nullptr);
    for (const Colour colour : {Colour::red, Colour::green, Colour::blue}) {
        QAction* action = group->addAction(QString());
        action->setCheckable(true);
        action->setData(static_cast<int>(colour));
    }
    expectCoupled(
        std::move(group), std::array{Colour::green, Colour::red, Colour::blue},
        [](const QActionGroup& choice) { return static_cast<Colour>(choice.checkedAction()->data().toInt()); },
        [](QActionGroup& choice, Colour) { choice.actions().back()->trigger(); });
}

TEST(Couple, FollowsEverySignalOnceAndNow) {
    Property<int> property(0);
    QObject receiver;
    int shows = 0;
    follow(
        &receiver, [&shows] { ++shows; }, property, &QObject::objectNameChanged, &QObject::destroyed);
    EXPECT_EQ(shows, 1);
    property.change(1);
    EXPECT_EQ(shows, 2);
}

} // namespace
} // namespace pollard::app
