#pragma once

#include "shell/models.hpp"

#include <QElapsedTimer>
#include <QObject>
#include <QString>
#include <QTimer>

#include <algorithm>

namespace pollard::app {

class MainWindow;

/// Does something to the window again and again, and waits after each time until a frame was swapped. Begins when
/// everything in the window is there.
class FrameMeasurement : public QObject {
    Q_OBJECT

signals:
    /// Once, at the end: @p report is one line, empty on failure; @p error is one line for a person, empty if all went
    /// well.
    void finished(const QString& report, const QString& error);

protected:
    /// @param window is shown by its owner; like @p models it must outlive this
    /// @param frames how many to wait for, at least 1
    /// @param what is measured, for errors: "hovering"
    FrameMeasurement(Models& models, MainWindow& window, int frames, QString what, QObject* parent);

    /// Called once before the first step.
    virtual void prepare() {}
    /// What is measured; starts the clock.
    virtual void step() = 0;
    /// The frame after it was swapped.
    virtual void takeFrame() = 0;
    [[nodiscard]] virtual QString report() const = 0;

    [[nodiscard]] Models& models() const noexcept { return models_; }
    [[nodiscard]] MainWindow& window() const noexcept { return window_; }
    /// Steps a second; 0, as at first, for the next one as soon as the one before is on the screen. Of several that
    /// have become due in the meantime one is made, as of several movements of a pointer.
    void setRate(int hertz) { period_ = hertz > 0 ? 1e3 / hertz : 0; }
    /// From the time on at which the step was due.
    void startClock() { start_ = period_ > 0 ? std::min(due_, now()) : now(); }
    [[nodiscard]] double milliseconds() const { return now() - start_; }
    [[nodiscard]] double now() const { return static_cast<double>(clock_.nsecsElapsed()) * 1e-6; } ///< ms
    [[nodiscard]] int taken() const noexcept { return taken_; }                                    ///< frames so far

private:
    void startWhenReady();
    void moveOn();
    void onSwap();
    void waitForNext();
    void finish(const QString& error);

    Models& models_;
    MainWindow& window_;
    int wanted_;
    QString what_;
    int taken_ = 0;
    bool running_ = false;
    bool ended_ = false;
    bool moved_ = false; ///< a step waits for its frame
    int paints_ = 0;     ///< of the canvas before the step
    double period_ = 0;  ///< ms
    double due_ = 0;     ///< ms; when the present step should be made
    double start_ = 0;   ///< ms
    QElapsedTimer clock_;
    QTimer patience_;
};

} // namespace pollard::app
