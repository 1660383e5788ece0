#pragma once

#include "vm/display/compare_view_model.hpp"
#include "vm/display/composite_view_model.hpp"
#include "vm/display/display_levels.hpp"
#include "vm/display/display_look.hpp"
#include "vm/display/image_detail.hpp"
#include "vm/display/image_view.hpp"
#include "vm/display/result_levels.hpp"

#include <QObject>
#include <QPointF>
#include <QSizeF>
#include <QString>

#include <optional>

namespace pollard::vm {

class DocumentViewModel;
class LookStore;

/// Display of the image: window and level, tone curve, colours, zoom, comparison. All of it becomes shader uniforms,
/// without work on the compute thread.
class DisplayViewModel : public QObject {
    Q_OBJECT

public:
    /// The image in the view while the split is off.
    enum class Picture { image, result };

    /// Limits of the percentages of the automatic window: the largest for its start, the smallest for its end.
    static constexpr double kLargestAutoLow = DisplayLook::kLargestAutoLow;
    static constexpr double kSmallestAutoHigh = DisplayLook::kSmallestAutoHigh;

    /// @param document,memory must outlive this; without a memory every file starts with the look of the last one
    explicit DisplayViewModel(DocumentViewModel& document, LookStore* memory = nullptr, QObject* parent = nullptr);

    /// Grey levels shown as black and as white, 0 <= low < high <= maxLevel.
    [[nodiscard]] double windowLow() const noexcept { return window().low; }
    [[nodiscard]] double windowHigh() const noexcept { return window().high; }
    [[nodiscard]] LevelWindow window() const noexcept { return look_.window(); }
    /// The window for the filtered image: that of the image, but a residue starts at 0 and is stretched by the ratio
    /// of the brightnesses, and a mask spans the full scale. Unless the user has set numbers, the result of several
    /// filters has an automatic window of the image before the last one, and with fitsResults() every result one of
    /// its own.
    [[nodiscard]] LevelWindow resultWindow() const { return look_.resultWindow(); }
    [[nodiscard]] int maxLevel() const noexcept { return levels_.maxLevel(); } ///< 255 or 65535
    /// Smallest and largest level in the image.
    [[nodiscard]] int dataMinimum() const noexcept { return levels_.dataMinimum(); }
    [[nodiscard]] int dataMaximum() const noexcept { return levels_.dataMaximum(); }
    /// Percentiles at the ends of the automatic window, in percent of the pixels.
    [[nodiscard]] double autoLow() const noexcept { return look_.autoLow(); }
    [[nodiscard]] double autoHigh() const noexcept { return look_.autoHigh(); }

    /// Results have automatic windows of their own levels; false where the user has set numbers.
    [[nodiscard]] bool fitsResults() const noexcept { return look_.fitsResults(); }

    /// Whether the displayed levels stand for other values of the file; the conversion is linear.
    [[nodiscard]] bool hasValues() const noexcept { return levels_.hasValues(); }
    /// The file's value of a level, and the level (not rounded) of a value; equal without a mapping.
    [[nodiscard]] double valueOf(double level) const noexcept { return levels_.valueOf(level); }
    [[nodiscard]] double levelOf(double value) const noexcept { return levels_.levelOf(value); }
    /// Unit of the values; empty: none.
    [[nodiscard]] QString valueUnit() const { return levels_.unit(); }
    /// Displayed levels of those of the image, see EvenLevels.
    [[nodiscard]] const EvenLevels& evenLevels() const noexcept { return levels_.evenLevels(); }
    /// File values from one level to the next; 1 without a mapping.
    [[nodiscard]] double valueStep() const noexcept { return levels_.valueStep(); }

    [[nodiscard]] ToneCurve toneCurve() const noexcept { return look().curve; }
    [[nodiscard]] double gamma() const noexcept { return look().gamma; } ///< kSmallestGamma..kLargestGamma
    [[nodiscard]] ColourMap colourMap() const noexcept { return look().map; }
    [[nodiscard]] bool isInverted() const noexcept { return look().inverted; } ///< reversed colour map
    /// Levels at or beyond the window have special colours: blue below, red above.
    [[nodiscard]] bool marksSaturation() const noexcept { return marks_; }
    /// Pixels of the image at or beyond the window, marked by marksSaturation(); empty if no document is open.
    [[nodiscard]] std::optional<Saturation> clipped() const { return levels_.clipped(window()); }
    /// "Clipped by the window: 258 px (0.15 %) white, none black"; empty if no document is open.
    [[nodiscard]] QString clippedText() const { return levels_.clippedText(window()); }
    /// Pixels at the ends of the file's range; empty if unknown: no image, less than 8 bits, or values that were mapped
    /// to levels.
    [[nodiscard]] std::optional<Saturation> saturation() const { return levels_.saturation(); }
    /// "Saturated in the file: 4 px white, none black", or the values clipped by a mapping; empty if no document is
    /// open.
    [[nodiscard]] QString saturationText() const { return levels_.saturationText(); }
    /// One look for all files.
    [[nodiscard]] bool isSameForAll() const noexcept { return look_.isSameForAll(); }
    /// Window, curve and colours as stored.
    [[nodiscard]] const Look& look() const noexcept { return look_.look(); }

