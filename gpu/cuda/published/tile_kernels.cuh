#pragma once

#include "cuda/device/device_image.hpp"
#include "cuda/published/border_forest.hpp"
#include "cuda/published/image_tiling.hpp"
#include "cuda/published/kept_edges.hpp"
#include "cuda/published/link_record.hpp"

#include <cuda_runtime_api.h>

#include <cstdint>

namespace pollard::cuda {

// Tile sizes, px. 64 columns are two warps of the column algorithm; more rows mean fewer boundaries but longer
// sequential work per thread.
constexpr std::uint32_t kColumnTileWidth = 64;
constexpr std::uint32_t kColumnTileHeight = 32;
// One thread per pixel: the largest block that CUDA allows.
constexpr std::uint32_t kBaseTileWidth = 64;
constexpr std::uint32_t kBaseTileHeight = 16;

/// Builds the tree of each tile of the layout, which must have the tile size of the algorithm: one thread per column
/// ("columns") or per pixel ("base"). Writes the links of all pixels, flat within their tile. Queues one kernel and
/// returns the launch status.
template <class Level> cudaError_t launchColumnTiles(LevelView<Level> image, ImageTiling layout, BoundaryRule rule,
                                                     PixelLinks links, cudaStream_t stream);
template <class Level> cudaError_t launchBaseTiles(LevelView<Level> image, ImageTiling layout, BoundaryRule rule,
                                                   PixelLinks links, cudaStream_t stream);

/// Writes the canonical parent image (see canonicalParentImage() of core) from the links of all pixels. These launchers
/// queue one kernel and return the launch status.
template <class Level> cudaError_t launchFlatten(LevelView<Level> image, std::uint64_t pixels, PixelLinks links,
                                                 std::uint32_t* parent, cudaStream_t stream);

/// Writes the canonical parent image from the links of the widened image of a HaloLayout; @p image is the original.
template <class Level> cudaError_t launchFlattenHalo(LevelView<Level> image, HaloLayout halo, PixelLinks links,
                                                     std::uint32_t* parent, cudaStream_t stream);

/// Writes the widened image of a HaloLayout.
template <class Level>
cudaError_t launchWidenImage(LevelView<Level> image, HaloLayout halo, Level* widened, cudaStream_t stream);

/// Joins the trees on both sides of the seam at all positions, or at some if @p stop (see StopFlag) becomes nonzero.
/// Queues one kernel and returns the launch status.
template <class Level> cudaError_t launchJoinSeam(LevelView<Level> image, SeamPositions seam, BoundaryRule rule,
                                                  PixelLinks links, const volatile std::uint32_t* stop,
                                                  cudaStream_t stream);

/// Joins the border trees on both sides of a horizontal seam without corners.
template <class Level> cudaError_t launchJoinBorderSeam(LevelView<Level> image, SeamPositions seam, BoundaryRule rule,
                                                        BorderForest forest, const volatile std::uint32_t* stop,
                                                        cudaStream_t stream);

/// Builds the tree of each tile as launchColumnTiles() does, and its border tree; columnSize must be zero. Queues one
/// kernel and returns the launch status.
template <class Level> cudaError_t launchBorderTiles(LevelView<Level> image, BoundaryRule rule, PixelLinks links,
                                                     BorderForest forest, cudaStream_t stream);

/// Writes the joined border trees to the links of the image. Queues one kernel and returns the launch status.
cudaError_t launchCommitBorder(BorderForest forest, PixelLinks links, cudaStream_t stream);

} // namespace pollard::cuda
