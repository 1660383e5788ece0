#pragma once

#include "channels/exact_values.hpp"
#include "image/pixel_region.hpp"
#include "io/image_file.hpp"
#include "io/samples/value_levels.hpp"

#include <memory>
#include <vector>

namespace pollard {

/// While one exists, reads on its thread keep the values of pixels whose levels do not state them exactly, turned
/// upright, cropped and shrunk like these.
class KeptValues {
public:
    KeptValues();
    ~KeptValues();
    KeptValues(const KeptValues&) = delete;
    KeptValues& operator=(const KeptValues&) = delete;

    /// Of an image that was read meanwhile; null if its levels state them, or they are unknown.
    [[nodiscard]] ExactValues of(const std::shared_ptr<const Image>& image) const;

    // For readers. They do nothing on a thread without an object.

    /// Keeps a copy of the values that became levels.
    static void keep(const std::shared_ptr<const Image>& levels, const ValueGrid& values);
    /// @param orientation as for uprightImage()
    static void turn(const std::shared_ptr<const Image>& stored, const std::shared_ptr<const Image>& upright,
                     int orientation);
    static void crop(const std::shared_ptr<const Image>& whole, const std::shared_ptr<const Image>& part,
                     const PixelRegion& region);
    /// Means of blocks, of their valid pixels if there are any.
    static void shrink(const LoadedImage& whole, const std::shared_ptr<const Image>& small, std::uint32_t side);

private:
    struct Kept {
        std::weak_ptr<const Image> image;
        ExactValues values;
    };
    /// Values of a picture made of another one, whose values are dropped: `at(values, x, y)`.
    template <class At> static void replace(const std::shared_ptr<const Image>& before,
                                            const std::shared_ptr<const Image>& after, const At& at);

    std::vector<Kept> all_;
    KeptValues* outer_; ///< the one that was there before
};

} // namespace pollard
