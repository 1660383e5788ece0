#pragma once

#include <QString>

namespace pollard::vm {

/// The name of an image for the user: the name of its file; in a hierarchy of Zarr with the place there, "screen.zarr
/// · A/1 · field 0" for a field of a plate, "cells.zarr · 2" for others.
[[nodiscard]] QString imageName(const QString& path);

} // namespace pollard::vm
