#pragma once

#include "io/metadata/sky_header.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

namespace pollard {

/// A position in the sky in degrees, such as right ascension and declination; NaN if undefined.
struct SkyPoint {
    double longitude = 0;
    double latitude = 0;
};

/// Version of wcslib; empty in a build without wcslib.
[[nodiscard]] std::string wcslibVersion();

/// Converts pixels of an image to positions in the sky, by the cards of the FITS header (wcslib). Thread-safe; calls
/// are serialised.
class SkyCoordinates {
public:
    /// Null if the header states no longitude and latitude, if wcslib refuses the header, and in a build without
    /// wcslib.
    [[nodiscard]] static std::shared_ptr<const SkyCoordinates> of(const std::optional<SkyHeader>& header);
    ~SkyCoordinates();
    SkyCoordinates(const SkyCoordinates&) = delete;
    SkyCoordinates& operator=(const SkyCoordinates&) = delete;

    /// Names of the axes in lower case: "ra" and "dec", "glon" and "glat".
    [[nodiscard]] const std::string& longitudeName() const noexcept;
    [[nodiscard]] const std::string& latitudeName() const noexcept;
    [[nodiscard]] bool isEquatorial() const noexcept { return longitudeName() == "ra"; }
    /// Frame of an equatorial position as stated in the file, or from its equinox: "ICRS", "FK5"; else empty.
    [[nodiscard]] const std::string& frame() const noexcept;

    /// @param x, y a place in the image, pixel centres at 0, 1, 2 ...; y downwards
    [[nodiscard]] SkyPoint at(double x, double y) const;

private:
    struct State;
    explicit SkyCoordinates(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
};

} // namespace pollard
