#include "widgets/input_focus.hpp"

#include <QAbstractItemView>
#include <QAbstractSlider>
#include <QAbstractSpinBox>
#include <QComboBox>
#include <QCoreApplication>
#include <QDockWidget>
#include <QDoubleSpinBox>
#include <QEvent>
#include <QGuiApplication>
#include <QKeyEvent>
#include <QLineEdit>
#include <QPointer>
#include <QScrollBar>
#include <QSpinBox>
#include <QTabBar>
#include <QWidget>
#include <QWindow>

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

ReturnToImage::ReturnToImage(QWidget& window, QWidget& image, QObject* parent)
    : QObject(parent), window_(window), image_(image) {
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

void ReturnToImage::focusImage() {
    if (!image_.isVisible()) {
        return;
    }
    if (!window_.isActiveWindow()) { // a floating panel is a window
        window_.activateWindow();
    }
    image_.setFocus(Qt::ShortcutFocusReason); // of a key, so that the image shows its focus
}

bool ReturnToImage::ignoresLetter(QKeyEvent& key) {
    const bool plain = (key.modifiers() & ~(Qt::ShiftModifier | Qt::KeypadModifier)) == Qt::NoModifier;
    if (!plain || key.text().isEmpty() || !key.text().front().isPrint() || !typed_.isValid() ||
        typed_.elapsed() >= kPause || !image_.hasFocus()) {
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
    if (isKey && watched->isWidgetType() && ignoresLetter(static_cast<QKeyEvent&>(*event))) {
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
        focusImage();
        event->accept();
        return true;
    }
    // After the field and its panel have processed the typed value.
    QMetaObject::invokeMethod(
        this,
        [this, typed = QPointer<QWidget>(&field)] {
            if (typed && typed->hasFocus() && !isWrong(*typed)) {
                focusImage();
                typed_.start();
            }
        },
        Qt::QueuedConnection);
    return false;
}

LetterSearch::LetterSearch(QWidget& window) : QObject(&window), window_(window) {
    QCoreApplication::instance()->installEventFilter(this);
}

bool LetterSearch::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() != QEvent::ShortcutOverride) {
        return false;
    }
    const auto* choice = qobject_cast<const QComboBox*>(watched);
    if (choice == nullptr || choice->window() != &window_) {
        return false;
    }
    const auto* key = static_cast<const QKeyEvent*>(event);
    const bool plain = (key->modifiers() & ~(Qt::ShiftModifier | Qt::KeypadModifier)) == Qt::NoModifier;
    if (!plain || key->text().isEmpty() || !key->text().at(0).isLetterOrNumber()) {
        return false;
    }
    event->accept();
    return true;
}

namespace {

/// Whether turning the wheel changes the value of a widget.
bool isTurned(const QWidget& widget) {
    return qobject_cast<const QAbstractSpinBox*>(&widget) != nullptr ||
           qobject_cast<const QComboBox*>(&widget) != nullptr || qobject_cast<const QTabBar*>(&widget) != nullptr ||
           (qobject_cast<const QAbstractSlider*>(&widget) != nullptr &&
            qobject_cast<const QScrollBar*>(&widget) == nullptr);
}

} // namespace

WheelFocus::WheelFocus(QObject* parent) : QObject(parent) { QCoreApplication::instance()->installEventFilter(this); }

bool WheelFocus::eventFilter(QObject* watched, QEvent* event) {
    if ((event->type() != QEvent::Wheel && event->type() != QEvent::Polish) || !watched->isWidgetType()) {
        return false;
    }
    auto& widget = static_cast<QWidget&>(*watched);
    if (!isTurned(widget)) {
        return false;
    }
    if (event->type() == QEvent::Polish) {
        if (widget.focusPolicy() == Qt::WheelFocus) {
            widget.setFocusPolicy(Qt::StrongFocus);
        }
        return false;
    }
    if (widget.hasFocus()) {
        return false;
    }
    event->ignore(); // passed to the parent
    return true;
}

namespace {

const QWindow* rootOf(const QWindow* window) {
    while (const QWindow* parent = window->parent(QWindow::IncludeTransients)) {
        window = parent;
    }
    return window;
}

/// Whether @p window takes no input while @p dialog is open.
bool blocks(const QWindow& dialog, const QWindow& window) {
    return dialog.isVisible() && dialog.modality() == Qt::WindowModal && &dialog != &window &&
           !dialog.isAncestorOf(&window, QWindow::IncludeTransients) && rootOf(&dialog) == rootOf(&window);
}

} // namespace

ModalFocus::ModalFocus(QObject* parent) : QObject(parent) {
    connect(qGuiApp, &QGuiApplication::focusWindowChanged, this, &ModalFocus::onFocus);
}

void ModalFocus::onFocus(const QWindow* window) {
    for (QWindow* dialog : QGuiApplication::topLevelWindows()) {
        if (window != nullptr && blocks(*dialog, *window)) {
            dialog->requestActivate();
        }
    }
}

} // namespace pollard::app
