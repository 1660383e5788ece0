#include "recipe/results/result_tags.hpp"

#include "base/text.hpp"
#include "geo/map_coordinates.hpp"
#include "io/metadata/geo_tags.hpp"
#include "io/metadata/length_units.hpp"
#include "io/metadata/scene_description.hpp"
#include "io/samples/value_levels.hpp"
#include "io/write/planes.hpp"

#include <pugixml.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <iterator>
#include <limits>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>

namespace pollard {

namespace {

constexpr std::uint16_t kGdalMetadata = 42112;
constexpr std::uint16_t kGdalNoData = 42113;
constexpr std::uint16_t kAscii = 2;
constexpr std::uint16_t kXResolution = 282;
constexpr std::uint16_t kYResolution = 283;
constexpr std::uint16_t kResolutionUnit = 296;

std::string textOf(const CopiedTag& tag) {
    std::string text(reinterpret_cast<const char*>(tag.data.data()), tag.data.size());
    return text.substr(0, text.find('\0'));
}

/// Whether an item states how levels become values.
bool isScaling(const pugi::xml_node& item) {
    const std::string_view role = item.attribute("role").value();
    return role == "scale" || role == "offset";
}

void addItem(pugi::xml_node metadata, const char* name, const char* role, std::size_t sample,
             const std::string& value) {
    pugi::xml_node item = metadata.append_child("Item");
    item.append_attribute("name") = name;
    item.append_attribute("sample") = std::to_string(sample).c_str();
    item.append_attribute("role") = role;
    item.text() = value.c_str();
}

/// Highest level of samples of a type.
int lastLevelOf(ValueType type) { return maxLevelOf(levelTypeOf(type)); }

using Samples = std::span<const SampleValues>; ///< of a page

bool hasNames(Samples samples) { return !samples.front().name.empty(); }

/// The slope and intercept of a sample; the identity if it is not grey.
Calibration scaleOf(const SampleValues& sample) {
    if (!sample.mapping || sample.values == ResultValues::others) {
        return {};
    }
    const FileSamples& file = sample.mapping->file;
    // Differences have no sign: if values fall with rising levels, differences still rise.
    return areLevels(sample.values) ? Calibration{file.slope, file.intercept, sample.mapping->unit}
                                    : Calibration{std::abs(file.slope), 0, sample.mapping->unit};
}

/// Whether there is anything to state.
bool hasScale(const Calibration& scale) { return !scale.isIdentity() || !scale.unit.empty(); }

/// Relation for the sample that an item describes; if the item describes all samples, the weakest relation.
ResultValues valuesFor(const pugi::xml_node& item, Samples samples) {
    const std::size_t sample = item.attribute("sample").as_uint(std::numeric_limits<unsigned>::max());
    return sample < samples.size() ? samples[sample].values
                                   : std::ranges::max_element(samples, {}, &SampleValues::values)->values;
}

/// Removes scalings that do not hold for the new values. @return whether a scaling or a unit remains
bool removeUntrueScaling(pugi::xml_node metadata, Samples samples) {
    bool remains = false;
    for (pugi::xml_node item = metadata.first_child(); item;) {
        const pugi::xml_node next = item.next_sibling();
        const ResultValues values = valuesFor(item, samples);
        const bool isOffset = std::string_view(item.attribute("role").value()) == "offset";
        const double number = leadingNumber(item.text().get()).value_or(0);
        if (isScaling(item) &&
            (values == ResultValues::others || (values == ResultValues::differences && (isOffset || number < 0)))) {
            metadata.remove_child(item);
        } else {
            remains = remains || isScaling(item) || std::string_view(item.attribute("role").value()) == "unittype";
        }
        item = next;
    }
    return remains;
}

/// GDAL_METADATA with the scaling of the samples; empty if nothing is left to say.
/// @param states whether to add a missing scaling
std::string metadataFor(const std::string& before, Samples samples, bool states) {
    pugi::xml_document document;
    if (!before.empty() && !document.load_string(before.c_str())) {
        document.reset();
    }
    pugi::xml_node metadata = document.child("GDALMetadata");
    if (!metadata) {
        metadata = document.append_child("GDALMetadata");
    }
    const bool isStated = removeUntrueScaling(metadata, samples);
    for (std::size_t sample = 0; sample < samples.size() && states && !isStated; ++sample) {
        const Calibration scale = scaleOf(samples[sample]);
        if (!scale.isIdentity()) {
            addItem(metadata, "SCALE", "scale", sample, exactNumber(scale.slope));
        }
        if (!scale.isIdentity() && areLevels(samples[sample].values)) {
            addItem(metadata, "OFFSET", "offset", sample, exactNumber(scale.intercept));
        }
        if (!scale.unit.empty()) {
            addItem(metadata, "UNITTYPE", "unittype", sample, scale.unit);
        }
    }
    for (std::size_t sample = 0; sample < samples.size() && hasNames(samples); ++sample) {
        addItem(metadata, "DESCRIPTION", "description", sample, samples[sample].name);
    }
    if (!metadata.first_child()) {
        return {};
    }
    std::ostringstream text;
    document.save(text, "  ", pugi::format_default | pugi::format_no_declaration);
    return text.str();
}

bool areLevels(Samples samples) {
    return std::ranges::all_of(samples, [](const SampleValues& sample) { return areLevels(sample.values); });
}

bool areScaled(Samples samples) {
    return std::ranges::any_of(samples, [](const SampleValues& sample) { return hasScale(scaleOf(sample)); });
}

/// Text of a sample that has no data.
std::string textOfMark(ValueType type, std::uint64_t mark) {
    if (type == ValueType::u64) {
        return std::to_string(mark);
    }
    if (type == ValueType::i64) {
        return std::to_string(std::bit_cast<std::int64_t>(mark));
    }
    const double number = numberOfSample(type, mark);
    return std::isnan(number) ? "nan" : exactNumber(number);
}

/// Replaces the no-data value of the source unless it is the mark.
void setNoData(std::vector<CopiedTag>& tags, const ResultSamples& written) {
    CopiedTag tag = textTag(kGdalNoData, textOfMark(written.type, *written.mark));
    const auto old = std::ranges::find(tags, kGdalNoData, &CopiedTag::tag);
    if (old == tags.end()) {
        tags.push_back(std::move(tag));
    } else if (const auto stated = noDataOf(tags);
               !stated || sampleNearest(written.type, stated->number) != *written.mark) {
        *old = std::move(tag);
    }
}

bool isTiff(const ImageInfo& source) { return source.format.ends_with("TIFF"); }

/// Whether the source is a TIFF whose values ImageJ's description states.
bool isCalibrated(const ImageInfo& source, Samples samples) {
    const auto old = std::ranges::find(source.carried, kGdalMetadata, &CopiedTag::tag);
    const auto hasRole = [&](const char* role) { return textOf(*old).find(role) != std::string::npos; };
    const bool hasItems = old != source.carried.end() && (hasRole("role=\"scale\"") || hasRole("role=\"unittype\""));
    return isTiff(source) && !hasItems && samples.size() == 1 && areScaled(samples);
}

/// Name of the channel of the page; empty if it is unknown.
std::string channelOf(const ImageInfo& source);

/// The tags of the source for a result of one sample: GDAL_METADATA describes the band that was read, or a computed
/// channel by its expression.
std::vector<CopiedTag> tagsOfBand(const ImageInfo& source) {
    std::vector<CopiedTag> tags = source.carried;
    const auto old = std::ranges::find(tags, kGdalMetadata, &CopiedTag::tag);
    pugi::xml_document document;
    if (!source.band || old == tags.end() || !document.load_string(textOf(*old).c_str())) {
        return tags;
    }
    pugi::xml_node metadata = document.child("GDALMetadata");
    for (pugi::xml_node item = metadata.first_child(); item;) {
        const pugi::xml_node next = item.next_sibling();
        if (pugi::xml_attribute sample = item.attribute("sample")) {
            if (sample.as_int(kSeveralBands) == *source.band && *source.band >= 0) {
                sample.set_value(0);
            } else {
                metadata.remove_child(item);
            }
        }
        item = next;
    }
    if (const std::string name = channelOf(source); *source.band == kSeveralBands && !name.empty()) {
        addItem(metadata, "DESCRIPTION", "description", 0, name);
    }
    tags.erase(old);
    if (metadata.first_child()) {
        std::ostringstream text;
        document.save(text, "  ", pugi::format_default | pugi::format_no_declaration);
        tags.push_back(textTag(kGdalMetadata, text.str()));
    }
    return tags;
}

/// The tags of the source with no-data value and scaling adapted to the values of the result.
std::vector<CopiedTag> tagsFor(const ImageInfo& source, Samples samples, const std::optional<ResultSamples>& written) {
    std::vector<CopiedTag> tags = samples.size() == 1 ? tagsOfBand(source) : source.carried;
    if (written && written->mark) {
        setNoData(tags, *written);
    } else if (!areLevels(samples)) {
        std::erase_if(tags, [](const CopiedTag& tag) { return tag.tag == kGdalNoData; });
    }
    const bool states = areScaled(samples) && !isCalibrated(source, samples);
    if (areLevels(samples) && !states) {
        return tags;
    }
    const auto old = std::find_if(tags.begin(), tags.end(), [](const CopiedTag& tag) {
        return tag.tag == kGdalMetadata && tag.fieldType == kAscii;
    });
    const std::string before = old == tags.end() ? std::string() : textOf(*old);
    const std::string after = metadataFor(before, samples, states);
    if (after == before) {
        return tags;
    }
    if (old != tags.end()) {
        tags.erase(old);
    }
    if (!after.empty()) {
        tags.push_back(textTag(kGdalMetadata, after));
    }
    return tags;
}

/// Whether one of the copied geo tags states this size of a pixel.
bool isStatedByGeoTags(const PixelSize& size, const std::vector<CopiedTag>& tags) {
    ImageInfo geo;
    geo.carried = tags;
    describeGeoTags(geo);
    const auto same = [](double a, double b) { return std::abs(a - b) <= 1e-9 * std::abs(b); };
    return geo.pixelSize && geo.pixelSize->unit == size.unit && same(geo.pixelSize->x, size.x) &&
           same(geo.pixelSize->y, size.y);
}

bool isResolution(const CopiedTag& tag) {
    return tag.tag == kXResolution || tag.tag == kYResolution || tag.tag == kResolutionUnit;
}

/// Whether a reader would take this size for the size of a printed pixel. The pixels of a reduced image may be too
/// large for that.
bool looksPrinted(const PixelSize& size) {
    const auto read = pixelSizeOfResolution(1 / size.x, 1 / size.y, 1, {});
    return read && read->print;
}

void setSizeAndPlace(const ImageInfo& source, PlaneFacts& facts) {
    facts.place = source.place;
    facts.sky = source.sky;
    facts.spacing = source.spacing;
    if (!source.pixelSize) {
        return;
    }
    const PixelSize& size = *source.pixelSize;
    std::vector<CopiedTag>& tags = facts.carried;
    if (size.print && !looksPrinted(size)) {
        std::erase_if(tags, isResolution); // it would be read as the size of the scene
    } else if (size.print && std::ranges::none_of(tags, isResolution)) {
        std::ranges::move(resolutionTags(size), std::back_inserter(tags));
    } else if (!size.print) {
        facts.scene.pixelSize = size;
        facts.scene.sizeInGeoTags = size.source == kGroundSize || isStatedByGeoTags(size, tags);
    }
}

std::string channelOf(const ImageInfo& source) {
    const auto found = std::ranges::find(source.facts, std::string_view(kChannelFact),
                                         [](const auto& fact) { return std::string_view(fact.first); });
    if (found != source.facts.end()) {
        return found->second;
    }
    int step = 1;
    for (const StackAxis& axis : source.axes) {
        const auto at = static_cast<std::size_t>(source.page / step % std::max(axis.count, 1));
        if (axis.name == 'c') {
            return at < axis.labels.size() ? axis.labels[at] : std::string();
        }
        step *= std::max(axis.count, 1);
    }
    return {};
}

/// The channels of the source as channels of the result. Windows stay only if the samples are the same.
std::vector<Channel> channelsFor(const ImageInfo& source, Samples samples) {
    std::vector<Channel> channels = source.channels;
    if (!areLevels(samples)) {
        std::ranges::for_each(channels, [](Channel& channel) { channel.window.reset(); });
    }
    return channels;
}

/// Facts about the channel of the page, or about the only channel; empty if it is computed from several channels, or
/// nothing is known.
std::vector<Channel> channelFor(const ImageInfo& source, Samples samples) {
    std::vector<Channel> channels = channelsFor(source, samples);
    const std::string name = channelOf(source);
    if (channels.size() == 1 && name.empty()) {
        return channels;
    }
    std::erase_if(channels, [&](const Channel& channel) { return channel.name != name; });
    return name.empty() || channels.size() != 1 ? std::vector<Channel>() : channels;
}

} // namespace

ResultValues resultValuesAfter(ResultValues before, const FilterSpec& filter) noexcept {
    using enum ResultValues;
    if (before == others || filter.output == Output::mask || filter.output == Output::labels) {
        return others;
    }
    if (before == differences || filter.output == Output::residue) {
        return differences;
    }
    return filter.rule == Rule::subtractive ? between : before;
}

ResultValues resultValuesAfter(ResultValues before, OperatorValues values) noexcept {
    switch (values) {
    case OperatorValues::lengths:
        return ResultValues::levels;
    case OperatorValues::flags:
        return ResultValues::others;
    case OperatorValues::differences:
        return before == ResultValues::others ? before : ResultValues::differences;
    case OperatorValues::between:
        return std::max(before, ResultValues::between);
    case OperatorValues::levels:
        break;
    }
    return before;
}

ResultValues resultValuesOf(const FilterSpec& filter) noexcept {
    return resultValuesAfter(ResultValues::levels, filter);
}

ResultValues resultValuesOf(const ProfileSpec& profile) noexcept {
    FilterSpec filter;
    filter.rule = profile.rule;
    filter.output = profile.differential ? Output::residue : Output::filtered;
    return resultValuesOf(filter);
}

namespace {

/// Facts about the samples of a plane.
void setSamples(const ImageInfo& source, Samples samples, const std::optional<ResultSamples>& written,
                PlaneFacts& facts) {
    const SampleValues& first = samples.front();
    facts.scale = scaleOf(first);
    facts.means = first.values != ResultValues::others;
    facts.hasGaps = source.invalidPixels > 0;
    facts.isZarr = source.format.starts_with("OME-Zarr") || source.format.starts_with("Zarr");
    facts.isZarr3 = source.format == "OME-Zarr 0.5" || source.format == "Zarr 3";
    if (written && written->mark) {
        facts.noData = numberOfSample(written->type, *written->mark);
    }
    if (first.mapping && areLevels(first.values)) {
        const double last = first.mapping->ranks ? static_cast<double>(first.mapping->ranks->values.size() - 1)
                                                 : static_cast<double>(lastLevelOf(first.mapping->file.type));
        facts.range = {first.mapping->valueOf(0), first.mapping->valueOf(last)};
    }
    facts.carried = tagsFor(source, samples, written);
    if (isCalibrated(source, samples)) {
        facts.scene.scale = facts.scale;
    }
}

} // namespace

PlaneFacts resultFacts(const ImageInfo& source, const WrittenValues& values, ResultPages pages) {
    PlaneFacts facts;
    const SampleValues sample{values.values, source.mapping};
    setSamples(source, {&sample, 1}, values.samples, facts);
    facts.scene.channel = channelOf(source);
    if (pages == ResultPages::all) {
        facts.scene.axes = source.axes;
        facts.scene.channels = channelsFor(source, {&sample, 1});
    } else {
        facts.scene.channels = channelFor(source, {&sample, 1});
    }
    setSizeAndPlace(source, facts);
    return facts;
}

PlaneFacts resultFacts(const ImageInfo& source, const WrittenValues& values, const Extent& extent) {
    PlaneFacts facts = resultFacts(source, values);
    if (extent.isVolume()) {
        facts.scene.axes = {{'z', static_cast<int>(extent.slices), {}}};
    }
    return facts;
}

PlaneFacts pageFacts(const ImageInfo& source, Samples samples, const std::optional<ResultSamples>& written) {
    PlaneFacts facts;
    setSamples(source, samples, written, facts);
    const auto axis = std::ranges::find(source.axes, 'c', &StackAxis::name);
    if (hasNames(samples)) { // without the facts about the source's own bands
        std::erase_if(facts.carried, [](const CopiedTag& tag) { return tag.tag == kGdalMetadata; });
        facts.carried.push_back(textTag(kGdalMetadata, metadataFor({}, samples, true)));
    } else if (axis != source.axes.end() && axis->count > 1) {
        facts.scene.axes = {*axis};
        facts.scene.channels = channelsFor(source, samples);
    } else {
        facts.scene.channel = channelOf(source);
    }
    setSizeAndPlace(source, facts);
    return facts;
}

std::string noteOnType(const ImageInfo& source, ResultValues values, ValueType written) {
    if (!source.mapping || values == ResultValues::others || written == source.mapping->file.type) {
        return {};
    }
    return std::string("written as ") + sampleTypeOf(written).name + ": the values do not fit the " +
           sampleTypeOf(source.mapping->file.type).name + " of the source";
}

} // namespace pollard
