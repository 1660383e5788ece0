#include "io/metadata/ome_xml.hpp"

#include "base/text.hpp"
#include "io/metadata/channel_facts.hpp"
#include "io/metadata/fact_text.hpp"
#include "io/metadata/length_units.hpp"
#include "io/metadata/scene_description.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <pugixml.hpp>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace pollard {

namespace {

constexpr std::size_t kMaxBytes = 64ULL << 20;
constexpr std::uint64_t kMaxPlanes = 1ULL << 31;
constexpr double kMicrometresInMetre = 1e6;
constexpr double kNanometresInMicrometre = 1000;

/// Element name without namespace prefix.
std::string_view localName(const pugi::xml_node& node) {
    const std::string_view name = node.name();
    const std::size_t colon = name.rfind(':');
    return colon == std::string_view::npos ? name : name.substr(colon + 1);
}

pugi::xml_node childOf(const pugi::xml_node& parent, std::string_view name) {
    return parent.find_child([&](const pugi::xml_node& node) { return localName(node) == name; });
}

/// Sizes of the stack along C, Z and T.
struct Sizes {
    std::uint64_t c = 1;
    std::uint64_t z = 1;
    std::uint64_t t = 1;

    [[nodiscard]] std::uint64_t of(char letter) const { return letter == 'C' ? c : letter == 'Z' ? z : t; }
    [[nodiscard]] bool sensible() const {
        return c > 0 && z > 0 && t > 0 && c <= kMaxPlanes && z <= kMaxPlanes / c && t <= kMaxPlanes / (c * z);
    }
};

/// A TiffData block: a run of planes along the order of the dimensions, in consecutive directories.
struct Block {
    std::optional<std::uint64_t> directory; ///< of the first plane; unset: the first of the file
    std::uint64_t planes = 0;               ///< 0: as many as the file has
    Sizes first{0, 0, 0};
    std::uint32_t file = 0; ///< index in PlaneFiles
};

struct Pixels {
    Sizes sizes;               ///< in planes: c counts the samples of a pixel as one
    std::string order = "CZT"; ///< fastest first
    std::vector<Channel> channels;
    std::vector<Block> blocks;
    std::string name;     ///< of the image; may be empty
    std::string sides;    ///< SizeX and SizeY as stated; empty without pixels
    double timeStep = 0;  ///< in `timeUnit`; 0: not stated, or uneven
    std::string timeUnit; ///< as StackAxis::unit

    [[nodiscard]] std::uint64_t planes() const { return sizes.c * sizes.z * sizes.t; }
    [[nodiscard]] bool isAlike(const Pixels& other) const {
        return sizes.c == other.sizes.c && sizes.z == other.sizes.z && sizes.t == other.sizes.t &&
               order == other.order && sides == other.sides;
    }
};

/// The files that the blocks name.
class PlaneFiles {
public:
    /// @param described file that holds the description, or refers to it
    /// @param uuid of that file
    PlaneFiles(std::filesystem::path described, std::string uuid)
        : described_(std::move(described)), uuid_(std::move(uuid)) {}

    /// Index of the file of a block; 0 for the described one.
    std::uint32_t indexOf(const pugi::xml_node& uuid) {
        // Files in other folders are not looked for.
        const std::string name = std::filesystem::path(uuid.attribute("FileName").as_string()).filename().string();
        const bool isDescribed =
            name.empty() || name == described_.filename() || (!uuid_.empty() && uuid_ == uuid.child_value());
        if (!isDescribed && !numbers_.contains(name)) {
            numbers_.emplace(name, static_cast<std::uint32_t>(names_.size()));
            names_.push_back(name);
        }
        hasDescribed_ |= isDescribed;
        return isDescribed ? 0 : numbers_.at(name);
    }

