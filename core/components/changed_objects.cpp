#include "components/changed_objects.hpp"

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "components/labelled_components.hpp"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <limits>
#include <new>
#include <numeric>
#include <span>
#include <string>
#include <type_traits>
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

/// Pixels of an object in a box, and their measurements.
struct PixelsInBox {
    std::vector<std::uint32_t> pixels; ///< 1 for the object, else 0
    std::size_t count = 0;
    std::uint32_t atBorder = 0; ///< voxels at the border of the volume
    std::optional<Image> grey;

    PixelsInBox(const Components& objects, std::uint32_t label, const LabelBox& box, const Image* image) {
        const Extent extent = extentOf(box);
        pixels.reserve(extent.pixelCount());
        for (std::uint32_t z = box.first.z; z <= box.last.z; ++z) {
            for (std::uint32_t y = box.first.y; y <= box.last.y; ++y) {
                const std::size_t row = (std::size_t{z} * objects.height + y) * objects.width;
                const bool isOuter = y == 0 || y + 1 == objects.height || z == 0 || z + 1 == objects.slices;
                for (std::uint32_t x = box.first.x; x <= box.last.x; ++x) {
                    const bool isOwn = objects.labels[row + x] == label;
                    pixels.push_back(isOwn ? 1 : 0);
                    count += isOwn ? 1 : 0;
                    atBorder += isOwn && (isOuter || x == 0 || x + 1 == objects.width) ? 1 : 0;
                }
            }
        }
        if (image != nullptr && count != 0) {
            grey = image->type() == PixelType::u8 ? cropped<std::uint8_t>(*image, box, extent)
                                                  : cropped<std::uint16_t>(*image, box, extent);
        }
    }
    static Extent extentOf(const LabelBox& box) {
        return {box.last.x - box.first.x + 1, box.last.y - box.first.y + 1, box.last.z - box.first.z + 1};
    }
};

/// Measures one object of an edited label image again.
class ChangedObject {
public:
    /// @param changed box of the pixels that it has won or lost
    ChangedObject(Components& objects, const Components& before, std::uint32_t label, const LabelBox& changed)
        : objects_(objects), before_(before), label_(label), changed_(changed), box_(changed) {
        if (objects.objects[label - 1].area != 0) {
            box_.add(boxOf(objects, label));
        }
    }

    void measure(const Image* grey, const std::optional<ValueMapping>& mapping, const JobControl& control) {
        if (!measureAround(grey, control)) {
            measureWhole(grey, mapping, control);
        }
    }

private:
    using Found = std::pair<ComponentRecord, DepthRecord>;

    void measureWhole(const Image* grey, const std::optional<ValueMapping>& mapping, const JobControl& control) {
        const PixelsInBox own(objects_, label_, box_, grey);
        objects_.foreground -= objects_.objects[label_ - 1].area;
        const double valueSum =
            own.count != 0 && !objects_.valueSums.empty() ? sumOf(own.pixels, *own.grey, *mapping) : 0;
        if (!objects_.valueSums.empty()) {
            objects_.valueSums[label_ - 1] = valueSum;
        }
        if (own.count == 0) {
            store({});
            return;
        }
        const Components found = measureNumbers(own.pixels, PixelsInBox::extentOf(box_), nullptr,
                                                own.grey ? &*own.grey : nullptr, objects_.connectivity, control);
        objects_.hasParts = objects_.hasParts || found.hasParts;
        objects_.foreground += own.count;
        store(inImage(found, own, box_));
    }

    /// Measures an object that is much larger than its change by the difference around the change: all measurements
    /// but boxes, extreme levels and the number of parts are sums over pixels and their neighbours. The number of parts
    /// stays if the pixels around the change are connected after the change, and were connected before, there or in an
    /// object of one part.
    /// @returns whether these three are known, too
    bool measureAround(const Image* grey, const JobControl& control) {
        constexpr std::size_t kTimes = 4; // less is not worth two measurements
        LabelBox around = changed_;
        widen(around);
        const Extent extent = PixelsInBox::extentOf(around);
        if (label_ > before_.count || !objects_.valueSums.empty() ||
            extent.pixelCount() * kTimes > PixelsInBox::extentOf(box_).pixelCount()) {
            return false;
        }
        const PixelsInBox now(objects_, label_, around, grey);
        const PixelsInBox then(before_, label_, around, grey);
        if (now.count == 0 || then.count == 0) {
            return false;
        }
        const Components found = measureNumbers(now.pixels, extent, nullptr, now.grey ? &*now.grey : nullptr,
                                                objects_.connectivity, control);
        if (found.hasParts) { // they may be connected outside
            return false;
        }
        const Components known = knownAround(then, extent, control);
        if (known.hasParts) {
            return false;
        }
        const auto changed = difference(inImage(found, now, around), inImage(known, then, around), grey);
        if (changed) {
            store(*changed);
            objects_.foreground += now.count;
            objects_.foreground -= then.count;
        }
        return changed.has_value();
    }

