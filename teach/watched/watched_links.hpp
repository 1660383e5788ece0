#pragma once

#include "cuda/published/border_forest.hpp"
#include "cuda/published/link_record.hpp"
#include "watched/connect_watch.hpp"

#include <cstdint>

// Links of the GPU algorithms that report their changes to a ConnectWatch.

namespace pollard::teach {

/// Maps an index of links to a pixel: rows of `width` in an image with rows of `stride` px.
struct LinkPlace {
    std::uint32_t corner, width, stride;

    [[nodiscard]] std::uint32_t pixel(std::uint32_t index) const noexcept {
        return corner + index / width * stride + index % width;
    }
};

template <class RecordType> struct WatchedLinks : cuda::LinkArray<RecordType, false> {
    using Base = cuda::LinkArray<RecordType, false>;
    using Record = RecordType;
    using Word = typename Record::Word;

    ConnectWatch* watch = nullptr;
    LinkPlace place{};

    WatchedLinks(Word* words, ConnectWatch& observer, LinkPlace of) : Base{words}, watch(&observer), place(of) {}

    void set(std::uint32_t index, Word parent) const noexcept {
        watch->onSet(place.pixel(index), pixelOf(parent));
        Base::set(index, parent);
    }
    Word raise(std::uint32_t index, Word parent) const noexcept {
        const Word before = Base::raise(index, parent);
        watch->onRaise(place.pixel(index), pixelOf(parent), pixelOf(before), before < parent);
        return before;
    }
    void onStart(Word one, Word other) const noexcept { watch->onStart(pixelOf(one), pixelOf(other)); }
    void beforeStep(Word low, Word high, Word lowParent, Word highParent) const noexcept {
        watch->beforeStep({pixelOf(low), pixelOf(high)}, {pixelOf(lowParent), pixelOf(highParent)});
    }
    void onMeeting(Word node) const noexcept { watch->onMeeting(pixelOf(node)); }

private:
    [[nodiscard]] std::uint32_t pixelOf(Word word) const noexcept {
        return word == Record::kNone ? ConnectWatch::kNoPixel : place.pixel(Record::index(word));
    }
};

struct WatchedForest : cuda::BorderForest {
    ConnectWatch* watch = nullptr;

    WatchedForest(const cuda::BorderForest& forest, ConnectWatch& observer) : BorderForest(forest), watch(&observer) {}

    std::uint32_t exchange(std::uint32_t slot, std::uint32_t expected, std::uint32_t desired) const noexcept {
        const std::uint32_t before = BorderForest::exchange(slot, expected, desired);
        watch->onRaise(pixels[slot], pixels[desired], pixelOf(before), before == expected);
        return before;
    }
    void onStart(std::uint32_t one, std::uint32_t other) const noexcept { watch->onStart(pixels[one], pixels[other]); }
    void beforeStep(std::uint32_t low, std::uint32_t high, std::uint32_t lowParent,
                    std::uint32_t highParent) const noexcept {
        watch->beforeStep({pixels[low], pixels[high]}, {pixelOf(lowParent), pixelOf(highParent)});
    }
    void onMeeting(std::uint32_t slot) const noexcept { watch->onMeeting(pixels[slot]); }

private:
    [[nodiscard]] std::uint32_t pixelOf(std::uint32_t slot) const noexcept {
        return slot == kNone ? ConnectWatch::kNoPixel : pixels[slot];
    }
};

} // namespace pollard::teach
