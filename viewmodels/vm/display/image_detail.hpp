#pragma once

#include "vm/base/latest_wins_worker.hpp"
#include "vm/image/detail_grid.hpp"
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

/// A cell of a finer level: its pixels, and where they lie in the displayed image.
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
    /// By index in channelsOf(); -1: the channel of the document.
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
    /// Tiles in the view, those of the wanted level first, then coarser ones that stand in for missing tiles; the areas
    /// of tiles of one level do not overlap.
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
    struct Kept {
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
        const Image* picture = nullptr;    ///< compared only
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
    std::map<Key, Kept> kept_;
    Tiles seen_;
    std::optional<Run> running_;
    QString problem_;
    std::uint64_t bytes_ = 0;
    std::uint64_t budget_ = kBudget;
    std::uint64_t looks_ = 0;
    LatestWinsWorker worker_; ///< last: its job ends before the other members are destroyed
};

} // namespace pollard::vm
