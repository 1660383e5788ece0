#include "recipe/result_tags.hpp"

#include "geo/ground_size.hpp"
#include "io/metadata/fact_text.hpp"
#include "io/metadata/geo_keys.hpp"
#include "io/metadata/geo_tags.hpp"
#include "io/metadata/print_resolution.hpp"
#include "io/metadata/scene_description.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <pugixml.hpp>
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

std::string textOf(const CarriedTag& tag) {
    std::string text(reinterpret_cast<const char*>(tag.data.data()), tag.data.size());
    return text.substr(0, text.find('\0'));
}

/// The items that tell values from levels.
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

using Samples = std::span<const SampleValues>; ///< of a page

bool hasNames(Samples samples) { return !samples.front().name.empty(); }

bool anyMapped(Samples samples) {
    return std::ranges::any_of(samples, [](const SampleValues& sample) { return sample.mapping.has_value(); });
}

/// Those of the sample that an item is about; of all samples those that say least.
ResultValues valuesFor(const pugi::xml_node& item, Samples samples) {
    const std::size_t sample = item.attribute("sample").as_uint(std::numeric_limits<unsigned>::max());
    return sample < samples.size() ? samples[sample].values
                                   : std::ranges::max_element(samples, {}, &SampleValues::values)->values;
}

/// Removes all scaling if levels of any sample are no values of the file.
void removeUntrueScaling(pugi::xml_node metadata, Samples samples) {
    const bool all = anyMapped(samples);
    for (pugi::xml_node item = metadata.first_child(); item;) {
        const pugi::xml_node next = item.next_sibling();
        const ResultValues values = valuesFor(item, samples);
        const bool isOffset = std::string_view(item.attribute("role").value()) == "offset";
        if (isScaling(item) &&
            (all || values == ResultValues::others || (values == ResultValues::differences && isOffset))) {
            metadata.remove_child(item);
        }
        item = next;
    }
}

