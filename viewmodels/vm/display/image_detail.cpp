#include "vm/display/image_detail.hpp"

#include "vm/display/composite_view_model.hpp"
#include "vm/document/document_view_model.hpp"

#include "base/error.hpp"
#include "io/channels.hpp"
#include "io/reduce.hpp"

#include <QFileInfo>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <filesystem>
#include <utility>

namespace pollard::vm {

namespace {

constexpr double kMostPerPx = 2.5;  ///< px of a level per device px
constexpr double kLeastGain = 1.25; ///< px of a level per displayed px
constexpr double kTolerance = 1e-9; ///< of a whole number of px per device px

bool isQuotient(std::uint32_t fine, std::uint32_t coarse, double ratio) {
    const double quotient = fine / ratio;
    return coarse == std::floor(quotient) || coarse == std::ceil(quotient);
}

} // namespace

double levelRatio(const ImageInfo& info, int fine, int coarse) {
    if (fine == coarse || info.levels.empty()) {
        return 1;
    }
    const ResolutionLevel& large = info.levels.at(static_cast<std::size_t>(fine));
    const ResolutionLevel& small = info.levels.at(static_cast<std::size_t>(coarse));
    const double ratio = static_cast<double>(large.width) / small.width;
    const double whole = std::round(ratio);
    return isQuotient(large.width, small.width, whole) && isQuotient(large.height, small.height, whole) ? whole : ratio;
}

DetailGrid::Cells DetailGrid::cellsIn(const QRectF& area) const {
    const auto range = [](double low, double high, std::uint32_t side) {
        const double count = std::ceil(side / static_cast<double>(kCell));
        const double first = std::clamp(std::floor(low / kCell), 0.0, count);
        const double last = std::clamp(std::ceil(high / kCell), first, count);
        return std::pair{static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(last)};
    };
    if (area.isEmpty()) {
        return {};
    }
    const QPointF first = corner + area.topLeft() * scale;
    const QPointF last = corner + area.bottomRight() * scale;
    const auto [x0, x1] = range(first.x(), last.x(), width);
    const auto [y0, y1] = range(first.y(), last.y(), height);
    return {x0, y0, x1, y1};
}

PixelRegion DetailGrid::pixelsOf(std::uint32_t column, std::uint32_t row, std::uint32_t columns) const {
    const auto range = [](std::uint32_t cell, std::uint32_t cells, std::uint32_t side) {
        const std::int64_t first = std::max<std::int64_t>(std::int64_t{cell} * kCell - 1, 0);
        const std::int64_t last = std::min<std::int64_t>((std::int64_t{cell} + cells) * kCell + 1, side);
        return std::pair{static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(last - first)};
    };
    const auto [x, wide] = range(column, columns, width);
    const auto [y, high] = range(row, 1, height);
    return {x, y, wide, high};
}

QRectF DetailGrid::areaOf(std::uint32_t column, std::uint32_t row, QSize image) const {
    const auto place = [&](std::uint32_t x, std::uint32_t y) {
        const QPointF pixel(std::min<double>(static_cast<double>(x) * kCell, width),
                            std::min<double>(static_cast<double>(y) * kCell, height));
        return (pixel - corner) / scale;
    };
    return QRectF(place(column, row), place(column + 1, row + 1)) & QRectF(QPointF(0, 0), QSizeF(image));
}

std::vector<DetailGrid> detailGrids(const OpenRequest& request, const ImageInfo& info) {
    std::vector<DetailGrid> grids;
    if (request.slices == Slices::volume) {
        return grids;
    }
    const QPointF corner = request.region ? QPointF(request.region->x, request.region->y) : QPointF(0, 0);
    for (int level = 0; level <= request.level; ++level) {
        const double ratio = levelRatio(info, level, request.level);
        const ResolutionLevel size = info.levels.empty() ? ResolutionLevel{info.width, info.height}
                                                         : info.levels.at(static_cast<std::size_t>(level));
        DetailGrid grid{level, size.width, size.height, ratio * request.shrink, corner * ratio};
        if (grid.scale >= kLeastGain) {
            grids.push_back(grid);
        }
    }
    return grids;
}

std::optional<DetailGrid> gridFor(const std::vector<DetailGrid>& grids, double zoom) {
    if (zoom <= 1 + kTolerance || grids.empty()) {
        return std::nullopt;
    }
    std::size_t found = 0; // the coarsest that suffices
    while (found + 1 < grids.size() && grids[found + 1].scale >= zoom * (1 - kTolerance)) {
        ++found;
    }
    if (grids[found].scale <= kMostPerPx * zoom) {
        return grids[found];
    }
    return found + 1 < grids.size() ? std::optional(grids[found + 1]) : std::nullopt;
}

namespace {

constexpr std::uint32_t kMostCells = 6; ///< that one job reads: about 1.5 MPix

std::uint64_t nextId() {
    static std::atomic<std::uint64_t> last = 0;
    return ++last;
}

/// The choice that gives a part of another level the levels of the displayed image.
MappingChoice mappingFor(const OpenRequest& request, const ImageInfo& info, PixelType type) {
    constexpr int kWide = 16;
    const bool isKept =
        request.mapping.range == MappingChoice::Range::automatic && info.bits <= kWide && info.sampleFormat != "float";
    if (!info.mapping || isKept) {
        return request.mapping;
    }
    return {MappingChoice::Range::fixed, info.mapping->valueOf(0), info.mapping->valueOf(maxLevelOf(type))};
}

/// Px of a run that hold a cell.
PixelRegion within(const PixelRegion& cell, const PixelRegion& run) {
    return {cell.x - run.x, cell.y - run.y, cell.width, cell.height};
}

} // namespace

std::uint64_t DetailTile::bytes() const {
    std::uint64_t sum = sizeof(DetailTile);
    for (const auto& [channel, pixels] : channels) {
        sum += pixels.image->bytes() + (pixels.valid ? pixels.valid->bytes() : 0);
    }
    return sum;
}

ImageDetail::ImageDetail(const DocumentViewModel& document, const CompositeViewModel& composite)
    : document_(document), composite_(composite) {}

std::optional<int> ImageDetail::level() const {
    return wanted_ && problem_.isEmpty() ? std::optional(wanted_->level) : std::nullopt;
}

void ImageDetail::takeSource() {
    Source source;
    const auto image = document_.image();
    const bool isComposite = composite_.isShown();
    const OpenRequest& request = document_.request();
    if (image && request.isReduced() && (isComposite || request.channel.kind != ChannelChoice::Kind::derived)) {
        const auto info = document_.imageInfo();
        source = {request,
                  {},
                  image.get(),
                  image->type(),
                  QSize(static_cast<int>(image->width()), static_cast<int>(image->height()))};
        source.request.mapping = mappingFor(request, *info, image->type());
        if (isComposite) {
            source.channels = composite_.drawnChannels();
            source.request = composite_.request();
        }
        if (isComposite && (composite_.isMapped() || source.channels.empty())) {
            source = {};
        }
    }
    if (source == source_) {
        return;
    }
    if (source.image != source_.image) {
        problem_.clear();
    }
    source_ = std::move(source);
    worker_.stop(Lane::load);
    running_.reset();
    cachedTiles_.clear();
    bytes_ = 0;
    grids_ =
        source_.image != nullptr ? detailGrids(document_.request(), *document_.imageInfo()) : std::vector<DetailGrid>();
}

void ImageDetail::look(const ViewTransform& view, bool seen) {
    const std::optional<int> before = level();
    takeSource();
    ++looks_;
    const QRectF all(QPointF(0, 0), QSizeF(view.imageSize));
    area_ = QRectF(view.toImage({0, 0}), view.toImage({view.viewSize.width(), view.viewSize.height()})) & all;
    wanted_ = seen && view.isValid() ? gridFor(grids_, view.zoom) : std::nullopt;
    cells_ = wanted_ ? wanted_->cellsIn(area_) : DetailGrid::Cells();
    if (running_) {
        bool isWanted = wanted_ && running_->grid.level == wanted_->level;
        if (isWanted) {
            isWanted = false;
            for (std::uint32_t i = 0; i < running_->columns; ++i) {
                isWanted = isWanted || cells_.holds(running_->column + i, running_->row);
            }
        }
        if (!isWanted) {
            worker_.stop(Lane::load);
            running_.reset();
        }
    }
    Tiles shown = std::exchange(seen_, {});
    collect();
    readNext();
    if (shown != seen_ || before != level()) {
        emit changed();
    }
}

/// The missing cells around the one next to the middle of the view.
std::optional<ImageDetail::Run> ImageDetail::nextRun() const {
    const auto isMissing = [&](std::uint32_t column, std::uint32_t row) {
        return !cachedTiles_.contains({wanted_->level, row, column});
    };
    const QPointF middle = wanted_->corner + area_.center() * wanted_->scale;
    std::optional<Run> best;
    double least = 0;
    for (std::uint32_t row = cells_.y0; row < cells_.y1; ++row) {
        for (std::uint32_t column = cells_.x0; column < cells_.x1; ++column) {
            const double away = std::hypot((column + 0.5) * DetailGrid::kCell - middle.x(),
                                           (row + 0.5) * DetailGrid::kCell - middle.y());
            if (isMissing(column, row) && (!best || away < least)) {
                best = Run{*wanted_, row, column, 1};
                least = away;
            }
        }
    }
    if (best) {
        const auto last = [&] { return best->column + best->columns; };
        while (best->columns < kMostCells && last() < cells_.x1 && isMissing(last(), best->row)) {
            ++best->columns;
        }
        while (best->columns < kMostCells && best->column > cells_.x0 && isMissing(best->column - 1, best->row)) {
            --best->column;
            ++best->columns;
        }
    }
    return best;
}

void ImageDetail::readNext() {
    if (running_ || !wanted_ || !problem_.isEmpty()) {
        return;
    }
    running_ = nextRun();
    if (!running_) {
        return;
    }
    worker_.post(
        Lane::load,
        [source = source_, run = *running_, limits = document_.reading().rules().limits](const std::stop_token& stop) {
            return read(source, run, limits, JobControl(stop));
        },
        [this, run = *running_](const JobOutcome& outcome, const Tiles& tiles) { take(run, outcome, tiles); });
}

ImageDetail::Tiles ImageDetail::read(const Source& source, const Run& run, const ReadLimits& limits,
                                     const JobControl& control) {
    const PixelRegion pixels = run.grid.pixelsOf(run.column, run.row, run.columns);
    OpenRequest request = source.request;
    request.level = run.grid.level;
    request.shrink = 1;
    request.region = pixels;
    const std::filesystem::path path = QFileInfo(request.path).filesystemFilePath();
    std::map<int, LoadedImage> planes;
    if (source.channels.empty()) {
        planes[-1] = readImage(path, request.options(limits), control);
    } else {
        const ChannelImage all = readChannels(path, request.options(limits), source.channels, control);
        for (std::size_t i = 0; i < source.channels.size(); ++i) {
            planes[static_cast<int>(source.channels[i])] = {all.planes[i].image, all.planes[i].valid, {}};
        }
    }
    for (const auto& [channel, plane] : planes) {
        if (plane.image->type() != source.type) {
            throw Error(ErrorCode::formatUnsupported,
                        "read level " + std::to_string(request.level) + ": its levels have another type");
        }
    }
    Tiles tiles;
    for (std::uint32_t column = run.column; column < run.column + run.columns; ++column) {
        const PixelRegion cell = run.grid.pixelsOf(column, run.row);
        auto tile = std::make_shared<DetailTile>();
        tile->id = nextId();
        tile->level = run.grid.level;
        tile->area = run.grid.areaOf(column, run.row, source.size);
        tile->texelsPerPx = run.grid.scale;
        tile->texel = run.grid.corner + tile->area.topLeft() * run.grid.scale - QPointF(cell.x, cell.y);
        for (const auto& [channel, plane] : planes) {
            LoadedImage part = cropped(plane, within(cell, pixels), control);
            tile->channels[channel] = {std::move(part.image), std::move(part.valid)};
        }
        tiles.push_back(std::move(tile));
    }
    return tiles;
}

void ImageDetail::take(const Run& run, const JobOutcome& outcome, const Tiles& tiles) {
    running_.reset();
    if (outcome.kind == JobOutcome::Kind::failed) {
        problem_ = outcome.message.empty() ? tr("There is not enough memory for it.")
                                           : QString::fromStdString(outcome.message);
    }
    for (std::size_t i = 0; i < tiles.size(); ++i) {
        const Key key{run.grid.level, run.row, run.column + static_cast<std::uint32_t>(i)};
        if (cachedTiles_.try_emplace(key, CachedTile{tiles[i], looks_}).second) {
            bytes_ += tiles[i]->bytes();
        }
    }
    collect();
    dropOld();
    readNext();
    emit changed();
}

void ImageDetail::dropOld() {
    while (bytes_ > budget_) {
        const auto oldest =
            std::ranges::min_element(cachedTiles_, {}, [](const auto& kept) { return kept.second.used; });
        if (oldest == cachedTiles_.end() || oldest->second.used == looks_) {
            return; // all remaining tiles are in the view
        }
        bytes_ -= oldest->second.tile->bytes();
        cachedTiles_.erase(oldest);
    }
}

void ImageDetail::collect() {
    seen_.clear();
    if (!wanted_) {
        return;
    }
    // Keys are sorted by level, the finest first.
    for (auto kept = cachedTiles_.lower_bound({wanted_->level, 0, 0}); kept != cachedTiles_.end(); ++kept) {
        if (kept->second.tile->area.intersects(area_)) {
            kept->second.used = looks_;
            seen_.push_back(kept->second.tile);
        }
    }
}

} // namespace pollard::vm
