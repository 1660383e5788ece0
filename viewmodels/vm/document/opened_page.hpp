#pragma once

#include "vm/document/job_types.hpp"

#include <cstdint>
#include <memory>

namespace pollard::vm {

/// The picture as read, the analysed picture and the pixels of the tree.
struct Picture {
    std::shared_ptr<const Image> image;
    std::shared_ptr<const Image> input; ///< result of earlier filters; null: `image` itself
    std::shared_ptr<const Mask> valid;  ///< pixels with data; null for all
    std::shared_ptr<const Mask> inside; ///< pixels of the tree; null for all
    std::shared_ptr<const ImageInfo> info;
    // Null if the picture is not displayed, see isShown():
    std::shared_ptr<const Coverage> coverage; ///< of `valid`; null for all
    std::shared_ptr<const Pyramid> pyramid;   ///< of the image
    std::shared_ptr<const LevelHistogram> histogram;

    /// The analysed picture.
    [[nodiscard]] const std::shared_ptr<const Image>& analysed() const noexcept { return input ? input : image; }
    /// Whether it is displayed and its results need display data.
    [[nodiscard]] bool isShown() const noexcept { return pyramid != nullptr; }
};

/// All data of one tree including the session; lives on the compute thread.
struct OpenedPage {
    Picture picture;
    std::unique_ptr<Session> session;
    TreeRequest request; ///< the session's request
    TreeResult tree;     ///< its picture is empty once handed out

    /// Approximate main memory of this page.
    [[nodiscard]] std::uint64_t hostBytes() const;
    /// The same on the device of its engine; 0 for the CPU engine.
    [[nodiscard]] std::uint64_t deviceBytes() const;
};

} // namespace pollard::vm
