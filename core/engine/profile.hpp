#pragma once

#include "attributes/attribute.hpp"
#include "base/job_control.hpp"
#include "engine/engine.hpp"
#include "filter/filter_spec.hpp"
#include "image/image.hpp"
#include "image/mask.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace pollard {

/// A series of filters by one attribute.
struct ProfileSpec {
    static constexpr std::size_t kMaxThresholds = 4096;

    AttributeId attribute = AttributeId::area;
    std::vector<double> thresholds; ///< finite, strictly ascending
    Rule rule = Rule::direct;
    bool differential = false;

    bool operator==(const ProfileSpec&) const = default;
};

/// What a threshold did.
struct ProfilePage {
    double threshold = 0;
    std::uint64_t keptNodes = 0;     ///< of the filter attribute >= threshold
    std::uint64_t changedPixels = 0; ///< pixels that this filter changes
    std::uint64_t changedMass = 0;   ///< grey * px: sum over the pixels of |f - filtered|
    std::uint64_t pageMass = 0;      ///< grey * px: sum over the pixels of the page as it is written

    bool operator==(const ProfilePage&) const = default;
};

/// Attribute profile: the pictures F_1 .. F_n that the filters attribute >= t_1 .. attribute >= t_n give, one page a
/// threshold (Dalla Mura, Benediktsson, Waske & Bruzzone, "Morphological attribute profiles for the analysis of very
/// high resolution images", 2010).
///
/// A differential profile has the pages |F_(i-1) - F_i|, i = 1 .. n, where F_0 is the picture itself: what the step to
/// the threshold t_i takes away. Fewer nodes are kept when the threshold grows, so nothing comes back on the way: the
/// pages of the differential profile and F_n add up to the picture (max-tree; min-tree: F_n less the pages).
///
/// Keeps at most one picture of its own, whatever the number of pages.
class AttributeProfile {
public:
    /// @param session has the tree of @p image; must outlive the profile and not be used for another tree meanwhile
    /// @param image what the tree was built of
    /// @throws Error(invalidArgument) for thresholds that are none, too many, not finite or not strictly ascending
    AttributeProfile(Session& session, std::shared_ptr<const Image> image, ProfileSpec spec);

    [[nodiscard]] int pageCount() const noexcept { return static_cast<int>(spec_.thresholds.size()); }
    [[nodiscard]] const ProfileSpec& spec() const noexcept { return spec_; }

    /// Writes page 0 <= @p number < pageCount() into @p out, an image of the picture's type and size. Pages may be
    /// asked for in any order; in ascending order every filter is computed once.
    /// @throws Error as Session::filter(), Error(invalidArgument) for another number; Cancelled
    ProfilePage page(int number, Image& out, const JobControl& control = {});

private:
    FilterReport filter(int number, Image& out, const JobControl& control);

    Session& session_;
    std::shared_ptr<const Image> image_;
    ProfileSpec spec_;
    std::unique_ptr<Image> previous_; ///< F of the page previousNumber_, of differential profiles
    int previousNumber_ = -1;         ///< -1: the picture itself
};

} // namespace pollard
