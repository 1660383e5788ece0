#include "widgets/letter_search.hpp"

#include <QComboBox>
#include <QCoreApplication>
#include <QKeyEvent>

namespace pollard::app {

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

} // namespace pollard::app
