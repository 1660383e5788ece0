#pragma once

#include <QObject>
#include <QString>

class QWidget;

namespace pollard::app {

class Actions;
class ErrorPresenter;
struct Models;

/// The questions that come while a document is opened or written: too large for the memory, without a header, all
/// pages. Each dialog leaves the event loop of the program running.
class DocumentDialogs : public QObject {
    Q_OBJECT

public:
    /// Everything must outlive this; @p window is the parent.
    DocumentDialogs(Models& models, Actions& actions, ErrorPresenter& errors, QWidget& window);

    /// Asks how the file is laid out, then opens it.
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