    /// Whether planes lie in several files. A file that all blocks name is the described one under an earlier name.
    [[nodiscard]] bool areSeveral() const { return names_.size() > (hasDescribed_ ? 1U : 2U); }
    [[nodiscard]] const std::vector<std::string>& names() const { return names_; }
    /// For each file, whether it can be opened.
    [[nodiscard]] std::vector<bool> found() const {
        std::vector<bool> found{true};
        for (std::size_t i = 1; i < names_.size(); ++i) {
            std::error_code error;
            found.push_back(!described_.empty() &&
                            std::filesystem::is_regular_file(described_.parent_path() / names_[i], error));
        }
        return found;
    }

private:
    std::filesystem::path described_;
    std::string uuid_;
    std::vector<std::string> names_{""};
    std::map<std::string, std::uint32_t> numbers_;
    bool hasDescribed_ = false;
};

std::uint64_t numberOf(const pugi::xml_node& node, const char* name, std::uint64_t fallback) {
    return node.attribute(name).as_ullong(fallback);
}

std::string orderOf(const pugi::xml_node& pixels) {
    std::string order = pixels.attribute("DimensionOrder").as_string("XYCZT");
    if (order.starts_with("XY")) {
        order.erase(0, 2);
    }
    std::string sorted = order;
    std::sort(sorted.begin(), sorted.end());
    return sorted == "CTZ" ? order : "CZT";
}

void readBlocks(const pugi::xml_node& node, PlaneFiles& files, Pixels& pixels) {
    for (const pugi::xml_node& block : node.children()) {
        if (localName(block) != "TiffData") {
            continue;
        }
        Block read;
        if (const pugi::xml_attribute directory = block.attribute("IFD")) {
            read.directory = directory.as_ullong();
        }
        read.planes = numberOf(block, "PlaneCount", numberOf(block, "NumPlanes", read.directory ? 1 : 0));
        read.first = {numberOf(block, "FirstC", 0), numberOf(block, "FirstZ", 0), numberOf(block, "FirstT", 0)};
        read.file = files.indexOf(childOf(block, "UUID"));
        pixels.blocks.push_back(read);
    }
    if (pixels.blocks.empty()) {
        pixels.blocks.emplace_back();
    }
}

/// A real number; 0 if absent or invalid.
double realOf(const pugi::xml_node& node, const char* name) {
    return leadingNumber(node.attribute(name).as_string()).value_or(0);
}

/// A length in µm; 0 if invalid.
double lengthOf(const pugi::xml_node& node, const char* length, const char* unit, const char* defaultUnit = "µm") {
    const double value = realOf(node, length);
    const double micrometres = micrometresOf(node.attribute(unit).as_string(defaultUnit)).value_or(0) * value;
    return micrometres > 0 && std::isfinite(micrometres) ? micrometres : 0;
}

Channel channelOf(const pugi::xml_node& node) {
    Channel channel;
    channel.name = factText(node.attribute("Name").as_string());
    if (const pugi::xml_attribute colour = node.attribute("Color")) {
        const auto rgba = static_cast<std::uint32_t>(colour.as_llong()); // stored as a signed number
        const auto byte = [rgba](int shift) { return static_cast<std::uint8_t>(rgba >> shift & 0xff); };
        channel.colour = {byte(24), byte(16), byte(8)};
    }
    channel.wavelength = lengthOf(node, "EmissionWavelength", "EmissionWavelengthUnit", "nm") * kNanometresInMicrometre;
    return channel;
}

/// The time of a unit of an attribute; OME's unit without one is s.
std::string timeUnitOf(const pugi::xml_node& node, const char* unit) { return node.attribute(unit).as_string("s"); }

/// The times in seconds of the planes of the first channel and slice; empty unless there is one for each time.
std::vector<double> timesOf(const pugi::xml_node& node, std::uint64_t count) {
    std::vector<std::pair<std::uint64_t, double>> stated;
    for (const pugi::xml_node& plane : node.children()) {
        const bool isFirst = numberOf(plane, "TheC", 0) == 0 && numberOf(plane, "TheZ", 0) == 0;
        const auto time = leadingNumber(plane.attribute("DeltaT").as_string());
        const auto seconds = secondsOf(timeUnitOf(plane, "DeltaTUnit"));
        if (localName(plane) == "Plane" && isFirst && time && std::isfinite(*time) && seconds) {
            stated.emplace_back(numberOf(plane, "TheT", 0), *time * *seconds);
        }
    }
    std::ranges::sort(stated);
    std::vector<double> times;
    for (const auto& [t, time] : stated) {
        if (t != times.size() || stated.size() != count) {
            return {};
        }
        times.push_back(time);
    }
    return times;
}

/// The distance of times: TimeIncrement, else the step of even times of the planes.
void setTimeStep(const pugi::xml_node& node, Pixels& pixels) {
    constexpr double kEven = 0.01; // of the distance
    const std::string unit = timeUnitOf(node, "TimeIncrementUnit");
    if (const double step = realOf(node, "TimeIncrement"); step > 0 && std::isfinite(step) && secondsOf(unit)) {
        pixels.timeStep = step;
        pixels.timeUnit = unit;
        return;
    }
    const std::vector<double> times = timesOf(node, pixels.sizes.t);
    if (times.size() < 2) {
        return;
    }
    const double step = (times.back() - times.front()) / static_cast<double>(times.size() - 1);
    bool isEven = step > 0 && std::isfinite(step);
    for (std::size_t i = 0; i < times.size() && isEven; ++i) {
        isEven = std::abs(times[i] - times.front() - static_cast<double>(i) * step) <= kEven * step;
    }
    if (isEven) {
        pixels.timeStep = step;
        pixels.timeUnit = "s";
    }
}

Pixels readPixels(const pugi::xml_node& node, const ImageInfo& info, PlaneFiles& files) {
    Pixels pixels;
    if (node) {
        pixels.sides = std::string(node.attribute("SizeX").as_string()) + " x " + node.attribute("SizeY").as_string();
    }
    pixels.order = orderOf(node);
    std::uint64_t samples = 0;
    for (const pugi::xml_node& channel : node.children()) {
        if (localName(channel) == "Channel") {
            samples = std::max<std::uint64_t>(samples, numberOf(channel, "SamplesPerPixel", 1));
            pixels.channels.push_back(channelOf(channel));
        }
    }
    pixels.sizes = {numberOf(node, "SizeC", 1), numberOf(node, "SizeZ", 1), numberOf(node, "SizeT", 1)};
    if (samples > 1 && pixels.sizes.c % samples == 0) {
        pixels.sizes.c /= samples;
    }
    // Some writers count each sample of a pixel as a channel of one sample.
    Sizes& sizes = pixels.sizes;
    const auto onPage = static_cast<std::uint64_t>(std::max(info.samples, 1));
    const auto pages = static_cast<std::uint64_t>(info.pages);
    if (samples <= 1 && onPage > 1 && sizes.sensible() && sizes.c % onPage == 0 &&
        sizes.c / onPage * sizes.z * sizes.t == pages) {
        sizes.c /= onPage;
    }
    setTimeStep(node, pixels);
    readBlocks(node, files, pixels);
    return pixels;
}

/// Index of a plane if planes are consecutive, with the first letter of @p order fastest.
std::uint64_t planeNumber(const Sizes& plane, const Sizes& sizes, const std::string& order) {
    std::uint64_t number = 0;
    for (auto letter = order.rbegin(); letter != order.rend(); ++letter) {
        number = number * sizes.of(*letter) + plane.of(*letter);
    }
    return number;
}

/// The inverse of planeNumber().
Sizes planeOf(std::uint64_t number, const Sizes& sizes, const std::string& order) {
    Sizes plane{0, 0, 0};
    for (const char letter : order) {
        (letter == 'C' ? plane.c : letter == 'Z' ? plane.z : plane.t) = number % sizes.of(letter);
        number /= sizes.of(letter);
    }
    return plane;
}

/// Planes that follow each other in the file.
struct Run {
    std::uint64_t plane = 0; ///< number of the first in the stated order
    std::uint64_t directory = 0;
    std::uint64_t count = 0;
    std::uint32_t file = 0;
};

/// The runs of the blocks within the image and, of the described file, within its directories. Blocks at positions that
/// the image does not have are left out.
std::vector<Run> runsOf(const Pixels& pixels, std::uint64_t directories) {
    std::vector<Run> runs;
    for (const Block& block : pixels.blocks) {
        const Sizes& first = block.first;
        const std::uint64_t directory = block.directory.value_or(0);
        if (first.c >= pixels.sizes.c || first.z >= pixels.sizes.z || first.t >= pixels.sizes.t ||
            directory >= PagePlace::kNowhere || (block.file == 0 && directory >= directories)) {
            continue;
        }
        Run run{planeNumber(first, pixels.sizes, pixels.order), directory, 0, block.file};
        const std::uint64_t inFile = block.file == 0 ? directories - directory : PagePlace::kNowhere - directory;
        run.count = std::min({pixels.planes() - run.plane, inFile, block.planes == 0 ? inFile : block.planes});
        runs.push_back(run);
    }
    // The number of planes in another file is unknown: they end at the next block.
    std::ranges::stable_sort(runs, {}, &Run::plane);
    for (std::size_t i = 0; i + 1 < runs.size(); ++i) {
        if (runs[i].file != 0) {
            runs[i].count = std::min(runs[i].count, runs[i + 1].plane - runs[i].plane);
        }
    }
    return runs;
}

/// Order in which the page of each plane is its directory, preferably the stated one. Empty if there is none.
/// @param whole all planes of the runs are looked at, else the first of each
std::string storedOrder(const Pixels& pixels, const std::vector<Run>& runs, bool whole) {
    std::uint64_t described = 0;
    for (const Run& run : runs) {
        described += run.count;
    }
    if (whole && described > pixels.planes()) { // twice
        return {};
    }
    std::array<std::string, 7> orders = {pixels.order, "CZT", "CTZ", "ZCT", "ZTC", "TCZ", "TZC"};
    for (const std::string& order : orders) {
        const bool fits = std::all_of(runs.begin(), runs.end(), [&](const Run& run) {
            for (std::uint64_t i = 0; i < (whole ? run.count : 1); ++i) {
                const Sizes plane = planeOf(run.plane + i, pixels.sizes, pixels.order);
                if (planeNumber(plane, pixels.sizes, order) != run.directory + i) {
                    return false;
                }
            }
            return true;
        });
        if (fits && !runs.empty()) {
            return order;
        }
    }
    return {};
}

/// The axes of an image, and of several. @param names of the images, as labels of the last axis; may be empty
std::vector<StackAxis> axesOf(const Pixels& pixels, const std::string& order, std::size_t images,
                              std::vector<std::string> names = {}) {
    std::vector<StackAxis> axes;
    for (const char letter : order) {
        const auto count = static_cast<int>(pixels.sizes.of(letter));
        StackAxis axis{letter == 'C' ? 'c' : letter == 'Z' ? 'z' : 't', count, {}};
        const bool named = std::any_of(pixels.channels.begin(), pixels.channels.end(),
                                       [](const Channel& channel) { return !channel.name.empty(); });
        if (letter == 'C' && count > 1 && named && pixels.channels.size() == static_cast<std::size_t>(count)) {
            for (const Channel& channel : pixels.channels) {
                axis.labels.push_back(channel.name);
            }
        }
        if (letter == 'T') {
            axis.step = pixels.timeStep;
            axis.unit = pixels.timeUnit;
        }
        axes.push_back(std::move(axis));
    }
    axes.push_back({'p', static_cast<int>(images), std::move(names)});
    return axes;
}

/// The names of several images; none if no image has a name.
std::vector<std::string> namesOf(const std::vector<Pixels>& images) {
    std::vector<std::string> names;
    std::ranges::transform(images, std::back_inserter(names), &Pixels::name);
    const bool areNamed =
        images.size() > 1 && std::ranges::any_of(names, [](const auto& name) { return !name.empty(); });
    return areNamed ? names : std::vector<std::string>();
}

/// The places of the planes of all images, one image after another.
class PlaneTable {
public:
    PlaneTable(const PlaneFiles& files, std::uint64_t planes) : found_(files.found()) {
        places_.files = files.names();
        if (!files.areSeveral()) {
            places_.files = {""};
        }
        places_.pages.resize(planes);
    }

