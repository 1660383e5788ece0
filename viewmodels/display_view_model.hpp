#pragma once

#include "colour_map.hpp"
#include "level_histogram.hpp"
#include "view_transform.hpp"

#include <QObject>
#include <QPointF>
#include <QSizeF>
#include <QString>

namespace pollard::vm {

class DocumentViewModel;

/// How the picture is looked at: window and level, colours, zoom, before/after split. Nothing of it reaches the compute
/// thread: all of it ends as shader uniforms.
class DisplayViewModel : public QObject {
    Q_OBJECT
    Q_PROPERTY(double windowLow READ windowLow WRITE setWindowLow NOTIFY windowChanged)
    Q_PROPERTY(double windowHigh READ windowHigh WRITE setWindowHigh NOTIFY windowChanged)
    Q_PROPERTY(int maxLevel READ maxLevel NOTIFY levelDomainChanged)
    Q_PROPERTY(int dataMinimum READ dataMinimum NOTIFY levelDomainChanged)
    Q_PROPERTY(int dataMaximum READ dataMaximum NOTIFY levelDomainChanged)
    Q_PROPERTY(pollard::vm::ColourMap colourMap READ colourMap WRITE setColourMap NOTIFY colourMapChanged)
    Q_PROPERTY(Picture picture READ picture WRITE setPicture NOTIFY pictureChanged)
    Q_PROPERTY(bool splitEnabled READ isSplitEnabled WRITE setSplitEnabled NOTIFY splitChanged)
    Q_PROPERTY(double splitPosition READ splitPosition WRITE setSplitPosition NOTIFY splitChanged)
    Q_PROPERTY(bool smooth READ isSmooth WRITE setSmooth NOTIFY smoothChanged)
    Q_PROPERTY(double zoom READ zoom WRITE setZoom NOTIFY viewChanged)
    Q_PROPERTY(QPointF centre READ centre WRITE setCentre NOTIFY viewChanged)
    Q_PROPERTY(bool fitting READ isFitting NOTIFY viewChanged)

public:
    /// Which picture fills the view while the split is off.
    enum class Picture { image, result };
    Q_ENUM(Picture)

    /// @param document must outlive this
    explicit DisplayViewModel(DocumentViewModel& document, QObject* parent = nullptr);

    /// Grey levels shown as black and as white, 0 <= low < high <= maxLevel.
    [[nodiscard]] double windowLow() const noexcept { return window_.low; }
    [[nodiscard]] double windowHigh() const noexcept { return window_.high; }
    [[nodiscard]] LevelWindow window() const noexcept { return window_; }
    /// The window for the filtered picture: the image's, but a residue starts at 0 and is stretched by as
    /// much as it is darker than the image, and a mask spans the full scale.
    [[nodiscard]] LevelWindow resultWindow() const;
    [[nodiscard]] int maxLevel() const noexcept { return maxLevel_; }       ///< 255 or 65535
    [[nodiscard]] int dataMinimum() const noexcept { return dataMinimum_; } ///< levels that occur in the image
    [[nodiscard]] int dataMaximum() const noexcept { return dataMaximum_; }
    [[nodiscard]] ColourMap colourMap() const noexcept { return colourMap_; }
    [[nodiscard]] Picture picture() const noexcept { return picture_; }
    /// Before (left) and after (right) of a vertical line.
    [[nodiscard]] bool isSplitEnabled() const noexcept { return splitEnabled_; }
    [[nodiscard]] double splitPosition() const noexcept { return splitPosition_; } ///< 0..1 of the view's width
    /// Magnified pixels are blended instead of shown as squares.
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
    /// From the 0.1 % to the 99.9 % percentile.
    void autoWindow();
    /// From 0 to maxLevel().
    void fullWindow();
    void setColourMap(pollard::vm::ColourMap map);
    void setPicture(pollard::vm::DisplayViewModel::Picture picture);
    void setSplitEnabled(bool enabled);
    void setSplitPosition(double position);
    void setSmooth(bool smooth);

    /// Tells the size of the canvas, in view units (the canvas chooses device pixels or not).
    void setViewSize(const QSizeF& size);
    void fit();
    /// One image pixel per view unit, about the middle of the view.
    void actualSize();
    void setZoom(double zoom);
    void setCentre(const QPointF& image);
    /// Multiplies the zoom so that what is under @p view stays there.
    void zoomAbout(const QPointF& view, double factor);
    void zoomIn();
    void zoomOut();
    void pan(const QPointF& viewDelta);

signals:
    void windowChanged(); ///< window() or resultWindow()
    void levelDomainChanged();
    void colourMapChanged();
    void pictureChanged();
    void splitChanged();
    void smoothChanged();
    void viewChanged();

private:
    void onDocumentChanged();
    void onFrameReady();
    void applyWindow(LevelWindow window);
    void applyView(const ViewTransform& view, bool fitting);

    DocumentViewModel& document_;
    LevelWindow window_;
    LevelWindow shownResultWindow_;
    bool windowTouched_ = false;
    QString windowPath_;
    int maxLevel_ = 255;
    int dataMinimum_ = 0;
    int dataMaximum_ = 255;
    ColourMap colourMap_ = ColourMap::grey;
    Picture picture_ = Picture::result;
    bool splitEnabled_ = false;
    double splitPosition_ = 0.5;
    bool smooth_ = false;
    ViewTransform view_;
    bool fitting_ = true;
};

} // namespace pollard::vm
