#pragma once

#include <QObject>

class QWindow;

namespace pollard::app {

/// Gives the focus back to a dialog when a window that the dialog blocks gets it. On X11 Qt does so only for dialogs
/// that block all windows, and the keys of the others are dead after a click beside them.
class ModalFocus : public QObject {
    Q_OBJECT

public:
    explicit ModalFocus(QObject* parent);

private:
    static void onFocus(const QWindow* window);
};

} // namespace pollard::app
