#pragma once

#include <QString>

class QWidget;

namespace pollard::app {

/// How a failure reaches the person; tests and the screenshot mode bring their own.
class ErrorPresenter {
public:
    virtual ~ErrorPresenter() = default;
    virtual void present(QWidget* parent, const QString& title, const QString& text) = 0;
};

/// A message box that leaves the event loop running.
class MessageBoxPresenter : public ErrorPresenter {
public:
    void present(QWidget* parent, const QString& title, const QString& text) override;
};

} // namespace pollard::app
