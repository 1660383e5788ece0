#pragma once

#include "shell/models.hpp"
#include "widgets/panel_parts.hpp"

#include <QLabel>
#include <QProgressBar>
#include <QStatusBar>
#include <QToolButton>

#include <cstdint>

namespace pollard::app {

/// Main memory used by this process, bytes; 0 if the system does not report it.
[[nodiscard]] std::uint64_t residentBytes();

/// Peak of residentBytes(); 0 if the system does not report it.
[[nodiscard]] std::uint64_t peakResidentBytes();

/// Shows the pixel under the pointer; engine and display path, time, memory and zoom; progress with Cancel during long
/// jobs.
class StatusLine : public QStatusBar {
    Q_OBJECT

public:
    /// @param models must outlive this
    explicit StatusLine(Models& models, QWidget* parent = nullptr);

private:
    using Value = FixedSizeLabel<CaptionLabel>;

    template <class Label> Label* addValue(const QString& name, const QString& toolTip, const QString& widest);
    [[nodiscard]] static QString probeToolTip();
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
    CaptionLabel* earlier_ = nullptr;
    CaptionLabel* engine_ = nullptr;
    Value* time_ = nullptr;
    Value* latency_ = nullptr;
    Value* memory_ = nullptr;
    Value* zoom_ = nullptr;
};

} // namespace pollard::app
