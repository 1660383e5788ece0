#pragma once

#include "vm/base/async_result.hpp"
#include "vm/document/jobs/job_types.hpp"

#include "image/image.hpp"
#include "image/volume_plane.hpp"

#include <QPointF>
#include <QSizeF>
#include <QString>

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

class QSettings;

namespace pollard::vm {

class DocumentViewModel;

/// The three sections and the 3D view of a volume in two rows of two.
struct ViewsLayout {
    double across = 0.5; ///< share of the left column
    double down = 0.5;   ///< share of the upper row
    QString enlarged;    ///< the only view that is shown: "xy", "xz", "yz" or "3d"; empty: all

    static constexpr double kLeastShare = 0.15;

    bool operator==(const ViewsLayout&) const = default;
};

/// The sections of a volume across y (XZ) and x (YZ) in addition to the seen slice, through a common voxel: the cross
/// hair. They show the volume and the result of the filter. Cut while setActive().
class OrthogonalViewModel : public Analysis {
    Q_OBJECT

public:
    /// @param document,settings must outlive this @param settings have the layout; null: it is not stored
    explicit OrthogonalViewModel(DocumentViewModel& document, QSettings* settings = nullptr, QObject* parent = nullptr);

    [[nodiscard]] bool isIdle() const override { return !asked_; }
    /// There are sections: a volume is open.
    [[nodiscard]] bool isAvailable() const;
    /// The cross hair; z is the slice that was asked for.
    [[nodiscard]] Voxel position() const;
    /// The section across an axis; null without a volume and until it is cut. @param across x or y
    [[nodiscard]] const ShownSlice* section(VolumeAxis across) const;
    /// The plane through the cross hair, upright for a patient; that across z is the slice as it is stored.
    [[nodiscard]] VolumePlane planeOf(VolumeAxis across) const;
    /// The point in the image of a plane at which the other two planes cross it, px.
    [[nodiscard]] QPointF crossing(VolumeAxis across) const;
    /// Sides of a pixel in the image of a plane, in units of the width of a voxel.
    [[nodiscard]] QSizeF pixelSides(VolumeAxis across) const;
    /// The reason why there are no sections; empty without one.
    [[nodiscard]] const QString& problem() const noexcept { return problem_; }
    [[nodiscard]] const ViewsLayout& layout() const noexcept { return layout_; }

public slots:
    /// Shares are limited, and an unknown name enlarges no view.
    void setLayout(const pollard::vm::ViewsLayout& layout);
    /// Moves the cross hair, clamped to the volume; the seen slice follows z.
    void setPosition(const pollard::Voxel& position);
    /// Moves the cross hair to a point in the image of a plane, px, without a move along the axis of the plane.
    void moveInPlane(pollard::VolumeAxis across, const QPointF& point);
    /// Moves the cross hair along an axis.
    void step(pollard::VolumeAxis along, int by);

signals:
    void positionChanged();
    void layoutChanged();

private:
    void onActive() override;
    void onImage();
    void refresh();
    void take(const std::vector<ShownSlice>& sections, const QString& problem);
    [[nodiscard]] Extent extent() const;

    DocumentViewModel& document_;
    QSettings* settings_;
    ViewsLayout layout_;
    std::weak_ptr<const Image> volume_; ///< of the position
    std::uint32_t x_ = 0;
    std::uint32_t y_ = 0;
    std::vector<ShownSlice> sections_;
    std::weak_ptr<const ComponentTree> tree_; ///< asked for
    QString problem_;
    bool asked_ = false; ///< sections follow
};

} // namespace pollard::vm
