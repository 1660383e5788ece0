#pragma once

#include <QAction>
#include <QToolButton>
#include <QWidget>

namespace pollard::app {

struct Models;

/// The area that contours must not contain: a brush, and other sources of its pixels.
class ForbiddenControls : public QWidget {
    Q_OBJECT

public:
    /// @param models must outlive this
    explicit ForbiddenControls(Models& models, QWidget* parent = nullptr);

signals:
    /// Requests reading the area from an image.
    void imageRequested();

private:
    QToolButton* makeMenu();
    void showState();

    Models& models_;
    QAction* fromSelection_ = nullptr;
    QAction* clear_ = nullptr;
};

} // namespace pollard::app
