#include "operators/apply_operator.hpp"

#include "analysis/h_maxima.hpp"
#include "analysis/reconstruction.hpp"
#include "base/buffer.hpp"
#include "base/error.hpp"
#include "base/parallel.hpp"
#include "base/system.hpp"
#include "engine/engine_registry.hpp"
#include "filter/analysis_image.hpp"
#include "image/distance_transform.hpp"
#include "io/image_file.hpp"
#include "io/label_file.hpp"
#include "io/metadata/scene_units.hpp"
#include "io/samples/value_levels.hpp"
#include "io/volumes/read_volume.hpp"
#include "operators/flat_operators.hpp"
#include "operators/skeleton.hpp"
#include "operators/smoothing.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <limits>
#include <new>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace pollard {
namespace {

/// A row of all slices.
std::uint32_t rowOf(std::uint32_t y, std::uint32_t z, const Extent& extent) noexcept { return z * extent.height + y; }

/// Lengths as levels: as ranks if that is exact and possible, else at equal distances.
/// @param like of the size of the result
OperatorResult mappedLengths(const Buffer<float>& lengths, const Image& like, const std::string& unit,
                             const MappingChoice& choice, const JobControl& control) {
    const Extent& extent = like.extent();
    const ValueGrid grid{ValueType::f32, lengths.data(), extent.width, static_cast<std::uint32_t>(extent.rows())};
    MappedLevels mapped = levelsOfValues(grid, choice, {}, control);
    if (!mapped.mapping.exact && choice.range == MappingChoice::Range::automatic) {
        return mappedLengths(lengths, like, unit, {MappingChoice::Range::minMax}, control); // clips nothing
    }
    auto image = std::make_shared<Image>(mapped.image->type(), extent);
    image->setSides(like.sides());
    std::memcpy(image->data(), mapped.image->data(), image->bytes());
    mapped.mapping.unit = unit;
    return {std::move(image), OperatorValues::lengths, std::move(mapped.mapping)};
}

/// An operator on an image.
class OperatorRun {
public:
    OperatorRun(Engine& engine, std::shared_ptr<const Image> image, const OperatorSpec& spec, const ImageUnits& units,
                OperatorMasks masks, const SessionOptions& options, const JobControl& control)
        : engine_(engine), image_(std::move(image)), asked_(spec), spec_(inPixels(spec, units)), units_(units),
          inside_(std::move(masks.inside)), marker_(std::move(masks.marker)), options_(options), control_(control) {}

    [[nodiscard]] OperatorResult result() {
        OperatorResult result{nullptr, valuesOf(spec_.kind)};
        if (result.values == OperatorValues::lengths) {
            return mappedLengths(lengths(), *image_, unitSymbol(asked_.unit, Dimension::length), {}, control_);
        }
        auto made = std::make_shared<Image>(make());
        made->setSides(image_->sides());
        if (inside_ != nullptr) {
            const bool staysOutside = result.values <= OperatorValues::between;
            restoreOutside(*image_, *inside_, staysOutside ? Output::filtered : Output::residue, *made, control_);
        }
        result.image = std::move(made);
        return result;
    }

private:
    [[nodiscard]] Image make() {
        switch (spec_.kind) {
        case OperatorKind::erosion:
            return eroded(*image_);
        case OperatorKind::dilation:
            return dilated(*image_);
        case OperatorKind::opening:
            return opened();
        case OperatorKind::closing:
            return closed();
        case OperatorKind::whiteTophat:
            return difference(*image_, opened());
        case OperatorKind::blackTophat:
            return difference(closed(), *image_);
        case OperatorKind::gradient:
            return difference(dilated(*image_), eroded(*image_));
        case OperatorKind::openingByReconstruction:
            return reconstruction(TreeKind::max, eroded(*image_));
        case OperatorKind::closingByReconstruction:
            return reconstruction(TreeKind::min, dilated(*image_));
        case OperatorKind::gaussian:
            return gaussianOf(*image_, spec_.sigma, inside_.get(), control_);
        case OperatorKind::median:
            return medianOf(*image_, element(), inside_.get(), control_);
        case OperatorKind::fillHoles:
            return reconstruction(TreeKind::min, borderMarker(maxLevelOf(image_->type())));
        case OperatorKind::clearBorder:
            return difference(*image_, reconstruction(TreeKind::max, borderMarker(0)));
        case OperatorKind::hMaxima:
            return withoutExtrema(TreeKind::max);
        case OperatorKind::hMinima:
            return withoutExtrema(TreeKind::min);
        case OperatorKind::reconstructionByDilation:
            return reconstruction(TreeKind::max, markedImage(TreeKind::max));
        case OperatorKind::reconstructionByErosion:
            return reconstruction(TreeKind::min, markedImage(TreeKind::min));
        default:
            return flags(skeletonOf(objects(), image_->extent().slices, control_));
        }
    }

