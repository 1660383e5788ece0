#pragma once

#include "vm/display/compare_view_model.hpp"
#include "vm/picture/colour_map.hpp"
#include "vm/picture/level_histogram.hpp"
#include "vm/picture/look.hpp"
#include "vm/picture/view_transform.hpp"

#include "image/value_mapping.hpp"

#include <QObject>
#include <QPointF>
#include <QSizeF>
#include <QString>

#include <optional>

namespace pollard::vm {

class DocumentViewModel;
class LookMemory;

/// Display of the picture: window and level, tone curve, colours, zoom, comparison. All of it becomes shader uniforms,
/// without work on the compute thread.
class DisplayViewModel : public QObject {
    Q_OBJECT

public:
    /// The picture in the view while the split is off.
    enum class Picture { image, result };

    /// Limits of the percentages of the automatic window: the largest for its start, the smallest for its end.
    static constexpr double kLargestAutoLow = 49;
    static constexpr double kSmallestAutoHigh = 51;

    /// @param document,memory must outlive this; without a memory every file starts with the look of the last one
    explicit DisplayViewModel(DocumentViewModel& document, LookMemory* memory = nullptr, QObject* parent = nullptr);

    /// Grey levels shown as black and as white, 0 <= low < high <= maxLevel.
    [[nodiscard]] double windowLow() const noexcept { return window_.low; }
    [[nodiscard]] double windowHigh() const noexcept { return window_.high; }
    [[nodiscard]] LevelWindow window() const noexcept { return window_; }
    /// The window for the filtered picture: that of the image, but a residue starts at 0 and is stretched by the ratio
    /// of the brightnesses, and a mask spans the full scale.
    [[nodiscard]] LevelWindow resultWindow() const;
    [[nodiscard]] int maxLevel() const noexcept { return maxLevel_; }       ///< 255 or 65535
    [[nodiscard]] int dataMinimum() const noexcept { return dataMinimum_; } ///< smallest and largest level in the image
    [[nodiscard]] int dataMaximum() const noexcept { return dataMaximum_; }
    /// Percentiles at the ends of the automatic window, in percent of the pixels.
    [[nodiscard]] double autoLow() const noexcept { return autoLow_; }
    [[nodiscard]] double autoHigh() const noexcept { return autoHigh_; }

    /// Whether the levels stand for other values of the file; the conversion is linear.
    [[nodiscard]] bool hasValues() const noexcept { return mapping_.has_value(); }
    /// The file's value of a level, and the level (not rounded) of a value; equal without a mapping.
    [[nodiscard]] double valueOf(double level) const noexcept;
    [[nodiscard]] double levelOf(double value) const noexcept;
    /// File values from one level to the next; 1 without a mapping.
    [[nodiscard]] double valueStep() const noexcept { return mapping_ ? mapping_->step : 1; }

    [[nodiscard]] ToneCurve toneCurve() const noexcept { return look_.curve; }
    [[nodiscard]] double gamma() const noexcept { return look_.gamma; } ///< kSmallestGamma..kLargestGamma
    [[nodiscard]] ColourMap colourMap() const noexcept { return look_.map; }
    [[nodiscard]] bool isInverted() const noexcept { return look_.inverted; } ///< reversed colour map
    /// Levels at or beyond the window have special colours: blue below, red above.
    [[nodiscard]] bool marksSaturation() const noexcept { return marks_; }
    /// Pixels of the image at or beyond the window, marked by marksSaturation(); empty if no document is open.
    [[nodiscard]] std::optional<Saturation> clipped() const;
    /// "Clipped by the window: 258 px (0.15 %) white, none black"; empty if no document is open.
    [[nodiscard]] QString clippedText() const;
    /// Pixels at the ends of the file's range; empty if unknown: no image, less than 8 bits, or values that were mapped
    /// to levels.
    [[nodiscard]] std::optional<Saturation> saturation() const;
    /// "Saturated in the file: 4 px white, none black", or the values clipped by a mapping; empty if no document is
    /// open.
    [[nodiscard]] QString saturationText() const;
    /// One look for all files.
    [[nodiscard]] bool isSameForAll() const noexcept;
    /// Window, curve and colours as stored.
    [[nodiscard]] const Look& look() const noexcept { return look_; }

