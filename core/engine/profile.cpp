#include "engine/profile.hpp"

#include "attributes/grey_values.hpp"
#include "base/error.hpp"

#include <tbb/blocked_range.h>
#include <tbb/parallel_reduce.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>
#include <utility>

namespace pollard {

namespace {

constexpr std::size_t kPixelsPerTask = std::size_t{1} << 16;

/// Sum of `mass(p)` over the pixels, as integers: independent of the number of threads.
template <class MassOf> std::uint64_t sumOverPixels(std::size_t count, const JobControl& control, MassOf&& mass) {
    return tbb::parallel_reduce(
        tbb::blocked_range<std::size_t>(0, count, kPixelsPerTask), std::uint64_t{0},
        [&](const auto& pixels, std::uint64_t sum) {
            control.throwIfStopped();
            for (std::size_t p = pixels.begin(); p != pixels.end(); ++p) {
                sum += mass(p);
            }
            return sum;
        },
        std::plus<>{});
}

template <class Pixel> [[nodiscard]] Pixel distance(Pixel a, Pixel b) noexcept {
    return static_cast<Pixel>(a > b ? a - b : b - a);
}

/// Sum of the distances of heights of the levels.
template <class HeightOf>
std::uint64_t sumOfDistances(const Image& a, const Image& b, const JobControl& control, const HeightOf& heightOf) {
    return dispatch(a.type(), [&]<class Pixel>(Pixel) {
        const Pixel* first = a.pixels<Pixel>().data();
        const Pixel* second = b.pixels<Pixel>().data();
        return sumOverPixels(a.pixelCount(), control, [=, &heightOf](std::size_t p) {
            return first[p] == second[p] ? std::uint64_t{0} : distance(heightOf(first[p]), heightOf(second[p]));
        });
    });
}

/// Replaces @p now by |before - now|, after copying it to @p keep.
/// @return sum of the differences
template <class Pixel> std::uint64_t takeDifference(std::span<const Pixel> before, Pixel* keep, std::span<Pixel> now,
                                                    const JobControl& control) {
    return sumOverPixels(now.size(), control, [=](std::size_t p) {
        const Pixel current = now[p];
        now[p] = distance(before[p], current);
        keep[p] = current;
        return std::uint64_t{now[p]};
    });
}

std::uint64_t sumOfLevels(const Image& image, const JobControl& control) {
    return dispatch(image.type(), [&]<class Pixel>(Pixel) {
        const Pixel* pixels = image.pixels<Pixel>().data();
        return sumOverPixels(image.pixelCount(), control, [=](std::size_t p) { return std::uint64_t{pixels[p]}; });
    });
}

} // namespace

std::vector<double> columnBoundsOf(const ProfileSpec& spec, const std::optional<ValueMapping>& mapping) {
    std::vector<double> bounds;
    for (const double threshold : spec.thresholds) {
        bounds.push_back(columnBound(spec.attribute, threshold, true, mapping));
    }
    return bounds;
}

AttributeProfile::AttributeProfile(Session& session, std::shared_ptr<const Image> image, ProfileSpec spec,
                                   const std::optional<ValueMapping>& mapping)
    : session_(session), image_(std::move(image)), spec_(std::move(spec)), bounds_(columnBoundsOf(spec_, mapping)) {
    const auto& thresholds = spec_.thresholds;
    if (needsProportional(spec_)) {
        requireProportional(session.mapping(), "attribute profile");
    }
    if (session.mapping() && session.mapping()->ranks) {
        weights_.emplace(*session.mapping());
    }
    if (image_ == nullptr) {
        throw Error(ErrorCode::invalidArgument, "profile: there is no image");
    }
    if (thresholds.empty() || thresholds.size() > ProfileSpec::kMaxThresholds) {
        throw Error(ErrorCode::invalidArgument, "profile: " + std::to_string(thresholds.size()) +
                                                    " thresholds; there must be 1 to " +
                                                    std::to_string(ProfileSpec::kMaxThresholds));
    }
    for (std::size_t i = 0; i < thresholds.size(); ++i) {
        if (!std::isfinite(thresholds[i])) {
            throw Error(ErrorCode::invalidArgument,
                        "profile: threshold " + std::to_string(i + 1) + " is not a finite number");
        }
        if (i > 0 && !(thresholds[i - 1] < thresholds[i])) {
            throw Error(ErrorCode::invalidArgument, "profile: thresholds must ascend, but " +
                                                        toString({spec_.attribute, thresholds[i]}) + " comes after " +
                                                        toString({spec_.attribute, thresholds[i - 1]}));
        }
    }
}

double AttributeProfile::massUnit() const noexcept {
    return weights_ ? weights_->differenceOf(UInt128{1} << weights_->shiftFor(image_->pixelCount())) : 1;
}

std::uint64_t AttributeProfile::changedMass(const Image& out, const JobControl& control) const {
    if (!weights_) {
        return sumOfDistances(*image_, out, control, [](std::uint64_t level) { return level; });
    }
    const int shift = weights_->shiftFor(image_->pixelCount());
    return sumOfDistances(*image_, out, control, [&](std::uint16_t level) { return weights_->of(level) >> shift; });
}

FilterReport AttributeProfile::filter(int number, Image& out, const JobControl& control) {
    FilterSpec spec;
    spec.criteria = {{.attribute = spec_.attribute, .minimum = bounds_[static_cast<std::size_t>(number)]}};
    spec.rule = spec_.rule;
    return session_.filter(spec, out, control);
}

ProfilePage AttributeProfile::page(int number, Image& out, const JobControl& control) {
    if (number < 0 || number >= pageCount()) {
        throw Error(ErrorCode::invalidArgument, "profile: page " + std::to_string(number) + " of " +
                                                    std::to_string(pageCount()) + " was asked for");
    }
    if (spec_.differential && number > 0 && previousNumber_ != number - 1) {
        if (previous_ == nullptr) {
            previous_ = std::make_unique<Image>(image_->type(), image_->extent());
        }
        previousNumber_ = -1; // in case the filter is cancelled
        (void)filter(number - 1, *previous_, control);
        previousNumber_ = number - 1;
    }
    const FilterReport report = filter(number, out, control);
    ProfilePage page;
    page.threshold = spec_.thresholds[static_cast<std::size_t>(number)];
    page.keptNodes = report.keptNodes;
    page.changedPixels = report.changedPixels;
    page.changedMass = changedMass(out, control);
    if (!spec_.differential) {
        page.pageMass = sumOfLevels(out, control);
        return page;
    }
    if (previous_ == nullptr) {
        previous_ = std::make_unique<Image>(image_->type(), image_->extent());
    }
    const Image& before = number > 0 ? *previous_ : *image_;
    previousNumber_ = -1;
    page.pageMass = dispatch(image_->type(), [&]<class Pixel>(Pixel) {
        return takeDifference<Pixel>(before.pixels<Pixel>(), previous_->pixels<Pixel>().data(), out.pixels<Pixel>(),
                                     control);
    });
    previousNumber_ = number;
    return page;
}

} // namespace pollard
