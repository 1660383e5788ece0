#pragma once

#include "attributes/attribute.hpp"
#include "base/job_control.hpp"
#include "engine/engine.hpp"
#include "filter/filter_spec.hpp"
#include "image/grey_weights.hpp"
#include "image/image.hpp"
#include "image/mask.hpp"
#include "image/value_mapping.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace pollard {

/// A series of filters by one attribute.
struct ProfileSpec {
    static constexpr std::size_t kMaxThresholds = 4096;

    AttributeId attribute = AttributeId::area;
    std::vector<double> thresholds; ///< values, finite, strictly ascending
    Rule rule = Rule::direct;
    bool differential = false;

    bool operator==(const ProfileSpec&) const = default;
};

/// Whether pages have differences of levels.
[[nodiscard]] inline bool needsProportional(const ProfileSpec& spec) noexcept {
    return spec.differential || spec.rule == Rule::subtractive;
}

/// The thresholds as numbers of the attribute's column, see columnBound().
[[nodiscard]] std::vector<double> columnBoundsOf(const ProfileSpec& spec, const std::optional<ValueMapping>& mapping);

/// Result of one threshold.
struct ProfilePage {
    double threshold = 0;
    std::uint64_t keptNodes = 0;     ///< by the filter attribute >= threshold
    std::uint64_t changedPixels = 0; ///< pixels changed by this filter
    std::uint64_t changedMass = 0;   ///< grey * px: sum over the pixels of |f - filtered|
    std::uint64_t pageMass = 0;      ///< grey * px: sum over the pixels of the page, of levels

    bool operator==(const ProfilePage&) const = default;
};

/// Attribute profile: the results F_1 .. F_n of the filters attribute >= t_1 .. attribute >= t_n, one page per
/// threshold (Dalla Mura, Benediktsson, Waske & Bruzzone, "Morphological attribute profiles for the analysis of very
/// high resolution images", 2010).
///
/// A differential profile has the pages |F_(i-1) - F_i|, i = 1 .. n, where F_0 is the image. Higher thresholds keep
/// fewer nodes, so the changes are monotone: the pages of the differential profile and F_n sum up to the image
/// (max-tree; min-tree: F_n minus the pages).
///
/// If levels are ranks, masses are sums of values. Differential profiles and the rule subtractive need levels whose
/// distances are proportional to the values', because all pages have one scale.
///
/// Holds at most one image, for any number of pages.
class AttributeProfile {
public:
    /// @param session with the tree of @p image; must outlive the profile and keep this tree
    /// @param image from which the tree was built
    /// @param mapping of the levels of the image
    /// @throws Error(invalidArgument) if there are no thresholds, too many, or if they are not finite or not strictly
    /// ascending; as requireProportional() if needsProportional()
    AttributeProfile(Session& session, std::shared_ptr<const Image> image, ProfileSpec spec,
                     const std::optional<ValueMapping>& mapping = {});

    [[nodiscard]] int pageCount() const noexcept { return static_cast<int>(spec_.thresholds.size()); }
    [[nodiscard]] const ProfileSpec& spec() const noexcept { return spec_; }
    /// Value of a unit of mass if levels are ranks, as PatternSpectrum::massUnit; else 1.
    [[nodiscard]] double massUnit() const noexcept;

    /// Writes page 0 <= @p number < pageCount() to @p out, an image of the image's type and size. Pages can be
    /// requested in any order; in ascending order every filter runs once.
    /// @throws Error as Session::filter(), Error(invalidArgument) for another number; Cancelled
    ProfilePage page(int number, Image& out, const JobControl& control = {});

private:
    FilterReport filter(int number, Image& out, const JobControl& control);
    /// Sum over the pixels of the distance to the image's level.
    [[nodiscard]] std::uint64_t changedMass(const Image& out, const JobControl& control) const;

    Session& session_;
    std::shared_ptr<const Image> image_;
    ProfileSpec spec_;
    std::optional<GreyWeights> weights_; ///< of ranks
    std::vector<double> bounds_;         ///< thresholds as numbers of the column
    std::unique_ptr<Image> previous_;    ///< F of page previousNumber_, for differential profiles
    int previousNumber_ = -1;            ///< -1: the image itself
};

} // namespace pollard
