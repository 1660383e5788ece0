#pragma once

#include "image/image.hpp"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace pollard {

/// Set of pixels of an image of shape (height, width), one bit each; the mask of a volume has the rows of all slices,
/// of which row z * height + y is row y of slice z. Every row starts at a new word, so that threads can write different
/// rows. Users of a mask define the meaning of a set bit, such as valid pixels or an
/// analysed region.
class Mask {
public:
    using Word = std::uint64_t;
    static constexpr std::uint32_t kBitsPerWord = 64;

    /// Contains all pixels or none.
    /// @throws Error(invalidArgument) if a side is 0
    Mask(std::uint32_t width, std::uint32_t height, bool value);

    [[nodiscard]] std::uint32_t width() const noexcept { return width_; }
    [[nodiscard]] std::uint32_t height() const noexcept { return height_; }
    [[nodiscard]] std::size_t bytes() const noexcept { return words_.size() * sizeof(Word); }

    [[nodiscard]] bool test(std::uint32_t x, std::uint32_t y) const noexcept {
        return (words_[y * wordsPerRow_ + x / kBitsPerWord] >> (x % kBitsPerWord) & 1U) != 0;
    }
    void set(std::uint32_t x, std::uint32_t y, bool value) noexcept {
        Word& word = words_[y * wordsPerRow_ + x / kBitsPerWord];
        const Word bit = Word{1} << (x % kBitsPerWord);
        word = value ? word | bit : word & ~bit;
    }
    /// Sets the pixels [first, last) of row @p y, 0 <= first <= last <= width.
    void setRun(std::uint32_t first, std::uint32_t last, std::uint32_t y, bool value) noexcept;

    /// Words of row @p y. Bit x % 64 of word x / 64 is pixel x; bits beyond the width are 0.
    [[nodiscard]] std::span<const Word> row(std::uint32_t y) const noexcept {
        return {words_.data() + y * wordsPerRow_, wordsPerRow_};
    }
    /// The mask of the rows [first, first + count), for example of a slice of a volume.
    /// @throws Error(invalidArgument) if there are no such rows
    [[nodiscard]] Mask rows(std::uint32_t first, std::uint32_t count) const;
    /// The rows of the mask, repeated @p times: the mask of a volume with equal slices.
    [[nodiscard]] Mask repeated(std::uint32_t times) const;
    /// Number of set pixels.
    [[nodiscard]] std::uint64_t count() const noexcept;

    bool operator==(const Mask&) const = default;

private:
    std::uint32_t width_;
    std::uint32_t height_;
    std::size_t wordsPerRow_;
    std::vector<Word> words_;
};

/// Whether the mask has the rows of the image.
[[nodiscard]] inline bool fits(const Mask& mask, const Image& image) noexcept {
    return mask.width() == image.width() && mask.height() == image.extent().rows();
}

/// The pixels whose level differs from @p level.
[[nodiscard]] Mask maskOfOthers(const Image& image, std::uint16_t level);

/// Bits of the pixels that differ from their left neighbour.
/// @param left 1 if the pixel left of the word is set, else 0
[[nodiscard]] constexpr Mask::Word edgesOf(Mask::Word word, Mask::Word left) noexcept {
    return word ^ (word << 1 | left);
}

/// Calls @p visit(first, last) for every run [first, last) of set (or unset) pixels of row @p y, from left to right.
/// O(words + runs).
template <class Visit> void forEachRun(const Mask& mask, std::uint32_t y, bool set, const Visit& visit) {
    const std::uint32_t width = mask.width();
    const Mask::Word flip = set ? 0 : ~Mask::Word{0};
    Mask::Word left = 0; // pixels outside the image count as unset
    std::uint32_t base = 0;
    std::uint32_t first = 0;
    bool within = false;
    for (const Mask::Word stored : mask.row(y)) {
        const Mask::Word word = stored ^ flip;
        for (Mask::Word edges = edgesOf(word, left); edges != 0; edges &= edges - 1) {
            const std::uint32_t x = base + static_cast<std::uint32_t>(std::countr_zero(edges));
            if (within) {
                visit(first, x);
            }
            first = x;
            within = !within;
        }
        left = word >> (Mask::kBitsPerWord - 1);
        base += Mask::kBitsPerWord;
    }
    if (within && first < width) {
        visit(first, width);
    }
}

/// Number of runs of set pixels of row @p y.
[[nodiscard]] inline std::uint32_t countRuns(const Mask& mask, std::uint32_t y) noexcept {
    std::uint32_t count = 0;
    Mask::Word left = 0;
    for (const Mask::Word word : mask.row(y)) {
        count += static_cast<std::uint32_t>(std::popcount(edgesOf(word, left) & word));
        left = word >> (Mask::kBitsPerWord - 1);
    }
    return count;
}

/// Run-length encoded mask: lengths of runs in raster order, unset and set alternately, unset first.
struct StoredMask {
    std::uint32_t width = 0; ///< px
    std::uint32_t height = 0;
    std::vector<std::uint32_t> runs;

    [[nodiscard]] static StoredMask of(const Mask& mask);
    /// @throws Error(invalidArgument) if the lengths do not sum up to the number of pixels
    [[nodiscard]] Mask mask() const;

    bool operator==(const StoredMask&) const = default;
};

} // namespace pollard