    /// The part of the object before the change. If it was one part, parts here may be connected outside, and `holes`
    /// is 1 - Euler number.
    [[nodiscard]] Components knownAround(const PixelsInBox& then, const Extent& extent,
                                         const JobControl& control) const {
        const Image* const grey = then.grey ? &*then.grey : nullptr;
        if (before_.hasParts) {
            return measureNumbers(then.pixels, extent, nullptr, grey, objects_.connectivity, control);
        }
        Buffer<std::uint32_t> labels(then.pixels.size());
        std::ranges::copy(then.pixels, labels.begin());
        return measureLabels({std::move(labels), extent.width, extent.height, 1, extent.slices}, grey,
                             objects_.connectivity, control);
    }

    /// Adds a margin of one pixel within the image, so that the neighbours of changed pixels are in the box.
    void widen(LabelBox& box) const {
        const auto less = [](std::uint32_t at) { return at - std::min(at, 1U); };
        box.first = {less(box.first.x), less(box.first.y), less(box.first.z)};
        box.last = {std::min(box.last.x + 1, objects_.width - 1), std::min(box.last.y + 1, objects_.height - 1),
                    std::min(box.last.z + 1, objects_.slices - 1)};
    }

    /// Measurements in a box as measurements in the image.
    [[nodiscard]] Found inImage(const Components& found, const PixelsInBox& pixels, const LabelBox& box) const {
        ComponentRecord record = found.objects.front();
        DepthRecord depth;
        if (objects_.isVolume()) {
            depth = found.depths.front();
            depth.border = pixels.atBorder;
            shift(depth, record, box.first);
        }
        shift(record, box.first);
        return {record, depth};
    }

    void store(const Found& found) {
        objects_.objects[label_ - 1] = found.first;
        if (objects_.isVolume()) {
            objects_.depths[label_ - 1] = found.second;
        }
    }

    /// The object after the change. Nothing if the part that was at an edge of its box is gone, or all pixels of an
    /// extreme level.
    [[nodiscard]] std::optional<Found> difference(const Found& now, const Found& then, const Image* grey) const {
        Found all{before_.objects[label_ - 1], objects_.isVolume() ? before_.depths[label_ - 1] : DepthRecord{}};
        bool isKnown = true;
        const auto addSums = [&](auto part, auto... members) {
            ((part(all).*members += part(now).*members - part(then).*members), ...);
        };
        const auto extend = [&](auto part, auto member, auto isBeyond) {
            auto& edge = part(all).*member;
            const bool isKept = part(then).*member != edge || !isBeyond(edge, part(now).*member);
            constexpr bool kIsLevel = std::is_same_v<std::decay_t<decltype(edge)>, std::uint16_t>;
            isKnown = isKnown && (isKept || (kIsLevel && hasLevel(*grey, static_cast<std::uint16_t>(edge))));
            edge = isBeyond(part(now).*member, edge) ? part(now).*member : edge;
        };
        const auto flat = [](auto& found) -> auto& { return found.first; };
        const auto deep = [](auto& found) -> auto& { return found.second; };
        using Flat = ComponentRecord;
        using Deep = DepthRecord;
        addSums(flat, &Flat::area, &Flat::sumX, &Flat::sumY, &Flat::sumXX, &Flat::sumXY, &Flat::sumYY, &Flat::greySum,
                &Flat::perimeter, &Flat::holes);
        addSums(deep, &Deep::sumZ, &Deep::sumZZ, &Deep::sumXZ, &Deep::sumYZ);
        addSums(deep, &Deep::runsX, &Deep::runsY, &Deep::runsZ, &Deep::border);
        addSums(deep, &Deep::euler);
        extend(flat, &Flat::left, std::less<>());
        extend(flat, &Flat::top, std::less<>());
        extend(flat, &Flat::right, std::greater<>());
        extend(flat, &Flat::bottom, std::greater<>());
        extend(flat, &Flat::greyMin, std::less<>());
        extend(flat, &Flat::greyMax, std::greater<>());
        extend(deep, &Deep::front, std::less<>());
        extend(deep, &Deep::back, std::greater<>());
        return isKnown ? std::optional(all) : std::nullopt;
    }

