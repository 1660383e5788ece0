#pragma once

#include "vm/display/compare_view_model.hpp"
#include "vm/display/composite_view_model.hpp"
#include "vm/display/display_levels.hpp"
#include "vm/display/display_look.hpp"
#include "vm/display/image_detail.hpp"
#include "vm/image/view_transform.hpp"

#include <QObject>
#include <QPointF>
#include <QSize>
#include <QSizeF>
#include <QString>

#include <array>
#include <optional>

class QSettings;

namespace pollard::vm {

class DocumentViewModel;
class LookStore;

/// Zoom and position of an image.
class ImageView : public QObject {
    Q_OBJECT

public:
    [[nodiscard]] const ViewTransform& transform() const noexcept { return transform_; }
    [[nodiscard]] bool isFitting() const noexcept { return fitting_; } ///< follows the view's size
    [[nodiscard]] QString zoomText() const;                            ///< "125 %"

    /// An image of another size is fitted.
    void setImageSize(QSize size);
    void setViewSize(const QSizeF& size);
    void fit() { apply(transform_.fitted(), true); }
    /// Around the middle of the view.
    void setZoom(double zoom);
    void setCentre(const QPointF& image);
    /// Multiplies the zoom around a fixed point @p view.
    void zoomAbout(const QPointF& view, double factor);
    void zoomIn() { setZoom(transform_.zoom * kZoomStep); }
    void zoomOut() { setZoom(transform_.zoom / kZoomStep); }
    void pan(const QPointF& viewDelta) { apply(transform_.panned(viewDelta), false); }

signals:
    void changed();

private:
    static constexpr double kZoomStep = 1.25;

    void apply(const ViewTransform& view, bool fitting);

    ViewTransform transform_;
    bool fitting_ = true;
};

/// Visible overlays of the image. Stored in the settings; every setter writes at once.
class OverlaysViewModel : public QObject {
    Q_OBJECT

public:
    enum class Overlay {
        scaleBar,
        rulers,
        minimap,
        magnifier,
        pixelGrid,
        objects, ///< while the Objects panel is not in front; they are always shown while it is
        patient, ///< letters of the patient's axes
    };
    Q_ENUM(Overlay)
    static constexpr std::array kOverlays{Overlay::scaleBar,  Overlay::rulers,  Overlay::minimap, Overlay::magnifier,
                                          Overlay::pixelGrid, Overlay::objects, Overlay::patient};

    /// @param settings must outlive this
    explicit OverlaysViewModel(QSettings& settings, QObject* parent = nullptr);

    [[nodiscard]] bool isShown(Overlay overlay) const noexcept { return shown_[static_cast<std::size_t>(overlay)]; }
    [[nodiscard]] bool hasScaleBar() const noexcept { return isShown(Overlay::scaleBar); }
    [[nodiscard]] bool hasRulers() const noexcept { return isShown(Overlay::rulers); }
    [[nodiscard]] bool hasMinimap() const noexcept { return isShown(Overlay::minimap); }
    [[nodiscard]] bool hasMagnifier() const noexcept { return isShown(Overlay::magnifier); }
    [[nodiscard]] bool hasPixelGrid() const noexcept { return isShown(Overlay::pixelGrid); }
    [[nodiscard]] bool hasObjects() const noexcept { return isShown(Overlay::objects); }
    /// Rulers are in px even if the pixel size is known.
    [[nodiscard]] bool areRulersInPixels() const noexcept { return rulersInPixels_; }

public slots:
    void setShown(pollard::vm::OverlaysViewModel::Overlay overlay, bool shown);
    void setScaleBar(bool shown) { setShown(Overlay::scaleBar, shown); }
    void setRulers(bool shown) { setShown(Overlay::rulers, shown); }
    void setMinimap(bool shown) { setShown(Overlay::minimap, shown); }
    void setMagnifier(bool shown) { setShown(Overlay::magnifier, shown); }
    void setPixelGrid(bool shown) { setShown(Overlay::pixelGrid, shown); }
    void setObjects(bool shown) { setShown(Overlay::objects, shown); }
    void setRulersInPixels(bool pixels);

signals:
    void changed();

private:
    QSettings& settings_;
    std::array<bool, kOverlays.size()> shown_{};
    bool rulersInPixels_ = false;
};

/// Display of the image: window and level, tone curve, colours, zoom, comparison. These settings become shader uniforms
/// and need no work on the compute thread.
class DisplayViewModel : public QObject {
    Q_OBJECT

public:
    /// The image in the view while the split is off.
    enum class Source { original, result };

