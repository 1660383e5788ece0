#pragma once

#include "shell/models.hpp"

#include <QImage>
#include <QLabel>
#include <QStackedWidget>

namespace pollard::vm {
class LoadPreview;
}

namespace pollard::app {

class Actions;
class Canvas;
class OverlayLayer;
class ImageBar;
class VolumeViews;
class WelcomePage;

/// The centre of the window: the canvas, the welcome page while no file is open, or the reason why there is no canvas.
class ImageArea : public QStackedWidget {
    Q_OBJECT

public:
    /// @param problem reason why no canvas is possible; empty if it is
    ImageArea(Models& models, const Actions& actions, const QString& problem, QWidget* parent = nullptr);

    /// Null without usable OpenGL.
    [[nodiscard]] Canvas* canvas() const noexcept { return canvas_; }
    /// Overlays of the canvas; null if canvas() is.
    [[nodiscard]] OverlayLayer* overlays() const noexcept { return overlays_; }
    /// Error of the canvas; empty if there is none.
    [[nodiscard]] QString problem() const { return problem_; }
    /// Shows a volume from all sides, in the workspace of volumes.
    void setVolumeViews(bool on);

    /// Shows previews of files while they are being opened.
    void showPreviews(const vm::LoadPreview& preview);

signals:
    void fileChosen(const QString& path);
    void sampleChosen(const QString& file);
    void canvasFailed(const QString& message);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void showProblem(const QString& message);
    void showPage();
    void takePreview(const QImage& image);
    void showPreviewPage();
    void placeBars();
    void placeTags();

    Models& models_;
    Canvas* canvas_ = nullptr;
    VolumeViews* views_ = nullptr; ///< of the canvas
    OverlayLayer* overlays_ = nullptr;
    WelcomePage* welcome_ = nullptr;
    QLabel* previewLabel_ = nullptr;
    QImage loadPreview_; ///< of the file that is being opened; null if there is none
    ImageBar* staleBar_ = nullptr;
    ImageBar* emptyBar_ = nullptr;
    ImageBar* previewBar_ = nullptr;
    QLabel* failure_ = nullptr;
    QLabel* leftTag_ = nullptr;
    QLabel* rightTag_ = nullptr;
    QString problem_;
    int barsEnd_ = 0; ///< px from the top of the image to the lower edge of the bars
};

} // namespace pollard::app
