#pragma once

#include "bench/bench_options.hpp"
#include "bench/bench_pictures.hpp"
#include "command.hpp"
#include "image/image.hpp"

#include <memory>
#include <string>
#include <vector>

namespace pollard::cli {

class ProgressLine;

/// Something to measure, at the depth it came with.
struct BenchSubject {
    std::string name;
    std::shared_ptr<const Image> image; ///< null for a generated picture
    bool luminance = false;             ///< image is the luminance of a colour picture
    TestPicture picture = TestPicture::noise;
    PictureSize size; ///< of a generated picture
};

/// A subject at one of the depths to measure.
struct BenchImage {
    std::shared_ptr<const Image> image;
    std::string conversion; ///< "none", "high byte", "value * 257", "luminance" or "high byte of luminance"
};

/// Luminance of 8-bit colours on 16 bits: 257 (0.2126 R + 0.7152 G + 0.0722 B), rounded half up, so that the fraction
/// that 8 bits lose is kept. The images have one size and are PixelType::u8.
[[nodiscard]] std::shared_ptr<const Image> wideLuminance(const Image& red, const Image& green, const Image& blue);

/// Reads the images that the options name; without any, describes the generated pictures.
/// @throws UsageError, Error, Cancelled
[[nodiscard]] std::vector<BenchSubject> loadSubjects(const BenchOptions& options, const Context& context,
                                                     ProgressLine& progress);

/// @throws Error(outOfMemory)
[[nodiscard]] BenchImage atDepth(const BenchSubject& subject, PixelType type);

/// The image turned by 180 degrees: the same structures in other memory, for streams.
[[nodiscard]] std::shared_ptr<const Image> turned(const Image& image);

} // namespace pollard::cli