    /// Limits of the percentages of the automatic window: the largest for its start, the smallest for its end.
    static constexpr double kLargestAutoLow = DisplayLook::kLargestAutoLow;
    static constexpr double kSmallestAutoHigh = DisplayLook::kSmallestAutoHigh;

    /// @param document,memory must outlive this; without a memory every file starts with the look of the last one
    explicit DisplayViewModel(DocumentViewModel& document, LookStore* memory = nullptr, QObject* parent = nullptr);

    /// Grey levels shown as black and as white, 0 <= low < high <= maxLevel.
    [[nodiscard]] double windowLow() const noexcept { return window().low; }
    [[nodiscard]] double windowHigh() const noexcept { return window().high; }
    [[nodiscard]] LevelWindow window() const noexcept { return look_.window(); }
    /// The window for the filtered image: the window of the image, but a residue starts at 0 and is stretched by the
    /// ratio of the brightnesses, and a mask spans the full scale. Unless the user has set numbers, the result of
    /// several filters has an automatic window of the image before the last one, and with fitsResults() every result
    /// one of its own.
    [[nodiscard]] LevelWindow resultWindow() const { return look_.resultWindow(); }
    [[nodiscard]] int maxLevel() const noexcept { return levels_.maxLevel(); } ///< 255 or 65535
    /// Smallest and largest level in the image.
    [[nodiscard]] int dataMinimum() const noexcept { return levels_.dataMinimum(); }
    [[nodiscard]] int dataMaximum() const noexcept { return levels_.dataMaximum(); }
    /// Percentiles at the ends of the automatic window, in percent of the pixels.
    [[nodiscard]] double autoLow() const noexcept { return look_.autoLow(); }
    [[nodiscard]] double autoHigh() const noexcept { return look_.autoHigh(); }

    /// Whether results have automatic windows of their own levels; false if the user has set numbers.
    [[nodiscard]] bool fitsResults() const noexcept { return look_.fitsResults(); }

    /// Whether the displayed levels stand for other values of the file; the conversion is linear.
    [[nodiscard]] bool hasValues() const noexcept { return levels_.hasValues(); }
    /// The file's value of a level, and the level (not rounded) of a value; equal without a mapping.
    [[nodiscard]] double valueOf(double level) const noexcept { return levels_.valueOf(level); }
    [[nodiscard]] double levelOf(double value) const noexcept { return levels_.levelOf(value); }
    /// Unit of the values; empty: none.
    [[nodiscard]] QString valueUnit() const { return levels_.unit(); }
    /// The displayed level of each level of the image, see EvenLevels.
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
    /// Whether all files share one look.
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
    /// Whether the filter changes no pixel, so that the result is the image itself.
    [[nodiscard]] bool isUnfiltered() const;
    /// Whether the filtered image (or a comparison with it) is requested.
    [[nodiscard]] bool wantsResult() const noexcept;
    [[nodiscard]] Source image() const noexcept { return image_; }
    /// Whether a vertical line divides the view: original on the left, result on the right.
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
    /// Sets the window from the low to the high percentile; it follows the pages of a stack. In a composite this
    /// applies to all drawn channels.
    void autoWindow();
    /// The range around the median of a sample of the pixels, see pollard::zscale(); stays when pages change.
    void zscaleWindow() { look_.zscaleWindow(); }
    /// Makes the window automatic, with or without one for results.
    void setFitsResults(bool fits) { look_.setFitsResults(fits); }
    /// Sets the window from 0 to maxLevel(). In a composite this applies to all drawn channels.
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
    void setImage(pollard::vm::DisplayViewModel::Source source);
    void setSplitEnabled(bool enabled);
    void setSplitPosition(double position);
    void setSmooth(bool smooth);

    /// Sets the size of the canvas, in view units (the canvas chooses device pixels or not).
    void setViewSize(const QSizeF& size) { view_.setViewSize(size); }
    void fit() { view_.fit(); }
    /// Zooms to one image pixel per view unit, around the middle of the view.
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
    void imageChanged();
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
    Source image_ = Source::result;
    double splitPosition_ = 0.5;
    bool smooth_ = false;
};

} // namespace pollard::vm
