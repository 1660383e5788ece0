#include "options/option_values.hpp"

#include "command.hpp"
#include "io/metadata/length_units.hpp"
#include "text.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace pollard::cli {

namespace {

UsageError wrong(std::string_view option, std::string_view text, const std::string& rule) {
    return UsageError(std::string(option) + ": '" + std::string(text) + "': " + rule);
}

/// Percentages end in '%' and are converted to fractions.
std::optional<double> rangeEnd(std::string_view text, bool percent) {
    if (percent) {
        text.remove_suffix(1);
    }
    const std::optional<double> value = numberIn<double>(text);
    if (!value || !std::isfinite(*value)) {
        return std::nullopt;
    }
    return percent ? *value / 100 : *value;
}

constexpr std::array<std::pair<std::string_view, RawLayout::SampleType>, 8> kSampleTypes{
    {{"u8", RawLayout::SampleType::u8},
     {"i8", RawLayout::SampleType::i8},
     {"u16", RawLayout::SampleType::u16},
     {"i16", RawLayout::SampleType::i16},
     {"u32", RawLayout::SampleType::u32},
     {"i32", RawLayout::SampleType::i32},
     {"f32", RawLayout::SampleType::f32},
     {"f64", RawLayout::SampleType::f64}}};

bool readRawField(std::string_view field, RawLayout& layout) {
    if (field == "be" || field == "le") {
        layout.bigEndian = field == "be";
        return true;
    }
    const std::size_t equals = field.find('=');
    if (equals == std::string_view::npos) {
        return false;
    }
    const std::string_view name = field.substr(0, equals);
    const std::string_view text = field.substr(equals + 1);
    if (name == "offset") {
        const std::optional<std::uint64_t> offset = numberIn<std::uint64_t>(text);
        layout.offset = offset.value_or(0);
        return offset.has_value();
    }
    const std::optional<int> count = numberIn<int>(text);
    if (!count || *count < 1 || (name != "samples" && name != "pages")) {
        return false;
    }
    (name == "samples" ? layout.samples : layout.pages) = *count;
    return true;
}

} // namespace

UsageError unknownName(const std::string& what, const std::string& name, const std::vector<std::string>& known) {
    return UsageError(what + ": '" + name + "': unknown (there are " + joined(known, ", ") + ")");
}

AttributeId attributeNamed(const std::string& name) {
    if (const std::optional<AttributeId> id = findAttribute(name)) {
        return *id;
    }
    throw unknownName("attribute", name, textsOf(allAttributes(), &AttributeInfo::name));
}

std::vector<AttributeId> attributesNamed(const std::string& text, bool inVolumes) {
    std::vector<AttributeId> ids;
    const auto known = textsOf(inVolumes ? volumeAttributes() : allAttributes(), &AttributeInfo::name);
    for (const std::string& name : text == "all" ? known : splitList(text)) {
        const std::optional<AttributeId> id = findAttribute(name);
        refuseConflicts({{!id, "attribute: '" + name + "': unknown (there are " + joined(known, ", ") + ", or all)"}});
        if (std::ranges::find(ids, *id) == ids.end()) {
            ids.push_back(*id);
        }
    }
    return ids;
}

std::string attributeHelp() {
    std::size_t width = 0;
    std::vector<std::string_view> groups;
    for (const AttributeInfo& info : allAttributes()) {
        width = std::max(width, info.name.size());
        if (std::ranges::find(groups, info.group) == groups.end()) {
            groups.push_back(info.group);
        }
    }
    const auto line = [width](const AttributeInfo& info) {
        return "  " + std::string(info.name) + std::string(width + 2 - info.name.size(), ' ') +
               std::string(info.formula) + (info.unit.empty() ? "" : ", " + std::string(info.unit)) + '\n';
    };
    std::string text;
    for (const std::string_view group : groups) {
        text += "Attributes: " + std::string(group) + '\n';
        for (const AttributeInfo& info : allAttributes()) {
            text += info.group == group ? line(info) : "";
        }
    }
    text += "Attributes: in volumes\n";
    for (const AttributeInfo& info : attributesOfVolumesAlone()) {
        text += line(info);
    }
    std::string others;
    for (const AttributeInfo& info : allAttributes()) {
        if (std::ranges::find(volumeAttributes(), info.id, &AttributeInfo::id) == volumeAttributes().end()) {
            others.append(others.empty() ? "" : ", ").append(info.name);
        }
    }
    return text + "  Not in volumes: " + others + '\n';
}

void noteStated(CLI::App& command, const std::string& name, bool& isStated) {
    command.get_option(name)->each([&isStated](const std::string&) { isStated = true; });
}

CLI::Option* addRepeated(CLI::App& command, const std::string& name, std::vector<std::string>& values,
                         const std::string& help, const std::string& type) {
    return command.add_option(name, values, help)
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
        ->allow_extra_args(false)
        ->type_name(type);
}

PixelRegion parseRegion(std::string_view text) {
    const auto numbers = numbersIn<std::uint32_t, 4>(text);
    if (!numbers || (*numbers)[2] == 0 || (*numbers)[3] == 0) {
        throw wrong("--region", text, "must be x,y,width,height in px");
    }
    const auto [x, y, width, height] = *numbers;
    return {x, y, width, height};
}

