#pragma once

#include "base/job_control.hpp"
#include "components/objects/object_rule.hpp"
#include "filter/filter_settings.hpp"
#include "image/mask.hpp"
#include "labels/label_runs.hpp"
#include "recipe/filter_stages.hpp"
#include "recipe/recipe.hpp"
#include "snake/contour/contour.hpp"
#include "snake/snake_spec.hpp"

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pollard {

/// Location of a session's image, and how it was read.
struct SessionImage {
    std::string relative; ///< from the folder of the session, "../images/a.tif"; empty: only `absolute`
    std::string absolute;
    std::uint64_t bytes = 0; ///< size of the file
    std::string hash;        ///< hashText(); empty: unknown
    ReadStep read;
    std::optional<Projection> projection = {}; ///< of the slices that contain the page
    /// The same part by the axes of the file, to find it in a file with another order of axes; unset for files without
    /// axes.
    std::optional<PageSelection> at = {};
    std::string axes = {}; ///< see ReadStep::axes; `read.axes` is empty

    bool operator==(const SessionImage&) const = default;
};

/// Filters of channels by their index in channelsOf(), "luminance" or an expression.
using ChannelSettings = std::map<std::string, FilterSettings>;

/// The settings for the results of an image, which undo restores.
struct SessionSettings {
    FilterStages earlier; ///< previous filters, active or not
    RegionStep region;    ///< of the current filter, like tree and filter
    TreeStep tree;
    FilterSettings filter;
    ChannelSettings channels; ///< the filters of channels that are not displayed
    ObjectSettings objects;

    bool operator==(const SessionSettings&) const = default;
};

/// A named selection of components, by their canonical pixels, ascending.
struct SessionSelection {
    std::string name;
    std::vector<std::uint32_t> components;

    bool operator==(const SessionSelection&) const = default;
};

/// Objects that were removed by hand.
struct SessionRemoval {
    std::uint64_t count = 0;           ///< number of objects to which `labels` refers; 0 if no object is removed
    std::vector<std::uint32_t> labels; ///< from 1, ascending

    bool operator==(const SessionRemoval&) const = default;
};

/// The truth beside which objects are scored.
struct SessionTruth {
    std::string file;     ///< see labelFileOf()
    double overlap = 0.5; ///< smallest intersection over union of partners

    bool operator==(const SessionTruth&) const = default;
};

/// What is drawn of the regions of a hierarchy: the colours of their labels or of their means, or the boundaries
/// between them in the colours of their strengths.
enum class HierarchyDrawing : std::uint8_t { labels, means, boundaries };

/// How objects are drawn over the image.
struct ObjectsLook {
    double opacity = 0.5;  ///< of their colours, 0 to 1
    bool outlines = false; ///< only outlines are coloured
    HierarchyDrawing drawing = HierarchyDrawing::labels;

    bool operator==(const ObjectsLook&) const = default;
};

using SessionMask = StoredMask;

/// One evolution of contours. All states can be computed again from the starts; the last state is stored to verify
/// that.
struct SessionRun : ContourChoice {
    int page = 0; ///< 0-based
    int id = 1;
    int parent = 0; ///< id of the run from which this one branched; 0: none
    int parentState = 0;
    std::string origin;                     ///< one line
    std::optional<std::uint32_t> forbidden; ///< index into SessionContours::masks
    std::vector<Contour> starts;            ///< one at least
    std::uint32_t states = 1;               ///< number of recorded states, including the start
    bool finished = false;
    std::vector<Contour> last; ///< contours of the last state
    bool compared = false;
    std::uint32_t shown = 0;   ///< index of the displayed state
    std::uint32_t contour = 0; ///< index of the current contour

    bool operator==(const SessionRun&) const = default;
};

/// All runs, and the settings of the next one.
struct SessionContours : ContourChoice {
    std::optional<std::uint32_t> forbidden; ///< mask of the next run
    std::vector<SessionMask> masks;
    std::vector<SessionRun> runs; ///< by pages, then in the order of their list
    int current = 0;              ///< id of the current run on the displayed page; 0: none

    bool operator==(const SessionContours&) const = default;
};

/// Grey levels and colours of the image, with the names that the window uses.
struct SessionDisplay {
    std::string window = "opening"; ///< "opening", "automatic", "shown" or "fixed"
    double low = 0;                 ///< if fixed
    double high = 1;
    bool inValues = false;
    int maxLevel = 255;
    std::string curve = "linear";
    double gamma = 1;
    std::string map = "grey";
    bool inverted = false;

    bool operator==(const SessionDisplay&) const = default;
};

/// How a volume is rendered. Settings of the window use the same JSON form.
struct SessionRendering {
    std::string rendering = "maximum"; ///< "minimum" or "shaded"
    std::string preset;                ///< of the curve; empty: none
    std::vector<double> curve;         ///< values of the file and their opacities, alternating; empty: none
    double opacity = 0.25;
    bool shading = true;

    bool operator==(const SessionRendering&) const = default;
};

/// View of a volume: sections and rendering.
struct SessionVolume : SessionRendering {
    double across = 0.5;  ///< share of the left views
    double down = 0.5;    ///< share of the upper views
    std::string enlarged; ///< the view that fills the window; empty: none

    bool operator==(const SessionVolume&) const = default;
};

/// View of the image.
struct SessionView : SessionDisplay {
    bool original = false; ///< whether the image as it was read is displayed
    std::string compare = "off";
    double split = 0.5;
    bool fitting = true;
    double zoom = 1; ///< view units per pixel; like the centre, ignored while fitting
    double centreX = 0;
    double centreY = 0;
    std::uint32_t slice = 0; ///< of a volume, 0-based
    std::optional<SessionVolume> volume{};

    bool operator==(const SessionView&) const = default;
};

/// Part of a channel in the composite image.
struct SessionLayer {
    std::string channel; ///< its name
    bool visible = true;
    std::string colour = "#ffffff"; ///< of the upper end of the window
    std::string map;                ///< colour map that replaces the colour; empty: none
    std::optional<double> low;      ///< window in values of the file; unset: the default of the channel
    std::optional<double> high;
    double gamma = 1;

    bool operator==(const SessionLayer&) const = default;
};

/// The work on one image, as stored in a session file.
struct SavedSession : SessionSettings {
    SessionImage image;
    std::vector<std::uint32_t> selected; ///< canonical pixels of components, ascending
    std::vector<SessionSelection> selections;
    std::optional<LabelRuns> edited;   ///< numbers of objects that were edited by hand; unset: they follow their rule
    SessionRemoval removed;            ///< of the objects
    std::optional<SessionTruth> truth; ///< of the objects
    ObjectsLook objectsLook;
    SessionContours contours;
    SessionView view;
    std::vector<SessionLayer> composite; ///< channels in the order of their list; empty: one channel is displayed
    bool cutOut = false;                 ///< masks blacken the other pixels of a composite
    bool classesInLevels = false;        ///< numbers of grey in the conditions of classes are levels, not values
    std::string docks; ///< workspace and layout of its panels in the window's own format; may be empty

    bool operator==(const SavedSession&) const = default;
};

/// Reads the JSON form of a session (docs/session.schema.json). Refuses unknown, repeated and missing keys (parameters
/// of read, region and tree with a default may be missing), versions other than 1 to 5, and paths of images that no
/// program writes.
/// @throws Error(invalidArgument) naming the place and the value
[[nodiscard]] SavedSession parseSession(std::string_view text);

/// The JSON form: version 2 if there are earlier filters, 3 if a bound has a unit of length, 4 if there are filters of
/// other channels or a composite, 5 for a volume. parseSession() returns the same session.
[[nodiscard]] std::string toJson(const SavedSession& session);

/// Parses the JSON form of a rendering, one line. @throws Error(invalidArgument) naming the place and the value
[[nodiscard]] SessionRendering parseRendering(std::string_view text);
[[nodiscard]] std::string toJson(const SessionRendering& rendering);

/// Reads a session of at most 256 MiB, with at most some 16 million numbers (see jsonWeight()).
/// @throws Error(fileNotFound, fileUnreadable, limitExceeded, invalidArgument) naming the file
[[nodiscard]] SavedSession loadSession(const std::filesystem::path& path);

/// Writes the session whole or not at all. @throws Error(writeFailed); Error(limitExceeded) if loadSession() could not
/// read it
void saveSession(const SavedSession& session, const std::filesystem::path& path);

/// Paths where the image may be, most likely first, each once: relative to the session's folder, the absolute path,
/// beside the session.
[[nodiscard]] std::vector<std::filesystem::path> placesOf(const SessionImage& image,
                                                          const std::filesystem::path& session);

/// Sets both paths. @param file,session absolute
void setPlace(SessionImage& image, const std::filesystem::path& file, const std::filesystem::path& session);

} // namespace pollard
