#pragma once

#include "vm/base/latest_wins_worker.hpp"
#include "vm/image/open_request.hpp"
#include "vm/image/view_transform.hpp"

#include "base/job_control.hpp"
#include "image/image.hpp"
#include "image/mask.hpp"
#include "io/image_file.hpp"

#include <QObject>
#include <QPointF>
#include <QRectF>
#include <QSize>
#include <QString>

#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace pollard::vm {

class CompositeViewModel;
class DocumentViewModel;

/// Px of one level of a page per px of a coarser one, in each direction. The ratio is a whole number if dividing the
/// sides of one level by it gives the sides of the other, rounded up or down.
[[nodiscard]] double levelRatio(const ImageInfo& info, int fine, int coarse);

/// A level of a page with more pixels than the displayed image, in square cells.
struct DetailGrid {
    /// Side of a cell, px of the level. With a margin of one pixel all around it fits a texture of TileTextures.
    static constexpr std::uint32_t kCell = 508;

    int level = 0;
    std::uint32_t width = 0;  ///< of the level, px
    std::uint32_t height = 0; ///< px
    double scale = 1;         ///< px of the level per displayed px, > 1
    QPointF corner;           ///< of the displayed image, px of the level

    /// Cells [x0, x1) x [y0, y1).
    struct Cells {
        std::uint32_t x0 = 0;
        std::uint32_t y0 = 0;
        std::uint32_t x1 = 0;
        std::uint32_t y1 = 0;

        [[nodiscard]] bool holds(std::uint32_t column, std::uint32_t row) const noexcept {
            return column >= x0 && column < x1 && row >= y0 && row < y1;
        }
        bool operator==(const Cells&) const = default;
    };

    /// The cells with pixels of an area of the displayed image.
    [[nodiscard]] Cells cellsIn(const QRectF& area) const;
    /// Px of the level in cells of a row, with their margins inside the level.
    [[nodiscard]] PixelRegion pixelsOf(std::uint32_t column, std::uint32_t row, std::uint32_t columns = 1) const;
    /// A cell in px of the displayed image, without its margin and what lies beyond the image.
    [[nodiscard]] QRectF areaOf(std::uint32_t column, std::uint32_t row, QSize image) const;

    bool operator==(const DetailGrid&) const = default;
};

/// The levels of the page that are finer than the image of @p request, the finest first; of a shrunk image its own
/// level, too. None for volumes. @param info of the image
[[nodiscard]] std::vector<DetailGrid> detailGrids(const OpenRequest& request, const ImageInfo& info);

/// The grid for a view: the coarsest with at least a pixel per device px, unless it has more than 2.5 pixels per device
/// px in each direction and a coarser grid exists; the finest if no grid has as many. Empty if the displayed image
/// suffices, or the grid has more than 2.5 px per device px and would take long to read.
/// @param zoom device px per displayed px
[[nodiscard]] std::optional<DetailGrid> gridFor(const std::vector<DetailGrid>& grids, double zoom);

/// A cell of a finer level: its pixels, and their area in the displayed image.
struct DetailTile {
    struct Pixels {
        std::shared_ptr<const Image> image; ///< the cell and its margin
        std::shared_ptr<const Mask> valid;  ///< null if all pixels have data
    };
    std::uint64_t id = 0;   ///< of no other tile
    int level = 0;          ///< of the page
    QRectF area;            ///< of the cell, px of the displayed image
    QPointF texel;          ///< of the corner of the area in the images
    double texelsPerPx = 1; ///< px of the images per displayed px
    /// Pixels by index in channelsOf(); -1: the channel of the document.
    std::map<int, Pixels> channels;

    [[nodiscard]] std::uint64_t bytes() const;
};

/// Finer levels of an image that is shown reduced, read where the view is: cell by cell on another thread, the middle
/// first; a view that moves on stops a read of cells that it leaves. Keeps the cells used last within a budget.
///
/// Computed channels, channels of a composite whose values are mapped to levels, and volumes have none.
class ImageDetail : public QObject {
    Q_OBJECT

public:
    using Tiles = std::vector<std::shared_ptr<const DetailTile>>;

    /// Both must outlive this.
    ImageDetail(const DocumentViewModel& document, const CompositeViewModel& composite);

    /// Reads the cells that the view needs. @param view in device px @param seen whether the original is visible in it
    void look(const ViewTransform& view, bool seen);
    /// Tiles in the view: tiles of the wanted level first, then coarser ones in place of missing tiles. Tiles of one
    /// level do not overlap.
    [[nodiscard]] const Tiles& tiles() const noexcept { return seen_; }
    /// The level that the view needs; empty if the image itself suffices or no finer level can be read.
    [[nodiscard]] std::optional<int> level() const;
    /// Whether a tile in the view is missing and being read.
    [[nodiscard]] bool isReading() const { return running_.has_value(); }
    /// Why finer levels of this image cannot be read, one line; empty if they can.
    [[nodiscard]] const QString& problem() const noexcept { return problem_; }
    /// Memory of all tiles, bytes.
    [[nodiscard]] std::uint64_t bytes() const noexcept { return bytes_; }
    void setBudget(std::uint64_t bytes) { budget_ = bytes; }
    /// For tests.
    [[nodiscard]] LatestWinsWorker& worker() noexcept { return worker_; }

    static constexpr std::uint64_t kBudget = std::uint64_t{128} << 20;

signals:
    void changed(); ///< tiles() or level()

private:
    struct Key {
        int level = 0;
        std::uint32_t row = 0;
        std::uint32_t column = 0;
        auto operator<=>(const Key&) const = default; // NOLINT(modernize-use-nullptr): of the generated code
    };
    struct CachedTile {
        std::shared_ptr<const DetailTile> tile;
        std::uint64_t used = 0;
    };
    /// Cells of a row that one job reads.
    struct Run {
        DetailGrid grid;
        std::uint32_t row = 0;
        std::uint32_t column = 0;
        std::uint32_t columns = 0;
    };
    /// The source of the tiles; tiles of another source are dropped.
    struct Source {
        OpenRequest request;
        std::vector<std::size_t> channels; ///< of a composite; none: the channel of the document
        const Image* image = nullptr;      ///< compared only
        PixelType type = PixelType::u8;
        QSize size; ///< of the image, px

        bool operator==(const Source&) const = default;
    };

    void takeSource();
    [[nodiscard]] std::optional<Run> nextRun() const;
    void readNext();
    void take(const Run& run, const JobOutcome& outcome, const Tiles& tiles);
    void dropOld();
    void collect();
    [[nodiscard]] static Tiles read(const Source& source, const Run& run, const ReadLimits& limits,
                                    const JobControl& control);

    const DocumentViewModel& document_;
    const CompositeViewModel& composite_;
    Source source_;
    std::vector<DetailGrid> grids_;
    std::optional<DetailGrid> wanted_;
    DetailGrid::Cells cells_; ///< of the wanted grid, in the view
    QRectF area_;             ///< in the view, px of the displayed image
    std::map<Key, CachedTile> cachedTiles_;
    Tiles seen_;
    std::optional<Run> running_;
    QString problem_;
    std::uint64_t bytes_ = 0;
    std::uint64_t budget_ = kBudget;
    std::uint64_t looks_ = 0;
    LatestWinsWorker worker_; ///< last: its job ends before the other members are destroyed
};

} // namespace pollard::vm
