#pragma once

#include "shell/models.hpp"

#include <QElapsedTimer>
#include <QObject>
#include <QString>
#include <QTimer>

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
    void startClock() { clock_.start(); }
    [[nodiscard]] double milliseconds() const { return static_cast<double>(clock_.nsecsElapsed()) * 1e-6; }
    [[nodiscard]] int taken() const noexcept { return taken_; } ///< frames so far

private:
    void startWhenReady();
    void moveOn();
    void onSwap();
    void finish(const QString& error);

    Models& models_;
    MainWindow& window_;
    int wanted_;
    QString what_;
    int taken_ = 0;
    bool running_ = false;
    bool ended_ = false;
    bool moved_ = false; ///< a step waits for its frame
    QElapsedTimer clock_;
    QTimer patience_;
};

} // namespace pollard::app