    void add(std::uint64_t firstPlane, const Run& run) {
        const std::uint32_t file = places_.files.size() > 1 ? run.file : 0;
        for (std::uint64_t i = 0; i < run.count && !contradicts_; ++i) {
            PagePlace& place = places_.pages[firstPlane + run.plane + i];
            contradicts_ |= place.isStored();
            place = {found_[file] ? static_cast<std::uint32_t>(run.directory + i) : PagePlace::kNowhere, file};
        }
    }

    [[nodiscard]] bool contradicts() const { return contradicts_; }
    [[nodiscard]] bool hasOtherFile() const {
        return std::find(found_.begin() + 1, found_.end(), true) != found_.end();
    }
    [[nodiscard]] StackPlaces take() { return std::move(places_); }

private:
    std::vector<bool> found_;
    StackPlaces places_;
    bool contradicts_ = false; ///< two blocks give a plane different places
};

constexpr const char* kOrigin = "OME-XML";

std::string sizesText(const Sizes& sizes) {
    return std::to_string(sizes.c) + " channels x " + std::to_string(sizes.z) + " z x " + std::to_string(sizes.t) +
           " times";
}

void setAxesInOrder(const Pixels& pixels, const std::string& order, ImageInfo& info) {
    info.axes = axesOf(pixels, order, 1);
    std::erase_if(info.axes, [](const StackAxis& axis) { return axis.count == 1; });
}

StackPlaces setAxes(const std::vector<Pixels>& images, const PlaneFiles& files, ImageInfo& info) {
    const Pixels& first = images.front();
    if (info.pages == 1 && !files.areSeveral()) {
        return {}; // one plane of whatever place
    }
    const auto give = [&](const std::string& why) {
        if (info.pages > 1) {
            leaveUnclear(kOrigin, why, info);
        }
        return StackPlaces{};
    };
    if (!first.sizes.sensible()) {
        return give("the sizes of the stack make no sense");
    }
    if (!std::all_of(images.begin(), images.end(), [&](const Pixels& image) { return image.isAlike(first); })) {
        return give(std::to_string(images.size()) + " images of different sizes in one file");
    }
    const std::string said = sizesText(first.sizes);
    const auto directories = static_cast<std::uint64_t>(info.pages);
    const bool isExplicit = std::any_of(first.blocks.begin(), first.blocks.end(),
                                        [](const Block& block) { return block.directory.has_value(); });
    if (first.planes() > StackPlaces::kMaxPages / images.size() ||
        (first.planes() * images.size() < directories && !isExplicit)) {
        return give(said + " are not the " + std::to_string(info.pages) + " pages of the file");
    }
    const bool isOne = images.size() == 1 && !files.areSeveral() && first.planes() == directories;
    const std::vector<Run> runs = runsOf(first, directories);
    if (const std::string order = isOne ? storedOrder(first, runs, true) : ""; !order.empty()) {
        setAxesInOrder(first, order, info);
        return {};
    }
    PlaneTable table(files, first.planes() * images.size());
    for (std::size_t i = 0; i < images.size(); ++i) {
        for (const Run& run : runsOf(images[i], directories)) {
            table.add(i * first.planes(), run);
        }
    }
    if (files.areSeveral() && !table.hasOtherFile()) {
        return give("the image of " + said + " lies in several files, of which only this one is here");
    }
    if (table.contradicts()) {
        const std::string order = isOne ? storedOrder(first, runs, false) : "";
        if (order.empty()) {
            return give("two blocks of the description place the same plane");
        }
        setAxesInOrder(first, order, info);
        return {};
    }
    StackPlaces places =
        placePages(kOrigin, axesOf(first, first.order, images.size(), namesOf(images)), table.take(), info);
    if (!places.pages.empty() && places.files.size() > 1) {
        info.notes.push_back("OME-XML: the planes lie in " + std::to_string(places.files.size()) + " files");
    }
    return info.axes.empty() && info.pages > 1 ? give("no plane of " + said + " lies in the file") : places;
}

/// Whether sizes are in metres, as for maps; they are then kept in metres.
bool inMetres(const pugi::xml_node& pixels) {
    const auto isMetre = [&](const char* unit) { return std::string_view(pixels.attribute(unit).as_string()) == "m"; };
    return isMetre("PhysicalSizeXUnit") && isMetre("PhysicalSizeYUnit");
}

/// Sides in a unit that is no length, such as "pixel" and "reference frame".
std::optional<VoxelSides> spacingOf(const pugi::xml_node& pixels) {
    const std::string_view unit = pixels.attribute("PhysicalSizeXUnit").as_string();
    const auto sideOf = [&](const char* size, const char* unitName) {
        const double side = realOf(pixels, size);
        return unit == pixels.attribute(unitName).as_string() && side > 0 && std::isfinite(side) ? side : 0;
    };
    const VoxelSides sides{sideOf("PhysicalSizeX", "PhysicalSizeXUnit"), sideOf("PhysicalSizeY", "PhysicalSizeYUnit"),
                           sideOf("PhysicalSizeZ", "PhysicalSizeZUnit")};
    return sides.x > 0 && sides.y > 0 ? std::optional(sides) : std::nullopt;
}

void addFact(ImageInfo& info, const char* label, const char* text) {
    if (std::string shown = factText(text); !shown.empty()) {
        info.facts.emplace_back(label, std::move(shown));
    }
}

void describeImage(const pugi::xml_node& root, const pugi::xml_node& image, const pugi::xml_node& pixels,
                   ImageInfo& info) {
    const double x = lengthOf(pixels, "PhysicalSizeX", "PhysicalSizeXUnit");
    const double y = lengthOf(pixels, "PhysicalSizeY", "PhysicalSizeYUnit");
    const double z = lengthOf(pixels, "PhysicalSizeZ", "PhysicalSizeZUnit");
    if (x > 0 && y > 0) {
        info.pixelSize = PixelSize{x, y, "µm", "OME-XML", false, z};
        if (inMetres(pixels)) {
            info.pixelSize =
                PixelSize{realOf(pixels, "PhysicalSizeX"), realOf(pixels, "PhysicalSizeY"), "m", "OME-XML", false,
                          z / kMicrometresInMetre};
        }
    }
    if (!info.pixelSize) {
        info.spacing = spacingOf(pixels);
    }
    addFact(info, kImageNameFact, image.attribute("Name").as_string());
    addFact(info, "Acquired", childOf(image, "AcquisitionDate").child_value());
    const pugi::xml_node objective = childOf(childOf(root, "Instrument"), "Objective");
    if (const double times = realOf(objective, "NominalMagnification"); times > 0) {
        info.facts.emplace_back("Objective", factNumber(times) + "x");
    }
    if (z > 0) {
        info.facts.emplace_back("Distance in z", factNumber(z) + " µm");
    }
    if (const double step = realOf(pixels, "TimeIncrement"); step > 0 && std::isfinite(step)) {
        info.facts.emplace_back("Time step", factNumber(step) + " " +
                                                 factText(pixels.attribute("TimeIncrementUnit").as_string("s"), 20));
    }
}

} // namespace

