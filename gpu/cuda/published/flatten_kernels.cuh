#pragma once

#include "cuda/device/levels.hpp"
#include "cuda/published/link_record.hpp"
#include "cuda/published/tile_layout.hpp"

#include <cuda_runtime_api.h>

#include <cstdint>

namespace pollard::cuda {

/// Writes the canonical parent image (see canonicalParentImage() of core) from the links of all pixels. These launchers
/// queue one kernel and return the launch status.
template <class Level> cudaError_t launchFlatten(LevelView<Level> image, std::uint64_t pixels, PixelLinks links,
                                                 std::uint32_t* parent, cudaStream_t stream);

/// The same for the links of the widened image of a HaloLayout; @p image is the original.
template <class Level> cudaError_t launchFlattenHalo(LevelView<Level> image, HaloLayout halo, PixelLinks links,
                                                     std::uint32_t* parent, cudaStream_t stream);

/// Writes the widened image of a HaloLayout.
template <class Level>
cudaError_t launchWidenImage(LevelView<Level> image, HaloLayout halo, Level* widened, cudaStream_t stream);

} // namespace pollard::cuda
