#include "components/changed_objects.hpp"

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "components/labelled_components.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <new>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace pollard {

namespace {

constexpr std::size_t kPixelsPerCopy = std::size_t{1} << 20U;

/// The part of an image in a box.
template <class Pixel> Image cropped(const Image& image, const LabelBox& box, const Extent& extent) {
    Image part(image.type(), extent);
    const std::span<const Pixel> from = image.pixels<Pixel>();
    const std::span<Pixel> to = part.pixels<Pixel>();
    std::size_t at = 0;
    for (std::uint32_t z = box.first.z; z <= box.last.z; ++z) {
        for (std::uint32_t y = box.first.y; y <= box.last.y; ++y) {
            const std::size_t row = std::size_t{z} * image.extent().height + y;
            std::ranges::copy(from.subspan(row * image.width() + box.first.x, extent.width), to.begin() + at);
            at += extent.width;
        }
    }
    return part;
}

/// Moves measurements from a box to the image.
void shift(ComponentRecord& record, const Voxel& by) {
    const std::uint64_t x = by.x;
    const std::uint64_t y = by.y;
    record.sumXX += 2 * x * record.sumX + record.area * x * x;
    record.sumYY += 2 * y * record.sumY + record.area * y * y;
    record.sumXY += x * record.sumY + y * record.sumX + record.area * x * y;
    record.sumX += record.area * x;
    record.sumY += record.area * y;
    record.left += by.x;
    record.right += by.x;
    record.top += by.y;
    record.bottom += by.y;
}

/// @param flat sums of the record before shift()
void shift(DepthRecord& depth, const ComponentRecord& flat, const Voxel& by) {
    const std::uint64_t z = by.z;
    depth.sumXZ += by.x * depth.sumZ + z * flat.sumX + flat.area * by.x * z;
    depth.sumYZ += by.y * depth.sumZ + z * flat.sumY + flat.area * by.y * z;
    depth.sumZZ += 2 * z * depth.sumZ + flat.area * z * z;
    depth.sumZ += flat.area * z;
    depth.front += by.z;
    depth.back += by.z;
}

/// Measures one object of an edited label image again.
class ChangedObject {
public:
    ChangedObject(Components& objects, std::uint32_t label, LabelBox box)
        : objects_(objects), label_(label), box_(box) {
        if (const ComponentRecord& before = objects.objects[label - 1]; before.area != 0) {
            box_.add(boxOf(objects, label));
        }
        extent_ = {box_.last.x - box_.first.x + 1, box_.last.y - box_.first.y + 1, box_.last.z - box_.first.z + 1};
    }

    void measure(const Image* grey, const std::optional<ValueMapping>& mapping, const JobControl& control) {
        const std::vector<std::uint32_t> pixels = own();
        ComponentRecord& record = objects_.objects[label_ - 1];
        objects_.foreground -= record.area;
        record = {};
        if (objects_.isVolume()) {
            objects_.depths[label_ - 1] = {};
        }
        if (!objects_.valueSums.empty()) {
            objects_.valueSums[label_ - 1] = 0;
        }
        if (pixelCount_ == 0) {
            return;
        }
        std::optional<Image> part;
        if (grey != nullptr) {
            part = grey->type() == PixelType::u8 ? cropped<std::uint8_t>(*grey, box_, extent_)
                                                 : cropped<std::uint16_t>(*grey, box_, extent_);
        }
        const Components found =
            measureNumbers(pixels, extent_, nullptr, part ? &*part : nullptr, objects_.connectivity, control);
        objects_.hasParts = objects_.hasParts || found.hasParts;
        objects_.foreground += pixelCount_;
        record = found.objects.front();
        if (objects_.isVolume()) {
            DepthRecord& depth = objects_.depths[label_ - 1];
            depth = found.depths.front();
            depth.border = atBorder_;
            shift(depth, record, box_.first);
        }
        shift(record, box_.first);
        if (!objects_.valueSums.empty()) {
            objects_.valueSums[label_ - 1] = sumOf(pixels, *part, *mapping);
        }
    }

private:
    /// The labels in the box, 0 for other objects.
    std::vector<std::uint32_t> own() {
        std::vector<std::uint32_t> pixels;
        pixels.reserve(extent_.pixelCount());
        for (std::uint32_t z = box_.first.z; z <= box_.last.z; ++z) {
            for (std::uint32_t y = box_.first.y; y <= box_.last.y; ++y) {
                const std::size_t row = (std::size_t{z} * objects_.height + y) * objects_.width;
                const bool isOuter = y == 0 || y + 1 == objects_.height || z == 0 || z + 1 == objects_.slices;
                for (std::uint32_t x = box_.first.x; x <= box_.last.x; ++x) {
                    const bool isOwn = objects_.labels[row + x] == label_;
                    pixels.push_back(isOwn ? 1 : 0);
                    pixelCount_ += isOwn ? 1 : 0;
                    atBorder_ += isOwn && (isOuter || x == 0 || x + 1 == objects_.width) ? 1 : 0;
                }
            }
        }
        return pixels;
    }
    static double sumOf(std::span<const std::uint32_t> pixels, const Image& grey, const ValueMapping& mapping) {
        double sum = 0;
        for (std::size_t i = 0; i < pixels.size(); ++i) {
            sum += pixels[i] != 0 ? mapping.ranks->values[grey.level(i)] : 0;
        }
        return sum;
    }

