#include "vm/contour/contours_draft.hpp"

#include <algorithm>
#include <utility>

namespace pollard::vm {

std::uint32_t ContoursDraft::indexOf(const DraftMask& mask) {
    const auto same = std::ranges::find(masks, mask);
    const auto index = static_cast<std::uint32_t>(same - masks.begin());
    if (same == masks.end()) {
        masks.push_back(mask);
    }
    return index;
}

SessionContours finished(const ContoursDraft& draft, const JobControl& control) {
    SessionContours contours = draft.contours;
    std::vector<std::uint32_t> indices;
    for (const ContoursDraft::DraftMask& mask : draft.masks) {
        control.throwIfStopped();
        const auto* pixels = std::get_if<std::shared_ptr<const Mask>>(&mask);
        SessionMask made =
            pixels != nullptr ? SessionMask::of(**pixels) : *std::get<std::shared_ptr<const SessionMask>>(mask);
        const auto same = std::ranges::find(contours.masks, made);
        indices.push_back(static_cast<std::uint32_t>(same - contours.masks.begin()));
        if (same == contours.masks.end()) {
            contours.masks.push_back(std::move(made));
        }
    }
    const auto renumber = [&indices](std::optional<std::uint32_t>& index) {
        index = index ? std::optional(indices[*index]) : std::nullopt;
    };
    renumber(contours.forbidden);
    for (SessionRun& run : contours.runs) {
        renumber(run.forbidden);
    }
    return contours;
}

} // namespace pollard::vm