    [[nodiscard]] StructuringElement element() const { return {spec_.shape, spec_.radius}; }
    [[nodiscard]] Image eroded(const Image& image) const {
        return erosionOf(image, element(), inside_.get(), control_);
    }
    [[nodiscard]] Image dilated(const Image& image) const {
        return dilationOf(image, element(), inside_.get(), control_);
    }
    [[nodiscard]] Image opened() const { return dilated(eroded(*image_)); }
    [[nodiscard]] Image closed() const { return eroded(dilated(*image_)); }

    [[nodiscard]] Image difference(const Image& high, const Image& low) const {
        Image result(low.type(), low.extent());
        dispatch(low.type(), [&]<class T>(T) {
            const std::span<const T> above = high.pixels<T>();
            const std::span<const T> below = low.pixels<T>();
            const std::span<T> out = result.pixels<T>();
            forEachIndex(out.size(), control_, [&](std::size_t i) { out[i] = static_cast<T>(above[i] - below[i]); });
        });
        return result;
    }

    [[nodiscard]] std::shared_ptr<const ComponentTree> tree(TreeKind kind) {
        const auto session = engine_.openSession(options_);
        requireMemory(engine_, session->leastTreeBytes(*image_) + image_->bytes(), image_->extent());
        session->open(image_, inside_);
        (void)session->buildTree({kind, spec_.connectivity, {}}, control_);
        return session->tree();
    }

    [[nodiscard]] Image reconstruction(TreeKind kind, const Image& marker) {
        const auto nodes = tree(kind);
        const Buffer<std::uint16_t> levels = reconstructedLevels(*nodes, marker, control_);
        Image result(image_->type(), image_->extent());
        dispatch(result.type(), [&]<class T>(T) {
            const std::span<T> out = result.pixels<T>();
            forEachIndex(out.size(), control_,
                         [&](std::size_t i) { out[i] = static_cast<T>(levels[nodes->pixelNode[i]]); });
        });
        return result;
    }

    [[nodiscard]] Image withoutExtrema(TreeKind kind) {
        Image result(image_->type(), image_->extent());
        const auto nodes = tree(kind);
        (void)hMaxima(*nodes, static_cast<std::uint16_t>(spec_.height), Output::filtered, result, control_);
        return result;
    }

    [[nodiscard]] bool isInside(std::int64_t x, std::int64_t y, std::int64_t z) const {
        const Extent& extent = image_->extent();
        return x >= 0 && x < extent.width && y >= 0 && y < extent.height && z >= 0 && z < extent.slices &&
               (inside_ == nullptr ||
                inside_->test(static_cast<std::uint32_t>(x),
                              rowOf(static_cast<std::uint32_t>(y), static_cast<std::uint32_t>(z), extent)));
    }

    /// Whether a pixel inside has a neighbour along an axis that is not.
    [[nodiscard]] bool isBorder(std::int64_t x, std::int64_t y, std::int64_t z) const {
        const bool isDeep = image_->extent().isVolume();
        return isInside(x, y, z) &&
               !(isInside(x - 1, y, z) && isInside(x + 1, y, z) && isInside(x, y - 1, z) && isInside(x, y + 1, z) &&
                 (!isDeep || (isInside(x, y, z - 1) && isInside(x, y, z + 1))));
    }

    /// The image at the border, another level elsewhere.
    [[nodiscard]] Image borderMarker(std::uint16_t elsewhere) const {
        const Extent& extent = image_->extent();
        Image marker(image_->type(), extent);
        dispatch(marker.type(), [&]<class T>(T) {
            forEachIndex(
                extent.rows(), control_,
                [&](std::size_t row) {
                    const auto y = static_cast<std::int64_t>(row % extent.height);
                    const auto z = static_cast<std::int64_t>(row / extent.height);
                    const std::size_t first = row * extent.width;
                    for (std::size_t x = 0; x != extent.width; ++x) {
                        marker.pixels<T>()[first + x] = isBorder(static_cast<std::int64_t>(x), y, z)
                                                            ? image_->pixels<T>()[first + x]
                                                            : static_cast<T>(elsewhere);
                    }
                },
                64);
        });
        return marker;
    }

    [[nodiscard]] ReadOptions markerOptions() const {
        ReadOptions options;
        options.channel = spec_.markerChannel;
        return options;
    }

    void requireFits(const Extent& marker) const {
        if (marker != image_->extent()) {
            throw Error(ErrorCode::invalidArgument, std::string(nameOf(spec_.kind)) + ": marker: " + spec_.marker +
                                                        ": has " + text(marker) + ", the image " +
                                                        text(image_->extent()));
        }
    }

