#pragma once

#include <QString>

#include <functional>

class QWidget;

namespace pollard::app {

/// Presents errors to the user; tests and screenshots have their own implementations.
class ErrorPresenter {
public:
    virtual ~ErrorPresenter() = default;
    virtual void present(QWidget* parent, const QString& title, const QString& text) = 0;
    /// The same with a button for an alternative; if no user can answer, only the error.
    virtual void presentWithWayOut(QWidget* parent, const QString& title, const QString& text, const QString& wayOut,
                                   const std::function<void()>& take);
};

/// A message box that does not block the event loop.
class MessageBoxPresenter : public ErrorPresenter {
public:
    void present(QWidget* parent, const QString& title, const QString& text) override;
    void presentWithWayOut(QWidget* parent, const QString& title, const QString& text, const QString& wayOut,
                           const std::function<void()>& take) override;
};

} // namespace pollard::app
