#include "operators/flat_operators.hpp"

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "filter/analysis_image.hpp"
#include "operators/structuring_element.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <map>
#include <new>
#include <span>
#include <vector>

namespace pollard {
namespace {

/// Bytes of a row that are worked on together.
constexpr std::size_t kLaneBytes = 64;
constexpr std::size_t kTileBytes = 2048;
constexpr std::uint32_t kLeastBandRows = 64;

struct Smallest {
    template <class T> static constexpr T kNone = std::numeric_limits<T>::max();
    template <class T> static T of(T a, T b) { return b < a ? b : a; }
};
struct Largest {
    template <class T> static constexpr T kNone = 0;
    template <class T> static T of(T a, T b) { return a < b ? b : a; }
};

/// out[i] = the chosen of a[i] and b[i].
template <class Choice, class T>
void chooseEach(const T* __restrict a, const T* __restrict b, T* __restrict out, std::size_t count) {
    for (std::size_t i = 0; i != count; ++i) {
        out[i] = Choice::of(a[i], b[i]);
    }
}
template <class Choice, class T> void chooseInto(T* __restrict out, const T* __restrict a, std::size_t count) {
    for (std::size_t i = 0; i != count; ++i) {
        out[i] = Choice::of(out[i], a[i]);
    }
}

/// Lines of pixels along an axis: `count` lines that begin `apart` pixels from each other.
struct Lines {
    std::size_t length = 0;
    std::size_t stride = 0; ///< from a pixel to the next one of its line
    std::size_t apart = 0;
};

/// Running minima (maxima) of windows of 2 half + 1 pixels along kLaneBytes of lines at a time.
template <class Choice, class T> class RunningWindow {
public:
    static constexpr std::size_t kLanes = kLaneBytes / sizeof(T);

    RunningWindow(std::size_t length, std::size_t half)
        : half_(std::min(half, length)), window_(2 * half_ + 1),
          padded_((length + 2 * half_ + window_ - 1) / window_ * window_), forward_(padded_ * kLanes),
          backward_(padded_ * kLanes) {}

    void replace(T* first, std::size_t count, const Lines& lines) {
        std::ranges::fill(forward_, Choice::template kNone<T>);
        gather(first, count, lines);
        std::ranges::copy(forward_, backward_.begin());
        for (std::size_t i = 1; i != padded_; ++i) {
            if (i % window_ != 0) {
                chooseInto<Choice>(forward_.data() + i * kLanes, forward_.data() + (i - 1) * kLanes, kLanes);
            }
        }
        for (std::size_t i = padded_ - 1; i-- != 0;) {
            if ((i + 1) % window_ != 0) {
                chooseInto<Choice>(backward_.data() + i * kLanes, backward_.data() + (i + 1) * kLanes, kLanes);
            }
        }
        for (std::size_t i = 0; i != lines.length; ++i) {
            chooseInto<Choice>(backward_.data() + i * kLanes, forward_.data() + (i + window_ - 1) * kLanes, kLanes);
        }
        for (std::size_t i = 0; i != lines.length; ++i) {
            for (std::size_t lane = 0; lane != count; ++lane) {
                first[i * lines.stride + lane * lines.apart] = backward_[i * kLanes + lane];
            }
        }
    }

private:
    void gather(const T* first, std::size_t count, const Lines& lines) {
        for (std::size_t i = 0; i != lines.length; ++i) {
            for (std::size_t lane = 0; lane != count; ++lane) {
                forward_[(i + half_) * kLanes + lane] = first[i * lines.stride + lane * lines.apart];
            }
        }
    }

    std::size_t half_;
    std::size_t window_;
    std::size_t padded_;
    std::vector<T> forward_;
    std::vector<T> backward_;
};

/// Replaces all lines of an axis. Group g of lines begins at pixel g / across * block + g % across * kLanes * apart.
template <class Choice, class T> void replaceLines(T* pixels, const Lines& lines, std::size_t count, std::size_t blocks,
                                                   std::size_t block, std::size_t half, const JobControl& control) {
    if (half == 0) {
        return;
    }
    using Window = RunningWindow<Choice, T>;
    const std::size_t across = (count + Window::kLanes - 1) / Window::kLanes;
    forEachRange(
        across * blocks, control,
        [&](std::size_t begin, std::size_t end) {
            Window window(lines.length, half);
            for (std::size_t g = begin; g != end; ++g) {
                control.throwIfStopped();
                const std::size_t line = g % across * Window::kLanes;
                window.replace(pixels + g / across * block + line * lines.apart, std::min(Window::kLanes, count - line),
                               lines);
            }
        },
        4);
}

template <class Choice, class T> void replaceByBox(Image& image, double radius, const JobControl& control) {
    const Extent& extent = image.extent();
    const VoxelSides& sides = image.sides();
    T* const pixels = image.pixels<T>().data();
    const std::size_t width = extent.width;
    replaceLines<Choice>(pixels, {width, 1, width}, extent.rows(), 1, 0,
                         static_cast<std::size_t>(reachAlong(radius, sides.x)), control);
    replaceLines<Choice>(pixels, {extent.height, width, 1}, width, extent.slices, extent.slicePixels(),
                         static_cast<std::size_t>(reachAlong(radius, sides.y)), control);
    if (extent.isVolume()) {
        replaceLines<Choice>(pixels, {extent.slices, extent.slicePixels(), 1}, width, extent.height, width,
                             static_cast<std::size_t>(reachAlong(radius, sides.z)), control);
    }
}

/// The rows of a structuring element in a slice, by their lengths.
struct SliceOfElement {
    std::int32_t reach = 0;                                      ///< largest y
    std::int32_t longest = 0;                                    ///< half of the longest row
    std::map<std::int32_t, std::vector<std::int32_t>> rows = {}; ///< y by the half of a row
};

std::map<std::int32_t, SliceOfElement> slicesOf(const std::vector<Chord>& chords, const Extent& extent) {
    std::map<std::int32_t, SliceOfElement> slices;
    for (const Chord& chord : chords) {
        const bool reaches = std::abs(chord.z) < static_cast<std::int64_t>(extent.slices) &&
                             std::abs(chord.y) < static_cast<std::int64_t>(extent.height);
        if (reaches) {
            SliceOfElement& slice = slices[chord.z];
            const auto half = static_cast<std::int32_t>(std::min<std::int64_t>(chord.half, extent.width));
            slice.reach = std::max(slice.reach, std::abs(chord.y));
            slice.longest = std::max(slice.longest, half);
            slice.rows[half].push_back(chord.y);
        }
    }
    return slices;
}

/// A rectangle of a slice.
struct FlatTile {
    std::uint32_t z = 0;
    std::int64_t top = 0;
    std::int64_t bottom = 0; ///< beyond the last row
    std::size_t left = 0;
    std::size_t width = 0;
};

/// Chooses among the pixels of each row of a structuring element.
template <class Choice, class T> class RowsOfElement {
public:
    RowsOfElement(const Image& from, Image& to, const std::map<std::int32_t, SliceOfElement>& slices)
        : extent_(from.extent()), from_(from.pixels<T>().data()), to_(to.pixels<T>().data()), slices_(slices) {}

    void fill(const FlatTile& tile, const JobControl& control) {
        for (std::int64_t y = tile.top; y != tile.bottom; ++y) {
            std::fill_n(target(tile, y), tile.width, Choice::template kNone<T>);
        }
        for (const auto& [z, slice] : slices_) {
            const std::int64_t at = tile.z + std::int64_t{z};
            if (at < 0 || at >= extent_.slices) {
                continue;
            }
            control.throwIfStopped();
            const std::int64_t first = std::max<std::int64_t>(0, tile.top - slice.reach);
            const std::int64_t last = std::min<std::int64_t>(extent_.height, tile.bottom + slice.reach);
            for (std::int64_t y = first; y != last; ++y) {
                giveRow(tile, slice, from_ + (static_cast<std::size_t>(at) * extent_.height + y) * extent_.width, y);
            }
        }
    }

private:
    [[nodiscard]] T* target(const FlatTile& tile, std::int64_t y) const {
        return to_ + (std::size_t{tile.z} * extent_.height + static_cast<std::size_t>(y)) * extent_.width + tile.left;
    }

    /// Loads the pixels of a row that the tile needs.
    void load(const FlatTile& tile, std::size_t longest, const T* row) {
        const std::size_t count = tile.width + 2 * longest;
        windows_.assign(count, Choice::template kNone<T>);
        next_.resize(count);
        const std::size_t before = std::min(tile.left, longest);
        const std::size_t after = std::min(extent_.width - tile.left, tile.width + longest);
        std::copy(row + tile.left - before, row + tile.left + after,
                  windows_.begin() + static_cast<std::ptrdiff_t>(longest - before));
    }

    /// Gives a row of the image to all rows of the tile whose structuring elements contain its pixels.
    void giveRow(const FlatTile& tile, const SliceOfElement& slice, const T* row, std::int64_t y) {
        const auto longest = static_cast<std::size_t>(slice.longest);
        load(tile, longest, row);
        std::size_t length = 1; // windows_[i] chooses among `length` pixels from i on
        for (const auto& [half, rows] : slice.rows) {
            while (length < 2 * static_cast<std::size_t>(half) + 1) {
                const std::size_t further = std::min(length, 2 * static_cast<std::size_t>(half) + 1 - length);
                length += further;
                chooseEach<Choice>(windows_.data(), windows_.data() + further, next_.data(),
                                   windows_.size() - length + 1);
                std::swap(windows_, next_);
            }
            const T* const from = windows_.data() + longest - static_cast<std::size_t>(half);
            for (const std::int32_t away : rows) {
                if (y + away >= tile.top && y + away < tile.bottom) {
                    chooseInto<Choice>(target(tile, y + away), from, tile.width);
                }
            }
        }
    }

    Extent extent_;
    const T* from_;
    T* to_;
    const std::map<std::int32_t, SliceOfElement>& slices_;
    std::vector<T> windows_;
    std::vector<T> next_;
};

template <class Choice, class T>
void replaceByRows(const Image& from, Image& to, double radius, const JobControl& control) {
    const Extent& extent = from.extent();
    const auto slices = slicesOf(chordsOf(OperatorShape::disc, radius, from.sides(), extent.isVolume()), extent);
    const std::size_t wide = kTileBytes / sizeof(T);
    const std::size_t across = (extent.width + wide - 1) / wide;
    const auto reach = static_cast<std::uint32_t>(slices.at(0).reach);
    const std::size_t rows = std::max(kLeastBandRows, 2 * reach);
    const std::size_t bands = (extent.height + rows - 1) / rows;
    forEachRange(
        across * bands * extent.slices, control,
        [&](std::size_t begin, std::size_t end) {
            RowsOfElement<Choice, T> work(from, to, slices);
            for (std::size_t i = begin; i != end; ++i) {
                const std::size_t left = i % across * wide;
                const std::size_t top = i / across % bands * rows;
                work.fill({static_cast<std::uint32_t>(i / across / bands), static_cast<std::int64_t>(top),
                           static_cast<std::int64_t>(std::min<std::size_t>(extent.height, top + rows)), left,
                           std::min(wide, extent.width - left)},
                          control);
            }
        },
        1);
}

/// A copy with a level outside of the mask.
template <class T> Image copyWith(const Image& image, const Mask* inside, T outside, const JobControl& control) {
    Image copy(image.type(), image.extent());
    copy.setSides(image.sides());
    const std::size_t width = image.width();
    forEachIndex(
        image.extent().rows(), control,
        [&](std::size_t y) {
            const auto row = image.pixels<T>().subspan(y * width, width);
            T* const to = copy.pixels<T>().data() + y * width;
            std::ranges::copy(row, to);
            if (inside != nullptr) {
                forEachRun(*inside, static_cast<std::uint32_t>(y), false,
                           [&](std::uint32_t first, std::uint32_t last) { std::fill(to + first, to + last, outside); });
            }
        },
        64);
    return copy;
}

template <class Choice>
Image chosen(const Image& image, const StructuringElement& element, const Mask* inside, const JobControl& control) {
    try {
        return dispatch(image.type(), [&]<class T>(T) {
            Image result = copyWith<T>(image, inside, Choice::template kNone<T>, control);
            if (element.shape == OperatorShape::box) {
                replaceByBox<Choice, T>(result, element.radius, control);
            } else {
                Image to(image.type(), image.extent());
                to.setSides(image.sides());
                replaceByRows<Choice, T>(inside == nullptr ? image : result, to, element.radius, control);
                result = std::move(to);
            }
            if (inside != nullptr) {
                restoreOutside(image, *inside, Output::filtered, result, control);
            }
            return result;
        });
    } catch (const std::bad_alloc&) {
        throw Error(ErrorCode::outOfMemory, "operator: not enough memory for " + text(image.extent()));
    }
}

} // namespace

Image erosionOf(const Image& image, const StructuringElement& element, const Mask* inside, const JobControl& control) {
    return chosen<Smallest>(image, element, inside, control);
}

Image dilationOf(const Image& image, const StructuringElement& element, const Mask* inside, const JobControl& control) {
    return chosen<Largest>(image, element, inside, control);
}

} // namespace pollard
