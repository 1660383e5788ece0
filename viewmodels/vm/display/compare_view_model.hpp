#pragma once

#include "vm/base/latest_wins_worker.hpp"

#include <QObject>
#include <QString>
#include <QTimer>

namespace pollard::vm {

class DocumentViewModel;

/// Comparison of the image with the filtered one.
class CompareViewModel : public QObject {
    Q_OBJECT

public:
    enum class Mode {
        off,        ///< one image
        split,      ///< left and right of a line
        blink,      ///< alternating
        difference, ///< result - original
    };

    /// Seconds per image. At the shortest the images change five times a second, which is two and a half flashes:
    /// below the three a second that can harm people with photosensitive epilepsy (WCAG 2.3.1).
    static constexpr double kShortestBlink = 0.2;
    static constexpr double kLongestBlink = 2.0;

    /// @param document must outlive this
    explicit CompareViewModel(DocumentViewModel& document, QObject* parent = nullptr);

    [[nodiscard]] Mode mode() const noexcept { return mode_; }
    /// The possible mode: residues and masks are shown without a difference, because a residue already is one and a
    /// mask has no levels to subtract.
    [[nodiscard]] Mode shownMode() const noexcept;

    [[nodiscard]] double blinkInterval() const noexcept { return blinkInterval_; } ///< s
    /// The images alternate with time, not only by flip().
    [[nodiscard]] bool blinksByItself() const noexcept { return blinksByItself_; }
    /// While blinking: whether the result is shown.
    [[nodiscard]] bool isResultTurn() const noexcept { return resultTurn_; }
    /// Whether the timer runs: blinking by itself and visible.
    [[nodiscard]] bool isBlinking() const { return timer_.isActive(); }

    /// |result - original| from the start of the colour map, instead of result - original around its middle.
    [[nodiscard]] bool isAbsolute() const noexcept { return absolute_; }
    /// Grey levels that reach the end of the colour map, >= 1.
    [[nodiscard]] double differenceRange() const noexcept { return differenceRange_; }
    /// differenceRange() as a difference of values, and the unit, which may be empty.
    [[nodiscard]] double rangeOfValues() const { return differenceRange_ * levelStep(); }
    [[nodiscard]] QString unit() const;
    [[nodiscard]] double levelStep() const; ///< values for a level
    /// The range follows the image: the level not exceeded by 99.9 % of the changed pixels, in steps of a factor of
    /// two so that it does not flicker while a threshold is dragged. Measured on a sample of at most a million pixels.
    [[nodiscard]] bool isDifferenceAutomatic() const noexcept { return differenceAutomatic_; }
    [[nodiscard]] int maxLevel() const; ///< 255 or 65535

public slots:
    void setMode(pollard::vm::CompareViewModel::Mode mode);
    void setBlinkInterval(double seconds);
    void setBlinkByItself(bool byItself);
    /// Shows the other image while blinking and restarts the timer.
    void flip();
    /// Whether the image is on a screen; otherwise blinking pauses.
    void setVisible(bool visible);
    void setAbsolute(bool absolute);
    /// Sets a range chosen by the user and switches the automatic one off.
    void setDifferenceRange(double levels);
    void setRangeOfValues(double values) { setDifferenceRange(values / levelStep()); }
    void setDifferenceAutomatic(bool automatic);

signals:
    void modeChanged(); ///< mode() or shownMode()
    void blinkIntervalChanged();
    void turnChanged();
    void differenceChanged();

private:
    void onFrameReady();
    void runTimer();
    void measureDifference();
    void adoptRange(double levels);

    DocumentViewModel& document_;
    Mode mode_ = Mode::off;
    Mode reportedMode_ = Mode::off;
    double blinkInterval_ = 0.5;
    bool blinksByItself_ = true;
    bool resultTurn_ = true;
    bool visible_ = true;
    bool absolute_ = false;
    double differenceRange_ = 255;
    bool differenceAutomatic_ = true;
    QTimer timer_;
    LatestWinsWorker worker_; ///< last: its job ends before the other members are destroyed
};

} // namespace pollard::vm