    /// Whether a pixel of the object has the level.
    [[nodiscard]] bool hasLevel(const Image& grey, std::uint16_t level) const {
        for (std::uint32_t z = box_.first.z; z <= box_.last.z; ++z) {
            for (std::uint32_t y = box_.first.y; y <= box_.last.y; ++y) {
                const std::size_t row = (std::size_t{z} * objects_.height + y) * objects_.width;
                for (std::size_t at = row + box_.first.x; at <= row + box_.last.x; ++at) {
                    if (objects_.labels[at] == label_ && grey.level(at) == level) {
                        return true;
                    }
                }
            }
        }
        return false;
    }

    static double sumOf(std::span<const std::uint32_t> pixels, const Image& grey, const ValueMapping& mapping) {
        double sum = 0;
        for (std::size_t i = 0; i < pixels.size(); ++i) {
            sum += pixels[i] != 0 ? mapping.ranks->values[grey.level(i)] : 0;
        }
        return sum;
    }

    Components& objects_;
    const Components& before_;
    std::uint32_t label_;
    LabelBox changed_;
    LabelBox box_;
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

void takeChanges(Components& copy, const Components& objects, const std::map<std::uint32_t, LabelBox>& changed) {
    const auto append = [](auto& to, const auto& from) {
        to.insert(to.end(), from.begin() + static_cast<std::ptrdiff_t>(to.size()), from.end());
    };
    append(copy.objects, objects.objects);
    append(copy.depths, objects.depths);
    append(copy.valueSums, objects.valueSums);
    append(copy.numbers, objects.numbers);
    copy.count = objects.count;
    copy.foreground = objects.foreground;
    copy.hasParts = objects.hasParts;
    for (const auto& [label, box] : changed) {
        copy.objects[label - 1] = objects.objects[label - 1];
        if (!objects.depths.empty()) {
            copy.depths[label - 1] = objects.depths[label - 1];
        }
        if (!objects.valueSums.empty()) {
            copy.valueSums[label - 1] = objects.valueSums[label - 1];
        }
        for (std::uint32_t z = box.first.z; z <= box.last.z; ++z) {
            for (std::uint32_t y = box.first.y; y <= box.last.y; ++y) {
                const std::size_t row = (std::size_t{z} * objects.height + y) * objects.width;
                std::ranges::copy(objects.labels.span().subspan(row + box.first.x, box.last.x - box.first.x + 1),
                                  copy.labels.begin() + row + box.first.x);
            }
        }
    }
}

LabelBox boxOf(const Components& objects, std::uint32_t label) {
    const ComponentRecord& record = objects.objects[label - 1];
    const DepthRecord depth = objects.isVolume() ? objects.depths[label - 1] : DepthRecord{};
    return {{record.left, record.top, depth.front}, {record.right, record.bottom, depth.back}};
}

void addObject(Components& objects, std::uint32_t number, bool hasValueSums) {
    objects.objects.emplace_back(ComponentRecord{});
    if (objects.isVolume()) {
        objects.depths.emplace_back(DepthRecord{});
    }
    if (hasValueSums) {
        objects.valueSums.push_back(0);
    }
    if (objects.numbers.empty() && number != objects.count + 1) {
        objects.numbers.resize(objects.count);
        std::iota(objects.numbers.begin(), objects.numbers.end(), 1U);
        objects.numbers.push_back(number);
    } else if (!objects.numbers.empty()) {
        objects.numbers.push_back(number);
    }
    ++objects.count;
}

void measureChanged(Components& objects, const Components& before, const std::map<std::uint32_t, LabelBox>& changed,
                    std::uint32_t labels, const Image* grey, const std::optional<ValueMapping>& mapping,
                    const JobControl& control) {
    const std::uint32_t more = std::max(labels, objects.count) - objects.count;
    std::uint32_t number = objects.largestNumber();
    if (std::numeric_limits<std::uint32_t>::max() - number < more) {
        throw Error(ErrorCode::limitExceeded, "edit objects: all 32-bit numbers of objects are used");
    }
    for (std::uint32_t i = 0; i < more; ++i) {
        addObject(objects, ++number, mapping && mapping->ranks);
    }
    for (const auto& [label, box] : changed) {
        control.throwIfStopped();
        ChangedObject(objects, before, label, box).measure(grey, mapping, control);
    }
}

} // namespace pollard
