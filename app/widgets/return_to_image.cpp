#include "widgets/return_to_image.hpp"

#include <QAbstractItemView>
#include <QComboBox>
#include <QCoreApplication>
#include <QDockWidget>
#include <QDoubleSpinBox>
#include <QKeyEvent>
#include <QLineEdit>
#include <QPointer>
#include <QSpinBox>

namespace pollard::app {
namespace {

constexpr const char* kWrong = "pollardWrong";

bool isWrong(const QWidget& field) {
    const auto* line = qobject_cast<const QLineEdit*>(&field);
    return field.property(kWrong).toBool() || (line != nullptr && !line->hasAcceptableInput());
}

/// Replaces typed text by the current value.
void dropTyped(QWidget& field) {
    if (auto* box = qobject_cast<QSpinBox*>(&field)) {
        box->setValue(box->value());
    } else if (auto* real = qobject_cast<QDoubleSpinBox*>(&field)) {
        real->setValue(real->value());
    }
}

} // namespace

ReturnToImage::ReturnToImage(QWidget& window, QWidget& picture, QObject* parent)
    : QObject(parent), window_(window), picture_(picture) {
    QCoreApplication::instance()->installEventFilter(this);
}

void ReturnToImage::setWrong(QWidget& field, bool wrong) { field.setProperty(kWrong, wrong); }

bool ReturnToImage::isField(const QWidget& widget) const {
    if (qobject_cast<const QAbstractSpinBox*>(&widget) == nullptr &&
        qobject_cast<const QLineEdit*>(&widget) == nullptr && qobject_cast<const QComboBox*>(&widget) == nullptr) {
        return false;
    }
    for (const QWidget* around = widget.parentWidget(); around != nullptr; around = around->parentWidget()) {
        if (qobject_cast<const QAbstractItemView*>(around) != nullptr) {
            return false; // an editor of one of its entries
        }
        if (around->isWindow()) {
            return around == &window_ ||
                   (qobject_cast<const QDockWidget*>(around) != nullptr && around->parentWidget() == &window_);
        }
    }
    return false;
}

void ReturnToImage::giveBack() {
    if (!picture_.isVisible()) {
        return;
    }
    if (!window_.isActiveWindow()) { // a floating panel is a window
        window_.activateWindow();
    }
    picture_.setFocus(Qt::ShortcutFocusReason); // of a key, so that the image shows its focus
}

bool ReturnToImage::dropsLetter(QKeyEvent& key) {
    const bool plain = (key.modifiers() & ~(Qt::ShiftModifier | Qt::KeypadModifier)) == Qt::NoModifier;
    if (!plain || key.text().isEmpty() || !key.text().front().isPrint() || !typed_.isValid() ||
        typed_.elapsed() >= kPause || !picture_.hasFocus()) {
        return false;
    }
    key.accept();
    if (key.type() == QEvent::KeyPress) {
        typed_.start();
        emit letterDropped();
    }
    return true;
}

bool ReturnToImage::eventFilter(QObject* watched, QEvent* event) {
    const bool isKey = event->type() == QEvent::KeyPress || event->type() == QEvent::ShortcutOverride;
    if (isKey && watched->isWidgetType() && dropsLetter(static_cast<QKeyEvent&>(*event))) {
        return true;
    }
    if (event->type() != QEvent::KeyPress || !watched->isWidgetType()) {
        return false;
    }
    const auto& key = static_cast<const QKeyEvent&>(*event);
    const bool takes = key.key() == Qt::Key_Return || key.key() == Qt::Key_Enter;
    const bool drops = key.key() == Qt::Key_Escape;
    if ((!takes && !drops) || (key.modifiers() & ~Qt::KeypadModifier) != Qt::NoModifier) {
        return false;
    }
    auto& field = static_cast<QWidget&>(*watched);
    if (!field.hasFocus() || !isField(field)) {
        return false;
    }
    if (drops) {
        dropTyped(field);
        giveBack();
        event->accept();
        return true;
    }
    // After the field and its panel have processed the typed value.
    QMetaObject::invokeMethod(
        this,
        [this, typed = QPointer<QWidget>(&field)] {
            if (typed && typed->hasFocus() && !isWrong(*typed)) {
                giveBack();
                typed_.start();
            }
        },
        Qt::QueuedConnection);
    return false;
}

} // namespace pollard::app
