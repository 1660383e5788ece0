#include "formats/zarr/ome_zarr.hpp"

#include "base/error.hpp"
#include "io/metadata/fact_text.hpp"
#include "io/samples/value_image.hpp"
#include "json/json_members.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string_view>

namespace pollard {

namespace {

using Json = nlohmann::json;

constexpr std::size_t kMostLevels = 64;
constexpr std::size_t kMostImages = 10000;

[[noreturn]] void refuse(const JsonPlace& place, const std::string& why) {
    throw Error(ErrorCode::formatUnsupported, place.kind + ": " + (place.path.empty() ? "" : place.path + ": ") + why);
}

/// A text, or an empty one.
std::string optionalText(const Json& object, const char* key) {
    const Json* found = memberOf(object, key);
    return found != nullptr && found->is_string() ? factText(found->get<std::string>()) : std::string();
}

/// The metadata of OME among the attributes: of NGFF 0.5 in a member.
const Json& omeOf(const ZarrNode& node) {
    const Json* ome = memberOf(node.attributes, "ome");
    return ome != nullptr ? *ome : node.attributes;
}

/// A relative path, which stays below its group.
std::string pathIn(const Json& value, const JsonPlace& place) {
    std::string path = lineIn(value, place, 1000);
    while (path.ends_with('/')) {
        path.pop_back();
    }
    return path;
}

std::vector<OmeZarrImage::Axis> axesIn(const Json& value, const JsonPlace& place) {
    std::vector<OmeZarrImage::Axis> axes;
    for (const Json& each : listIn(value, place, ZarrArray::kMostAxes)) {
        const std::string name = each.is_string() ? factText(each.get<std::string>()) : optionalText(each, "name");
        const std::string type = optionalText(each, "type");
        OmeZarrImage::Axis axis;
        axis.unit = optionalText(each, "unit");
        constexpr std::array<std::pair<std::string_view, char>, 2> kTypes = {{{"time", 't'}, {"channel", 'c'}}};
        const auto* typed = std::ranges::find(kTypes, type, [](const auto& known) { return known.first; });
        if (typed != kTypes.end()) {
            axis.name = typed->second;
        } else if (name.size() == 1 && std::string_view("tczyx").find(name[0]) != std::string_view::npos) {
            axis.name = name[0];
        }
        axes.push_back(std::move(axis));
    }
    return axes;
}

/// The axes if the metadata name none: in NGFF up to 0.2, and of an array.
std::vector<OmeZarrImage::Axis> usualAxes(const ZarrArray& array, bool isOme) {
    constexpr std::string_view kNames = "tczyx";
    const std::size_t count = array.shape.size();
    std::vector<OmeZarrImage::Axis> axes(count);
    for (std::size_t i = 0; i < count; ++i) {
        const std::string name = array.axisNames.empty() ? std::string() : array.axisNames[i];
        const bool isKnown = name.size() == 1 && kNames.find(name[0]) != std::string_view::npos;
        if (isOme && count <= kNames.size()) {
            axes[i].name = kNames[kNames.size() - count + i];
        } else if (isKnown) {
            axes[i].name = name[0];
        }
    }
    axes[count - 2].name = 'y';
    axes[count - 1].name = 'x';
    return axes;
}

void requireAxes(const OmeZarrImage& image, const JsonPlace& place) {
    const auto& axes = image.axes;
    const std::size_t count = image.levels.front().array.shape.size();
    if (axes.size() != count) {
        place.at("axes").fail(std::to_string(axes.size()) + " axes, but the arrays have " + std::to_string(count));
    }
    if (axes[count - 2].name != 'y' || axes[count - 1].name != 'x') {
        refuse(place.at("axes"), "the last two must be y and x");
    }
    const auto isPlane = [](const OmeZarrImage::Axis& axis) { return axis.name == 'y' || axis.name == 'x'; };
    if (std::ranges::count_if(axes, isPlane) != 2) {
        refuse(place.at("axes"), "y and x stand there twice");
    }
}

/// Multiplies the steps along the axes by the factors of transformations of type scale.
void addScales(const Json* transformations, const JsonPlace& place, std::size_t axes, std::vector<double>& scale) {
    if (transformations == nullptr) {
        return;
    }
    std::size_t at = 0;
    for (const Json& each : listIn(*transformations, place, kMostLevels)) {
        const JsonPlace where = place.at(at++);
        const Json* steps = memberOf(each, "scale");
        if (optionalText(each, "type") != "scale" || steps == nullptr) {
            continue;
        }
        if (listIn(*steps, where.at("scale"), ZarrArray::kMostAxes).size() != axes) {
            where.at("scale").fail(shownJson(*steps) + ": expected " + std::to_string(axes) + " numbers");
        }
        scale.resize(axes, 1);
        for (std::size_t axis = 0; axis < axes; ++axis) {
            scale[axis] *= numberIn((*steps)[axis], where.at("scale").at(axis));
        }
    }
}

std::optional<std::array<std::uint8_t, 3>> colourOf(const std::string& text) {
    std::uint32_t rgb = 0;
    const char* end = text.data() + text.size();
    if (text.size() != 6 || std::from_chars(text.data(), end, rgb, 16).ptr != end) {
        return std::nullopt;
    }
    return std::array{static_cast<std::uint8_t>(rgb >> 16U), static_cast<std::uint8_t>(rgb >> 8U),
                      static_cast<std::uint8_t>(rgb)};
}

/// Channels by the rendering settings of OMERO; nothing if these do not fit the array.
std::vector<Channel> channelsIn(const Json* omero, std::uint64_t count) {
    const Json* list = omero != nullptr ? memberOf(*omero, "channels") : nullptr;
    std::vector<Channel> channels;
    if (list == nullptr || !list->is_array() || list->size() != count) {
        return channels;
    }
    for (const Json& each : *list) {
        Channel channel;
        channel.name = optionalText(each, "label");
        channel.colour = colourOf(optionalText(each, "color"));
        if (const Json* window = memberOf(each, "window")) {
            const Json* start = memberOf(*window, "start");
            const Json* end = memberOf(*window, "end");
            if (start != nullptr && end != nullptr && start->is_number() && end->is_number() &&
                start->get<double>() < end->get<double>()) {
                channel.window = ChannelWindow{start->get<double>(), end->get<double>()};
            }
        }
        channels.push_back(std::move(channel));
    }
    const bool isStated = std::ranges::any_of(channels, [](const Channel& channel) { return channel != Channel{}; });
    return isStated ? channels : std::vector<Channel>();
}

/// An attribute, which may be a list of one; null if there is none.
const Json* attributeIn(const Json& attributes, const char* name) {
    const Json* stated = memberOf(attributes, name);
    return stated != nullptr && stated->is_array() && stated->size() == 1 ? &stated->front() : stated;
}

/// The double whose bytes are a text of Base64, as xarray writes it in Zarr 3.
std::optional<double> doubleIn(const std::string& base64) {
    constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    constexpr std::size_t kLength = 12; // of which the last is =
    if (base64.size() != kLength || base64.back() != '=') {
        return std::nullopt;
    }
    std::array<unsigned char, sizeof(double)> bytes{};
    std::uint32_t bits = 0;
    int count = 0;
    std::size_t at = 0;
    for (const char c : std::string_view(base64).substr(0, kLength - 1)) {
        const std::size_t digit = kDigits.find(c);
        if (digit == std::string_view::npos) {
            return std::nullopt;
        }
        bits = bits << 6 | static_cast<std::uint32_t>(digit);
        count += 6;
        if (count >= 8) {
            count -= 8;
            bytes[at++] = static_cast<unsigned char>(bits >> count & 0xffU);
        }
    }
    return std::bit_cast<double>(bytes);
}

/// The sample of pixels without data by the conventions of CF. The member fill_value of an array is the sample of
/// chunks that are not stored, which is data.
std::optional<NoData> noDataIn(const Json& attributes) {
    const Json* stated = attributeIn(attributes, "_FillValue");
    if (stated == nullptr) {
        return std::nullopt;
    }
    if (stated->is_string()) {
        return doubleIn(stated->get<std::string>());
    }
    return stated->is_number() ? NoData::parse(stated->dump()) : std::nullopt;
}

/// Scale, offset and unit of packed values by the conventions of CF.
std::optional<Calibration> calibrationIn(const Json& attributes) {
    const auto number = [&](const char* name, double otherwise) {
        const Json* stated = attributeIn(attributes, name);
        return stated != nullptr && stated->is_number() ? stated->get<double>() : otherwise;
    };
    const std::string unit = optionalText(attributes, "units");
    return calibrationOf(number("scale_factor", 1), number("add_offset", 0), unit == "1" ? std::string() : unit);
}

class Finder {
public:
    explicit Finder(const ZarrStore& store) : store_(store) {}

