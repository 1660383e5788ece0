#pragma once

#include "attributes/attribute.hpp"
#include "base/buffer.hpp"
#include "base/job_control.hpp"
#include "image/value_mapping.hpp"
#include "tree/component_tree.hpp"

#include <cstdint>

namespace pollard::cpu {

/// Column of an attribute of grey levels in the values of an image whose levels are ranks. All follow from the nodes'
/// own pixels and levels, by exact sums of GreyWeights. A few passes over the nodes.
///
/// Entropies have 256 bins of equal width from the value of the root to the farthest value, one bin per whole number if
/// there are at most 256; the delta of the stability is 5/255 of the range of the image's values.
/// @param id with isColumnInValues()
/// @param own result of countOwnPixels()
/// @param mapping with ranks
/// @throws Cancelled, std::bad_alloc
[[nodiscard]] Buffer<double> valuesOfRanks(AttributeId id, const ComponentTree& tree, const Buffer<std::uint32_t>& own,
                                           const Buffer<std::uint32_t>& area, const ValueMapping& mapping,
                                           const JobControl& control);

/// Upper bound of the working memory of valuesOfRanks() in bytes.
[[nodiscard]] std::uint64_t valuesOfRanksBytes(AttributeId id, const ComponentTree& tree) noexcept;

} // namespace pollard::cpu
