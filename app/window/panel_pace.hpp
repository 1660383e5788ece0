#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QPointer>
#include <QTimer>
#include <QWidget>

#include <vector>

namespace pollard::app {

class Canvas;

/// Lets the picture go first. While the pointer moves over it, panels that follow the pointer are painted in frames of
/// their own, some times a second and at once when it rests; a frame of the canvas alone takes a fraction of the time
/// of one with panels. Where the canvas has nothing to draw they do not wait. What they hold is always of the present.
class PanelPace : public QObject {
    Q_OBJECT

public:
    static constexpr int kPeriod = 50; ///< ms between two frames with panels while the pointer moves
    static constexpr int kRest = 20;   ///< ms after its last movement until the pointer rests

    /// @param canvas must outlive this
    explicit PanelPace(Canvas& canvas, QObject* parent = nullptr);
    void add(QWidget& panel) { panels_.emplace_back(&panel); }
    /// Whether painting waits.
    [[nodiscard]] bool isHolding() const noexcept { return isHolding_; }

signals:
    void panelsShown(); ///< what waited is on the screen

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void hold();
    void lookAtCanvas();
    void release();
    void onSwap();

    Canvas& canvas_;
    std::vector<QPointer<QWidget>> panels_;
    QTimer rest_;
    QElapsedTimer period_; ///< since panels were painted last
    bool isHolding_ = false;
    bool isReleasing_ = false; ///< the next frame shows them
};

} // namespace pollard::app