    OmeZarrImage find() {
        std::string path;
        for (int depth = 0; depth < kMostDepth; ++depth) {
            std::optional<ZarrNode> node = readZarrNode(store_, path);
            if (!node) {
                throw Error(ErrorCode::fileDamaged,
                            "there is no Zarr group or array" + (path.empty() ? std::string() : " at " + path));
            }
            if (!node->isArray && memberOf(omeOf(*node), "multiscales") == nullptr) {
                const OmeZarrList list = listOf(*node);
                if (list.paths.empty()) {
                    refuse({node->metadataKey, {}},
                           "a group of Zarr without an image (no OME metadata: multiscales, plate, well, labels)");
                }
                path = firstOf(path, list);
                continue;
            }
            node->isArray ? setArray(*node) : setMultiscales(*node);
            if (!path.empty()) {
                image_.notes.push_back("shown: " + factText(path) + ", the first of several images");
            }
            return std::move(image_);
        }
        throw Error(ErrorCode::formatUnsupported, path + ": groups in groups, but no image");
    }

    OmeZarrList list() {
        const std::optional<ZarrNode> node = readZarrNode(store_, {});
        const bool isGroup = node && !node->isArray && memberOf(omeOf(*node), "multiscales") == nullptr;
        OmeZarrList list = isGroup ? listOf(*node) : OmeZarrList();
        for (const std::string& path : list.paths) {
            list.exists.push_back(exists(path));
        }
        return list;
    }

