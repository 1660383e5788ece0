#pragma once

#include "image/channel.hpp"

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace pollard {

/// A normalised difference (first - second) / (first + second) of two spectral bands.
struct SpectralIndex {
    std::string_view name;
    std::string_view first; ///< band, see findBand()
    std::string_view second;
};

/// Rouse et al. 1974 (NDVI); Gitelson et al. 1996 (GNDVI); Gitelson, Merzlyak 1994 (NDRE); McFeeters 1996 (NDWI); Xu
/// 2006 (MNDWI); Gao 1996 (NDMI); Zha et al. 2003 (NDBI); Key, Benson 2006 (NBR); Hall et al. 1995 (NDSI).
inline constexpr std::array kSpectralIndices{
    SpectralIndex{"ndvi", "nir", "red"},     SpectralIndex{"gndvi", "nir", "green"},
    SpectralIndex{"ndre", "nir", "rededge"}, SpectralIndex{"ndwi", "green", "nir"},
    SpectralIndex{"mndwi", "green", "swir"}, SpectralIndex{"ndmi", "nir", "swir"},
    SpectralIndex{"ndbi", "swir", "nir"},    SpectralIndex{"nbr", "nir", "swir2"},
    SpectralIndex{"ndsi", "green", "swir"},
};

/// The channel that records a spectral band: "blue", "green", "red", "rededge", "nir", "swir" or "swir2". Searches in
/// this order: the band's name or a synonym ("near infrared"); a name of Sentinel-2 ("B08", "B8A, ..."), if the names
/// are not from Landsat; the wavelength in the file that is closest to the centre of the band, within its limits.
[[nodiscard]] std::optional<std::size_t> findBand(std::span<const Channel> channels, std::string_view band);

/// Index of a channel by its name, in any case of letters if that is unambiguous, or by its number from 0.
[[nodiscard]] std::optional<std::size_t> findChannel(std::span<const Channel> channels, std::string_view name);

/// As findChannel().
/// @throws Error(invalidArgument) that lists the names
[[nodiscard]] std::size_t channelNamed(std::span<const Channel> channels, std::string_view name);

/// "DAPI, GFP, channel 2"
[[nodiscard]] std::string namesOf(std::span<const Channel> channels);

} // namespace pollard
