#pragma once

#include "filter/filter_spec.hpp"
#include "image/image.hpp"
#include "trace/trace.hpp"
#include "tree/component_tree.hpp"

#include <cstdint>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

namespace pollard::teach {

/// Order in which virtual threads take turns.
enum class Turns : std::uint8_t {
    inOrder, ///< one after another, one operation each
    random,  ///< drawn from the seed
    byHand,  ///< given by PlayerSpec::hand
};

/// Settings of a recording. A player uses the settings that its PlayerInfo asks for, and ignores the rest.
struct PlayerSpec {
    TreeKind kind = TreeKind::max;
    Connectivity connectivity = Connectivity::four;
    std::uint32_t tileSide = 4; ///< px: 2, 4 or 8
    std::uint32_t threads = 4;  ///< 2 to 8
    Turns turns = Turns::inOrder;
    std::uint32_t seed = 1;
    std::vector<std::uint8_t> hand; ///< thread of each turn; the trace ends with the last turn
    FilterSpec filter;              ///< attributes, thresholds and rule
    std::uint16_t threshold = 128;  ///< objects are pixels of at least this level; dark objects: of at most

    bool operator==(const PlayerSpec&) const = default;
};

/// An algorithm with a recorded demonstration.
struct PlayerInfo {
    std::string_view id;                ///< never changes: prepared scenes refer to it
    const char* title;                  ///< POLLARD_TEACH
    const char* summary;                ///< POLLARD_TEACH, a sentence or two
    std::span<const char* const> lines; ///< POLLARD_TEACH, its pseudo-code
    bool asksTree = false;              ///< PlayerSpec::kind and connectivity
    bool asksTiles = false;             ///< tileSide
    bool asksThreads = false;           ///< threads, turns, seed, hand
    bool asksTurns = false;  ///< turns (not by hand) and seed; the algorithm determines the number of threads
    bool asksFilter = false; ///< filter
    bool asksThreshold = false;
    /// Runs the algorithm. @throws Error if the image or the spec is outside its limits
    Trace (*record)(const LabImage& image, const PlayerSpec& spec) = nullptr;
};

/// All players, in the recommended order of learning.
[[nodiscard]] std::span<const PlayerInfo> players();
/// Null if no player has the id.
[[nodiscard]] const PlayerInfo* findPlayer(std::string_view id);

/// @throws Error(invalidArgument) if the image is larger than the lab or does not have one level per pixel
void requireLab(const LabImage& image);
/// @throws Error(invalidArgument) for an unsupported number of threads
void requireThreads(const PlayerSpec& spec);
/// @throws Error(invalidArgument) for an unsupported side of tiles
void requireTiles(const PlayerSpec& spec);

/// Calls build(side, eight) with the spec's tile side, which requireTiles() has checked, and connectivity as constants.
template <class Build> void withTileSide(const PlayerSpec& spec, const Build& build) {
    const auto ofSide = [&](auto side) {
        spec.connectivity == Connectivity::eight ? build(side, std::true_type()) : build(side, std::false_type());
    };
    switch (spec.tileSide) {
    case 2:
        return ofSide(std::integral_constant<std::uint32_t, 2>());
    case 4:
        return ofSide(std::integral_constant<std::uint32_t, 4>());
    default:
        return ofSide(std::integral_constant<std::uint32_t, 8>());
    }
}

/// The levels in the order of the tree: a min-tree is the max-tree of the complemented levels.
[[nodiscard]] std::vector<std::uint16_t> orderedLevels(const LabImage& image, TreeKind kind);

/// All pixels by ascending level; pixels of equal level in reverse raster order, so that the first pixel of a node is
/// its canonical pixel (ComponentTree).
[[nodiscard]] std::vector<std::uint32_t> pixelsByLevel(const std::vector<std::uint16_t>& ordered);

/// Converts the image for the engines.
[[nodiscard]] Image imageOf(const LabImage& image);

} // namespace pollard::teach
