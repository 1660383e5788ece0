#include "image/mask.hpp"

#include "base/error.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <string>

namespace pollard {

Mask::Mask(std::uint32_t width, std::uint32_t height, bool value)
    : width_(width), height_(height), wordsPerRow_((std::size_t{width} + kBitsPerWord - 1) / kBitsPerWord) {
    if (width == 0 || height == 0) {
        throw Error(ErrorCode::invalidArgument, "mask: " + std::to_string(width) + " x " + std::to_string(height) +
                                                    " px: both sides must be at least 1");
    }
    words_.assign(wordsPerRow_ * height, value ? ~Word{0} : Word{0});
    const std::uint32_t used = width % kBitsPerWord;
    if (value && used != 0) {
        for (std::uint32_t y = 0; y < height; ++y) {
            words_[(y + std::size_t{1}) * wordsPerRow_ - 1] = (Word{1} << used) - 1;
        }
    }
}

void Mask::setRun(std::uint32_t first, std::uint32_t last, std::uint32_t y, bool value) noexcept {
    if (first >= last) {
        return;
    }
    Word* row = words_.data() + y * wordsPerRow_;
    const std::uint32_t firstWord = first / kBitsPerWord;
    const std::uint32_t lastWord = (last - 1) / kBitsPerWord;
    for (std::uint32_t i = firstWord; i <= lastWord; ++i) {
        Word bits = ~Word{0};
        if (i == firstWord) {
            bits &= ~Word{0} << (first % kBitsPerWord);
        }
        if (i == lastWord) {
            bits &= ~Word{0} >> (kBitsPerWord - 1 - (last - 1) % kBitsPerWord);
        }
        row[i] = value ? row[i] | bits : row[i] & ~bits;
    }
}

Mask Mask::rows(std::uint32_t first, std::uint32_t count) const {
    if (first > height_ || count > height_ - first) {
        throw Error(ErrorCode::invalidArgument, "mask: rows " + std::to_string(first) + " to " +
                                                    std::to_string(std::uint64_t{first} + count) + " of " +
                                                    std::to_string(height_));
    }
    Mask part(width_, count, false);
    std::copy_n(words_.begin() + static_cast<std::ptrdiff_t>(first * wordsPerRow_), count * wordsPerRow_,
                part.words_.begin());
    return part;
}

Mask Mask::repeated(std::uint32_t times) const {
    Mask all(width_, height_ * times, false);
    for (auto end = all.words_.begin(); end != all.words_.end();) {
        end = std::copy(words_.begin(), words_.end(), end);
    }
    return all;
}

std::uint64_t Mask::count() const noexcept {
    std::uint64_t sum = 0;
    for (const Word word : words_) {
        sum += static_cast<std::uint64_t>(std::popcount(word));
    }
    return sum;
}

Mask maskOfOthers(const Image& image, std::uint16_t level) {
    Mask mask(image.width(), image.height(), false);
    for (std::uint32_t y = 0; y < image.height(); ++y) {
        for (std::uint32_t x = 0; x < image.width(); ++x) {
            mask.set(x, y, image.level(std::size_t{y} * image.width() + x) != level);
        }
    }
    return mask;
}

StoredMask StoredMask::of(const Mask& mask) {
    StoredMask made{mask.width(), mask.height(), {}};
    std::uint64_t end = 0; // of the last set run, in raster order
    for (std::uint32_t y = 0; y < mask.height(); ++y) {
        forEachRun(mask, y, true, [&](std::uint32_t first, std::uint32_t last) {
            const std::uint64_t begin = std::uint64_t{y} * mask.width() + first;
            const std::uint32_t length = last - first;
            if (begin == end && !made.runs.empty()) {
                made.runs.back() += length; // continues from the previous row
            } else {
                made.runs.push_back(static_cast<std::uint32_t>(begin - end));
                made.runs.push_back(length);
            }
            end = begin + length;
        });
    }
    const std::uint64_t pixels = std::uint64_t{mask.width()} * mask.height();
    if (end < pixels) {
        made.runs.push_back(static_cast<std::uint32_t>(pixels - end));
    }
    return made;
}

Mask StoredMask::mask() const {
    std::uint64_t filled = 0;
    for (const std::uint32_t run : runs) {
        filled += run;
    }
    if (filled != std::uint64_t{width} * height) {
        throw Error(ErrorCode::invalidArgument, "mask: the runs have " + std::to_string(filled) + " pixels, not " +
                                                    std::to_string(std::uint64_t{width} * height));
    }
    Mask mask(width, height, false);
    std::uint64_t place = 0;
    bool set = false;
    for (const std::uint32_t run : runs) {
        for (std::uint64_t left = set ? run : 0, at = place; left > 0;) {
            const auto y = static_cast<std::uint32_t>(at / width);
            const auto x = static_cast<std::uint32_t>(at % width);
            const auto length = static_cast<std::uint32_t>(std::min<std::uint64_t>(left, width - x));
            mask.setRun(x, x + length, y, true);
            at += length;
            left -= length;
        }
        place += run;
        set = !set;
    }
    return mask;
}

} // namespace pollard
