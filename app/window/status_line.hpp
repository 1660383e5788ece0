#pragma once

#include "shell/models.hpp"

#include <QLabel>
#include <QProgressBar>
#include <QStatusBar>
#include <QToolButton>

namespace pollard::app {

class ElidedLabel;

/// The pixel under the pointer; engine and how its picture reaches the screen, time, memory and zoom; progress with
/// Cancel while a long job runs.
class StatusLine : public QStatusBar {
    Q_OBJECT

public:
    /// @param models must outlive this
    explicit StatusLine(Models& models, QWidget* parent = nullptr);

private:
    QLabel* addValue(const QString& name, const QString& toolTip, const QString& widest);
    void showProbe();
    void showWork();
    void showEarlier();
    void showEngine();
    void showTime();
    void showLatency();
    void showMemory();

    Models& models_;
    ElidedLabel* probe_;
    QLabel* job_;
    QProgressBar* progress_;
    QToolButton* cancel_;
    QLabel* earlier_ = nullptr;
    QLabel* engine_ = nullptr;
    QLabel* time_ = nullptr;
    QLabel* latency_ = nullptr;
    QLabel* memory_ = nullptr;
    QLabel* zoom_ = nullptr;
};

} // namespace pollard::app
