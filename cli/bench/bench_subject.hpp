#pragma once

#include "bench/bench_images.hpp"
#include "bench/bench_options.hpp"
#include "command.hpp"
#include "image/image.hpp"

#include <memory>
#include <string>
#include <vector>

namespace pollard::cli {

class ProgressLine;

/// A subject to measure, at its original depth.
struct BenchSubject {
    std::string name;
    std::shared_ptr<const Image> image; ///< null for a generated image
    bool luminance = false;             ///< whether image is the luminance of a colour image
    TestImage picture = TestImage::noise;
    ImageSize size; ///< of a generated image
};

/// A subject at one of the measured depths.
struct BenchImage {
    std::shared_ptr<const Image> image;
    std::string conversion; ///< "none", "high byte", "value * 257", "luminance" or "high byte of luminance"
};

/// 16-bit luminance of 8-bit colours: 257 (0.2126 R + 0.7152 G + 0.0722 B), rounded half up, which keeps the fraction
/// that 8 bits lose. The images have one size and type PixelType::u8.
[[nodiscard]] std::shared_ptr<const Image> wideLuminance(const Image& red, const Image& green, const Image& blue);

/// Reads the images of the options; without any, describes the generated ones.
/// @throws UsageError, Error, Cancelled
[[nodiscard]] std::vector<BenchSubject> loadSubjects(const BenchOptions& options, const Context& context,
                                                     ProgressLine& progress);

/// Converts a subject to a depth, or generates it. @throws Error(outOfMemory)
[[nodiscard]] BenchImage atDepth(const BenchSubject& subject, PixelType type);

/// The image rotated by 180 degrees: the same structures at other addresses, for streams.
[[nodiscard]] std::shared_ptr<const Image> turned(const Image& image);

} // namespace pollard::cli