    [[nodiscard]] CompareViewModel& compare() noexcept { return compare_; }
    [[nodiscard]] const CompareViewModel& compare() const noexcept { return compare_; }
    /// Whether the filtered picture (or a comparison with it) is requested.
    [[nodiscard]] bool wantsResult() const noexcept;
    [[nodiscard]] Picture picture() const noexcept { return picture_; }
    /// Before (left) and after (right) of a vertical line.
    [[nodiscard]] bool isSplitEnabled() const noexcept { return compare_.mode() == CompareViewModel::Mode::split; }
    [[nodiscard]] double splitPosition() const noexcept { return splitPosition_; } ///< 0..1 of the view's width
    /// Magnified pixels are interpolated instead of shown as squares.
    [[nodiscard]] bool isSmooth() const noexcept { return smooth_; }

    [[nodiscard]] const ViewTransform& view() const noexcept { return view_; }
    [[nodiscard]] double zoom() const noexcept { return view_.zoom; } ///< view units per pixel
    [[nodiscard]] QPointF centre() const noexcept { return view_.centre; }
    [[nodiscard]] bool isFitting() const noexcept { return fitting_; } ///< follows the view's size
    [[nodiscard]] QString zoomText() const;                            ///< "125 %"

public slots:
    void setWindow(double low, double high);
    void setWindowLow(double low);
    void setWindowHigh(double high);
    /// From the low to the high percentile; follows the pages of a stack.
    void autoWindow();
    /// From 0 to maxLevel().
    void fullWindow();
    /// Sets a percentage and the window by it.
    void setAutoLow(double percent);
    void setAutoHigh(double percent);
    void setToneCurve(pollard::vm::ToneCurve curve);
    void setGamma(double gamma);
    void setInverted(bool inverted);
    void setMarksSaturation(bool marks);
    void setSameForAll(bool same);
    void setColourMap(pollard::vm::ColourMap map);
    /// Window, curve and colours at once, stored for this file.
    void setLook(const pollard::vm::Look& look);
    void setPicture(pollard::vm::DisplayViewModel::Picture picture);
    void setSplitEnabled(bool enabled);
    void setSplitPosition(double position);
    void setSmooth(bool smooth);

    /// Sets the size of the canvas, in view units (the canvas chooses device pixels or not).
    void setViewSize(const QSizeF& size);
    void fit();
    /// One image pixel per view unit, around the middle of the view.
    void actualSize();
    void setZoom(double zoom);
    void setCentre(const QPointF& image);
    /// Multiplies the zoom around a fixed point @p view.
    void zoomAbout(const QPointF& view, double factor);
    void zoomIn();
    void zoomOut();
    void pan(const QPointF& viewDelta);

signals:
    void windowChanged();      ///< window() or resultWindow()
    void levelDomainChanged(); ///< levels in the image, and the values they stand for
    void autoRangeChanged();
    void toneCurveChanged();
    void colourMapChanged(); ///< map or direction
    void marksChanged();
    void sameForAllChanged();
    void pictureChanged();
    void splitChanged(); ///< on or off, or position
    void smoothChanged();
    void viewChanged();

private:
    void onDocumentChanged();
    void onFrameReady();
    void onFileChanged();
    void adoptLook(const Look& look);
    [[nodiscard]] LevelWindow windowOf(const Look& look) const;
    [[nodiscard]] LevelWindow automaticWindow() const;
    void fixWindow(LevelWindow window);
    void setAutoRange(double low, double high);
    void remember();
    void likeColours();
    void applyWindow(LevelWindow window);
    void applyView(const ViewTransform& view, bool fitting);

    DocumentViewModel& document_;
    LookMemory* memory_;
    CompareViewModel compare_;
    Look look_; ///< its range may exceed the levels of this page, unlike window_
    LevelWindow window_;
    LevelWindow shownResultWindow_;
    QString lookPath_;
    std::optional<ValueMapping> mapping_;
    double autoLow_ = kAutoWindowLow * 100;
    double autoHigh_ = kAutoWindowHigh * 100;
    bool marks_ = false;
    int maxLevel_ = 255;
    int dataMinimum_ = 0;
    int dataMaximum_ = 255;
    Picture picture_ = Picture::result;
    double splitPosition_ = 0.5;
    bool smooth_ = false;
    ViewTransform view_;
    bool fitting_ = true;
};

} // namespace pollard::vm
