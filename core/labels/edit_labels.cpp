#include "labels/edit_labels.hpp"

#include "base/error.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <limits>
#include <map>
#include <new>
#include <string>
#include <utility>
#include <vector>

namespace pollard {

namespace {

void requireNumber(const EditedLabels& image, std::uint32_t label) {
    if (label > image.count && label - image.count != 1) {
        throw Error(ErrorCode::invalidArgument, "edit objects: there is no object " + std::to_string(label) +
                                                    ", and the next new one is " + std::to_string(image.count + 1));
    }
    if (label == std::numeric_limits<std::uint32_t>::max()) {
        throw Error(ErrorCode::limitExceeded, "edit objects: all 32-bit numbers of objects are used");
    }
}

/// Runs of equal labels in a span: visit(pixels, label).
template <class Visit> void forEachLabelRun(std::span<const std::uint32_t> labels, PixelSpan span, const Visit& visit) {
    while (span.first < span.last) {
        std::size_t end = span.first + 1;
        while (end < span.last && labels[end] == labels[span.first]) {
            ++end;
        }
        visit(PixelSpan{span.first, end}, labels[span.first]);
        span.first = end;
    }
}

/// The rows of a box, cut to the image: visit(pixels).
template <class Visit>
void forEachBoxRow(const Extent& extent, const LabelBox& box, const JobControl& control, const Visit& visit) {
    const std::uint32_t right = std::min(box.last.x, extent.width - 1);
    for (std::uint32_t z = box.first.z; z <= box.last.z && z < extent.slices; ++z) {
        for (std::uint32_t y = box.first.y; y <= box.last.y && y < extent.height; ++y) {
            control.throwIfStopped();
            const std::size_t start = (std::size_t{z} * extent.height + y) * extent.width;
            if (box.first.x <= right) {
                visit(PixelSpan{start + box.first.x, start + right + 1});
            }
        }
    }
}

template <class Work> auto withMemory(const char* what, const Work& work) {
    try {
        return work();
    } catch (const std::bad_alloc&) {
        throw Error(ErrorCode::outOfMemory, std::string(what) + ": not enough memory");
    }
}

/// The object of a cut in its box: a part for each pixel.
class CutObject {
public:
    static constexpr std::uint32_t kOutside = 0;
    static constexpr std::uint32_t kLine = 0xffff'ffff;
    static constexpr std::uint32_t kFree = 0xffff'fffe; ///< of the object, in no part yet

    CutObject(const EditedLabels& image, std::uint32_t label, const PixelSpans& line, const LabelBox& box,
              const JobControl& control)
        : image_(image), control_(control), box_(box) {
        box_.last = {std::min(box.last.x, image.extent.width - 1), std::min(box.last.y, image.extent.height - 1),
                     std::min(box.last.z, image.extent.slices - 1)};
        width_ = box_.last.x - box_.first.x + 1;
        height_ = box_.last.y - box_.first.y + 1;
        slices_ = box_.last.z - box_.first.z + 1;
        parts_.resize(std::size_t{width_} * height_ * slices_, kOutside);
        std::size_t at = 0;
        forEachBoxRow(image.extent, box_, control, [&](const PixelSpan& row) {
            for (std::size_t pixel = row.first; pixel < row.last; ++pixel) {
                parts_[at++] = image.labels[pixel] == label ? kFree : kOutside;
            }
        });
        for (const PixelSpan& span : line) {
            for (std::size_t pixel = span.first; pixel < span.last; ++pixel) {
                const Voxel voxel = voxelAt(static_cast<std::uint32_t>(pixel), image.extent);
                if (holds(voxel) && parts_[indexOf(voxel)] == kFree) {
                    parts_[indexOf(voxel)] = kLine;
                    line_.push_back(indexOf(voxel));
                }
            }
        }
    }

    /// Numbers the parts from 1 on in raster order. @returns their sizes
    [[nodiscard]] std::vector<std::size_t> findParts(bool touching) {
        std::vector<std::size_t> sizes;
        std::vector<std::size_t> open;
        for (std::size_t i = 0; i < parts_.size(); ++i) {
            if (parts_[i] != kFree) {
                continue;
            }
            const auto part = static_cast<std::uint32_t>(sizes.size() + 1);
            sizes.push_back(0);
            parts_[i] = part;
            open.push_back(i);
            while (!open.empty()) {
                const std::size_t from = open.back();
                open.pop_back();
                if (++sizes.back() % 0x10000 == 0) {
                    control_.throwIfStopped();
                }
                forEachNeighbour(from, 1, [&](std::size_t to, int steps) {
                    if (parts_[to] == kFree && (touching || steps == 1)) {
                        parts_[to] = part;
                        open.push_back(to);
                    }
                });
            }
        }
        return sizes;
    }

