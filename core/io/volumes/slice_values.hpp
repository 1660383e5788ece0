#pragma once

#include "image/value_mapping.hpp"
#include "io/image_file.hpp"

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

namespace pollard {

/// Facts about the values of a volume from its slices. Different slices may be added at the same time.
class SliceValues {
public:
    explicit SliceValues(int slices) : slices_(static_cast<std::size_t>(slices)) {}

    void add(int slice, const LoadedImage& loaded);

    /// Of slices with values; the others agree with any mapping.
    [[nodiscard]] bool haveOneMapping() const;
    /// From the smallest to the largest value of all slices; infinity to -infinity without values.
    [[nodiscard]] MappingChoice range() const;
    /// The mapping with the facts about all slices. Nothing if levels are the values of the files.
    /// @param slice facts about one
    [[nodiscard]] std::optional<ValueMapping> whole(const ImageInfo& slice) const;
    /// The samples of the slices as those of a volume; null if none has any. Takes those of the slices.
    /// @param levels of the volume
    [[nodiscard]] std::shared_ptr<const SampleGrid> takeSamples(const Image& levels);

private:
    struct OfSlice {
        std::optional<ValueMapping> mapping;
        bool any = false; ///< finite and with data
        std::shared_ptr<const SampleGrid> samples = {};
    };

    std::vector<OfSlice> slices_;
};

} // namespace pollard