bool isOmeXml(std::string_view description) {
    // Declaration and comments of any length may precede the root.
    const std::string_view start = description.substr(0, 4096);
    for (std::size_t at = start.find('<'); at != std::string_view::npos; at = start.find('<', at + 1)) {
        const std::string_view tag = start.substr(at + 1);
        if (tag.empty() || tag[0] == '?' || tag[0] == '!') {
            continue;
        }
        const std::string_view name = tag.substr(0, tag.find_first_of(" \t\r\n/>"));
        return name == "OME" || name.ends_with(":OME");
    }
    return false;
}

namespace {

/// Whether the text was read as a document with the root OME; else a note says why.
bool parseOme(std::string_view text, pugi::xml_document& document, ImageInfo& info) {
    if (text.size() > kMaxBytes) {
        leaveUnclear(kOrigin, "longer than 64 MiB, not read", info);
        return false;
    }
    // Expands only XML's five predefined entities; declarations of others are skipped.
    const pugi::xml_parse_result result = document.load_buffer(text.data(), text.size());
    if (result && localName(document.document_element()) == "OME") {
        return true;
    }
    leaveUnclear(kOrigin,
                 "damaged, not used: " + factText(result ? "the root is no OME element" : result.description()), info);
    return false;
}

/// The text of the file to which a description refers; empty if it is not in the folder of the described file, or no
/// XML.
std::string companionText(const std::filesystem::path& described, const pugi::xml_node& reference) {
    const std::filesystem::path name =
        std::filesystem::path(reference.attribute("MetadataFile").as_string()).filename();
    std::error_code error;
    const std::filesystem::path path = described.parent_path() / name;
    if (described.empty() || name.empty() || std::filesystem::file_size(path, error) > kMaxBytes || error) {
        return {};
    }
    std::ifstream file(path, std::ios::binary);
    std::string text{std::istreambuf_iterator<char>(file), {}};
    return isOmeXml(text) ? text : std::string();
}

std::vector<pugi::xml_node> imagesOf(const pugi::xml_node& root) {
    std::vector<pugi::xml_node> images;
    std::copy_if(root.begin(), root.end(), std::back_inserter(images),
                 [](const pugi::xml_node& node) { return localName(node) == "Image"; });
    return images;
}

} // namespace