    /// Gives every pixel of the line to the nearest part.
    void divideLine() {
        std::vector<std::uint32_t> nearest(line_.size());
        for (std::size_t i = 0; i < line_.size(); ++i) {
            control_.throwIfStopped();
            nearest[i] = nearestPart(line_[i]);
        }
        for (std::size_t i = 0; i < line_.size(); ++i) {
            parts_[line_[i]] = nearest[i];
        }
    }

    [[nodiscard]] std::uint32_t part(std::size_t i) const { return parts_[i]; }
    [[nodiscard]] const LabelBox& box() const { return box_; }

private:
    [[nodiscard]] bool holds(const Voxel& at) const {
        return at.x >= box_.first.x && at.x <= box_.last.x && at.y >= box_.first.y && at.y <= box_.last.y &&
               at.z >= box_.first.z && at.z <= box_.last.z;
    }
    [[nodiscard]] std::size_t indexOf(const Voxel& at) const {
        return (std::size_t{at.z - box_.first.z} * height_ + (at.y - box_.first.y)) * width_ + (at.x - box_.first.x);
    }
    /// visit(index, number of axes along which it differs) for the pixels of the cube with this half side.
    template <class Visit> void forEachNeighbour(std::size_t from, std::int64_t reach, const Visit& visit) const {
        const auto x = static_cast<std::int64_t>(from % width_);
        const auto y = static_cast<std::int64_t>(from / width_ % height_);
        const auto z = static_cast<std::int64_t>(from / width_ / height_);
        const auto range = [reach](std::int64_t at, std::uint32_t count) {
            return std::pair(std::max<std::int64_t>(at - reach, 0), std::min<std::int64_t>(at + reach, count - 1));
        };
        const auto [front, back] = range(z, slices_);
        const auto [top, bottom] = range(y, height_);
        const auto [left, right] = range(x, width_);
        for (std::int64_t k = front; k <= back; ++k) {
            for (std::int64_t j = top; j <= bottom; ++j) {
                for (std::int64_t i = left; i <= right; ++i) {
                    const int steps = (i != x ? 1 : 0) + (j != y ? 1 : 0) + (k != z ? 1 : 0);
                    if (steps != 0) {
                        visit(static_cast<std::size_t>((k * height_ + j) * width_ + i), steps);
                    }
                }
            }
        }
    }
    /// Squared distance of two pixels.
    [[nodiscard]] std::int64_t distance(std::size_t a, std::size_t b) const {
        const auto apart = [](std::size_t one, std::size_t other) {
            const auto by = static_cast<std::int64_t>(one) - static_cast<std::int64_t>(other);
            return by * by;
        };
        return apart(a % width_, b % width_) + apart(a / width_ % height_, b / width_ % height_) +
               apart(a / width_ / height_, b / width_ / height_);
    }
    [[nodiscard]] std::uint32_t nearestPart(std::size_t from) const {
        std::uint32_t nearest = kLine;
        std::int64_t best = std::numeric_limits<std::int64_t>::max();
        for (std::int64_t reach = 1; reach * reach <= best; reach *= 2) { // a cube has all within its half side
            best = std::numeric_limits<std::int64_t>::max();
            forEachNeighbour(from, reach, [&](std::size_t to, int) {
                const std::uint32_t part = parts_[to];
                const std::int64_t away = distance(from, to);
                const bool isPart = part != kOutside && part != kLine;
                if (isPart && (away < best || (away == best && part < nearest))) {
                    best = away;
                    nearest = part;
                }
            });
            if (best <= reach * reach) {
                break;
            }
        }
        return nearest;
    }