    /// Whether there is a group or an array.
    [[nodiscard]] bool exists(const std::string& path) const {
        return std::ranges::any_of(kZarrMetadata, [&](std::string_view name) {
            return store_.find(joinedKey(path, std::string(name))) != nullptr;
        });
    }

private:
    static constexpr int kMostDepth = 8;

    /// Whether a group has an image, or lists one that is there.
    bool hasImage(const std::string& path, int depth) {
        const std::optional<ZarrNode> node = readZarrNode(store_, path);
        if (!node || depth == kMostDepth) {
            return false;
        }
        if (node->isArray || memberOf(omeOf(*node), "multiscales") != nullptr) {
            return true;
        }
        const std::size_t facts = image_.facts.size();
        const OmeZarrList list = listOf(*node);
        image_.facts.resize(facts); // they belong to the image that is found
        return std::ranges::any_of(list.paths,
                                   [&](const std::string& each) { return hasImage(joinedKey(path, each), depth + 1); });
    }

    /// The first listed path with an image. A note names missing paths, as in plates that were not recorded to the end.
    std::string firstOf(const std::string& path, const OmeZarrList& list) {
        constexpr std::size_t kMostNamed = 8;
        std::string names;
        std::size_t missing = 0;
        for (const std::string& each : list.paths) {
            if (!exists(joinedKey(path, each))) {
                names += missing < kMostNamed ? (missing > 0 ? ", " : "") + factText(each) : "";
                ++missing;
            }
        }
        if (missing > 0) {
            image_.notes.push_back(list.title + ": " + std::to_string(missing) + " of " +
                                   std::to_string(list.paths.size()) + " missing: " + names +
                                   (missing > kMostNamed ? " ..." : ""));
        }
        for (const std::string& each : list.paths) {
            if (hasImage(joinedKey(path, each), 1)) {
                return joinedKey(path, each);
            }
        }
        return joinedKey(path, list.paths.front()); // the error names it
    }

