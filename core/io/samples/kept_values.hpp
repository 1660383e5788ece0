#pragma once

#include "image/channel.hpp"
#include "image/image.hpp"
#include "io/image_file.hpp"
#include "io/samples/value_levels.hpp"

#include <memory>
#include <vector>

namespace pollard {

/// Keeps samples: while an object exists, reads on its thread keep the samples of images whose levels do not determine
/// all samples. Samples are turned upright, cropped and shrunk like their image.
class KeptValues {
public:
    KeptValues();
    ~KeptValues();
    KeptValues(const KeptValues&) = delete;
    KeptValues& operator=(const KeptValues&) = delete;

    /// Samples of an image that was read meanwhile; null if its levels determine them, or if they are unknown.
    [[nodiscard]] std::shared_ptr<const SampleGrid> samplesOf(const std::shared_ptr<const Image>& image) const;
    /// The values of these samples.
    [[nodiscard]] ExactValues valuesOf(const std::shared_ptr<const Image>& image) const;

    // For readers. These functions do nothing on a thread without an object.

    /// Keeps a copy of the samples that became levels, unless ValueMapping::sampleOf() gives each.
    static void keep(const std::shared_ptr<const Image>& levels, const ValueGrid& samples, const ValueMapping& mapping);
    /// @param orientation as for uprightImage()
    static void turn(const std::shared_ptr<const Image>& stored, const std::shared_ptr<const Image>& upright,
                     int orientation);
    static void crop(const std::shared_ptr<const Image>& whole, const std::shared_ptr<const Image>& part,
                     const PixelRegion& region);
    /// Means of blocks, of their valid pixels if there are any.
    static void shrink(const LoadedImage& whole, const std::shared_ptr<const Image>& small, std::uint32_t side);
    /// Gives @p after the values of @p before; both have the same pixels, mapped to different levels.
    static void moveTo(const std::shared_ptr<const Image>& after, const std::shared_ptr<const Image>& before);
    /// Applies a calibration to the kept samples.
    static void scale(const std::shared_ptr<const Image>& image, const Calibration& calibration);

private:
    struct Entry {
        std::weak_ptr<const Image> image;
        std::shared_ptr<const SampleGrid> samples;
        Calibration scale;
    };
    [[nodiscard]] const Entry* find(const std::shared_ptr<const Image>& image) const;
    [[nodiscard]] Entry* entryOf(const std::shared_ptr<const Image>& image);
    /// Samples of an image made of another one, whose samples are dropped: `make(samples)`.
    template <class Make> static void replace(const std::shared_ptr<const Image>& before,
                                              const std::shared_ptr<const Image>& after, const Make& make);

    std::vector<Entry> all_;
    KeptValues* outer_; ///< the object of the thread before this one
};

/// The samples of a region of an image. @param width of the image
[[nodiscard]] SampleGrid croppedSamples(const SampleGrid& samples, std::uint32_t width, const PixelRegion& region);
/// Bits of the sample of each level of a type, see ValueMapping::sampleOf().
[[nodiscard]] std::vector<std::uint64_t> samplesOfLevels(const ValueMapping& mapping, PixelType type);
/// @param bits of the sample, in the low bytes
void putSample(SampleGrid& samples, std::size_t pixel, std::uint64_t bits) noexcept;

} // namespace pollard
