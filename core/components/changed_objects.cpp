#include "components/changed_objects.hpp"

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "components/run_bands.hpp"
#include "image/mask.hpp"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <functional>
#include <limits>
#include <new>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace pollard {

namespace {

constexpr std::size_t kPixelsPerCopy = std::size_t{1} << 20U;
constexpr std::size_t kRowsOfBoxPerTask = 32;

/// The size of a box.
Extent extentOf(const LabelBox& box) {
    return {box.last.x - box.first.x + 1, box.last.y - box.first.y + 1, box.last.z - box.first.z + 1};
}

/// Calls visit(row of the box, index of its first pixel in the image) for the rows of all slices, in parallel.
template <class Visit>
void forEachRowOf(const LabelBox& box, const Extent& image, const JobControl& control, const Visit& visit) {
    const Extent extent = extentOf(box);
    forEachIndex(
        extent.rows(), control,
        [&](std::size_t row) {
            const std::size_t y = box.first.y + row % extent.height;
            const std::size_t z = box.first.z + row / extent.height;
            visit(static_cast<std::uint32_t>(row), (z * image.height + y) * image.width + box.first.x);
        },
        kRowsOfBoxPerTask);
}

/// The part of an image in a box.
Image cropped(const Image& image, const LabelBox& box, const JobControl& control) {
    Image part(image.type(), extentOf(box));
    dispatch(image.type(), [&]<class Pixel>(Pixel) {
        forEachRowOf(box, image.extent(), control, [&](std::uint32_t row, std::size_t from) {
            std::ranges::copy(image.pixels<Pixel>().subspan(from, part.width()),
                              part.pixels<Pixel>().begin() + std::size_t{row} * part.width());
        });
    });
    return part;
}

/// The pixels of an object in a box.
Mask pixelsOf(const Components& objects, std::uint32_t label, const LabelBox& box, const JobControl& control) {
    const Extent extent = extentOf(box);
    Mask mask(extent.width, static_cast<std::uint32_t>(extent.rows()), false);
    forEachRowOf(box, objects.extent(), control, [&](std::uint32_t row, std::size_t from) {
        const std::span<const std::uint32_t> labels = objects.labels.span().subspan(from, extent.width);
        for (auto at = labels.begin();;) {
            const auto first = std::find(at, labels.end(), label);
            if (first == labels.end()) {
                break;
            }
            at = std::find_if(first, labels.end(), [label](std::uint32_t other) { return other != label; });
            mask.setRun(static_cast<std::uint32_t>(first - labels.begin()),
                        static_cast<std::uint32_t>(at - labels.begin()), row, true);
        }
    });
    return mask;
}

/// Moves measurements from a box to the image.
void shift(VolumeRecord& record, const Voxel& by) {
    const std::uint64_t x = by.x;
    const std::uint64_t y = by.y;
    const std::uint64_t z = by.z;
    record.sumXZ += x * record.sumZ + z * record.sumX + record.area * x * z;
    record.sumYZ += y * record.sumZ + z * record.sumY + record.area * y * z;
    record.sumZZ += 2 * z * record.sumZ + record.area * z * z;
    record.sumXX += 2 * x * record.sumX + record.area * x * x;
    record.sumYY += 2 * y * record.sumY + record.area * y * y;
    record.sumXY += x * record.sumY + y * record.sumX + record.area * x * y;
    record.sumX += record.area * x;
    record.sumY += record.area * y;
    record.sumZ += record.area * z;
    record.left += by.x;
    record.right += by.x;
    record.top += by.y;
    record.bottom += by.y;
    record.front += by.z;
    record.back += by.z;
}

/// Voxels of a box in an outer plane of the volume.
std::uint32_t countAtBorder(const Mask& pixels, const LabelBox& box, const Extent& volume) {
    const Extent extent = extentOf(box);
    std::uint32_t count = 0;
    for (std::uint32_t row = 0; row != pixels.height(); ++row) {
        const std::uint32_t y = box.first.y + row % extent.height;
        const std::uint32_t z = box.first.z + row / extent.height;
        const bool isOuter = y == 0 || y + 1 == volume.height || z == 0 || z + 1 == volume.slices;
        forEachRun(pixels, row, true, [&](std::uint32_t first, std::uint32_t last) {
            const std::uint32_t ends =
                (box.first.x + first == 0 ? 1U : 0U) + (box.first.x + last == volume.width ? 1U : 0U);
            count += isOuter ? last - first : std::min(ends, last - first);
        });
    }
    return count;
}

/// The part of an object in a box, measured in the image.
struct BoxPart {
    VolumeRecord record; ///< area 0: no pixel
    std::uint32_t parts = 0;
    /// Euler number in an image, modulo 2^64: an object has its number of parts minus this as holes.
    [[nodiscard]] std::uint64_t euler() const { return parts - record.holes; }
};

/// @param grey image of the objects' size; null: the grey fields are 0
BoxPart measureIn(const LabelBox& box, const Components& objects, std::uint32_t label, const Image* grey,
                  const JobControl& control) {
    const Extent extent = extentOf(box);
    const Mask pixels = pixelsOf(objects, label, box, control);
    std::optional<Image> part;
    if (grey != nullptr && extent != grey->extent()) {
        part = cropped(*grey, box, control);
        grey = &*part;
    }
    const Components found = labelComponents(
        pixels, grey, {.connectivity = objects.connectivity, .algorithm = {}, .labels = false, .slices = extent.slices},
        control);
    BoxPart all{{}, found.count};
    for (std::size_t i = 0; i != found.objects.size(); ++i) {
        const VolumeRecord one{found.objects[i], objects.isVolume() ? found.depths[i] : DepthRecord{}};
        if (i == 0) {
            all.record = one;
        } else {
            addPart(all.record, one);
        }
    }
    if (objects.isVolume()) {
        all.record.border = countAtBorder(pixels, box, objects.extent());
        shift(all.record, box.first);
    } else if (found.count != 0) {
        shift(all.record, {box.first.x, box.first.y, 0});
    }
    return all;
}

/// The connected parts of an object of an image in a window.
class WindowParts {
public:
    WindowParts(const Components& objects, std::uint32_t label, const LabelBox& window, const JobControl& control)
        : forest_(pixelsOf(objects, label, window, control), control), extent_(extentOf(window)) {
        joinRuns(forest_, bandsOf(extent_, objects.connectivity), extent_, objects.connectivity, nullptr, control);
        for (std::size_t run = 0; run != forest_.size(); ++run) {
            count_ += forest_.parent(run) == run ? 1 : 0;
        }
    }