    /// The marked pixels.
    [[nodiscard]] std::shared_ptr<const Mask> marker() const {
        if (spec_.marker.empty()) {
            return marker_;
        }
        const StoredLabels stored = readLabels(spec_.marker, markerOptions(), units_.isVolume, control_);
        requireFits(stored.extent);
        return std::make_shared<const Mask>(
            maskBy([&](std::size_t pixel, bool /*isIn*/) { return stored.labels[pixel] != 0; }));
    }

    /// For each level of a marker the last level of the image whose value is at most the marker's, for a min-tree the
    /// first one whose value is at least the marker's; an end of the levels if there is none.
    [[nodiscard]] std::vector<std::uint16_t> levelsOf(const LoadedImage& marker, bool isMax) const {
        constexpr double kInfinite = std::numeric_limits<double>::infinity();
        const std::uint16_t last = maxLevelOf(image_->type());
        std::vector<std::uint16_t> levels(std::size_t{maxLevelOf(marker.image->type())} + 1);
        forEachIndex(levels.size(), control_, [&](std::size_t level) {
            const double value = valueOf(marker.info.mapping, static_cast<double>(level));
            if (isMax) {
                const auto below = levelsWithin(units_.mapping, -kInfinite, value, last);
                levels[level] = below ? below->second : std::uint16_t{0};
            } else {
                const auto above = levelsWithin(units_.mapping, value, kInfinite, last);
                levels[level] = above ? above->first : last;
            }
        });
        return levels;
    }

    /// The values of the marker as levels of the image; the level that marks nothing outside and without data.
    [[nodiscard]] Image greyMarker(TreeKind kind) const {
        const LoadedImage read = units_.isVolume ? readVolume(spec_.marker, markerOptions(), control_)
                                                 : readImage(spec_.marker, markerOptions(), control_);
        requireFits(read.image->extent());
        const std::vector<std::uint16_t> ofLevels = levelsOf(read, kind == TreeKind::max);
        const std::uint16_t none = kind == TreeKind::max ? std::uint16_t{0} : maxLevelOf(image_->type());
        const std::shared_ptr<const Mask> marked = intersection(inside_, read.valid);
        Image image(image_->type(), image_->extent());
        dispatch(image.type(), [&]<class T>(T) {
            const std::size_t width = image.width();
            forEachIndex(image.pixelCount(), control_, [&](std::size_t i) {
                const bool isMarked = marked == nullptr || marked->test(static_cast<std::uint32_t>(i % width),
                                                                        static_cast<std::uint32_t>(i / width));
                image.pixels<T>()[i] = static_cast<T>(isMarked ? ofLevels[read.image->level(i)] : none);
            });
        });
        return image;
    }

    /// The image where the marker is; elsewhere the smallest level inside, for a min-tree the largest.
    [[nodiscard]] Image markedImage(TreeKind kind) const {
        if (spec_.greyMarker) {
            return greyMarker(kind);
        }
        const std::shared_ptr<const Mask> marked = marker();
        Image image(image_->type(), image_->extent());
        dispatch(image.type(), [&]<class T>(T) {
            const std::span<const T> levels = image_->pixels<T>();
            const std::size_t width = image.width();
            T smallest = std::numeric_limits<T>::max();
            T largest = 0;
            for (std::size_t i = 0; i != levels.size(); ++i) {
                if (inside_ == nullptr ||
                    inside_->test(static_cast<std::uint32_t>(i % width), static_cast<std::uint32_t>(i / width))) {
                    smallest = std::min(smallest, levels[i]);
                    largest = std::max(largest, levels[i]);
                }
            }
            const T elsewhere = kind == TreeKind::max ? smallest : largest;
            forEachIndex(levels.size(), control_, [&](std::size_t i) {
                const bool isMarked =
                    marked->test(static_cast<std::uint32_t>(i % width), static_cast<std::uint32_t>(i / width));
                image.pixels<T>()[i] = isMarked ? levels[i] : elsewhere;
            });
        });
        return image;
    }

    /// Whether the value of a level is 0.
    [[nodiscard]] bool isZero(std::uint16_t level) const { return valueOf(units_.mapping, level) == 0; }

    /// Sets the pixels of a mask for which @p isSet(pixel, isInside).
    template <class IsSet> [[nodiscard]] Mask maskBy(const IsSet& isSet) const {
        const std::uint32_t width = image_->width();
        Mask mask(width, static_cast<std::uint32_t>(image_->extent().rows()), false);
        forEachIndex(
            mask.height(), control_,
            [&](std::size_t row) {
                const auto y = static_cast<std::uint32_t>(row);
                for (std::uint32_t x = 0; x != width; ++x) {
                    if (isSet(row * width + x, inside_ == nullptr || inside_->test(x, y))) {
                        mask.set(x, y, true);
                    }
                }
            },
            64);
        return mask;
    }
    [[nodiscard]] Mask objects() const {
        return maskBy([this](std::size_t pixel, bool isIn) { return isIn && !isZero(image_->level(pixel)); });
    }

