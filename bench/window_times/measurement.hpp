#pragma once

#include "shell/models.hpp"

#include <QElapsedTimer>
#include <QObject>
#include <QString>
#include <QTimer>
#include <algorithm>

namespace pollard::app {

class MainWindow;

/// " x 60" for a volume of 60 slices, for reports; empty for an image.
[[nodiscard]] QString slicesText(const vm::DocumentViewModel& document);

/// A measurement in the window. Starts when the window is settled, fails on a timeout, and ends once.
class Measurement : public QObject {
    Q_OBJECT

signals:
    /// Emitted once at the end: @p report is one line, empty on failure; @p error is one line, empty on success.
    void finished(const QString& report, const QString& error);

protected:
    /// @param window is shown by its owner; like @p models it must outlive this
    /// @param what is measured, for errors: "the drag"
    /// @param missing awaited event, for timeout errors: "no image"
    /// @param patience timeout, ms
    Measurement(Models& models, MainWindow& window, const QString& what, const QString& missing, int patience,
                QObject* parent);

    /// Whether the measurement can start in a settled window.
    [[nodiscard]] virtual bool isReady() const { return true; }
    /// Called once from the event loop.
    virtual void begin() = 0;
    /// Called once before finished(), even if it has not started.
    virtual void end() {}
    [[nodiscard]] virtual QString report() const = 0;

    void finish(const QString& error);
    void await() { patience_.start(); } ///< restarts the timeout
    void awaitNothing() { patience_.stop(); }

    [[nodiscard]] Models& models() const noexcept { return models_; }
    [[nodiscard]] MainWindow& window() const noexcept { return window_; }
    [[nodiscard]] bool hasBegun() const noexcept { return begun_; }
    [[nodiscard]] bool hasEnded() const noexcept { return ended_; }
    [[nodiscard]] double now() const { return static_cast<double>(clock_.nsecsElapsed()) * 1e-6; } ///< ms

private:
    void beginWhenReady();

    Models& models_;
    MainWindow& window_;
    bool begun_ = false;
    bool ended_ = false;
    QElapsedTimer clock_;
    QTimer patience_;
};

/// Repeats a step in the window and waits each time until a frame was swapped.
class FrameMeasurement : public Measurement {
    Q_OBJECT

protected:
    /// @param window is shown by its owner; like @p models it must outlive this
    /// @param frames number of frames, at least 1
    /// @param what is measured, for errors: "hovering"
    FrameMeasurement(Models& models, MainWindow& window, int frames, const QString& what, QObject* parent);

    /// Called once before the first step.
    virtual void prepare() {}
    /// The measured step; starts the clock.
    virtual void step() = 0;
    /// Whether the last frame shows the step; else the next one is awaited.
    [[nodiscard]] virtual bool isShown() const { return true; }
    /// Called after the frame of the step was swapped.
    virtual void takeFrame() = 0;

    /// Sets the steps per second; 0, the default, for the next step as soon as the last one is on the screen. Overdue
    /// steps are merged into one, as movements of a pointer are.
    void setRate(int hertz) { period_ = hertz > 0 ? 1e3 / hertz : 0; }
    /// Starts at the due time of the step.
    void startClock() { start_ = period_ > 0 ? std::min(due_, now()) : now(); }
    [[nodiscard]] double milliseconds() const { return now() - start_; }
    [[nodiscard]] int taken() const noexcept { return taken_; } ///< so far
    /// Call when isShown() may have become true without a frame.
    void onSwap();

private:
    void begin() override;
    void nextStep();
    void waitForNext();

    int wanted_;
    int taken_ = 0;
    bool moved_ = false; ///< a step waits for its frame
    int paints_ = 0;     ///< of the canvas, before the step
    double period_ = 0;  ///< ms
    double due_ = 0;     ///< ms; due time of the current step
    double start_ = 0;   ///< ms
};

} // namespace pollard::app
