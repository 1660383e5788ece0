#pragma once

#include "player/player.hpp"
#include "snake/contour/contour.hpp"
#include "snake/snake_spec.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace pollard::teach {

/// Sorts the pixels and joins them from the brightest to the darkest with union-find (Berger et al., "Effective
/// component tree computation with application to pattern recognition in astronomical imaging", 2007).
[[nodiscard]] const PlayerInfo& unionFindPlayer();

/// Flooding from a lowest pixel: the highest level reached is always flooded first, with one queue per level
/// (Salembier, Oliveras and Garrido, "Antiextensive connected operators for image and sequence processing", 1998);
/// without recursion.
[[nodiscard]] const PlayerInfo& floodingPlayer();

/// Trees of columns, joined by threads that work on shared links concurrently (Blin, Carlinet, Lemaitre, Lacassagne and
/// Géraud, "Max-tree computation on GPUs", 2022, s. 4 and 5.1): TileTree and Connection of the CUDA engine.
[[nodiscard]] const PlayerInfo& columnsPlayer();

/// Trees of tiles, joined along their seams by threads that work on shared links concurrently, then made canonical
/// (Blin et al. 2022, s. 4.3): TileTree, lookAtSeam(), Connection and canonicalParent() of the CUDA engine.
[[nodiscard]] const PlayerInfo& tilesPlayer();

/// Tiles whose border trees are joined outside the image (Blin, "Max-tree computation on GPUs", technical report,
/// 2021, s. 6): BorderTile, BorderForest and BorderConnection of the CUDA engine.
[[nodiscard]] const PlayerInfo& borderPlayer();

/// Edges between two columns that cannot change the tree (Blin et al. 2022, propositions 1 to 3): keptEdges() of the
/// CUDA engine.
[[nodiscard]] const PlayerInfo& gridSimplificationPlayer();

/// The CUDA engine's max-tree of 16-bit images: Boruvka's algorithm finds where branches end, and sorting turns them
/// into nodes. Runs BranchBuild in the emulator; docs/algorithms.md, "boruvka".
[[nodiscard]] const PlayerInfo& boruvkaPlayer();

/// The CUDA engine's max-tree of 8-bit images: trees of tiles, of which only the rims are joined. Runs RimBuild in the
/// emulator; docs/algorithms.md, "rims".
[[nodiscard]] const PlayerInfo& rimsPlayer();

/// Area, volume and bounding box of all nodes, by the CPU engine's sweeps over the tree.
[[nodiscard]] const PlayerInfo& attributePlayer();

/// Columns of the player's table, which has one row per node.
enum class AttributeCell : std::uint8_t { canonical, level, area, levelSum, volume, left, top, right, bottom };
inline constexpr std::size_t kAttributeCells = 9;

/// The rules on one tree, one player each in the order of kAllRules. They use the criteria of PlayerSpec::filter and
/// how these are combined; the rule is the player's own.
[[nodiscard]] const std::array<PlayerInfo, kAllRules.size()>& filterPlayers();

/// The filter that the player of a rule shows, from PlayerSpec::filter.
[[nodiscard]] FilterSpec shownFilter(const FilterSpec& filter, Rule rule);

/// Labelling by HA4 with one thread per pixel, by the CUDA engine's kernels in the emulator (Hennequin, Lacassagne &
/// Masliah, 2019). Threads take turns in order, or with Turns::random as drawn from the seed.
[[nodiscard]] const PlayerInfo& ha4Player();

/// Columns of the player's table, which has one row per row of the image.
enum class RootCell : std::uint8_t { row, roots, before };
inline constexpr std::size_t kRootCells = 3;

/// Measures objects by the tree merge kernel with blocks of 8 nodes, run by the CUDA engine's kernels in the emulator
/// ("Parallel Algorithm for Connected-Component Analysis Using CUDA", Algorithms 16(2), 80, 2023). Threads take turns
/// in order, or with Turns::random as drawn from the seed.
[[nodiscard]] const PlayerInfo& tmkPlayer();

/// Columns of the player's table, which has one row per node.
enum class NodeCell : std::uint8_t { node, label, parent, left, right, pixels, size, place };
inline constexpr std::size_t kNodeCells = 8;

/// Labelling by the CUDA engine's algorithm "strips" (docs/algorithms.md), by its kernels in the emulator, in strips of
/// 4 rows. With TreeKind::min objects are dark: pixels of at most the threshold. Threads take turns in order, or with
/// Turns::random as drawn from the seed.
[[nodiscard]] const PlayerInfo& stripsPlayer();

/// Columns of the player's table, which has one row per component of a strip.
enum class PartCell : std::uint8_t { part, strip, parent, label };
inline constexpr std::size_t kPartCells = 4;

/// The seeded watershed of the CPU engine, with its rounds and its order of ties; the seeds are the regional minima
/// (with TreeKind::min the maxima).
[[nodiscard]] const PlayerInfo& watershedPlayer();

/// The same seeds as roots of a minimum spanning forest, by Boruvka's algorithm; an edge weighs the higher of its
/// levels (Cousty, Bertrand, Najman & Couprie, "Watershed cuts: minimum spanning forests and the drop of water
/// principle", 2009).
[[nodiscard]] const PlayerInfo& forestPlayer();

/// Per pixel the number of its regional minimum, from 1 in raster order of their first pixels; -1 outside of these.
[[nodiscard]] std::vector<std::int64_t> shownSeeds(const LabImage& image, const PlayerSpec& spec);

/// The region snake of the CPU engine, one node per move, from a rectangle in the middle of the image (Chesnaud,
/// Réfrégier & Boulet, 1999).
[[nodiscard]] const PlayerInfo& snakePlayer();

/// The start contour; empty if the image is too small for an inside and an outside.
[[nodiscard]] Contour shownSnakeStart(const LabImage& image);
/// The parameters of the run.
[[nodiscard]] SnakeSpec shownSnakeSpec(const LabImage& image);

/// Columns of the player's table, which has one row. Means and variances are rounded.
enum class RegionCell : std::uint8_t {
    pixelsInside,
    meanInside,
    varianceInside,
    pixelsOutside,
    meanOutside,
    varianceOutside,
    energy, ///< in hundredths, rounded
};
inline constexpr std::size_t kRegionCells = 7;

} // namespace pollard::teach
