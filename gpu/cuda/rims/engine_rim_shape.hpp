#pragma once

#include "cuda/rims/rim_shape.hpp"

namespace pollard::cuda {

/// Tile size of the engine; docs/algorithms.md, `rims`, gives the reason.
using EngineRimShape = RimShape<64, 64, 2>;

} // namespace pollard::cuda
