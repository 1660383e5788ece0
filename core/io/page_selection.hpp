#pragma once

#include "image/image.hpp"
#include "io/channels.hpp"
#include "io/image_file.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pollard {

/// The positions on an axis of the pages of a file that a job works on.
struct AxisPositions {
    enum class Kind : std::uint8_t {
        unstated,   ///< the only position; else the middle of z and the first of another axis, with a note
        one,        ///< the position `index`
        first,      ///< position 0
        middle,     ///< position count / 2
        last,       ///< position count - 1
        each,       ///< one result for each position
        projection, ///< one image made of the slices
        volume,     ///< the slices as one volume
        named,      ///< the position with this name, of scenes
    };
    Kind kind = Kind::unstated;
    int index = 0;                        ///< 0-based, if kind == one
    Projection projection = {};           ///< if kind == projection
    std::optional<SliceRange> range = {}; ///< of each, projection and volume; unset: all positions
    std::string name = {};                ///< if kind == named

    bool operator==(const AxisPositions&) const = default;
};

/// The part of a file that a job works on, named by the axes of the file. The same text selects the same planes in
/// files that store them in another order.
struct PageSelection {
    std::optional<ChannelChoice> channel; ///< unset: luminance of colours, else the first channel
    AxisPositions z;
    AxisPositions t;
    AxisPositions page;       ///< only for files that name no axes
    AxisPositions scene = {}; ///< one of scenesOf()

    bool operator==(const PageSelection&) const = default;
};

/// Parses "channel=DAPI,z=max,t=each". Commas inside parentheses belong to an expression, and a text in double quotes
/// is a name. z: a number, first, middle, last, sharpest, max, mean, min, each or volume; t and page: a number, first,
/// middle, last or each; scene: a number, first, last, each or a name. "FIRST..LAST" after a colon limits positions:
/// "z=max:2..8". Numbers count from 0.
/// @throws Error(invalidArgument) naming the axis and the entry
[[nodiscard]] PageSelection parseSelection(std::string_view text);
/// Text that parseSelection() reads; empty for a selection that states nothing.
[[nodiscard]] std::string toString(const PageSelection& selection);

/// Number of axes that the file names and that have several positions.
[[nodiscard]] std::ptrdiff_t countOfAxes(const ImageInfo& info);

/// Names of the scenes of a file with several scenes, such as the images of an OME-TIFF or the units of a FITS file; a
/// name may be empty. Empty for files with one scene.
[[nodiscard]] std::vector<std::string> scenesOf(const ImageInfo& info);

/// The axis of scenes; numbers the same pages as 'p'.
inline constexpr char kSceneAxis = 's';
/// "channel", "z", "t", "page" or "scene" for StackAxis::name, kUnclearAxis or kSceneAxis.
[[nodiscard]] std::string_view axisName(char axis);
/// The positions of a selection on z, t, page or scene.
[[nodiscard]] const AxisPositions& positionsOn(char axis, const PageSelection& selection);
[[nodiscard]] AxisPositions& positionsOn(char axis, PageSelection& selection);

/// Position of a part on an axis with several positions.
struct AxisPosition {
    char axis = 'p';   ///< as StackAxis::name, or kSceneAxis
    int index = 0;     ///< 0-based; -1 for a projection or a volume
    std::string label; ///< of the axis, or "max"; may be empty
    /// Result of distanceOn() for the axis.
    std::optional<double> distance = {};

    bool operator==(const AxisPosition&) const = default;
};

/// One image or volume that a selection names.
struct SelectedPart {
    ReadOptions options;                 ///< page, channel, slices and projection
    bool volume = false;                 ///< readVolume() reads it, else readImage()
    std::vector<AxisPosition> positions; ///< on the axes with several positions, channels excepted
};

/// Copies page, channel, slices and projection of a part to other options; a part without slices keeps the slices of
/// the options.
void takePart(ReadOptions& options, const SelectedPart& part);

struct SelectedParts {
    std::vector<SelectedPart> parts; ///< at least one, ordered by page, then t, then z
    std::vector<std::string> notes;  ///< about axes that the selection does not state: "z: middle, 10 of 21"
};

/// The parts of a file that a selection names.
/// @param info of any page @param base options of reading; page, channel, slices and projection are replaced
/// @throws Error(invalidArgument) for a channel, axis or position that the file lacks ("no channel DAPI (has GFP,
/// RFP)"), and for axes in an unclear order
[[nodiscard]] SelectedParts partsOf(const PageSelection& selection, const ImageInfo& info,
                                    const ReadOptions& base = {});

/// The distance of a position from the first one on the axis: seconds of t, micrometres of z. Nothing on another axis,
/// and if the file does not state it.
[[nodiscard]] std::optional<double> distanceOn(char axis, int index, const ImageInfo& info);
/// The position of the page of @p info on an axis of several positions; nothing without such an axis.
[[nodiscard]] std::optional<AxisPosition> pagePosition(char axis, const ImageInfo& info);
/// Name of a column of a table with such distances: "t_s" or "z_um".
[[nodiscard]] std::string distanceColumn(char axis);

/// The selection of the part that is read with these options: the channel by its name, numbers of z and t. Has only
/// `page` if the file names no axes.
[[nodiscard]] PageSelection selectionOf(const ImageInfo& info, const ReadOptions& options, bool volume);

/// Reads a part with readVolume() or readImage().
[[nodiscard]] LoadedImage readPart(const std::filesystem::path& path, const SelectedPart& part,
                                   const JobControl& control = {});
/// Reads channels of a part like readChannels(). Channels of projections and volumes are read one after another.
/// @throws as readChannels() and readPart()
[[nodiscard]] ChannelImage readPartChannels(const std::filesystem::path& path, const SelectedPart& part,
                                            std::span<const std::size_t> wanted = {}, const JobControl& control = {});

} // namespace pollard
