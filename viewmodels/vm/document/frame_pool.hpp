#pragma once

#include "image/image.hpp"

#include <cstdint>
#include <memory>

namespace pollard::vm {

/// Lends images that are written again and again, so that a drag does not allocate a picture per event. An image
/// comes back by itself when its last holder lets go of it, and is lent again only then: a picture that somebody still
/// looks at is never written. Safe to use from several threads; lent images may outlive the pool.
class FramePool {
public:
    FramePool();

    /// An image of this type and size with undefined pixels.
    /// @throws Error as Image's constructor does
    [[nodiscard]] std::shared_ptr<Image> acquire(PixelType type, std::uint32_t width, std::uint32_t height);

    /// Images allocated since construction.
    [[nodiscard]] std::uint64_t allocations() const;

    /// Returned images that are kept for the next acquire(); more are freed.
    static constexpr std::size_t kSpareFrames = 2;

private:
    struct Shelf;
    std::shared_ptr<Shelf> shelf_;
};

} // namespace pollard::vm
