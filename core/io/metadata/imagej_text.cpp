#include "io/metadata/imagej_text.hpp"

#include "base/number_text.hpp"
#include "io/metadata/imagej_tags.hpp"
#include "io/metadata/length_units.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string_view>

namespace pollard {

namespace {

constexpr std::uint16_t kResolutionUnit = 296;
constexpr std::uint16_t kNoUnit = 1; ///< values of ResolutionUnit
constexpr std::uint16_t kInch = 2;
constexpr std::uint16_t kCentimetre = 3;

/// A unit as ImageJ names it.
struct Unit {
    std::string name;
    double factor = 1; ///< a length times this is in the unit
};

Unit unitOf(const PixelSize& size) {
    constexpr std::array<std::string_view, 5> kKept{"nm", "mm", "cm", "m", "km"};
    if (std::ranges::find(kKept, size.unit) != kKept.end()) {
        return {size.unit, 1};
    }
    if (const auto micrometres = micrometresOf(size.unit)) {
        return {"um", *micrometres};
    }
    return {size.unit == "°" ? "deg" : size.unit, 1};
}

/// Whether the axes are in ImageJ's order of the pages.
bool isInOrder(const std::vector<StackAxis>& axes) {
    constexpr std::string_view kOrder = "czt";
    return std::ranges::is_sorted(axes, {}, [&](const StackAxis& axis) { return kOrder.find(axis.name); });
}

std::size_t channelCount(const SceneDescription& scene) {
    const auto axis = std::ranges::find(scene.axes, 'c', &StackAxis::name);
    return axis == scene.axes.end() ? 1 : static_cast<std::size_t>(axis->count);
}

bool allHaveWindows(std::span<const Channel> facts) {
    return !facts.empty() && std::ranges::all_of(facts, [](const Channel& each) { return each.window.has_value(); });
}

/// Whether ImageJ shows several channels in colours of their own.
bool isComposite(const SceneDescription& scene) {
    const std::span<const Channel> facts = channelFacts(scene);
    return facts.size() > 1 && (allHaveWindows(facts) || std::ranges::all_of(facts, [](const Channel& each) {
                                    return each.colour.has_value();
                                }));
}

std::string countLines(const SceneDescription& scene, const WrittenPages& pages) {
    if (pages.count == 1 || !countsPages(scene.axes, pages.count) || !isInOrder(scene.axes)) {
        return {};
    }
    // With this number, ImageJ takes the pixels of an uncompressed file for a single block.
    std::string text = pages.compressed ? "images=" + std::to_string(pages.count) + '\n' : std::string();
    for (const StackAxis& axis : scene.axes) {
        text += (axis.name == 'c'   ? "channels="
                 : axis.name == 'z' ? "slices="
                                    : "frames=") +
                std::to_string(axis.count) + '\n';
        if (const auto seconds = secondsOf(axis.unit); axis.name == 't' && axis.step > 0 && seconds) {
            text += "finterval=" + exactNumber(axis.step * *seconds) + '\n';
        }
    }
    if (scene.axes.size() > 1 || channelCount(scene) > 1) {
        text += "hyperstack=true\n";
    }
    return channelCount(scene) > 1 ? text + (isComposite(scene) ? "mode=composite\n" : "mode=grayscale\n") : text;
}

std::string printLines(const std::vector<CopiedTag>& carried) {
    const auto found = std::ranges::find(carried, kResolutionUnit, &CopiedTag::tag);
    std::uint16_t unit = 0;
    if (found != carried.end() && found->data.size() == sizeof unit) {
        std::memcpy(&unit, found->data.data(), sizeof unit);
    }
    return unit == kInch ? "unit=inch\nprint=true\n" : unit == kCentimetre ? "unit=cm\nprint=true\n" : "";
}

std::string sizeLines(const SceneDescription& scene, const std::vector<CopiedTag>& carried) {
    if (!scene.pixelSize) {
        return printLines(carried);
    }
    const PixelSize& size = *scene.pixelSize;
    const Unit unit = unitOf(size);
    std::string text = "unit=" + unit.name + '\n';
    if (size.z > 0) {
        text += "spacing=" + exactNumber(size.z * unit.factor) + '\n';
    }
    return text + "pixel_width=" + exactNumber(size.x * unit.factor) +
           "\npixel_height=" + exactNumber(size.y * unit.factor) + '\n';
}

/// The displayed range of pages without several channels.
std::string windowLines(const SceneDescription& scene) {
    const std::span<const Channel> facts = channelFacts(scene);
    const auto window = scene.window        ? scene.window
                        : facts.size() == 1 ? facts.front().window
                                            : std::optional<ChannelWindow>();
    if (!window || channelCount(scene) > 1) {
        return {};
    }
    return "min=" + exactNumber(window->low) + "\nmax=" + exactNumber(window->high) + '\n';
}

/// Names that fit a line.
bool isLine(const std::string& name) { return name.find_first_of("\r\n") == std::string::npos; }

/// The function from samples to values; 0 is the number of a straight line.
std::string scaleLines(const SceneDescription& scene) {
    if (!scene.scale) {
        return {};
    }
    return "cf=0\nc0=" + exactNumber(scene.scale->intercept) + "\nc1=" + exactNumber(scene.scale->slope) +
           "\nvunit=" + (isLine(scene.scale->unit) && !scene.scale->unit.empty() ? scene.scale->unit : "Gray Value") +
           '\n';
}

} // namespace

bool isImageJScene(const SceneDescription& scene, const WrittenPages& pages) {
    const std::span<const Channel> facts = channelFacts(scene);
    const auto coloured = static_cast<std::size_t>(
        std::ranges::count_if(facts, [](const Channel& each) { return each.colour.has_value(); }));
    const bool hasAll = coloured == 0 || coloured == facts.size() || allHaveWindows(facts);
    const bool counted = countsPages(scene.axes, pages.count);
    return hasAll && std::ranges::all_of(facts, [](const Channel& each) { return !(each.wavelength > 0); }) &&
           (!counted || isInOrder(scene.axes)) && (pages.samples == 1 || pages.samples == 3) &&
           (!scene.pixelSize || !imageJResolution(*scene.pixelSize).empty());
}

std::string imageJText(const SceneDescription& scene, const WrittenPages& pages,
                       const std::vector<CopiedTag>& carried) {
    std::string text = "ImageJ=1.11a\n"; // version that other programs write, too
    text +=
        countLines(scene, pages) + sizeLines(scene, carried) + windowLines(scene) + scaleLines(scene) + "loop=false\n";
    const bool isNamed = !scene.channel.empty() && channelCount(scene) == 1 && isLine(scene.channel);
    return isNamed ? text + "channel=" + scene.channel + '\n' : text;
}

std::vector<CopiedTag> imageJTags(const SceneDescription& scene, const WrittenPages& pages) {
    const std::size_t count = channelCount(scene);
    const bool counted = countsPages(scene.axes, pages.count);
    const std::span<const Channel> facts = channelFacts(scene);
    std::size_t stride = 1; // pages from one channel to the next
    for (auto axis = scene.axes.begin(); counted && axis != scene.axes.end() && axis->name != 'c'; ++axis) {
        stride *= static_cast<std::size_t>(axis->count);
    }
    ImageJMetadata metadata;
    for (std::size_t channel = 0; channel < count && count > 1; ++channel) {
        metadata.info += "Channel " + std::to_string(channel + 1) + ": " + channelName(scene, channel) + '\n';
    }
    for (std::size_t page = 0; page < static_cast<std::size_t>(pages.count) && (counted || count == 1); ++page) {
        metadata.labels.push_back(channelName(scene, count == 1 ? 0 : page / stride % count));
    }
    for (const Channel& channel : facts) {
        if (count > 1 && allHaveWindows(facts)) {
            metadata.windows.push_back(*channel.window);
        }
        if (channel.colour) {
            metadata.colours.push_back(*channel.colour);
        }
    }
    if (metadata.colours.size() != facts.size()) {
        metadata.colours.clear();
    }
    const bool hasNames = std::ranges::any_of(metadata.labels, [](const std::string& label) { return !label.empty(); });
    return hasNames || !metadata.windows.empty() || !metadata.colours.empty() ? tagsOf(metadata)
                                                                              : std::vector<CopiedTag>();
}

std::vector<CopiedTag> imageJResolution(const PixelSize& size) {
    const double factor = unitOf(size).factor;
    return resolutionTags(1 / (size.x * factor), 1 / (size.y * factor), kNoUnit);
}

} // namespace pollard
