#pragma once

#include "base/job_control.hpp"
#include "components/objects/object_rule.hpp"
#include "filter/filter_settings.hpp"
#include "image/stored_mask.hpp"
#include "recipe/filter_stages.hpp"
#include "recipe/recipe.hpp"
#include "snake/contour/contour.hpp"
#include "snake/contour_choice.hpp"

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pollard {

/// Where the image of a session is, and how it was read.
struct SessionImage {
    std::string relative; ///< from the folder of the session, "../images/a.tif"; empty: only `absolute`
    std::string absolute;
    std::uint64_t bytes = 0; ///< size of the file
    std::string hash;        ///< hashText(); empty: unknown
    ReadStep read;
    std::optional<Projection> projection = {}; ///< of the slices that contain the page
    /// The same part by the axes of the file, to find it in a file of another order; unset for files without axes.
    std::optional<PageSelection> at = {};
    std::string axes = {}; ///< see ReadStep; that of `read` is empty

    bool operator==(const SessionImage&) const = default;
};

/// Filters of channels by their index in channelsOf(), "luminance" or an expression.
using ChannelSettings = std::map<std::string, FilterSettings>;

/// The settings for the results of an image, which undo restores.
struct SessionSettings {
    FilterStages earlier; ///< filters that were done before, on and off
    RegionStep region;    ///< of the present filter, as tree and filter
    TreeStep tree;
    FilterSettings filter;
    ChannelSettings channels; ///< the filters of channels that are not displayed
    ObjectSettings objects;

    bool operator==(const SessionSettings&) const = default;
};

/// Components that have a name. All by their canonical pixels, ascending.
struct SessionSelection {
    std::string name;
    std::vector<std::uint32_t> components;

    bool operator==(const SessionSelection&) const = default;
};

/// Objects that were taken out by hand.
struct SessionRemoval {
    std::uint64_t count = 0;           ///< of the objects to which `labels` refers; 0 if none is
    std::vector<std::uint32_t> labels; ///< from 1, ascending

    bool operator==(const SessionRemoval&) const = default;
};

using SessionMask = StoredMask;

/// One evolution of contours. Every state follows from the start; the last one is there to see whether it does.
struct SessionRun : ContourChoice {
    int page = 0; ///< 0-based
    int id = 1;
    int parent = 0; ///< id of the run that it branched from; 0: none
    int parentState = 0;
    std::string origin;                     ///< one line
    std::optional<std::uint32_t> forbidden; ///< index into SessionContours::masks
    std::vector<Contour> starts;            ///< one at least
    std::uint32_t states = 1;               ///< that were recorded, the start included
    bool finished = false;
    std::vector<Contour> last; ///< contours of the last state
    bool compared = false;
    std::uint32_t shown = 0;   ///< state
    std::uint32_t contour = 0; ///< the current one

    bool operator==(const SessionRun&) const = default;
};

/// All runs, and the settings of the next one.
struct SessionContours : ContourChoice {
    std::optional<std::uint32_t> forbidden; ///< of the next run
    std::vector<SessionMask> masks;
    std::vector<SessionRun> runs; ///< by pages, then in the order of their list
    int current = 0;              ///< id of the current run on the page that is shown; 0: none

    bool operator==(const SessionContours&) const = default;
};

/// Grey levels and colours of the image. Names are those of the window.
struct SessionLook {
    std::string window = "opening"; ///< "opening", "automatic", "shown" or "fixed"
    double low = 0;                 ///< if fixed
    double high = 1;
    bool inValues = false;
    int maxLevel = 255;
    std::string curve = "linear";
    double gamma = 1;
    std::string map = "grey";
    bool inverted = false;

    bool operator==(const SessionLook&) const = default;
};

/// How a volume is rendered. The settings of the window have its JSON form, too.
struct SessionRendering {
    std::string rendering = "maximum"; ///< "minimum" or "shaded"
    std::string preset;                ///< of the curve; empty: none
    std::vector<double> curve;         ///< values of the file and their opacities in turn; empty: none
    double opacity = 0.25;
    bool shading = true;

    bool operator==(const SessionRendering&) const = default;
};

/// How a volume is looked at from the side and in space.
struct SessionVolume : SessionRendering {
    double across = 0.5;  ///< share of the left views
    double down = 0.5;    ///< share of the upper views
    std::string enlarged; ///< view that is shown alone; empty: none

    bool operator==(const SessionVolume&) const = default;
};

/// How the image is looked at.
struct SessionView : SessionLook {
    bool original = false; ///< the image as it was read is shown
    std::string compare = "off";
    double split = 0.5;
    bool fitting = true;
    double zoom = 1; ///< view units per pixel; used unless fitting, as the centre
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
    std::string map;                ///< in place of the colour; empty: none
    std::optional<double> low;      ///< window in values of the file; unset: the default of the channel
    std::optional<double> high;
    double gamma = 1;

    bool operator==(const SessionLayer&) const = default;
};

/// The work on one image, to be continued another day.
struct SavedSession : SessionSettings {
    SessionImage image;
    std::vector<std::uint32_t> selected; ///< canonical pixels of components, ascending
    std::vector<SessionSelection> selections;
    SessionRemoval removed; ///< of the objects
    SessionContours contours;
    SessionView view;
    std::vector<SessionLayer> composite; ///< the channels in the order of their list; empty: one channel is shown
    bool cutOut = false;                 ///< masks blacken the other pixels of a composite
    bool classesInLevels = false;        ///< numbers of grey in the conditions of classes are levels, not values
    std::string docks;                   ///< workspace and places of its panels, as the window wrote them; may be empty

    bool operator==(const SavedSession&) const = default;
};

/// Reads the JSON form of a session (docs/session.schema.json). Unknown, repeated and missing keys are refused (but
/// parameters of read, region and tree that have a default may be missing),
/// as are versions other than 1 to 5, and paths of images that no program writes.
/// @throws Error(invalidArgument) naming the place and the value
[[nodiscard]] SavedSession parseSession(std::string_view text);

/// The JSON form, of version 2 if there are earlier filters, of version 3 if a bound has a unit of length, of version 4
/// if there are filters of other channels or a composite, of version 5 for a volume; parseSession() reads the same
/// session back.
[[nodiscard]] std::string toJson(const SavedSession& session);

/// The same of one record, in one line. @throws Error(invalidArgument) naming the place and the value
[[nodiscard]] SessionRendering parseRendering(std::string_view text);
[[nodiscard]] std::string toJson(const SessionRendering& rendering);

/// Reads a session of at most 256 MiB, with at most some 16 million numbers (see jsonWeight()).
/// @throws Error(fileNotFound, fileUnreadable, limitExceeded, invalidArgument) naming the file
[[nodiscard]] SavedSession loadSession(const std::filesystem::path& path);

/// Writes it whole or not at all. @throws Error(writeFailed); Error(limitExceeded) if it could not be read again
void saveSession(const SavedSession& session, const std::filesystem::path& path);

/// The places where the image may be, the likeliest first, each once: as the session's folder says, as the absolute
/// path says, beside the session.
[[nodiscard]] std::vector<std::filesystem::path> placesOf(const SessionImage& image,
                                                          const std::filesystem::path& session);

/// Sets both paths. @param file,session absolute
void setPlace(SessionImage& image, const std::filesystem::path& file, const std::filesystem::path& session);

} // namespace pollard
