#pragma once

#include "shell/models.hpp"

#include <QElapsedTimer>
#include <QObject>
#include <QString>
#include <QTimer>

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

} // namespace pollard::app