    [[nodiscard]] std::int64_t count() const noexcept { return count_; }
    /// The parts of the pixels of a row or a column, in their order.
    void addRow(std::uint32_t y, std::vector<std::uint32_t>& parts) const {
        for (std::size_t run = forest_.rowStart(y); run != forest_.rowStart(y + 1); ++run) {
            parts.push_back(partOf(run));
        }
    }
    void addFirstColumn(std::vector<std::uint32_t>& parts) const {
        for (std::uint32_t y = 0; y != extent_.height; ++y) {
            const std::size_t run = forest_.rowStart(y);
            if (run != forest_.rowStart(y + 1) && forest_.run(run).first == 0) {
                parts.push_back(partOf(run));
            }
        }
    }
    void addLastColumn(std::vector<std::uint32_t>& parts) const {
        for (std::uint32_t y = 0; y != extent_.height; ++y) {
            const std::size_t end = forest_.rowStart(y + 1);
            if (end != forest_.rowStart(y) && forest_.run(end - 1).last == extent_.width) {
                parts.push_back(partOf(end - 1));
            }
        }
    }

private:
    [[nodiscard]] std::uint32_t partOf(std::size_t run) const noexcept {
        while (forest_.parent(run) != run) {
            run = forest_.parent(run);
        }
        return static_cast<std::uint32_t>(run);
    }

    RunForest forest_;
    Extent extent_;
    std::int64_t count_ = 0;
};

/// Whether two divisions put the same places together. @param a,b the parts of the places
bool areEqualDivisions(const std::vector<std::uint32_t>& a, const std::vector<std::uint32_t>& b) {
    std::unordered_map<std::uint32_t, std::uint32_t> toB;
    std::unordered_map<std::uint32_t, std::uint32_t> toA;
    for (std::size_t i = 0; i != a.size(); ++i) {
        if (toB.try_emplace(a[i], b[i]).first->second != b[i] || toA.try_emplace(b[i], a[i]).first->second != a[i]) {
            return false;
        }
    }
    return true;
}

/// Measures one object of an edited label image again.
class ChangedObject {
public:
    /// @param changed box of the pixels that it has won or lost
    ChangedObject(Components& objects, const Components& before, std::uint32_t label, const LabelBox& changed,
                  const Image* grey, const JobControl& control)
        : objects_(objects), before_(before), label_(label), changed_(changed), box_(changed), grey_(grey),
          control_(control) {
        if (objects.objects[label - 1].area != 0) {
            box_.add(boxOf(objects, label));
        }
    }

    void measure(const std::optional<ValueMapping>& mapping) {
        constexpr std::size_t kTimes = 4; // less is not worth two measurements
        const LabelBox around = widened(1);
        const bool isLarge =
            label_ <= before_.count && extentOf(around).pixelCount() * kTimes <= extentOf(box_).pixelCount();
        isLarge ? measureAround(around) : measureWhole();
        if (!objects_.valueSums.empty()) {
            objects_.valueSums[label_ - 1] = sumOfValues(*mapping);
        }
    }

private:
    using Record = VolumeRecord;