    [[nodiscard]] Image flags(const Mask& mask) const {
        Image image(image_->type(), image_->extent());
        dispatch(image.type(), [&]<class T>(T) {
            const std::size_t width = image.width();
            forEachIndex(image.pixelCount(), control_, [&](std::size_t i) {
                const bool isSet =
                    mask.test(static_cast<std::uint32_t>(i % width), static_cast<std::uint32_t>(i / width));
                image.pixels<T>()[i] = isSet ? static_cast<T>(maxLevelOf(image.type())) : T{0};
            });
        });
        return image;
    }

    [[nodiscard]] Buffer<float> lengths() const {
        const Extent& extent = image_->extent();
        // Pixels without data are no background either.
        const Mask mask =
            maskBy([this](std::size_t pixel, bool isIn) { return !isIn || !isZero(image_->level(pixel)); });
        const Mask objects = this->objects();
        if (objects.count() != 0 && mask.count() == image_->pixelCount()) {
            throw Error(ErrorCode::invalidArgument,
                        std::string(nameOf(spec_.kind)) +
                            ": no pixel has the value 0, to which distances could be measured");
        }
        const bool isThickness = spec_.kind == OperatorKind::thickness;
        const Mask shown = isThickness ? skeletonOf(objects, extent.slices, control_) : objects;
        const double width = asked_.unit == LengthUnit::pixel
                                 ? 1
                                 : inUnit(1, asked_.unit, Dimension::length, sizeForLengths(asked_, units_));
        const double unit = isThickness ? 2 * width : width;
        const Buffer<double> found = distances(mask, image_->sides(), extent.slices, control_);
        Buffer<float> lengths(found.size());
        forEachIndex(found.size(), control_, [&](std::size_t i) {
            const bool isShown =
                shown.test(static_cast<std::uint32_t>(i % extent.width), static_cast<std::uint32_t>(i / extent.width));
            lengths[i] = isShown ? static_cast<float>(found[i] * unit) : 0;
        });
        return lengths;
    }

    Engine& engine_;
    std::shared_ptr<const Image> image_;
    const OperatorSpec& asked_;
    OperatorSpec spec_; ///< in pixels
    const ImageUnits& units_;
    std::shared_ptr<const Mask> inside_;
    std::shared_ptr<const Mask> marker_; ///< unless the operator names a file
    const SessionOptions& options_;
    const JobControl& control_;
};

} // namespace

std::uint64_t operatorBytes(OperatorKind kind, const Image& image, bool isMasked) noexcept {
    const std::uint64_t pixels = image.pixelCount();
    switch (kind) {
    case OperatorKind::gaussian:
        return (isMasked ? 16 : 8) * pixels + image.bytes();
    case OperatorKind::median:
        return image.bytes();
    case OperatorKind::distance:
    case OperatorKind::skeleton:
    case OperatorKind::thickness:
        return 24 * pixels;
    case OperatorKind::reconstructionByDilation:
    case OperatorKind::reconstructionByErosion:
        return 5 * pixels + 4 * image.bytes();
    default:
        return 4 * image.bytes();
    }
}

OperatorResult evenLengths(const Image& image, const ValueMapping& mapping, const JobControl& control) {
    Buffer<float> lengths(image.pixelCount());
    forEachIndex(lengths.size(), control,
                 [&](std::size_t i) { lengths[i] = static_cast<float>(mapping.valueOf(image.level(i))); });
    return mappedLengths(lengths, image, mapping.unit, {MappingChoice::Range::minMax}, control);
}

OperatorResult applyOperator(Engine& engine, const std::shared_ptr<const Image>& image, const OperatorSpec& spec,
                             const ImageUnits& units, const OperatorMasks& masks, const SessionOptions& options,
                             const JobControl& control) {
    for (const Mask* const mask : {masks.inside.get(), masks.marker.get()}) {
        if (mask != nullptr) {
            requireFits(*mask, *image);
        }
    }
    if (takesMarker(spec.kind) && spec.marker.empty() && masks.marker == nullptr) {
        throw Error(ErrorCode::invalidArgument, std::string(nameOf(spec.kind)) + ": marker: is missing");
    }
    OperatorRun run(engine, image, spec, units, masks, options, control);
    requireAvailable(std::string(nameOf(spec.kind)) + ": image of " + text(image->extent()),
                     operatorBytes(spec.kind, *image, masks.inside != nullptr));
    try {
        return run.result();
    } catch (const std::bad_alloc&) {
        throw Error(ErrorCode::outOfMemory,
                    std::string(nameOf(spec.kind)) + ": not enough memory for " + text(image->extent()));
    }
}

} // namespace pollard
