#pragma once

#include "vm/base/async_result.hpp"
#include "vm/base/latest_wins_worker.hpp"
#include "vm/image/rendering_look.hpp"

#include "filter/filter_spec.hpp"
#include "image/image.hpp"
#include "image/volume_blocks.hpp"
#include "image/volume_plane.hpp"
#include "tree/component_tree.hpp"

#include <QPointF>
#include <QSizeF>
#include <QString>

#include <cstdint>
#include <memory>
#include <optional>

class QSettings;

namespace pollard::vm {

class DisplayViewModel;
class DocumentViewModel;

/// Voxels of a volume and its result for a rendering, small enough for the graphics card.
struct RenderedVolume {
    std::shared_ptr<const Image> source;        ///< the whole volume
    std::shared_ptr<const ComponentTree> tree;  ///< of `nodes`
    TreeKind kind = TreeKind::max;              ///< of `tree`
    BlockSides blocks;                          ///< of `before`
    std::shared_ptr<const Image> before;        ///< a voxel for each block
    std::shared_ptr<const std::uint32_t> nodes; ///< of the voxels of `before`
    std::shared_ptr<const Image> after;         ///< the same of the result; null until it is there
    FilterSpec spec;                            ///< of `after`
};

/// A volume and its result seen from any direction. Computed while setActive().
class RenderingViewModel : public Analysis {
    Q_OBJECT

public:
    /// Limits of a volume on the graphics card.
    struct Capacity {
        std::uint64_t voxels = std::uint64_t{1} << 27;
        std::uint32_t longest = 2048; ///< along an axis

        bool operator==(const Capacity&) const = default;
    };

    /// @param document,display,settings must outlive this
    /// @param settings have the look of each kind of volume, by the unit of its values; null: no look is stored
    RenderingViewModel(DocumentViewModel& document, DisplayViewModel& display, QSettings* settings = nullptr,
                       QObject* parent = nullptr);

    [[nodiscard]] bool isIdle() const override { return making_ == 0 && !wantsResult_; }
    /// There is something to see: a volume is open.
    [[nodiscard]] bool isAvailable() const;
    /// The copies; members are null without a volume and until they are made.
    [[nodiscard]] const RenderedVolume& volume() const noexcept { return volume_; }
    [[nodiscard]] const VolumeCamera& camera() const noexcept { return camera_; }
    [[nodiscard]] const RenderingLook& look() const noexcept { return look_; }
    [[nodiscard]] Rendering rendering() const noexcept { return look_.rendering; }
    [[nodiscard]] double opacity() const noexcept { return look_.opacity; }
    [[nodiscard]] bool hasShading() const noexcept { return look_.hasShading; }
    [[nodiscard]] const QString& preset() const noexcept { return look_.preset; }
    [[nodiscard]] const OpacityCurve& curve() const noexcept { return look_.curve; }
    /// The presets of the open volume.
    [[nodiscard]] QList<RenderingPreset> presets() const;
    /// Displayed levels of the ends of the curve; nothing while no curve is used.
    [[nodiscard]] std::optional<LevelWindow> curveLevels() const;
    /// The window of colours while a curve is used: its range and half of that below, so that its first voxels are not
    /// black.
    [[nodiscard]] std::optional<LevelWindow> curveWindow() const;
    /// Whether the result has the values of the volume, so that the curve applies to it.
    [[nodiscard]] bool curveFitsResult() const noexcept { return volume_.spec.output == Output::filtered; }
    /// Dark voxels are opaque instead of bright ones: the tree is a min-tree.
    [[nodiscard]] bool isDarkOpaque() const;
    /// The reason why there is no image; empty without one.
    [[nodiscard]] const QString& problem() const noexcept { return problem_; }
    /// The voxel that gives a pixel its level, or the first voxel of a block; nothing outside the volume.
    /// @param at,view in any unit, from the top left
    [[nodiscard]] std::optional<Voxel> voxelAt(const QPointF& at, const QSizeF& view) const;
    /// The node of that voxel, or of its block.
    [[nodiscard]] std::optional<std::uint32_t> nodeAt(const QPointF& at, const QSizeF& view) const;

    /// Makes the volume smaller if needed.
    void setCapacity(const Capacity& capacity);
    [[nodiscard]] const Capacity& capacity() const noexcept { return capacity_; }

public slots:
    void setCamera(const pollard::vm::VolumeCamera& camera);
    void lookAlong(pollard::VolumeAxis axis);
    void lookFromTheFront(); ///< as at first
    void setRendering(pollard::vm::Rendering rendering);
    void setOpacity(double opacity); ///< clamped to 0..1
    void setShading(bool on);
    /// Takes the curve of a preset of the volume, for volume rendering; none for other names.
    void setPreset(const QString& id);
    /// Takes a curve that the user has changed.
    void setCurve(const pollard::vm::OpacityCurve& curve);
    void setLook(const pollard::vm::RenderingLook& look);

signals:
    void viewChanged(); ///< camera or look
    void lookChanged();

private:
    void onActive() override;
    void onImage();
    [[nodiscard]] VolumeCamera fromTheFront() const;
    /// Takes the stored look of volumes of this kind, and the curve of its preset for this volume.
    void recallLook();
    void storeLook();
    [[nodiscard]] std::uint16_t largestLevel() const;
    template <class T> void setInLook(T RenderingLook::*member, const T& value);
    /// Asks for all that is missing.
    void refresh();
    void takeResult(const std::shared_ptr<const Image>& result);
    void fail(const QString& problem);
    /// Posts the job that makes the missing parts, unless one runs.
    void make();
    void onMade(RenderedVolume& made);
    void clear();
    /// Whether a copy was made of the shown volume and tree.
    [[nodiscard]] bool isOfShown(const RenderedVolume& copy) const;
    /// The index in the copies of the voxel at a place; nothing outside the volume.
    [[nodiscard]] std::optional<std::size_t> blockAt(const QPointF& at, const QSizeF& view) const;

    DocumentViewModel& document_;
    DisplayViewModel& display_;
    Capacity capacity_;
    RenderedVolume volume_;
    VolumeCamera camera_;
    QSettings* settings_;
    RenderingLook look_;
    std::optional<QString> kind_;     ///< of the volume of the look: unit of its values
    QString path_;                    ///< of that volume
    std::weak_ptr<const Image> seen_; ///< the volume of camera_
    QString problem_;
    std::shared_ptr<const Image> result_;     ///< all slices, to make `after` of
    FilterSpec resultSpec_;                   ///< of result_
    LatestWinsWorker::Generation making_ = 0; ///< the job that runs, else 0
    bool wantsResult_ = false;                ///< of the document, which filters all slices
    LatestWinsWorker worker_;
};

} // namespace pollard::vm
