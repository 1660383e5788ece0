#pragma once

#include "base/job_control.hpp"
#include "parts/picture_filter.hpp"
#include "parts/sweeps/streamed_spectrum.hpp"

#include <span>
#include <string>

namespace pollard {

struct PictureSpectrumReport {
    AnySpectrum spectrum;
    StreamedReport stream;
    ImageInfo info; ///< of the picture
    PixelType type = PixelType::u8;
    Extent extent;
    Extent chunk;
    int readings = 0;   ///< how often the pixels of the picture were read, at most
    std::string engine; ///< that built the last tree
};

/// The spectrum of a picture of any size, see streamedSpectrum(). Writes no files.
/// @param request without filter, target and folder @param axes one or two
/// @throws as PictureChunks and streamedSpectrum(); Cancelled
[[nodiscard]] PictureSpectrumReport spectrumOfPicture(const PictureFilter& request, std::span<const SpectrumAxis> axes,
                                                      const JobControl& control = {});

} // namespace pollard
