#pragma once

#include "io/image_file.hpp"

#include <cstdint>
#include <filesystem>
#include <span>

namespace pollard {

/// Hash of all that the pixels of an image or volume follow from: size, time and first bytes of the files, and
/// options. Independent of the paths. Different for different files and options, except with a probability of about
/// 2^-64.
/// @throws Error(fileNotFound, fileUnreadable)
[[nodiscard]] std::uint64_t identityOf(std::span<const std::filesystem::path> files, const ReadOptions& options);

} // namespace pollard
