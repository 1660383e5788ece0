#pragma once

#include <QString>

#include <functional>

class QWidget;

namespace pollard::app {

/// How a failure reaches the person; tests and the screenshot mode bring their own.
class ErrorPresenter {
public:
    virtual ~ErrorPresenter() = default;
    virtual void present(QWidget* parent, const QString& title, const QString& text) = 0;
    /// The same with a button that offers what can be done instead; where there is nobody to ask, just the failure.
    virtual void presentWithWayOut(QWidget* parent, const QString& title, const QString& text, const QString& wayOut,
                                   const std::function<void()>& take);
};

/// A message box that leaves the event loop running.
class MessageBoxPresenter : public ErrorPresenter {
public:
    void present(QWidget* parent, const QString& title, const QString& text) override;
    void presentWithWayOut(QWidget* parent, const QString& title, const QString& text, const QString& wayOut,
                           const std::function<void()>& take) override;
};

} // namespace pollard::app
