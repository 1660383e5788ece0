#pragma once

#include "io/image_file.hpp"

#include <optional>
#include <span>
#include <vector>

namespace pollard {

/// The axis of channels among the axes of the pages.
struct ChannelAxis {
    int count = 1;                   ///< 1: pages are no channels
    int stride = 1;                  ///< pages from one channel to the next
    const StackAxis* axis = nullptr; ///< null if there is none
};
[[nodiscard]] ChannelAxis channelAxisOf(const ImageInfo& info) noexcept;

/// Number of samples that can be chosen on a page: the samples of a pixel, or the three colours of a palette.
[[nodiscard]] int samplesOnPage(const ImageInfo& info) noexcept;

/// Name and sample of the indices of a palette; samplesOnPage() does not count them.
inline constexpr const char* kPaletteIndexName = "index";
inline constexpr int kPaletteIndex = 3;

/// Brings info.channels from the order of the file into the order that channelsOf() expects: for every position of the
/// axis 'c' each sample except transparency, with Channel::sample set. There may be one entry for each position, whose
/// samples then share a name, or one for each sample; other entries are dropped.
/// @param alpha sample with transparency; -1 if there is none
void arrangeChannels(ImageInfo& info, int alpha);

/// Adds the facts of GDAL's metadata (tag 42112) about the bands, which are the samples of a page, to info.channels:
/// descriptions, colour interpretations, and central wavelengths in a unit of length (without a unit: µm below 100, nm
/// from there). The channels are to be arranged by arrangeChannels(). Never throws on content. Reads info.carried.
void describeBands(ImageInfo& info);

/// Scale, offset and unit that GDAL's metadata state for samples; nothing if they differ.
[[nodiscard]] std::optional<Calibration> bandCalibration(const std::vector<CopiedTag>& tags,
                                                         std::span<const int> samples);

} // namespace pollard