    /// Paths in a list of a group, each a text or the member @p key of an object; a fact names them all.
    OmeZarrList listed(const Json& list, const char* key, const JsonPlace& place, const char* fact) {
        std::vector<std::string> paths;
        std::string text;
        for (const Json& each : listIn(list, place, kMostImages)) {
            const JsonPlace at = place.at(paths.size());
            const Json* path = each.is_string() ? &each : memberOf(each, key);
            if (path == nullptr) {
                at.fail("'" + std::string(key) + "' is missing");
            }
            paths.push_back(pathIn(*path, at));
            text += (text.empty() ? "" : ", ") + factText(paths.back());
        }
        image_.facts.emplace_back(fact, text);
        return {fact, std::move(paths), {}};
    }

    /// Names of the rows or columns of a plate; none if they are not stated so.
    static std::vector<std::string> namesIn(const Json& plate, const char* key) {
        constexpr std::size_t kMostNames = 256;
        std::vector<std::string> names;
        const Json* list = memberOf(plate, key);
        if (list != nullptr && list->is_array() && list->size() <= kMostNames) {
            std::ranges::transform(*list, std::back_inserter(names),
                                   [](const Json& each) { return optionalText(each, "name"); });
        }
        return std::ranges::count(names, std::string()) == 0 ? names : std::vector<std::string>();
    }

    /// The images or groups that a group lists.
    OmeZarrList listOf(const ZarrNode& node) {
        const Json& ome = omeOf(node);
        const JsonPlace place{node.metadataKey, {}};
        if (const Json* plate = memberOf(ome, "plate")) {
            JsonMembers members(*plate, place.at("plate"));
            if (const std::string name = optionalText(*plate, "name"); !name.empty()) {
                image_.facts.emplace_back("Plate", name);
            }
            OmeZarrList wells = listed(members.get("wells"), "path", members.at("wells"), "Wells");
            wells.rows = namesIn(*plate, "rows");
            wells.columns = namesIn(*plate, "columns");
            return wells;
        }
        if (const Json* well = memberOf(ome, "well")) {
            JsonMembers members(*well, place.at("well"));
            return listed(members.get("images"), "path", members.at("images"), "Fields of the well");
        }
        if (const Json* labels = memberOf(ome, "labels")) {
            return listed(*labels, "path", place.at("labels"), "Labels");
        }
        return memberOf(ome, "bioformats2raw.layout") != nullptr ? seriesOf(node) : OmeZarrList();
    }

    /// Images of a group of bioformats2raw: the images that its group OME lists, else 0, 1, 2 ...
    OmeZarrList seriesOf(const ZarrNode& node) {
        if (const auto ome = readZarrNode(store_, joinedKey(node.path, "OME"))) {
            if (const Json* series = memberOf(omeOf(*ome), "series")) {
                return listed(*series, "path", {ome->metadataKey, "series"}, "Images");
            }
        }
        Json numbers = Json::array();
        while (numbers.size() < kMostImages && exists(joinedKey(node.path, std::to_string(numbers.size())))) {
            numbers.push_back(std::to_string(numbers.size()));
        }
        return listed(numbers, "path", {node.metadataKey, {}}, "Images");
    }

    void setArray(const ZarrNode& node) {
        image_.levels.push_back({zarrArrayOf(node), {}});
        image_.calibration = calibrationIn(node.attributes);
        image_.noData = noDataIn(node.attributes);
        image_.format = "Zarr " + std::to_string(node.version);
        image_.axes = usualAxes(image_.levels.front().array, false);
        requireAxes(image_, {node.metadataKey, {}});
    }