/// GDAL_METADATA with the scaling that is true for the result; empty if nothing is left to say.
std::string metadataFor(const std::string& before, Samples samples) {
    pugi::xml_document document;
    if (!before.empty() && !document.load_string(before.c_str())) {
        document.reset();
    }
    pugi::xml_node metadata = document.child("GDALMetadata");
    if (!metadata) {
        metadata = document.append_child("GDALMetadata");
    }
    removeUntrueScaling(metadata, samples);
    for (std::size_t sample = 0; sample < samples.size(); ++sample) {
        const auto& [values, mapping, name] = samples[sample];
        if (mapping && values != ResultValues::others) {
            addItem(metadata, "SCALE", "scale", sample, exactNumber(mapping->step));
            if (areLevels(values)) {
                addItem(metadata, "OFFSET", "offset", sample, exactNumber(mapping->offset));
            }
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

/// Replaces the no-data value of the source.
void setNoData(std::vector<CarriedTag>& tags, const NoDataMark& mark) {
    CarriedTag tag = textTag(kGdalNoData, std::to_string(mark.value));
    const auto old = std::ranges::find(tags, kGdalNoData, &CarriedTag::tag);
    if (old == tags.end()) {
        tags.push_back(std::move(tag));
    } else if (noDataOf(tags) != mark.value) {
        *old = std::move(tag);
    }
}

/// The tags of the source but for no-data value and scaling, which follow the values.
std::vector<CarriedTag> tagsFor(const ImageInfo& source, Samples samples, const std::optional<NoDataMark>& mark) {
    std::vector<CarriedTag> tags = source.carried;
    const bool areStored = areLevels(samples) && !anyMapped(samples);
    if (mark) {
        setNoData(tags, *mark);
    } else if (!areStored) {
        std::erase_if(tags, [](const CarriedTag& tag) { return tag.tag == kGdalNoData; });
    }
    if (areStored) {
        return tags;
    }
    const auto old = std::find_if(tags.begin(), tags.end(), [](const CarriedTag& tag) {
        return tag.tag == kGdalMetadata && tag.fieldType == kAscii;
    });
    const std::string before = old == tags.end() ? std::string() : textOf(*old);
    const std::string after = metadataFor(before, samples);
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

/// Whether geo tags among those that travel say that a pixel has this size.
bool isStatedByGeoTags(const PixelSize& size, const std::vector<CarriedTag>& tags) {
    ImageInfo geo;
    geo.carried = tags;
    describeGeoTags(geo);
    const auto same = [](double a, double b) { return std::abs(a - b) <= 1e-9 * std::abs(b); };
    return geo.pixelSize && geo.pixelSize->unit == size.unit && same(geo.pixelSize->x, size.x) &&
           same(geo.pixelSize->y, size.y);
}

bool isResolution(const CarriedTag& tag) {
    return tag.tag == kXResolution || tag.tag == kYResolution || tag.tag == kResolutionUnit;
}

/// Whether a reader would take this size for that of a printed pixel. That of a shrunk picture may be too large for it.
bool looksPrinted(const PixelSize& size) {
    const auto read = pixelSizeOfResolution(1 / size.x, 1 / size.y, 1, {});
    return read && read->print;
}

void setSizeAndPlace(const ImageInfo& source, PlaneFacts& facts) {
    facts.place = source.place;
    facts.spacing = source.spacing;
    if (!source.pixelSize) {
        return;
    }
    const PixelSize& size = *source.pixelSize;
    std::vector<CarriedTag>& tags = facts.carried;
    if (size.print && !looksPrinted(size)) {
        std::erase_if(tags, isResolution); // it would be read as the size of the scene
    } else if (size.print && std::ranges::none_of(tags, isResolution)) {
        std::ranges::move(resolutionTags(size), std::back_inserter(tags));
    } else if (!size.print) {
        facts.scene.pixelSize = size;
        facts.scene.sizeInGeoTags = size.source == kGroundSize || isStatedByGeoTags(size, tags);
    }
}

/// Name of the channel that the page belongs to; empty if it is not known.
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

/// The channels of the source as those of the result, whose windows only hold for the levels of the file.
std::vector<Channel> channelsFor(const ImageInfo& source, Samples samples) {
    std::vector<Channel> channels = source.channels;
    if (!areLevels(samples) || anyMapped(samples)) {
        std::ranges::for_each(channels, [](Channel& channel) { channel.window.reset(); });
    }
    return channels;
}

/// Facts about the channel of the page, or about the only one; empty if it is computed from several ones, or nothing is
/// known.
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

ResultValues resultValuesOf(const FilterSpec& filter) noexcept {
    return resultValuesAfter(ResultValues::levels, filter);
}

ResultValues resultValuesOf(const ProfileSpec& profile) noexcept {
    FilterSpec filter;
    filter.rule = profile.rule;
    filter.output = profile.differential ? Output::residue : Output::filtered;
    return resultValuesOf(filter);
}

PlaneFacts resultFacts(const ImageInfo& source, const WrittenValues& values, ResultPages pages) {
    PlaneFacts facts;
    const SampleValues sample{values.values, source.mapping};
    if (source.mapping && values.values != ResultValues::others) {
        facts.step = source.mapping->step;
        facts.offset = areLevels(values.values) ? source.mapping->offset : 0;
    }
    facts.means = values.values != ResultValues::others;
    facts.hasGaps = source.invalidPixels > 0;
    facts.carried = tagsFor(source, {&sample, 1}, values.mark);
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

PlaneFacts pageFacts(const ImageInfo& source, Samples samples, const std::optional<NoDataMark>& mark) {
    PlaneFacts facts;
    facts.carried = tagsFor(source, samples, mark);
    const auto axis = std::ranges::find(source.axes, 'c', &StackAxis::name);
    if (hasNames(samples)) { // without the facts about the source's own bands
        std::erase_if(facts.carried, [](const CarriedTag& tag) { return tag.tag == kGdalMetadata; });
        facts.carried.push_back(textTag(kGdalMetadata, metadataFor({}, samples)));
    } else if (axis != source.axes.end() && axis->count > 1) {
        facts.scene.axes = {*axis};
        facts.scene.channels = channelsFor(source, samples);
    } else {
        facts.scene.channel = channelOf(source);
    }
    setSizeAndPlace(source, facts);
    return facts;
}

} // namespace pollard
