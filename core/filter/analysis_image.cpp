#include "filter/analysis_image.hpp"

#include "base/error.hpp"
#include "image/mask.hpp"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_reduce.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <numeric>
#include <string>

namespace pollard {

namespace {

constexpr std::uint32_t kRowsPerTask = 64;

using Rows = tbb::blocked_range<std::uint32_t>;

std::string sizeOf(std::uint32_t width, std::uint32_t height) {
    return std::to_string(width) + " x " + std::to_string(height) + " px";
}

/// Rows of all slices.
std::uint32_t rowsOf(const Image& image) noexcept { return static_cast<std::uint32_t>(image.extent().rows()); }

void requireSize(const Mask& mask, std::uint32_t width, std::uint32_t height) {
    if (mask.width() != width || mask.height() != height) {
        throw Error(ErrorCode::invalidArgument, "region to analyse: a mask of " + sizeOf(mask.width(), mask.height()) +
                                                    " does not fit an image of " + sizeOf(width, height));
    }
}

template <class Work> void forEachRow(std::uint32_t height, const JobControl& control, const Work& work) {
    tbb::parallel_for(Rows(0, height, kRowsPerTask), [&](const Rows& rows) {
        if (control.stopRequested()) {
            return;
        }
        for (std::uint32_t y = rows.begin(); y != rows.end(); ++y) {
            work(y);
        }
    });
    control.throwIfStopped();
}

/// Level of the root of the tree over the pixels inside; undefined if there are none.
template <class Pixel> Pixel rootLevel(const Image& image, const Mask& inside, TreeKind kind) {
    const Pixel* pixels = image.pixels<Pixel>().data();
    const bool max = kind == TreeKind::max;
    const Pixel none = max ? std::numeric_limits<Pixel>::max() : Pixel{0};
    const auto lower = [max](Pixel a, Pixel b) { return max ? std::min(a, b) : std::max(a, b); };
    const auto ofRows = [&](const Rows& rows, Pixel level) {
        for (std::uint32_t y = rows.begin(); y != rows.end(); ++y) {
            const Pixel* row = pixels + std::size_t{y} * image.width();
            forEachRun(inside, y, true, [&](std::uint32_t first, std::uint32_t last) {
                level = std::accumulate(row + first, row + last, level, lower);
            });
        }
        return level;
    };
    return tbb::parallel_reduce(Rows(0, rowsOf(image), kRowsPerTask), none, ofRows, lower);
}

} // namespace

void requireFits(const Mask& mask, const Image& image) { requireSize(mask, image.width(), rowsOf(image)); }

std::shared_ptr<const Mask> intersection(const std::shared_ptr<const Mask>& a, const std::shared_ptr<const Mask>& b) {
    if (a == nullptr || b == nullptr || a == b) {
        return a ? a : b;
    }
    requireSize(*b, a->width(), a->height());
    auto both = std::make_shared<Mask>(*a);
    for (std::uint32_t y = 0; y < a->height(); ++y) {
        forEachRun(*b, y, false, [&](std::uint32_t first, std::uint32_t last) { both->setRun(first, last, y, false); });
    }
    return both;
}

std::shared_ptr<const Image> analysisImage(const std::shared_ptr<const Image>& image, const Mask* inside, TreeKind kind,
                                           const JobControl& control) {
    if (inside == nullptr) {
        return image;
    }
    requireFits(*inside, *image);
    auto analysed = std::make_shared<Image>(image->type(), image->extent());
    analysed->setSides(image->sides());
    dispatch(image->type(), [&]<class Pixel>(Pixel) {
        const Pixel outside = rootLevel<Pixel>(*image, *inside, kind);
        forEachRow(rowsOf(*image), control, [&](std::uint32_t y) {
            const std::size_t start = std::size_t{y} * image->width();
            const Pixel* source = image->pixels<Pixel>().data() + start;
            Pixel* target = analysed->pixels<Pixel>().data() + start;
            std::copy_n(source, image->width(), target);
            forEachRun(*inside, y, false, [&](std::uint32_t first, std::uint32_t last) {
                std::fill(target + first, target + last, outside);
            });
        });
    });
    return analysed;
}

void restoreOutside(const Image& original, const Mask& inside, Output output, Image& result,
                    const JobControl& control) {
    requireFits(inside, original);
    if (result.type() != original.type() || result.extent() != original.extent()) {
        throw Error(ErrorCode::invalidArgument, "region to analyse: the result differs from the image in type or size");
    }
    const std::size_t bytes = bytesOf(original.type());
    forEachRow(rowsOf(original), control, [&](std::uint32_t y) {
        const std::size_t start = std::size_t{y} * original.width();
        forEachRun(inside, y, false, [&](std::uint32_t first, std::uint32_t last) {
            std::byte* target = result.data() + (start + first) * bytes;
            const std::size_t length = (last - first) * bytes;
            if (output == Output::filtered) {
                std::memcpy(target, original.data() + (start + first) * bytes, length);
            } else {
                std::memset(target, 0, length);
            }
        });
    });
}

} // namespace pollard
