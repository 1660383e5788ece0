#pragma once

#include "vm/picture/look.hpp"

#include <QObject>
#include <QString>

namespace pollard::vm {

class DisplayLevels;
class LookMemory;
struct DocumentContents;

/// Window, tone curve and colours of a document's file, and their storage. DisplayViewModel has the units.
class DisplayLook : public QObject {
    Q_OBJECT

public:
    /// Limits of the percentages of the automatic window: the largest for its start, the smallest for its end.
    static constexpr double kLargestAutoLow = 49;
    static constexpr double kSmallestAutoHigh = 51;

    /// All must outlive this. @param memory null: every file starts with the look of the last one
    DisplayLook(const DocumentContents& shown, const DisplayLevels& levels, LookMemory* memory);

    [[nodiscard]] const Look& look() const noexcept { return look_; }
    [[nodiscard]] LevelWindow window() const noexcept { return window_; }
    [[nodiscard]] LevelWindow resultWindow() const;
    [[nodiscard]] double autoLow() const noexcept { return autoLow_; }
    [[nodiscard]] double autoHigh() const noexcept { return autoHigh_; }
    [[nodiscard]] bool isSameForAll() const noexcept;

    void setWindow(double low, double high);
    void setWindowLow(double low);
    void setWindowHigh(double high);
    void autoWindow();
    void setAutoLow(double percent) { setAutoRange(percent, autoHigh_); }
    void setAutoHigh(double percent) { setAutoRange(autoLow_, percent); }
    void setToneCurve(ToneCurve curve);
    void setGamma(double gamma);
    void setColourMap(ColourMap map);
    void setInverted(bool inverted);
    void setSameForAll(bool same);
    void setLook(const Look& look);
    /// Follows another picture, whose levels are known.
    void update();
    /// Follows another filtered picture.
    void updateResult();

signals:
    void windowChanged();
    void autoRangeChanged();
    void toneCurveChanged();
    void colourMapChanged();
    void sameForAllChanged();

private:
    void adopt(const Look& look);
    [[nodiscard]] LevelWindow windowOf(const Look& look) const;
    [[nodiscard]] LevelWindow automaticWindow() const;
    void fixWindow(LevelWindow window);
    void setAutoRange(double low, double high);
    void remember();
    void likeColours();
    void applyWindow(LevelWindow window);

    const DocumentContents& shown_;
    const DisplayLevels& levels_;
    LookMemory* memory_;
    QString path_;
    Look look_; ///< its range may exceed the levels of this page, unlike window_
    LevelWindow window_;
    LevelWindow shownResultWindow_;
    double autoLow_ = kAutoWindowLow * 100;
    double autoHigh_ = kAutoWindowHigh * 100;
};

} // namespace pollard::vm
