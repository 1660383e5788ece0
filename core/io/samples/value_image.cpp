#include "io/samples/value_image.hpp"

#include "base/number_text.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace pollard {

namespace {

constexpr std::string_view kLostValues = "more than 65536 different values: nearly equal ones";
constexpr double kLastLevel = 65535;

std::string shortNumber(double number) { return generalText(number, 3); }

} // namespace

LoadedImage imageOfValues(const SourceFile& source, const ValueGrid& values, const ReadOptions& options,
                          const ValueGaps& gaps, ImageInfo info, const JobControl& control) {
    const ValueGaps all{gaps.noData ? gaps.noData : options.noData, gaps.valid};
    MappedLevels mapped = namingFile(
        source.path, [&] { return levelsOfValues(values, options.mapping, all, control, options.statistics.get()); });
    info.mapping = mapped.mapping;
    info.invalidPixels = mapped.invalidPixels;
    noteLostValues(options.mapping, info);
    return {std::move(mapped.image), std::move(mapped.valid), std::move(info)};
}

void noteLostValues(const MappingChoice& choice, ImageInfo& info) {
    if (!info.mapping || info.mapping->exact || choice.range != MappingChoice::Range::automatic ||
        info.mapping->ranks || info.mapping->file.first) {
        return;
    }
    const ValueMapping& mapping = *info.mapping;
    const std::string unit = mapping.unit.empty() ? std::string() : " " + mapping.unit;
    std::string note =
        std::string(kLostValues) + ", closer than about " + shortNumber(mapping.step) + unit + ", share a level";
    if (mapping.clipped > 0) {
        note += "; " + std::to_string(mapping.clipped) + (mapping.clipped == 1 ? " pixel" : " pixels") + " beyond " +
                shortNumber(mapping.valueOf(0)) + " to " + shortNumber(mapping.valueOf(kLastLevel)) + unit +
                " became one of these ends";
    }
    note += "; --range 0.1%:99.9% maps fewer values more finely";
    std::erase_if(info.notes, [](const std::string& one) { return one.starts_with(kLostValues); });
    info.notes.push_back(std::move(note));
}

void addValues(std::optional<ValueMapping>& all, const std::optional<ValueMapping>& part) {
    if (!all || !part) {
        all = all ? all : part;
        return;
    }
    const bool isFloat = all->file.type == ValueType::f32 || all->file.type == ValueType::f64;
    const bool areApart = all->ranks || all->file.first || (!isFloat && all->step <= std::abs(all->file.slope));
    all->exact =
        all->exact && part->exact && (areApart || (all->minimum == part->maximum && all->maximum == part->minimum));
    all->minimum = std::min(all->minimum, part->minimum);
    all->maximum = std::max(all->maximum, part->maximum);
    all->nan += part->nan;
    all->infinite += part->infinite;
    all->clipped += part->clipped;
}

std::shared_ptr<const Mask> maskOfGaps(Mask mask, std::uint64_t& invalid) {
    invalid = std::uint64_t{mask.width()} * mask.height() - mask.count();
    return invalid == 0 ? nullptr : std::make_shared<const Mask>(std::move(mask));
}

} // namespace pollard
