#include "widgets/modal_focus.hpp"

#include <QGuiApplication>
#include <QWindow>

namespace pollard::app {
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
