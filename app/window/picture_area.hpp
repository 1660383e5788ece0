#pragma once

#include "shell/models.hpp"

#include <QLabel>
#include <QStackedWidget>

namespace pollard::app {

class CarriedFilterBar;
class Canvas;
class OverlayLayer;
class WelcomePage;

/// The middle of the window: the canvas, the welcome page while nothing is open, or why there is no canvas.
class PictureArea : public QStackedWidget {
    Q_OBJECT

public:
    /// @param problem why there can be no canvas; empty if there can
    PictureArea(Models& models, QAction& open, QAction& firstSteps, const QString& problem, QWidget* parent = nullptr);

    /// Null where the computer cannot show one.
    [[nodiscard]] Canvas* canvas() const noexcept { return canvas_; }
    /// What lies over the canvas; null as canvas() is.
    [[nodiscard]] OverlayLayer* overlays() const noexcept { return overlays_; }
    /// What is wrong with the canvas; empty if nothing.
    [[nodiscard]] QString problem() const { return problem_; }

signals:
    void fileChosen(const QString& path);
    void canvasFailed(const QString& message);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void showProblem(const QString& message);
    void showPage();
    void placeBar();
    void placeTags();

    Models& models_;
    Canvas* canvas_ = nullptr;
    OverlayLayer* overlays_ = nullptr;
    WelcomePage* welcome_ = nullptr;
    CarriedFilterBar* carried_ = nullptr;
    QLabel* failure_ = nullptr;
    QLabel* leftTag_ = nullptr;
    QLabel* rightTag_ = nullptr;
    QString problem_;
};

} // namespace pollard::app
