#pragma once

#include <QString>

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace pollard::vm {

/// Colours that grey levels are shown in; each can be shown backwards too. Grey, viridis, cividis, magma and inferno
/// are perceptually even and readable with colour-vision deficiency; turbo is a rainbow: it tells many levels apart,
/// but shows edges where there are none.
enum class ColourMap : std::uint8_t { grey, viridis, cividis, magma, inferno, turbo };

inline constexpr std::array kColourMaps{ColourMap::grey,  ColourMap::viridis, ColourMap::cividis,
                                        ColourMap::magma, ColourMap::inferno, ColourMap::turbo};

/// Stable name for settings and files of colours: "grey", "viridis" ...
[[nodiscard]] std::string_view nameOf(ColourMap map) noexcept;
[[nodiscard]] std::optional<ColourMap> findColourMap(std::string_view name) noexcept;
/// For menus, translated.
[[nodiscard]] QString titleOf(ColourMap map);

} // namespace pollard::vm
