#pragma once

#include <QString>

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace pollard::vm {

/// Colours that grey levels are shown in. Viridis, cividis, magma and inferno are perceptually even and readable with
/// colour-vision deficiency.
enum class ColourMap : std::uint8_t { grey, invertedGrey, viridis, cividis, magma, inferno };

inline constexpr std::array kColourMaps{ColourMap::grey,    ColourMap::invertedGrey, ColourMap::viridis,
                                        ColourMap::cividis, ColourMap::magma,        ColourMap::inferno};

/// Stable name for settings and files of colours: "grey", "inverted-grey", "viridis" ...
[[nodiscard]] std::string_view nameOf(ColourMap map) noexcept;
[[nodiscard]] std::optional<ColourMap> findColourMap(std::string_view name) noexcept;
/// For menus, translated.
[[nodiscard]] QString titleOf(ColourMap map);

} // namespace pollard::vm
