#pragma once

#include "io/image_file.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace pollard {

/// Where a page is stored.
struct PagePlace {
    static constexpr std::uint32_t kNowhere = UINT32_MAX;
    std::uint32_t directory = kNowhere; ///< 0-based, among the pages of its file
    std::uint32_t file = 0;             ///< index in StackPlaces::files; the file may be missing

    [[nodiscard]] bool isStored() const noexcept { return directory != kNowhere; }
    bool operator==(const PagePlace&) const = default;
};

/// The places of the pages of a stack.
struct StackPlaces {
    std::vector<std::string> files = {""}; ///< names in the folder of the described file, which is the first
    std::vector<PagePlace> pages = {};     ///< empty: page k is directory k of the described file

    /// Limit of `pages`.
    static constexpr std::uint64_t kMaxPages = 1U << 20;
};

/// Sets pages and axes of a stack with missing planes, or with planes in another order than the directories. The last
/// axis ends at its last position with a plane; a note tells how many planes are missing. Changes nothing if there is
/// no plane.
/// @param origin of the description, for the note: "OME-XML"
/// @param axes as planned, the fastest first
/// @param places.pages one for each planned page
/// @return the places of the pages that info.pages counts
StackPlaces placePages(const std::string& origin, std::vector<StackAxis> axes, StackPlaces places, ImageInfo& info);

/// Adds a note that the description of the stack contradicts the file and pages are counted as stored. The pages get no
/// axes.
void leaveUnclear(const std::string& origin, const std::string& why, ImageInfo& info);

/// The reason passed to leaveUnclear(); empty without one.
[[nodiscard]] std::string unclearOrder(const ImageInfo& info);

/// Name of the axis of pages in an unclear order. Such pages form a volume only if the user states the slices.
inline constexpr char kUnclearAxis = '?';

/// Sets the axes of the pages of a file that states none, or unclear ones. @param order from parseAxisOrder()
/// @throws Error(invalidArgument) if the file states other axes, or if the counts do not multiply to its pages
void stateAxes(std::string_view order, ImageInfo& info);
/// Parses axes from the slowest to the fastest, as in the shape of an array: t, z and c, each at most once and with its
/// number of positions, "t3z5c2". One axis may lack the number, and yx may follow.
/// @return the text for stateAxes() in lower case, without yx
/// @throws Error(invalidArgument)
[[nodiscard]] std::string parseAxisOrder(std::string_view text);

/// "channel GFP, z 2, time 0": the position of a page on the axes.
[[nodiscard]] std::string positionText(const std::vector<StackAxis>& axes, int page);

} // namespace pollard