    Components& objects_;
    std::uint32_t label_;
    LabelBox box_;
    Extent extent_;
    std::size_t pixelCount_ = 0;
    std::uint32_t atBorder_ = 0; ///< voxels at the border of the volume
};

} // namespace

Components copyOf(const Components& objects, const JobControl& control) {
    try {
        Components copy;
        copy.connectivity = objects.connectivity;
        copy.width = objects.width;
        copy.height = objects.height;
        copy.slices = objects.slices;
        copy.count = objects.count;
        copy.unmetMarks = objects.unmetMarks;
        copy.foreground = objects.foreground;
        copy.algorithm = objects.algorithm;
        copy.objects = objects.objects;
        copy.depths = objects.depths;
        copy.valueSums = objects.valueSums;
        copy.expectedArea = objects.expectedArea;
        copy.numbers = objects.numbers;
        copy.hasParts = objects.hasParts;
        copy.labels = Buffer<std::uint32_t>(objects.labels.size());
        const std::span<const std::uint32_t> from = objects.labels.span();
        forEachRange(
            from.size(), control,
            [&](std::size_t begin, std::size_t end) {
                std::ranges::copy(from.subspan(begin, end - begin), copy.labels.span().subspan(begin).begin());
            },
            kPixelsPerCopy);
        return copy;
    } catch (const std::bad_alloc&) {
        throw Error(ErrorCode::outOfMemory, "edit objects: not enough memory for " + text(objects.extent()));
    }
}

LabelBox boxOf(const Components& objects, std::uint32_t label) {
    const ComponentRecord& record = objects.objects[label - 1];
    const DepthRecord depth = objects.isVolume() ? objects.depths[label - 1] : DepthRecord{};
    return {{record.left, record.top, depth.front}, {record.right, record.bottom, depth.back}};
}

void measureChanged(Components& objects, const std::map<std::uint32_t, LabelBox>& changed, std::uint32_t labels,
                    const Image* grey, const std::optional<ValueMapping>& mapping, const JobControl& control) {
    const std::uint32_t before = objects.count;
    objects.count = std::max(labels, before);
    std::uint32_t number = objects.numbers.empty() ? 0 : objects.numbers.back();
    if (!objects.numbers.empty() && std::numeric_limits<std::uint32_t>::max() - number < objects.count - before) {
        throw Error(ErrorCode::limitExceeded, "edit objects: all 32-bit numbers of objects are used");
    }
    for (std::uint32_t label = before; label < objects.count; ++label) {
        objects.objects.emplace_back(ComponentRecord{});
        if (objects.isVolume()) {
            objects.depths.emplace_back(DepthRecord{});
        }
        if (mapping && mapping->ranks) {
            objects.valueSums.push_back(0);
        }
        if (!objects.numbers.empty()) {
            objects.numbers.push_back(++number);
        }
    }
    for (const auto& [label, box] : changed) {
        control.throwIfStopped();
        ChangedObject(objects, label, box).measure(grey, mapping, control);
    }
}

} // namespace pollard
