#pragma once

#include "options/geojson_option.hpp"
#include "options/image_argument.hpp"

#include "snake/contour/contour_files.hpp"
#include "snake/snake_spec.hpp"

#include <optional>
#include <string>
#include <vector>

namespace pollard::cli {

/// Parses "x,y,w,h" as a rectangle in px, else reads the polygons in the file of this name, see readRings().
/// @throws UsageError for a rectangle without an area; Error, naming the file
/// @param layer of a vector file; empty for the first
[[nodiscard]] FileRings parseStart(const std::string& text, GeoJsonIn unmarked, const std::string& layer);

/// Options of `snake` as typed.
struct SnakeOptions {
    ImageOptions image;
    std::vector<std::string> starts;
    std::string layer; ///< of vector files among the starts
    std::string law;   ///< name or "auto"; empty: auto with follow, else gaussian
    std::string moves{nameOf(SnakeMoves::localBest)};
    std::string algorithm; ///< empty: the engine's default for the moves
    std::uint32_t maxStep = 0;
    std::uint32_t minLength = SnakeSpec{}.minLength;
    std::uint32_t maxNodes = SnakeSpec{}.maxNodes;
    std::uint32_t iterations = 0;
    double lengthPrice = 0;
    std::string forbidden;
    std::optional<std::uint32_t> apart; ///< margin, px: every contour evolves on its own part of the image
    bool follow = false;
    std::string along; ///< axis to follow
    std::string geojson;
    GeoJsonOption positions;
    std::string vector; ///< .gpkg, .fgb, .csv
    std::string mask;
    std::string trace;
    std::string svg;
    std::string roi;
    std::string frames; ///< a folder
    std::uint32_t frameStep = 1;

    void declare(CLI::App& command);
    /// The law is chosenLaw(); spec() has a placeholder.
    [[nodiscard]] bool isLawAuto() const { return law == "auto" || (law.empty() && follow); }
    /// @throws UsageError for an unknown law or unknown moves
    [[nodiscard]] SnakeSpec spec() const;
    /// Files to write, in order.
    [[nodiscard]] std::vector<std::string> targets() const;
    /// @throws UsageError if a result would replace an input or another result; Error(writeFailed) if one cannot be
    /// written
    void checkTargets() const;
};

} // namespace pollard::cli