    void measureWhole() {
        const BoxPart own = measureIn(box_, objects_, label_, grey_, control_);
        objects_.hasParts = objects_.hasParts || (!objects_.isVolume() && own.parts > 1);
        store(own.record);
    }

    /// Measures an object that is much larger than its change by the difference around the change: all measurements
    /// but boxes, extreme levels and the number of parts are sums over pixels and their neighbours.
    void measureAround(const LabelBox& around) {
        const BoxPart now = measureIn(around, objects_, label_, grey_, control_);
        const BoxPart then = measureIn(around, before_, label_, grey_, control_);
        Record all{before_.objects[label_ - 1], objects_.isVolume() ? before_.depths[label_ - 1] : DepthRecord{}};
        addSums(all, now.record, then.record);
        if (all.area == 0) {
            store({});
            return;
        }
        if (!objects_.isVolume()) {
            const std::int64_t more = addedParts(!before_.hasParts && then.record.area != 0);
            all.holes += static_cast<std::uint64_t>(more) - now.euler() + then.euler();
            objects_.hasParts = objects_.hasParts || more > 0;
        }
        moveEdges(all, now.record, then.record);
        if (grey_ != nullptr) {
            moveLevels(all, now.record, then.record);
        }
        store(all);
    }

    /// The change and a margin, within the box of the object before and after the change.
    [[nodiscard]] LabelBox widened(std::uint32_t margin) const {
        const auto less = [margin](std::uint32_t at, std::uint32_t least) { return at - std::min(at - least, margin); };
        const auto more = [margin](std::uint32_t at, std::uint32_t most) { return at + std::min(most - at, margin); };
        const auto& [first, last] = box_;
        return {{less(changed_.first.x, first.x), less(changed_.first.y, first.y), less(changed_.first.z, first.z)},
                {more(changed_.last.x, last.x), more(changed_.last.y, last.y), more(changed_.last.z, last.z)}};
    }

    /// The parts of an object of an image after the change minus those before. Pixels beyond a window around the change
    /// connect the same places of its border before and after the change; so the difference is known as soon as the
    /// pixels in the window connect the same places, too.
    /// @param wasOneHere whether the object was one part, with pixels around the change
    [[nodiscard]] std::int64_t addedParts(bool wasOneHere) const {
        constexpr std::uint32_t kFirstMargin = 16;
        constexpr std::uint32_t kGrowth = 4;
        const auto areaOf = [](const LabelBox& box) { return extentOf(box).pixelCount(); };
        for (std::uint32_t margin = kFirstMargin;; margin *= kGrowth) {
            const LabelBox window = areaOf(widened(margin)) * kGrowth < areaOf(box_) ? widened(margin) : box_;
            const WindowParts now(objects_, label_, window, control_);
            if (wasOneHere && (now.count() == 1 || window == box_)) {
                return now.count() - 1;
            }
            const WindowParts then(before_, label_, window, control_);
            if (areEqualDivisions(partsAtBorder(now, window), partsAtBorder(then, window))) {
                return now.count() - then.count();
            }
        }
    }

    /// The parts of the pixels at the sides of a window beyond which the object may have pixels.
    [[nodiscard]] std::vector<std::uint32_t> partsAtBorder(const WindowParts& found, const LabelBox& window) const {
        std::vector<std::uint32_t> parts;
        if (window.first.y != box_.first.y) {
            found.addRow(0, parts);
        }
        if (window.last.y != box_.last.y) {
            found.addRow(window.last.y - window.first.y, parts);
        }
        if (window.first.x != box_.first.x) {
            found.addFirstColumn(parts);
        }
        if (window.last.x != box_.last.x) {
            found.addLastColumn(parts);
        }
        return parts;
    }

    static void addSums(Record& all, const Record& now, const Record& then) {
        const auto add = [&](auto... members) { ((all.*members += now.*members - then.*members), ...); };
        add(&Record::area, &Record::sumX, &Record::sumY, &Record::sumXX, &Record::sumXY, &Record::sumYY);
        add(&Record::greySum, &Record::perimeter);
        add(&Record::sumZ, &Record::sumZZ, &Record::sumXZ, &Record::sumYZ);
        add(&Record::runsX, &Record::runsY, &Record::runsZ, &Record::border);
        add(&Record::euler);
    }

