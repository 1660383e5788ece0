#pragma once

#include <QObject>
#include <QPointer>
#include <QTimer>
#include <QWidget>

#include <functional>
#include <optional>

namespace pollard::app {

/// Orders the frames of a surface and of its window. A frame of the surface follows a pending frame of the window, so
/// that other widgets are on the screen first. A frame of the window in which only a control moved waits some
/// milliseconds for a result that is probably quick, so that both are shown at once.
class FrameSchedule : public QObject {
    Q_OBJECT

public:
    /// A result that arrives within this time, in ms, is shown in one frame with the movement of its control.
    static constexpr int kPatience = 10;
    /// Time in ms that the present computation probably takes; nothing if there is none.
    using ExpectedTime = std::function<std::optional<double>()>;

    /// @param surface must outlive this
    FrameSchedule(QWidget& surface, ExpectedTime expectedTime);
    ~FrameSchedule() override;

    void requestDrawing(); ///< of a new frame
    void requestShowing(); ///< of the last frame with changed children, unless a new one is due
    /// Allows later frames of the window to wait again.
    void takeResult();
    /// Call when the surface is shown, possibly in another window.
    void followWindow();

signals:
    /// The surface should be shown. @param draw with a new frame
    void due(bool draw);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void customEvent(QEvent* event) override;

private:
    enum class Request { none, show, draw };
    enum class WindowFrame { onTime, heldBack, overdue }; ///< overdue: later frames do not wait for this result

    [[nodiscard]] bool holdsBack();
    void releaseWindowFrame();
    void postRequest();

    QWidget& surface_;
    ExpectedTime expectedTime_;
    QPointer<QWidget> window_; ///< its paint requests are filtered
    QTimer patience_;          ///< runs while a frame of the window is held back
    Request request_ = Request::none;
    WindowFrame windowFrame_ = WindowFrame::onTime;
};

} // namespace pollard::app
