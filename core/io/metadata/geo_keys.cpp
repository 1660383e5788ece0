#include "io/metadata/geo_keys.hpp"

#include "base/number_text.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string_view>

namespace pollard {

namespace {

constexpr std::uint16_t kShortType = 3;
constexpr std::uint16_t kDoubleType = 12;
constexpr std::size_t kHeaderShorts = 4;
constexpr std::size_t kEntryShorts = 4;

const CopiedTag* findTag(const std::vector<CopiedTag>& tags, std::uint16_t number) {
    const auto at = std::find_if(tags.begin(), tags.end(), [&](const CopiedTag& tag) { return tag.tag == number; });
    return at == tags.end() ? nullptr : &*at;
}

bool isFinite(const std::array<double, 3>& row) {
    return std::all_of(row.begin(), row.end(), [](double v) { return std::isfinite(v); });
}

} // namespace

template <class T>
std::vector<T> geoValues(const std::vector<CopiedTag>& tags, std::uint16_t tag, std::uint16_t fieldType) {
    const CopiedTag* found = findTag(tags, tag);
    if (found == nullptr || found->fieldType != fieldType || found->data.size() % sizeof(T) != 0 ||
        found->data.size() / sizeof(T) != found->count) {
        return {};
    }
    std::vector<T> values(found->data.size() / sizeof(T));
    if (!values.empty()) {
        std::memcpy(values.data(), found->data.data(), found->data.size());
    }
    return values;
}

template std::vector<std::uint16_t> geoValues(const std::vector<CopiedTag>&, std::uint16_t, std::uint16_t);
template std::vector<double> geoValues(const std::vector<CopiedTag>&, std::uint16_t, std::uint16_t);

std::string geoText(const std::vector<CopiedTag>& tags, std::uint16_t tag) {
    constexpr std::uint16_t kAsciiType = 2;
    const CopiedTag* found = findTag(tags, tag);
    if (found == nullptr || found->fieldType != kAsciiType) {
        return {};
    }
    const auto* first = reinterpret_cast<const char*>(found->data.data());
    return {first, std::find(first, first + found->data.size(), '\0')};
}

std::optional<NoData> noDataOf(const std::vector<CopiedTag>& tags) {
    return NoData::parse(geoText(tags, kGdalNoDataTag));
}

GeoKeys::GeoKeys(const std::vector<CopiedTag>& tags)
    : reals_(geoValues<double>(tags, kGeoDoubleParamsTag, kDoubleType)), ascii_(geoText(tags, kGeoAsciiParamsTag)) {
    const auto shorts = geoValues<std::uint16_t>(tags, kGeoKeyDirectoryTag, kShortType);
    if (shorts.size() < kHeaderShorts) {
        return;
    }
    const std::size_t count = std::min<std::size_t>(shorts[3], (shorts.size() - kHeaderShorts) / kEntryShorts);
    for (std::size_t i = 0; i < count; ++i) {
        const std::uint16_t* entry = shorts.data() + kHeaderShorts + i * kEntryShorts;
        entries_.push_back({entry[0], entry[1], entry[2], entry[3]});
    }
}

const GeoKeys::Entry* GeoKeys::find(std::uint16_t key) const {
    const auto at =
        std::find_if(entries_.begin(), entries_.end(), [&](const Entry& entry) { return entry.key == key; });
    return at == entries_.end() ? nullptr : &*at;
}

std::optional<std::uint16_t> GeoKeys::number(std::uint16_t key) const {
    const Entry* entry = find(key);
    return entry != nullptr && entry->location == 0 ? std::optional(entry->value) : std::nullopt;
}

std::optional<double> GeoKeys::real(std::uint16_t key) const {
    const Entry* entry = find(key);
    const bool found = entry != nullptr && entry->location == kGeoDoubleParamsTag && entry->count > 0 &&
                       entry->value < reals_.size() && std::isfinite(reals_[entry->value]);
    return found ? std::optional(reals_[entry->value]) : std::nullopt;
}

std::string GeoKeys::esriText() const {
    constexpr std::string_view kMark = "ESRI PE String = ";
    constexpr std::string_view kProjected = "PROJCS[";
    for (const std::uint16_t key : {kProjectedCitationKey, kCitationKey}) {
        const std::string citation = text(key);
        // An extension can name files of PROJ.
        if (citation.starts_with(kMark) && citation.compare(kMark.size(), kProjected.size(), kProjected) == 0 &&
            citation.find("EXTENSION") == std::string::npos) {
            return citation.substr(kMark.size());
        }
    }
    return {};
}

std::string GeoKeys::text(std::uint16_t key) const {
    const Entry* entry = find(key);
    if (entry == nullptr || entry->location != kGeoAsciiParamsTag || entry->value >= ascii_.size()) {
        return {};
    }
    std::string text = ascii_.substr(entry->value, entry->count);
    text.resize(std::min(text.find('|'), text.size()));
    return text;
}

double metresOf(std::uint16_t unit) noexcept {
    struct Unit {
        std::uint16_t code;
        double metres;
    };
    constexpr std::array<Unit, 5> kUnits = {
        {{9001, 1.0}, {9002, 0.3048}, {9003, 1200.0 / 3937.0}, {9036, 1000.0}, {9030, 1852.0}}};
    for (const Unit& known : kUnits) {
        if (known.code == unit) {
            return known.metres;
        }
    }
    return 0;
}

std::optional<GeoTransform> geoTransform(const std::vector<CopiedTag>& tags) {
    GeoTransform map;
    const auto matrix = geoValues<double>(tags, kModelTransformationTag, kDoubleType);
    const auto scale = geoValues<double>(tags, kModelPixelScaleTag, kDoubleType);
    const auto tie = geoValues<double>(tags, kModelTiepointTag, kDoubleType);
    if (matrix.size() == 16) {
        map.x = {matrix[3], matrix[0], matrix[1]};
        map.y = {matrix[7], matrix[4], matrix[5]};
    } else if (scale.size() >= 2 && tie.size() >= 6) {
        map.x = {tie[3] - tie[0] * scale[0], scale[0], 0};
        map.y = {tie[4] + tie[1] * scale[1], 0, -scale[1]};
    } else {
        return std::nullopt;
    }
    return isFinite(map.x) && isFinite(map.y) ? std::optional(map) : std::nullopt;
}

} // namespace pollard