    [[nodiscard]] CompareViewModel& compare() noexcept { return compare_; }
    [[nodiscard]] const CompareViewModel& compare() const noexcept { return compare_; }
    /// The sum of the channels in colours.
    [[nodiscard]] CompositeViewModel& composite() noexcept { return composite_; }
    [[nodiscard]] const CompositeViewModel& composite() const noexcept { return composite_; }
    /// Finer levels in the view of an image that is shown reduced.
    [[nodiscard]] ImageDetail& detail() noexcept { return detail_; }
    [[nodiscard]] const ImageDetail& detail() const noexcept { return detail_; }
    /// Whether the result is the image itself: the filter changes no pixel of it.
    [[nodiscard]] bool isUnfiltered() const;
    /// Whether the filtered image (or a comparison with it) is requested.
    [[nodiscard]] bool wantsResult() const noexcept;
    [[nodiscard]] Picture picture() const noexcept { return picture_; }
    /// Before (left) and after (right) of a vertical line.
    [[nodiscard]] bool isSplitEnabled() const noexcept { return compare_.mode() == CompareViewModel::Mode::split; }
    [[nodiscard]] double splitPosition() const noexcept { return splitPosition_; } ///< 0..1 of the view's width
    /// Magnified pixels are interpolated instead of shown as squares.
    [[nodiscard]] bool isSmooth() const noexcept { return smooth_; }

    [[nodiscard]] const ViewTransform& view() const noexcept { return view_.transform(); }
    [[nodiscard]] double zoom() const noexcept { return view().zoom; } ///< view units per pixel
    [[nodiscard]] QPointF centre() const noexcept { return view().centre; }
    [[nodiscard]] bool isFitting() const noexcept { return view_.isFitting(); } ///< follows the view's size
    [[nodiscard]] QString zoomText() const { return view_.zoomText(); }         ///< "125 %"

public slots:
    void setWindow(double low, double high) { look_.setWindow(low, high); }
    void setWindowLow(double low) { look_.setWindowLow(low); }
    void setWindowHigh(double high) { look_.setWindowHigh(high); }
    /// From the low to the high percentile; follows the pages of a stack. In a composite, of all drawn channels.
    void autoWindow();
    /// The range around the median of a sample of the pixels, see pollard::zscale(); stays when pages change.
    void zscaleWindow() { look_.zscaleWindow(); }
    /// Makes the window automatic, with or without one for results.
    void setFitsResults(bool fits) { look_.setFitsResults(fits); }
    /// From 0 to maxLevel(). In a composite, of all drawn channels.
    void fullWindow();
    /// Sets a percentage and the window by it.
    void setAutoLow(double percent) { look_.setAutoLow(percent); }
    void setAutoHigh(double percent) { look_.setAutoHigh(percent); }
    void setToneCurve(pollard::vm::ToneCurve curve) { look_.setToneCurve(curve); }
    void setGamma(double gamma) { look_.setGamma(gamma); }
    void setInverted(bool inverted) { look_.setInverted(inverted); }
    void setMarksSaturation(bool marks);
    void setSameForAll(bool same) { look_.setSameForAll(same); }
    void setColourMap(pollard::vm::ColourMap map) { look_.setColourMap(map); }
    /// Window, curve and colours at once, stored for this file.
    void setLook(const pollard::vm::Look& look) { look_.setLook(look); }
    void setPicture(pollard::vm::DisplayViewModel::Picture picture);
    void setSplitEnabled(bool enabled);
    void setSplitPosition(double position);
    void setSmooth(bool smooth);

    /// Sets the size of the canvas, in view units (the canvas chooses device pixels or not).
    void setViewSize(const QSizeF& size) { view_.setViewSize(size); }
    void fit() { view_.fit(); }
    /// One image pixel per view unit, around the middle of the view.
    void actualSize() { setZoom(1); }
    void setZoom(double zoom) { view_.setZoom(zoom); }
    void setCentre(const QPointF& image) { view_.setCentre(image); }
    /// Multiplies the zoom around a fixed point @p view.
    void zoomAbout(const QPointF& view, double factor) { view_.zoomAbout(view, factor); }
    void zoomIn() { view_.zoomIn(); }
    void zoomOut() { view_.zoomOut(); }
    void pan(const QPointF& viewDelta) { view_.pan(viewDelta); }

signals:
    void windowChanged(); ///< window() or resultWindow()
    void fitsResultsChanged();
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
    void onImageChanged();
    void lookForDetail();

    DocumentViewModel& document_;
    DisplayLevels levels_;
    DisplayLook look_;
    ResultLevels resultLevels_;
    ImageView view_;
    CompareViewModel compare_;
    CompositeViewModel composite_;
    ImageDetail detail_;
    bool marks_ = false;
    Picture picture_ = Picture::result;
    double splitPosition_ = 0.5;
    bool smooth_ = false;
};

} // namespace pollard::vm
