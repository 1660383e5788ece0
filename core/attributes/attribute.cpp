#include "attributes/attribute.hpp"

#include "attributes/attribute_table.hpp"
#include "attributes/volume_table.hpp"
#include "base/error.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <string>

namespace pollard {

namespace {

constexpr std::size_t kVolumeAttributes = [] {
    std::size_t count = 0;
    for (const AttributeInfo& info : kAttributes) {
        count += isMeasuredInVolumes(info.id) ? 1 : 0;
    }
    return count;
}();

constexpr std::array<AttributeInfo, kVolumeAttributes> kInVolumes = [] {
    std::array<AttributeInfo, kVolumeAttributes> rows{};
    std::size_t count = 0;
    for (const AttributeInfo& info : kAttributes) {
        if (isMeasuredInVolumes(info.id)) {
            const auto* own = std::ranges::find(kVolumeRows, info.id, &AttributeInfo::id);
            rows[count++] = own == kVolumeRows.end() ? info : *own;
        }
    }
    return rows;
}();

} // namespace

std::span<const AttributeInfo> allAttributes() noexcept { return std::span(kAttributes).first<kImageAttributes>(); }

std::span<const AttributeInfo> volumeAttributes() noexcept { return kInVolumes; }

std::vector<AttributeInfo> attributesOfVolumesAlone() {
    std::vector<AttributeInfo> found;
    std::ranges::copy_if(kInVolumes, std::back_inserter(found), [](const AttributeInfo& info) {
        return attributeInfo(info.id).formula != info.formula || static_cast<std::size_t>(info.id) >= kImageAttributes;
    });
    return found;
}

bool isMeasured(AttributeId id, bool isVolume) noexcept {
    return isVolume ? isMeasuredInVolumes(id) : static_cast<std::size_t>(id) < kImageAttributes;
}

std::string measureProblem(AttributeId id, bool isVolume) {
    return isMeasured(id, isVolume) ? std::string()
                                    : "attribute '" + std::string(attributeInfo(id).name) +
                                          (isVolume ? "': not measured in volumes" : "': measured in volumes only");
}

void requireMeasured(AttributeId id, bool isVolume) {
    if (const std::string problem = measureProblem(id, isVolume); !problem.empty()) {
        throw Error(ErrorCode::invalidArgument, problem);
    }
}

const AttributeInfo& attributeInfo(AttributeId id) noexcept { return kAttributes[static_cast<std::size_t>(id)]; }

Dimension dimensionOf(AttributeId id, bool isVolume) noexcept {
    const Dimension dimension = attributeInfo(id).dimension;
    const bool countsVoxels = isVolume && dimension == Dimension::area && id != AttributeId::surface;
    return countsVoxels ? Dimension::volume : dimension;
}

std::optional<AttributeId> findAttribute(std::string_view name) noexcept {
    const auto found = std::ranges::find(kAttributes, name, &AttributeInfo::name);
    return found == kAttributes.end() ? std::nullopt : std::optional(found->id);
}

} // namespace pollard
