#pragma once

#include "vm/document/job_types.hpp"

#include <cstdint>
#include <memory>

namespace pollard::vm {

/// What is analysed and shown: the picture as it was read and the pixels that take part.
struct Picture {
    std::shared_ptr<const Image> image;
    std::shared_ptr<const Image> input; ///< what earlier filters left of it; null: `image` itself
    std::shared_ptr<const Mask> valid;  ///< pixels with data; null for all
    std::shared_ptr<const Mask> inside; ///< pixels of the tree; null for all
    std::shared_ptr<const ImageInfo> info;
    // Null if nobody is going to see it, see isShown():
    std::shared_ptr<const Coverage> coverage; ///< of `valid`; null for all
    std::shared_ptr<const Pyramid> pyramid;   ///< of the image
    std::shared_ptr<const LevelHistogram> histogram;

    /// What is analysed.
    [[nodiscard]] const std::shared_ptr<const Image>& analysed() const noexcept { return input ? input : image; }
    /// Whether somebody is going to see it, so that its results need what only a display wants.
    [[nodiscard]] bool isShown() const noexcept { return pyramid != nullptr; }
};

/// Everything that belongs to one tree, the session included; it lives on the compute thread.
struct OpenedPage {
    Picture picture;
    std::unique_ptr<Session> session;
    TreeRequest request; ///< what the session was made for
    TreeResult tree;     ///< without the picture once it was handed out

    /// Main memory that keeping this page takes, about.
    [[nodiscard]] std::uint64_t hostBytes() const;
    /// The same on the device of its engine; 0 for the CPU engine.
    [[nodiscard]] std::uint64_t deviceBytes() const;
};

} // namespace pollard::vm
