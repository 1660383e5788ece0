#pragma once

#include <QString>

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace pollard::vm {

/// Colour maps of grey levels; each can be reversed. Grey, viridis, cividis, magma and inferno are perceptually uniform
/// and readable with colour-vision deficiency; turbo is a rainbow: it distinguishes many levels, but shows edges where
/// there are none.
enum class ColourMap : std::uint8_t { grey, viridis, cividis, magma, inferno, turbo };

inline constexpr std::array kColourMaps{ColourMap::grey,  ColourMap::viridis, ColourMap::cividis,
                                        ColourMap::magma, ColourMap::inferno, ColourMap::turbo};

/// Stable name for settings and colour files: "grey", "viridis" ...
[[nodiscard]] std::string_view nameOf(ColourMap map) noexcept;
[[nodiscard]] std::optional<ColourMap> findColourMap(std::string_view name) noexcept;
/// For menus, translated.
[[nodiscard]] QString titleOf(ColourMap map);

} // namespace pollard::vm
