#pragma once

#include "base/job_control.hpp"
#include "image/image.hpp"
#include "image/mask.hpp"

#include <cstddef>
#include <cstdint>

namespace pollard {

class Coverage;

// One step of a pyramid: every pixel of `to` is the mean of a block of 2 x 2 pixels of the source, fewer at the end of
// an odd side. `to` has half the source's sides, rounded up. Parallel over rows. @throws Cancelled, with `to`
// incomplete.

/// One row of means, rounded half up, of 8, 16, 32 or 64 bits.
/// @param upper,lower rows of the source of @p width px; the same row twice if there is no lower one
/// @param out receives (width + 1) / 2 values; none of the rows of the source
template <class T> void halveRow(const T* upper, const T* lower, std::uint32_t width, T* out) noexcept;

/// Means, rounded half up; both images have the same type.
void halve(const Image& from, Image& to, const JobControl& control);

/// Share of the pixels that are in the mask, 0 to 255, rounded half up; @p to has type u8.
void halveMask(const Mask& from, Image& to, const JobControl& control);

/// Means weighted by the coverage of the pixels of @p from, which is level @p level of the pyramid, rounded half up;
/// plain means where nothing is covered.
void halveWeighted(const Image& from, const Coverage& coverage, std::size_t level, Image& to,
                   const JobControl& control);

} // namespace pollard