    void moveEdges(Record& all, const Record& now, const Record& then) const {
        moveEdge(all, now, then, &Record::left, &Voxel::x, std::less<>());
        moveEdge(all, now, then, &Record::top, &Voxel::y, std::less<>());
        moveEdge(all, now, then, &Record::right, &Voxel::x, std::greater<>());
        moveEdge(all, now, then, &Record::bottom, &Voxel::y, std::greater<>());
        if (objects_.isVolume()) {
            moveEdge(all, now, then, &Record::front, &Voxel::z, std::less<>());
            moveEdge(all, now, then, &Record::back, &Voxel::z, std::greater<>());
        }
    }

    /// Moves an edge of the box: outwards to the pixels around the change, or inwards if they were at the edge.
    template <class Member, class IsBeyond> void moveEdge(Record& all, const Record& now, const Record& then,
                                                          Member member, std::uint32_t Voxel::*axis,
                                                          IsBeyond isBeyond) const {
        std::uint32_t& edge = all.*member;
        if (now.area != 0 && !isBeyond(edge, now.*member)) {
            edge = now.*member;
        } else if (then.area != 0 && then.*member == edge) {
            LabelBox outer = box_;
            std::uint32_t& inner = (isBeyond(0, 1) ? outer.last : outer.first).*axis;
            inner = now.area != 0 ? now.*member : inner;
            edge = extremeIn(outer, inner, edge, isBeyond, [axis](const Voxel& at, std::size_t) { return at.*axis; });
        }
    }

    void moveLevels(Record& all, const Record& now, const Record& then) const {
        dispatch(grey_->type(), [&]<class Pixel>(Pixel) {
            const std::span<const Pixel> pixels = grey_->pixels<Pixel>();
            const auto move = [&](auto member, std::uint16_t none, auto isBeyond) {
                std::uint16_t& level = all.*member;
                const std::uint16_t near = now.area != 0 ? now.*member : none;
                if (!isBeyond(level, near)) {
                    level = near;
                } else if (then.area != 0 && then.*member == level) {
                    level = extremeIn(box_, near, level, isBeyond,
                                      [&](const Voxel&, std::size_t pixel) { return std::uint16_t{pixels[pixel]}; });
                }
            };
            move(&Record::greyMin, std::numeric_limits<std::uint16_t>::max(), std::less<>());
            move(&Record::greyMax, 0, std::greater<>());
        });
    }

    /// The extreme of a value over the pixels of the object in a box; @p start if no value is beyond it.
    /// @param known no value is beyond it
    template <class Value, class IsBeyond, class ValueAt> [[nodiscard]] Value
    extremeIn(const LabelBox& box, Value start, Value known, IsBeyond isBeyond, const ValueAt& valueAt) const {
        const std::uint32_t width = extentOf(box).width;
        std::atomic<Value> extreme(start);
        forEachRowOf(box, objects_.extent(), control_, [&](std::uint32_t, std::size_t from) {
            Value own = extreme.load(std::memory_order_relaxed);
            if (own == known) {
                return;
            }
            Voxel at = voxelAt(static_cast<std::uint32_t>(from), objects_.extent());
            for (std::size_t pixel = from; pixel != from + width; ++pixel, ++at.x) {
                if (objects_.labels[pixel] == label_ && isBeyond(valueAt(at, pixel), own)) {
                    own = valueAt(at, pixel);
                }
            }
            Value other = extreme.load(std::memory_order_relaxed);
            while (isBeyond(own, other) && !extreme.compare_exchange_weak(other, own, std::memory_order_relaxed)) {
            }
        });
        return extreme;
    }

    /// In raster order, because sums of fractions depend on the order.
    [[nodiscard]] double sumOfValues(const ValueMapping& mapping) const {
        const std::vector<double>& values = mapping.ranks->values;
        double sum = 0;
        for (std::uint32_t z = box_.first.z; z <= box_.last.z; ++z) {
            for (std::uint32_t y = box_.first.y; y <= box_.last.y; ++y) {
                control_.throwIfStopped();
                const std::size_t row = (std::size_t{z} * objects_.height + y) * objects_.width;
                for (std::size_t at = row + box_.first.x; at <= row + box_.last.x; ++at) {
                    sum += objects_.labels[at] == label_ ? values[grey_->level(at)] : 0;
                }
            }
        }
        return sum;
    }

    void store(const Record& record) {
        objects_.foreground += record.area;
        objects_.foreground -= objects_.objects[label_ - 1].area;
        objects_.objects[label_ - 1] = record;
        if (objects_.isVolume()) {
            objects_.depths[label_ - 1] = record;
        }
    }

    Components& objects_;
    const Components& before_;
    std::uint32_t label_;
    LabelBox changed_;
    LabelBox box_; ///< of all pixels before and after the change
    const Image* grey_;
    const JobControl& control_;
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
        ChangedObject(objects, before, label, box, grey, control).measure(mapping);
    }
}

} // namespace pollard
