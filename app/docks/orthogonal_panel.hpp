#pragma once

#include "overlays/level_colours.hpp"

#include "filter/filter_spec.hpp"
#include "image/volume_plane.hpp"

#include <QImage>
#include <QLabel>
#include <QPointF>
#include <QRgb>
#include <QSizeF>
#include <QSplitter>
#include <QStackedWidget>
#include <QWidget>

#include <optional>
#include <vector>

namespace pollard::vm {
class Analysis;
class ChainViewModel;
class DisplayViewModel;
class DocumentViewModel;
class OrthogonalViewModel;
} // namespace pollard::vm

namespace pollard::app {

/// Colours of all levels, before and after the filter.
struct LevelTable {
    std::vector<QRgb> before;
    std::vector<QRgb> after;
    std::optional<LevelColours> difference; ///< of both, where the display shows differences
};

/// A section of a volume in the colours of the display and with the proportions of its voxels. A drag moves the cross
/// hair, the wheel and the arrow keys move it by a voxel; the chain follows the pointer.
class SectionView : public QWidget {
    Q_OBJECT

public:
    struct ViewModels {
        vm::DocumentViewModel& document;
        vm::DisplayViewModel& display;
        vm::ChainViewModel& chain;
        vm::OrthogonalViewModel& orthogonal;
    };

    /// @param across x or y @param models,colours must outlive this
    SectionView(VolumeAxis across, const ViewModels& models, const LevelTable& colours, QWidget* parent = nullptr);

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;
    /// A point of the view in the picture of the section, px.
    [[nodiscard]] QPointF toSection(const QPointF& view) const;
    [[nodiscard]] QPointF toView(const QPointF& section) const;

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    /// Where the picture lies in the view.
    struct Place {
        QPointF origin;
        QSizeF pixel; ///< view units per px of the section
    };
    [[nodiscard]] Place place() const;
    /// The last row is on top.
    [[nodiscard]] bool isUpwards() const;
    /// Row of the section, or of the view, that a row is in the other one. @param y may lie between rows
    [[nodiscard]] double turned(double y) const;
    [[nodiscard]] QImage painted(double ratio) const;
    void paintLines(QPainter& painter) const;
    void moveTo(const QPointF& view);
    /// Node of the voxel at a point of the view; none outside the section.
    [[nodiscard]] std::optional<std::uint32_t> nodeAt(const QPointF& view) const;

    VolumeAxis across_;
    ViewModels models_;
    const LevelTable& colours_;
    int wheel_ = 0; ///< of less than a step
};

/// The sections XZ and YZ of a volume beside the seen slice.
class OrthogonalPanel : public QWidget {
    Q_OBJECT

public:
    /// @param models must outlive this
    explicit OrthogonalPanel(const SectionView::ViewModels& models, QWidget* parent = nullptr);

    [[nodiscard]] const vm::Analysis& analysis() const noexcept;
    /// One view above the other, instead of beside it.
    void setTall(bool tall);

private:
    QWidget* titled(SectionView* view, const QString& name);
    void showState();
    void colour();
    /// After another result: only if its output or type is another one.
    void colourIfNeeded();

    SectionView::ViewModels models_;
    LevelTable colours_;
    Output coloured_ = Output::filtered; ///< of colours_
    QStackedWidget* pages_ = nullptr;    ///< views, and the reason why there are none
    QSplitter* views_ = nullptr;
    QLabel* reason_ = nullptr;
    QLabel* position_ = nullptr;
};

} // namespace pollard::app
