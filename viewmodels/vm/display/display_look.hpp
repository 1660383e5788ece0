#pragma once

#include "vm/image/look.hpp"

#include <QObject>
#include <QString>

#include <memory>
#include <optional>

namespace pollard::vm {

class DisplayLevels;
class LookStore;
struct DocumentContents;

/// Window, tone curve and colours of a document's file, and their storage. DisplayViewModel has the units.
class DisplayLook : public QObject {
    Q_OBJECT

public:
    /// Limits of the percentages of the automatic window: the largest for its start, the smallest for its end.
    static constexpr double kLargestAutoLow = 49;
    static constexpr double kSmallestAutoHigh = 51;

    /// All must outlive this. @param memory null: every file starts with the look of the last one
    DisplayLook(const DocumentContents& shown, const DisplayLevels& levels, LookStore* memory);

    [[nodiscard]] const Look& look() const noexcept { return look_; }
    [[nodiscard]] LevelWindow window() const noexcept { return window_; }
    [[nodiscard]] LevelWindow resultWindow() const;
    [[nodiscard]] bool fitsResults() const noexcept { return look_.window == Look::Window::shown; }
    [[nodiscard]] double autoLow() const noexcept { return autoLow_; }
    [[nodiscard]] double autoHigh() const noexcept { return autoHigh_; }
    [[nodiscard]] bool isSameForAll() const noexcept;

    void setWindow(double low, double high);
    void setWindowLow(double low);
    void setWindowHigh(double high);
    void autoWindow();
    /// Sets the window by the algorithm zscale, see pollard::zscale().
    void zscaleWindow();
    void setFitsResults(bool fits);
    void setAutoLow(double percent) { setAutoRange(percent, autoHigh_); }
    void setAutoHigh(double percent) { setAutoRange(autoLow_, percent); }
    void setToneCurve(ToneCurve curve);
    void setGamma(double gamma);
    void setColourMap(ColourMap map);
    void setInverted(bool inverted);
    void setSameForAll(bool same);
    void setLook(const Look& look);
    /// Follows another image, whose levels are known.
    void update();
    /// Levels for the automatic window of results; null: the window of the image.
    void setResultLevels(std::shared_ptr<const LevelHistogram> levels);
    /// Follows another filtered image.
    void updateResult();

signals:
    void windowChanged();
    void fitsResultsChanged();
    void autoRangeChanged();
    void toneCurveChanged();
    void colourMapChanged();
    void sameForAllChanged();

private:
    void adopt(const Look& look);
    [[nodiscard]] LevelWindow windowOf(const Look& look) const;
    /// The window that the file states, if it shows any of the levels of the image in between.
    [[nodiscard]] std::optional<LevelWindow> windowOfFile() const;
    [[nodiscard]] LevelWindow withinLevels(double low, double high) const;
    [[nodiscard]] LevelWindow automaticWindow() const;
    void fixWindow(LevelWindow window);
    void setAutoRange(double low, double high);
    void remember();
    void storeColours();
    void automate(Look::Window kind);
    void applyWindow(LevelWindow window);

    const DocumentContents& shown_;
    const DisplayLevels& levels_;
    LookStore* memory_;
    QString path_;
    Look look_; ///< its range may exceed the levels of this page, unlike window_
    LevelWindow window_;
    LevelWindow shownResultWindow_;
    bool shownFits_ = false;
    std::shared_ptr<const LevelHistogram> resultLevels_;
    double autoLow_ = kAutoWindowLow * 100;
    double autoHigh_ = kAutoWindowHigh * 100;
};

} // namespace pollard::vm
