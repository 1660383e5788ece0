#pragma once

#include "image/image.hpp"

#include <cstdint>
#include <memory>

namespace pollard::vm {

/// Reuses images, so that a drag does not allocate an image per event. An image returns when its last reference is
/// released, and only then is reused: a referenced image is never written. Safe to use from several threads; images
/// may outlive the pool.
class FramePool {
public:
    FramePool();

    /// An image of this type and size with undefined pixels.
    /// @throws Error as Image's constructor does
    [[nodiscard]] std::shared_ptr<Image> acquire(PixelType type, std::uint32_t width, std::uint32_t height);

    /// Images allocated since construction.
    [[nodiscard]] std::uint64_t allocations() const;

    /// Returned images kept for the next acquire(); further ones are freed.
    static constexpr std::size_t kSpareFrames = 2;

private:
    struct Shelf;
    std::shared_ptr<Shelf> shelf_;
};

} // namespace pollard::vm
