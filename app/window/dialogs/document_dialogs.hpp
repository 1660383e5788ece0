#pragma once

#include <QObject>
#include <QString>

class QWidget;

namespace pollard::app {

class Actions;
class ErrorPresenter;
struct Models;

/// Dialogs for opening and saving a document: too large for the memory, file without header, all pages. They open
/// without blocking the event loop.
class DocumentDialogs : public QObject {
    Q_OBJECT

public:
    /// All must outlive this; @p window is the parent.
    DocumentDialogs(Models& models, Actions& actions, ErrorPresenter& errors, QWidget& window);

    /// Asks for the layout of the file, then opens it.
    void openRaw(const QString& path);

private:
    void presentFailure(const QString& title, const QString& text);
    void chooseRawFile();
    void chooseTarget();

    Models& models_;
    ErrorPresenter& errors_;
    QWidget& window_;
};

} // namespace pollard::app
