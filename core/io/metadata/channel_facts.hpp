#pragma once

#include "io/image_file.hpp"

namespace pollard {

/// The axis of channels among those of the pages.
struct ChannelAxis {
    int count = 1;                   ///< 1: pages are no channels
    int stride = 1;                  ///< pages from one channel to the next
    const StackAxis* axis = nullptr; ///< null if there is none
};
[[nodiscard]] ChannelAxis channelAxisOf(const ImageInfo& info) noexcept;

/// Samples that may be chosen on a page: those of a pixel, or the three colours of a palette.
[[nodiscard]] int samplesOnPage(const ImageInfo& info) noexcept;

/// Name and sample of the numbers that a palette turns into colours; not among those of samplesOnPage().
inline constexpr const char* kPaletteIndexName = "index";
inline constexpr int kPaletteIndex = 3;

/// Brings info.channels, as a file states them, into the order in which channelsOf() expects them: for every position
/// of the axis 'c' each sample except that of transparency, with Channel::sample set. Facts may be those of the
/// positions, of which several samples share the name, or those of all samples; others are dropped.
/// @param alpha sample with transparency; -1 if there is none
void arrangeChannels(ImageInfo& info, int alpha);

} // namespace pollard