    void setMultiscales(const ZarrNode& node) {
        const Json& ome = omeOf(node);
        const JsonPlace place = JsonPlace{node.metadataKey, {}}.at("multiscales");
        const Json& all = listIn(*memberOf(ome, "multiscales"), place, kMostLevels);
        if (all.empty()) {
            place.fail("is empty");
        }
        const JsonPlace at = place.at(0);
        JsonMembers members(all.front(), at);
        const JsonPlace list = members.at("datasets");
        const Json& datasets = listIn(members.get("datasets"), list, kMostLevels);
        for (const Json& dataset : datasets) {
            const JsonPlace where = list.at(image_.levels.size());
            JsonMembers each(dataset, where);
            const std::string path = joinedKey(node.path, pathIn(each.get("path"), each.at("path")));
            const std::optional<ZarrNode> array = readZarrNode(store_, path);
            if (!array || !array->isArray) {
                each.at("path").fail("there is no array " + path);
            }
            image_.levels.push_back({zarrArrayOf(*array), {}});
            if (image_.levels.size() == 1) {
                image_.calibration = calibrationIn(array->attributes);
                image_.noData = noDataIn(array->attributes);
            }
            OmeZarrImage::Level& level = image_.levels.back();
            const std::size_t axes = level.array.shape.size();
            addScales(memberOf(dataset, "coordinateTransformations"), each.at("coordinateTransformations"), axes,
                      level.scale);
            addScales(memberOf(all.front(), "coordinateTransformations"), members.at("coordinateTransformations"), axes,
                      level.scale);
        }
        if (image_.levels.empty()) {
            list.fail("is empty");
        }
        const Json* axes = memberOf(all.front(), "axes");
        const ZarrArray& array = image_.levels.front().array;
        image_.axes = axes != nullptr ? axesIn(*axes, members.at("axes")) : usualAxes(array, true);
        requireAxes(image_, at);
        requireLevels(list);
        addFacts(node, ome, all);
    }

    /// Levels have the samples of the first one and its sides along axes other than z, y and x.
    void requireLevels(const JsonPlace& place) const {
        const ZarrArray& first = image_.levels.front().array;
        for (std::size_t i = 1; i < image_.levels.size(); ++i) {
            const ZarrArray& array = image_.levels[i].array;
            if (array.shape.size() != first.shape.size() || array.kind != first.kind || array.bits != first.bits) {
                place.at(i).fail("the axes or samples of " + array.path + " are not those of " + first.path);
            }
            for (std::size_t axis = 0; axis < first.shape.size(); ++axis) {
                const bool isSpace = std::string_view("zyx").find(image_.axes[axis].name) != std::string_view::npos;
                if (isSpace ? array.shape[axis] > first.shape[axis] : array.shape[axis] != first.shape[axis]) {
                    place.at(i).fail("the sides of " + array.path + " do not fit those of " + first.path);
                }
            }
        }
    }

    void addFacts(const ZarrNode& node, const Json& ome, const Json& all) {
        const ZarrArray& array = image_.levels.front().array;
        const Json& first = all.front();
        std::string version = optionalText(first, "version");
        version = version.empty() ? optionalText(ome, "version") : version;
        image_.format = "OME-Zarr" + (version.empty() ? "" : " " + version);
        if (const std::string name = optionalText(first, "name"); !name.empty()) {
            image_.facts.emplace_back("Name", name);
        }
        if (all.size() > 1) {
            image_.notes.push_back("the first of " + std::to_string(all.size()) + " multiscales is read");
        }
        std::uint64_t channels = 1;
        for (std::size_t axis = 0; axis < image_.axes.size(); ++axis) {
            channels = image_.axes[axis].name == 'c' ? array.shape[axis] : channels;
        }
        image_.channels = channelsIn(memberOf(ome, "omero"), channels);
        if (const auto labels = readZarrNode(store_, joinedKey(node.path, "labels"))) {
            if (const Json* list = memberOf(omeOf(*labels), "labels"); list != nullptr && list->is_array()) {
                (void)listed(*list, "path", {labels->metadataKey, "labels"}, "Labels");
            }
        }
    }

    const ZarrStore& store_;
    OmeZarrImage image_;
};

} // namespace

OmeZarrImage readOmeZarr(const ZarrStore& store) { return Finder(store).find(); }

OmeZarrList readOmeZarrList(const ZarrStore& store) { return Finder(store).list(); }

} // namespace pollard
