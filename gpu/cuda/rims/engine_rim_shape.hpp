#pragma once

#include "cuda/rims/rim_shape.hpp"

namespace pollard::cuda {

/// The tiles of the engine: see docs/algorithms.md, `rims`, for why this size.
using EngineRimShape = RimShape<64, 64, 2>;

} // namespace pollard::cuda