StackPlaces describeOmeXml(std::string_view description, ImageInfo& info, const std::filesystem::path& described) {
    pugi::xml_document document;
    if (!parseOme(description, document, info)) {
        return {};
    }
    PlaneFiles files(described, document.document_element().attribute("UUID").as_string());
    if (const pugi::xml_node reference = childOf(document.document_element(), "BinaryOnly")) {
        const std::string companion = companionText(described, reference);
        if (companion.empty()) {
            leaveUnclear(kOrigin,
                         "the description lies in another file of the same image: " +
                             factText(reference.attribute("MetadataFile").as_string()),
                         info);
            return {};
        }
        if (!parseOme(companion, document, info)) {
            return {};
        }
    }
    const pugi::xml_node root = document.document_element();
    const std::vector<pugi::xml_node> images = imagesOf(root);
    const pugi::xml_node pixels = images.empty() ? pugi::xml_node() : childOf(images.front(), "Pixels");
    if (!pixels) {
        leaveUnclear(kOrigin, "no image is described", info);
        return {};
    }
    describeImage(root, images.front(), pixels, info);
    std::vector<Pixels> read;
    for (const pugi::xml_node& image : images) {
        read.push_back(readPixels(childOf(image, "Pixels"), info, files));
        read.back().name = factText(image.attribute("Name").as_string());
    }
    StackPlaces places = setAxes(read, files, info);
    Pixels& first = read.front();
    if (!info.axes.empty() && first.channels.size() == first.sizes.c) { // the last channels may not have been recorded
        first.channels.resize(std::min(first.channels.size(), static_cast<std::size_t>(channelAxisOf(info).count)));
    }
    if (first.channels.size() == 1 && first.sizes.c == 1) {
        addFact(info, kChannelFact, first.channels[0].name.c_str());
    }
    info.channels = first.channels;
    return places;
}

} // namespace pollard
