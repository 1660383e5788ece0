#pragma once

#include "components/components.hpp"
#include "components/objects/object_edges.hpp"
#include "components/volumes/volume_components.hpp"
#include "image/extent.hpp"

#include <pybind11/pybind11.h>

#include <cstdint>
#include <vector>

namespace pollard::python {

/// A table of all features of objects, in px: a dict of columns, named as those of `pollard-cli components --csv`.
/// @param labels objects of the rows, in their order; null: all
[[nodiscard]] pybind11::dict tableOf(const Components& found, const ObjectEdges& edges,
                                     const std::vector<std::uint32_t>* labels = nullptr);
/// The same for a volume. @param sides of a voxel, for shapes
[[nodiscard]] pybind11::dict tableOf(const VolumeComponents& found, const VoxelSides& sides);

} // namespace pollard::python