    const EditedLabels& image_;
    const JobControl& control_;
    LabelBox box_;
    std::uint32_t width_ = 0;
    std::uint32_t height_ = 0;
    std::uint32_t slices_ = 0;
    std::vector<std::uint32_t> parts_;
    std::vector<std::size_t> line_;
};

} // namespace

LabelEdit paintLabel(const EditedLabels& image, const PixelSpans& pixels, std::uint32_t label, PaintOver over) {
    requireNumber(image, label);
    LabelEdit edit(image.extent, image.count);
    for (const PixelSpan& span : pixels) {
        forEachLabelRun(image.labels, span, [&](const PixelSpan& run, std::uint32_t before) {
            if (over == PaintOver::everything || before == 0) {
                edit.add(run, before, label);
            }
        });
    }
    edit.apply(image.labels);
    return edit;
}

LabelEdit replaceLabels(const EditedLabels& image, std::span<const std::uint8_t> chosen, std::uint32_t to,
                        const LabelBox& box, const JobControl& control) {
    requireNumber(image, to);
    LabelEdit edit(image.extent, image.count);
    forEachBoxRow(image.extent, box, control, [&](const PixelSpan& row) {
        forEachLabelRun(image.labels, row, [&](const PixelSpan& run, std::uint32_t before) {
            if (before != 0 && before <= chosen.size() && chosen[before - 1] != 0) {
                edit.add(run, before, to);
            }
        });
    });
    edit.apply(image.labels);
    return edit;
}

LabelRegion regionAt(const EditedLabels& image, const Voxel& at, const JobControl& control) {
    return withMemory("fill", [&] {
        const Extent& extent = image.extent;
        const std::size_t slice = at.z * extent.slicePixels();
        const std::uint32_t label = image.labels[slice + std::size_t{at.y} * extent.width + at.x];
        LabelRegion region;
        std::map<std::uint32_t, std::size_t> sides;
        std::vector<bool> seen(extent.slicePixels());
        std::vector<Voxel> open{at};
        std::vector<std::size_t> found;
        seen[std::size_t{at.y} * extent.width + at.x] = true;
        while (!open.empty()) {
            const Voxel from = open.back();
            open.pop_back();
            found.push_back(std::size_t{from.y} * extent.width + from.x);
            if (found.size() % 0x10000 == 0) {
                control.throwIfStopped();
            }
            const std::array<std::pair<int, int>, 4> steps{{{0, -1}, {-1, 0}, {1, 0}, {0, 1}}};
            for (const auto& [right, down] : steps) {
                const Voxel to{from.x + static_cast<std::uint32_t>(right), from.y + static_cast<std::uint32_t>(down),
                               at.z};
                if (to.x >= extent.width || to.y >= extent.height) {
                    return LabelRegion{};
                }
                const std::size_t pixel = std::size_t{to.y} * extent.width + to.x;
                if (const std::uint32_t other = image.labels[slice + pixel]; other != label) {
                    ++sides[other];
                } else if (!seen[pixel]) {
                    seen[pixel] = true;
                    open.push_back(to);
                }
            }
        }
        sides.erase(0);
        const auto most = std::ranges::max_element(sides, {}, [](const auto& entry) { return entry.second; });
        region.around = most == sides.end() ? 0 : most->first;
        std::ranges::sort(found);
        for (const std::size_t pixel : found) {
            const std::size_t place = slice + pixel;
            if (!region.pixels.empty() && region.pixels.back().last == place && pixel % extent.width != 0) {
                ++region.pixels.back().last;
            } else {
                region.pixels.push_back({place, place + 1});
            }
        }
        return region;
    });
}

LabelEdit cutLabel(const EditedLabels& image, std::uint32_t label, const PixelSpans& line, const LabelBox& box,
                   bool touching, const JobControl& control) {
    return withMemory("cut", [&] {
        LabelEdit edit(image.extent, image.count);
        CutObject object(image, label, line, box, control);
        const std::vector<std::size_t> sizes = object.findParts(touching);
        if (label == 0 || sizes.size() < 2) {
            return edit;
        }
        requireNumber(image, image.count + 1);
        object.divideLine();
        const auto largest = static_cast<std::size_t>(std::ranges::max_element(sizes) - sizes.begin()) + 1;
        std::size_t at = 0;
        forEachBoxRow(image.extent, object.box(), control, [&](const PixelSpan& row) {
            for (std::size_t pixel = row.first; pixel < row.last;) {
                const std::uint32_t part = object.part(at);
                std::size_t end = pixel;
                for (; end < row.last && object.part(at) == part; ++end) {
                    ++at;
                }
                if (part != CutObject::kOutside && part != largest) {
                    edit.add({pixel, end}, label, image.count + (part < largest ? part : part - 1));
                }
                pixel = end;
            }
        });
        edit.apply(image.labels);
        return edit;
    });
}

} // namespace pollard