PartChoice parsePart(std::string_view text) {
    if (std::ranges::count(text, ',') < 4) {
        return {parseRegion(text), {}};
    }
    const auto numbers = numbersIn<std::uint32_t, 6>(text);
    if (!numbers || (*numbers)[3] == 0 || (*numbers)[4] == 0 || (*numbers)[5] == 0) {
        throw wrong("--region", text, "must be x,y,width,height in px or, in volumes, x,y,z,width,height,slices");
    }
    const auto [x, y, z, width, height, slices] = *numbers;
    return {{x, y, width, height}, SliceRange{z, slices}};
}

MappingChoice parseRange(std::string_view text) {
    if (text == "auto") {
        return {};
    }
    if (text == "minmax") {
        return {.range = MappingChoice::Range::minMax};
    }
    const auto parts = split(text, ':');
    if (parts.size() == 2 && !parts[0].empty() && !parts[1].empty()) {
        const bool percent = parts[0].back() == '%';
        const auto low = rangeEnd(parts[0], percent);
        const auto high = rangeEnd(parts[1], percent);
        const bool agree = (parts[1].back() == '%') == percent;
        if (agree && low && high && *low < *high && (!percent || (*low >= 0 && *high <= 1))) {
            return {percent ? MappingChoice::Range::percentile : MappingChoice::Range::fixed, *low, *high};
        }
    }
    throw wrong("--range", text, "must be auto, minmax, LOW:HIGH or LOW%:HIGH%, with LOW below HIGH");
}

RawLayout parseRawLayout(std::string_view text) {
    const auto fields = split(text, ':');
    RawLayout layout;
    bool right = fields.size() >= 2;
    if (right) {
        const auto sides = numbersIn<std::uint32_t, 2>(fields[0], 'x').value_or(std::array{0U, 0U});
        layout.width = sides[0];
        layout.height = sides[1];
        right = layout.width > 0 && layout.height > 0;
    }
    bool known = false;
    for (const auto& [name, type] : kSampleTypes) {
        if (right && fields[1] == name) {
            layout.type = type;
            known = true;
        }
    }
    right = right && known;
    for (std::size_t i = 2; right && i < fields.size(); ++i) {
        right = readRawField(fields[i], layout);
    }
    if (!right) {
        throw wrong("--raw", text,
                    "must be WIDTHxHEIGHT:TYPE with TYPE u8, i8, u16, i16, u32, i32, f32 or f64, then any of :be, :le, "
                    ":samples=N, :offset=BYTES, :pages=N");
    }
    return layout;
}

LengthUnit parseUnit(std::string_view text) {
    const auto unit = unitAtStart(text);
    if (!unit || unit->bytes != text.size() || unit->dimension != Dimension::length) {
        throw UsageError("unit: '" + std::string(text) + "': unknown (there are " + unitNames(Dimension::length) + ")");
    }
    return unit->unit;
}

PixelSize parsePixelSize(std::string_view text) {
    const std::size_t end = text.find_last_of("0123456789.");
    const std::size_t digits = end == std::string_view::npos ? 0 : end + 1;
    const auto sides = split(text.substr(0, digits), 'x');
    const bool spaced = digits < text.size() && text[digits] == ' ';
    const auto unit = statedUnit(text.substr(digits + (spaced ? 1 : 0)));
    const auto x = numberIn<double>(sides[0]);
    const auto y = sides.size() > 1 ? numberIn<double>(sides[1]) : x;
    const auto z = sides.size() > 2 ? numberIn<double>(sides[2]) : std::optional(1.0);
    const auto isSide = [](const std::optional<double>& side) { return side && isStatedSide(*side); };
    if (sides.size() > 3 || !unit || !isSide(x) || !isSide(y) || !isSide(z)) {
        throw wrong("--pixel-size", text,
                    "must be a length such as 0.325um, or width and height such as 0.325x0.65um, or with the distance "
                    "of slices 0.325x0.325x2um, from 1e-9 to 1e9 nm, um, mm, cm, m or km");
    }
    PixelSize size;
    size.x = *x;
    size.y = *y;
    size.z = sides.size() > 2 ? *z : 0;
    size.unit = *unit;
    size.source = kSetByHand;
    return size;
}

std::uint64_t parseAmount(std::string_view option, std::string_view text) {
    std::string_view digits = text;
    double factor = 1;
    constexpr std::string_view kUnits = "kMGT";
    if (const std::size_t unit = text.empty() ? std::string_view::npos : kUnits.find(text.back());
        unit != std::string_view::npos) {
        factor = std::pow(1000.0, static_cast<double>(unit + 1));
        digits.remove_suffix(1);
    }
    const std::optional<double> value = numberIn<double>(digits);
    const double amount = value.value_or(0) * factor;
    if (!value || !(amount >= 1) || amount > 1e18) {
        throw wrong(option, text, "must be a positive number, k, M, G or T may follow");
    }
    return static_cast<std::uint64_t>(amount);
}

} // namespace pollard::cli
